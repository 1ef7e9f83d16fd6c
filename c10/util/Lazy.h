#pragma once

// A value that is computed when it is first asked for.

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace c10 {

/// A value that may be computed when it is first asked for.
template <class T>
class LazyValue {
 public:
  virtual ~LazyValue() = default;
  /// The value, which lives as long as this object.
  virtual const T& get() const = 0;
};

/// The value is there already.
template <class T>
class PrecomputedLazyValue : public LazyValue<T> {
 public:
  explicit PrecomputedLazyValue(T value) : value_(std::move(value)) {}
  const T& get() const override { return value_; }

 private:
  T value_;
};

/// A value that `ensure` computes once. Several threads may ask; one computes, the others wait.
template <class T>
class OptimisticLazy {
 public:
  OptimisticLazy() = default;
  /// A copy has a copy of the value, if there is one.
  OptimisticLazy(const OptimisticLazy& other) {
    const std::lock_guard<std::mutex> lock(other.mutex_);
    if (other.value_) value_ = std::make_unique<T>(*other.value_);
  }
  /// The moved-from object has no value.
  OptimisticLazy(OptimisticLazy&& other) noexcept : value_(other.taken()) {}
  OptimisticLazy& operator=(OptimisticLazy other) noexcept {
    std::unique_ptr<T> value = other.taken();
    const std::lock_guard<std::mutex> lock(mutex_);
    value_ = std::move(value);
    return *this;
  }

  /// The value; `factory()` if there is none yet. What the factory throws is passed on, and the
  /// next call tries again.
  template <class Factory>
  T& ensure(const Factory& factory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!value_) value_ = std::make_unique<T>(factory());
    return *value_;
  }
  /// Forgets the value. References to it dangle.
  void reset() {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_.reset();
  }

 private:
  std::unique_ptr<T> taken() noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::move(value_);
  }

  mutable std::mutex mutex_;
  std::unique_ptr<T> value_;
};

/// A value that compute() gives.
template <class T>
class OptimisticLazyValue : public LazyValue<T> {
 public:
  const T& get() const override {
    return value_.ensure([this] { return compute(); });
  }

 private:
  virtual T compute() const = 0;
  mutable OptimisticLazy<T> value_;
};

}  // namespace c10
