#pragma once

// A value that many threads read while one writes it: readers never wait for a writer.
//
//   c10::LeftRight<std::map<int, int>> table;
//   table.write([](auto& map) { map[1] = 2; });
//   int two = table.read([](const auto& map) { return map.at(1); });
//
// P. Ramalhete and A. Correia, "Left-Right: A Concurrency Control Technique with Wait-Free
// Population Oblivious Reads", 2015. There are two copies: readers use one while the writer changes
// the other; then they change places, and the writer repeats its change. `write` calls its function
// twice, which must do the same both times.

#include <c10/macros/Macros.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace c10 {

template <class T>
class LeftRight final {
 public:
  template <class... Args>
  explicit LeftRight(const Args&... args) : copies_{T{args...}, T{args...}} {}
  LeftRight(const LeftRight&) = delete;
  LeftRight& operator=(const LeftRight&) = delete;
  /// Waits for readers; none may begin.
  ~LeftRight() {
    const std::lock_guard<std::mutex> lock(write_mutex_);
    wait_for_readers(0);
    wait_for_readers(1);
  }

  template <typename F>
  auto read(F&& function) const {
    const Reader reader(readers_[epoch_.load()]);
    return std::forward<F>(function)(copies_[current_.load()]);
  }

  /// Runs the function on both copies. If it throws, the value is as before, and the exception
  /// leaves.
  template <typename F>
  auto write(F&& function) {
    const std::lock_guard<std::mutex> lock(write_mutex_);
    const uint8_t used = current_.load();
    const uint8_t other = used ^ 1;
    try {
      function(copies_[other]);
    } catch (...) {
      copies_[other] = copies_[used];
      throw;
    }
    current_ = other;
    // Readers that began before are in either epoch.
    const uint8_t epoch = epoch_.load();
    wait_for_readers(epoch ^ 1);
    epoch_ = epoch ^ 1;
    wait_for_readers(epoch);
    try {
      return function(copies_[used]);
    } catch (...) {
      copies_[used] = copies_[other];
      throw;
    }
  }

 private:
  class Reader final {
   public:
    explicit Reader(std::atomic<int32_t>& count) : count_(count) { ++count_; }
    ~Reader() { --count_; }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

   private:
    std::atomic<int32_t>& count_;
  };

  void wait_for_readers(uint8_t epoch) {
    while (readers_[epoch].load() != 0) std::this_thread::yield();
  }

  mutable std::array<std::atomic<int32_t>, 2> readers_{};
  std::atomic<uint8_t> epoch_{0};
  std::atomic<uint8_t> current_{0};
  std::array<T, 2> copies_;
  std::mutex write_mutex_;
};

/// The same interface around a mutex.
template <class T>
class RWSafeLeftRightWrapper final {
 public:
  template <class... Args>
  explicit RWSafeLeftRightWrapper(const Args&... args) : data_{args...} {}

  template <typename F>
  auto read(F&& function) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::forward<F>(function)(data_);
  }
  template <typename F>
  auto write(F&& function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::forward<F>(function)(data_);
  }

 private:
  T data_;
  mutable std::mutex mutex_;
};

}  // namespace c10
