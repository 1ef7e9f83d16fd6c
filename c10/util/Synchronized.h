#pragma once

// A value behind a lock: table.withLock([](auto& map) { map[1] = 2; });

#include <mutex>
#include <utility>

namespace c10 {

template <typename T>
class Synchronized final {
 public:
  Synchronized() = default;
  explicit Synchronized(const T& data) : data_(data) {}
  explicit Synchronized(T&& data) : data_(std::move(data)) {}
  Synchronized(const Synchronized&) = delete;
  Synchronized& operator=(const Synchronized&) = delete;

  template <typename Callable>
  auto withLock(Callable&& callable) {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::forward<Callable>(callable)(data_);
  }
  template <typename Callable>
  auto withLock(Callable&& callable) const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::forward<Callable>(callable)(data_);
  }

 private:
  mutable std::mutex mutex_;
  T data_{};
};

}  // namespace c10
