#pragma once

#include <c10/macros/Macros.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <atomic>
#endif

namespace c10 {

/// An atomic integer or pointer without <atomic>, whose inclusion costs more than all of
/// TensorImpl.h. Operations are named for the order they need.
template <typename T>
class LightAtomic {
 public:
  constexpr LightAtomic() noexcept : value_() {}
  constexpr LightAtomic(T value) noexcept : value_(value) {}
  LightAtomic(const LightAtomic&) = delete;
  LightAtomic& operator=(const LightAtomic&) = delete;

#if defined(_MSC_VER) && !defined(__clang__)
  T load_relaxed() const noexcept { return value_.load(std::memory_order_relaxed); }
  T load_acquire() const noexcept { return value_.load(std::memory_order_acquire); }
  void store_relaxed(T value) noexcept { value_.store(value, std::memory_order_relaxed); }
  void store_release(T value) noexcept { value_.store(value, std::memory_order_release); }
  /// Both return the new value.
  T add_fetch_relaxed(T delta) noexcept {
    return value_.fetch_add(delta, std::memory_order_relaxed) + delta;
  }
  T sub_fetch_acq_rel(T delta) noexcept {
    return value_.fetch_sub(delta, std::memory_order_acq_rel) - delta;
  }
  /// Stores `desired` if the value is `expected`; otherwise loads the value into `expected`.
  bool compare_exchange_acq_rel(T& expected, T desired) noexcept {
    return value_.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

 private:
  std::atomic<T> value_;
#else
  T load_relaxed() const noexcept { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  T load_acquire() const noexcept { return __atomic_load_n(&value_, __ATOMIC_ACQUIRE); }
  void store_relaxed(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
  void store_release(T value) noexcept { __atomic_store_n(&value_, value, __ATOMIC_RELEASE); }
  /// Both return the new value.
  T add_fetch_relaxed(T delta) noexcept {
    return __atomic_add_fetch(&value_, delta, __ATOMIC_RELAXED);
  }
  T sub_fetch_acq_rel(T delta) noexcept {
    return __atomic_sub_fetch(&value_, delta, __ATOMIC_ACQ_REL);
  }
  /// Stores `desired` if the value is `expected`; otherwise loads the value into `expected`.
  bool compare_exchange_acq_rel(T& expected, T desired) noexcept {
    return __atomic_compare_exchange_n(&value_, &expected, desired, /*weak=*/false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }

 private:
  T value_;
#endif
};

}  // namespace c10
