#pragma once

// Runs a function when a scope is left: auto end = c10::make_scope_exit([&] { … });

#include <type_traits>
#include <utility>

namespace c10 {

template <typename Callable>
class [[nodiscard]] scope_exit {
 public:
  template <typename Fp>
  explicit scope_exit(Fp&& function) : function_(std::forward<Fp>(function)) {}
  scope_exit(scope_exit&& other) noexcept
      : function_(std::move(other.function_)), engaged_(std::exchange(other.engaged_, false)) {}
  scope_exit(const scope_exit&) = delete;
  scope_exit& operator=(const scope_exit&) = delete;
  scope_exit& operator=(scope_exit&&) = delete;
  ~scope_exit() {
    if (engaged_) function_();
  }
  /// The function is not run.
  void release() { engaged_ = false; }

 private:
  Callable function_;
  bool engaged_ = true;
};

template <typename Callable>
scope_exit<std::decay_t<Callable>> make_scope_exit(Callable&& function) {
  return scope_exit<std::decay_t<Callable>>(std::forward<Callable>(function));
}

}  // namespace c10
