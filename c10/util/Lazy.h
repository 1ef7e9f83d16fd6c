#pragma once

// A value that is computed when it is first asked for.

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace c10 {

template <class T>
class LazyValue {
 public:
  virtual ~LazyValue() = default;
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

/// Several threads may ask; one computes.
template <class T>
class OptimisticLazy {
 public:
  OptimisticLazy() = default;

  template <class Factory>
  T& ensure(const Factory& factory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!value_) value_ = std::make_unique<T>(factory());
    return *value_;
  }
  void reset() {
    const std::lock_guard<std::mutex> lock(mutex_);
    value_.reset();
  }

 private:
  std::mutex mutex_;
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
