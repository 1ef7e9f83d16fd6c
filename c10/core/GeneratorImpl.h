#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <mutex>

namespace c10 {

/// The initial seed of default generators.
constexpr uint64_t default_rng_seed_val = 67280421310721;

/// The state of a random number generator of one device. at::Generator is the handle. The caller
/// holds `mutex_` while reading or changing the state.
struct C10_API GeneratorImpl : public intrusive_ptr_target {
  /// `key_set` are the keys that calls with this generator dispatch on.
  GeneratorImpl(Device device_in, DispatchKeySet key_set);
  C10_DISABLE_COPY_AND_ASSIGN(GeneratorImpl);
  ~GeneratorImpl() override;

  /// A new generator that continues with the same numbers.
  intrusive_ptr<GeneratorImpl> clone() const;

  /// Restarts the sequence at this seed.
  virtual void set_current_seed(uint64_t seed) = 0;
  /// The position in the sequence, in 4-byte random numbers, for counter-based generators (Philox).
  /// Others throw c10::Error.
  virtual void set_offset(uint64_t offset) = 0;
  virtual uint64_t get_offset() const = 0;
  /// The seed that the sequence started from.
  virtual uint64_t current_seed() const = 0;
  /// Seeds from the system's entropy and returns the seed.
  virtual uint64_t seed() = 0;

  DispatchKeySet key_set() const { return key_set_; }
  Device device() const { return device_; }

  /// The Python object of this generator, borrowed; null if there is none.
  void set_pyobj(PyObject* pyobj) noexcept { pyobj_ = pyobj; }
  PyObject* pyobj() const noexcept { return pyobj_; }

  std::mutex mutex_;

 protected:
  Device device_;
  DispatchKeySet key_set_;
  PyObject* pyobj_ = nullptr;

  /// A copy made by `new`, with no reference yet: `clone` owns it.
  virtual GeneratorImpl* clone_impl() const = 0;
};

namespace detail {
/// A seed from the system's source of randomness. With `is_cuda`, of 53 bits, which a double holds.
C10_API uint64_t getNonDeterministicRandom(bool is_cuda = false);
}  // namespace detail

}  // namespace c10
