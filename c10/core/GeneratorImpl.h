#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstdint>
#include <mutex>

namespace c10 {

/// The seed of a generator that nobody seeded.
constexpr uint64_t default_rng_seed_val = 67280421310721;

/// A source of random numbers on a device. Hold `mutex_` while drawing from it.
struct C10_API GeneratorImpl : public intrusive_ptr_target {
  GeneratorImpl(Device device_in, DispatchKeySet key_set);
  C10_DISABLE_COPY_AND_ASSIGN(GeneratorImpl);
  ~GeneratorImpl() override;

  /// A generator with the same state.
  intrusive_ptr<GeneratorImpl> clone() const;

  virtual void set_current_seed(uint64_t seed) = 0;
  virtual void set_offset(uint64_t offset) = 0;
  virtual uint64_t get_offset() const = 0;
  virtual uint64_t current_seed() const = 0;
  /// Seeds from the system and returns the seed.
  virtual uint64_t seed() = 0;

  DispatchKeySet key_set() const { return key_set_; }
  Device device() const { return device_; }

  void set_pyobj(PyObject* pyobj) noexcept { pyobj_ = pyobj; }
  PyObject* pyobj() const noexcept { return pyobj_; }

  std::mutex mutex_;

 protected:
  Device device_;
  DispatchKeySet key_set_;
  PyObject* pyobj_ = nullptr;

  virtual GeneratorImpl* clone_impl() const = 0;
};

namespace detail {
/// A seed from the system's source of randomness. With `is_cuda`, of 53 bits, which a double holds.
C10_API uint64_t getNonDeterministicRandom(bool is_cuda = false);
}  // namespace detail

}  // namespace c10
