#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace torch::jit {

// The arguments of a boxed call, first argument first; the results replace them.
using Stack = std::vector<c10::IValue>;

// The `i`-th of the last `n` values.
inline c10::IValue& peek(Stack& stack, size_t i, size_t n) { return *(stack.end() - n + i); }
inline const c10::IValue& peek(const Stack& stack, size_t i, size_t n) {
  return *(stack.end() - n + i);
}
inline c10::ArrayRef<c10::IValue> last(const Stack& stack, size_t n) {
  return c10::ArrayRef<c10::IValue>(stack.data() + stack.size() - n, n);
}
inline void drop(Stack& stack, size_t n) { stack.erase(stack.end() - n, stack.end()); }
inline c10::IValue pop(Stack& stack) {
  c10::IValue v = std::move(stack.back());
  stack.pop_back();
  return v;
}
template <typename... Args>
void push(Stack& stack, Args&&... args) {
  (stack.emplace_back(std::forward<Args>(args)), ...);
}

}  // namespace torch::jit

namespace c10 {
using torch::jit::Stack;
}  // namespace c10
