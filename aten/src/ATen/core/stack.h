#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace torch::jit {

// The arguments of a boxed call, first argument first; the results replace them.
using Stack = std::vector<c10::IValue>;

// The `i`-th of the last `n` values, from 0. The functions check nothing: the stack has `n`
// values.
inline c10::IValue& peek(Stack& stack, size_t i, size_t n) { return *(stack.end() - n + i); }
inline const c10::IValue& peek(const Stack& stack, size_t i, size_t n) {
  return *(stack.end() - n + i);
}
// The last `n` values, borrowed: valid until the stack changes.
inline c10::ArrayRef<c10::IValue> last(const Stack& stack, size_t n) {
  return c10::ArrayRef<c10::IValue>(stack.data() + stack.size() - n, n);
}
// Removes the last `n` values.
inline void drop(Stack& stack, size_t n) { stack.erase(stack.end() - n, stack.end()); }
// Removes the last value and returns it.
inline c10::IValue pop(Stack& stack) {
  c10::IValue v = std::move(stack.back());
  stack.pop_back();
  return v;
}
// Adds values, the first one first.
template <typename... Args>
void push(Stack& stack, Args&&... args) {
  (stack.emplace_back(std::forward<Args>(args)), ...);
}

}  // namespace torch::jit

namespace c10 {
using torch::jit::Stack;
}  // namespace c10
