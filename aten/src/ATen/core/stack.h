#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <iterator>
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

// The same of a stack by its address, as boxed kernels have it.
inline c10::IValue& peek(Stack* stack, size_t i, size_t n) { return peek(*stack, i, n); }
inline c10::ArrayRef<c10::IValue> last(const Stack* stack, size_t n) { return last(*stack, n); }
inline void drop(Stack* stack, size_t n) { drop(*stack, n); }
inline c10::IValue pop(Stack* stack) { return pop(*stack); }
template <typename... Args>
void push(Stack* stack, Args&&... args) {
  push(*stack, std::forward<Args>(args)...);
}
// Removes the last `n` values and returns them, the first one first.
inline std::vector<c10::IValue> pop(Stack& stack, size_t n) {
  std::vector<c10::IValue> values(std::make_move_iterator(stack.end() - n),
                                  std::make_move_iterator(stack.end()));
  drop(stack, n);
  return values;
}
// Removes as many values as there are arguments, and converts each to its argument's type.
template <typename... Types>
void pop(Stack& stack, Types&... args) {
  size_t i = 0;
  ((args = peek(stack, i++, sizeof...(args)).template to<Types>()), ...);
  drop(stack, sizeof...(args));
}
template <typename... Types>
void pop(Stack* stack, Types&... args) {
  pop(*stack, args...);
}
template <typename Type>
void push_one(Stack& stack, Type&& arg) {
  stack.emplace_back(std::forward<Type>(arg));
}
template <typename T>
void push_list_elements(Stack& stack, c10::ArrayRef<T> elements) {
  for (const T& element : elements) stack.emplace_back(element);
}

}  // namespace torch::jit

namespace c10 {
using torch::jit::Stack;
}  // namespace c10
