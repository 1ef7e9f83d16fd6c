#pragma once

// A value with one owner.

#include <utility>

namespace c10 {

template <typename T>
class ExclusivelyOwned {
 public:
  ExclusivelyOwned() = default;
  explicit ExclusivelyOwned(T&& value) : value_(std::move(value)) {}

  T take() && { return std::move(value_); }
  T* get() { return &value_; }
  const T* get() const { return &value_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }

 private:
  T value_;
};

}  // namespace c10
