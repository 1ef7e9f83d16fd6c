#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace c10 {
struct GeneratorImpl;
}  // namespace c10

namespace at {

class Tensor;

// A reference-counted handle on the state of a random number generator of one device. Copies share
// the state; `clone` copies it. Hold the lock while drawing numbers:
//
//   at::Generator gen = at::detail::createCPUGenerator(42);
//   std::lock_guard<std::mutex> lock(gen.mutex());
struct TORCH_API Generator {
  // Undefined: nothing but `defined()`, comparison and assignment may be called.
  Generator();
  // Shares the state. Throws c10::Error on null.
  explicit Generator(c10::intrusive_ptr<c10::GeneratorImpl> gen_impl);
  Generator(const Generator&);
  Generator(Generator&&) noexcept;
  Generator& operator=(const Generator&);
  Generator& operator=(Generator&&) noexcept;
  ~Generator();

  bool operator==(const Generator& rhs) const { return impl_ == rhs.impl_; }
  bool defined() const { return static_cast<bool>(impl_); }
  // Borrowed; null for an undefined generator.
  c10::GeneratorImpl* unsafeGetGeneratorImpl() const { return impl_.get(); }
  const c10::intrusive_ptr<c10::GeneratorImpl>& getIntrusivePtr() const { return impl_; }

  // Restarts the sequence at this seed.
  void set_current_seed(uint64_t seed);
  // The seed that the sequence started from.
  uint64_t current_seed() const;
  // Seeds from the system's entropy and returns the seed.
  uint64_t seed();
  c10::DispatchKeySet key_set() const;
  c10::Device device() const;
  // A generator with a state of its own that continues with the same numbers.
  Generator clone() const;
  // The state as a 1-d uint8 tensor on the CPU, and back. `set_state` throws c10::Error for a
  // tensor that is not such a state.
  Tensor get_state() const;
  void set_state(const Tensor& new_state);

  // The state as its class, borrowed. Not checked: see check_generator.
  template <typename T>
  T* get() const {
    return static_cast<T*>(impl_.get());
  }
  // Needs <c10/core/GeneratorImpl.h> at the point of use.
  template <typename Impl = c10::GeneratorImpl>
  auto& mutex() const {
    return static_cast<Impl*>(impl_.get())->mutex_;
  }

 private:
  c10::intrusive_ptr<c10::GeneratorImpl> impl_;
};

template <class Impl, class... Args>
Generator make_generator(Args&&... args) {
  return Generator(c10::make_intrusive<Impl>(std::forward<Args>(args)...));
}

// The implementation of `gen` as a borrowed `T*`. Throws c10::Error if there is none, or if it is
// for another type of device.
template <typename T>
T* check_generator(const std::optional<Generator>& gen) {
  TORCH_CHECK(gen.has_value(), "Expected Generator but received nullopt");
  TORCH_CHECK(gen->defined(), "Generator with undefined implementation is not allowed");
  TORCH_CHECK(T::device_type() == gen->device().type(), "Expected a '", T::device_type(),
              "' device type for generator but found '", gen->device().type(), "'");
  return gen->template get<T>();
}

// The same, of `default_gen` if `gen` is absent.
template <typename T>
T* get_generator_or_default(const std::optional<Generator>& gen, const Generator& default_gen) {
  return gen.has_value() && gen->defined() ? check_generator<T>(gen)
                                           : check_generator<T>(std::make_optional(default_gen));
}

}  // namespace at
