#pragma once

// Unboxed calls from a stack: each argument is converted to what the kernel takes, and held for
// the length of the call. There is one adapter for each signature, not for each kernel.

#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace c10::impl {

// Owns an argument converted from an IValue, and passes it on as `Arg`.
template <typename Arg>
struct ArgHolder {
  explicit ArgHolder(const IValue& v) : value(v.to<Arg>()) {}
  Arg get() { return std::move(value); }
  Arg value;
};
template <typename T>
struct ArgHolder<const T&> : ArgHolder<T> {
  using ArgHolder<T>::ArgHolder;
  const T& get() { return this->value; }
};
template <typename T>
struct ArgHolder<T&> : ArgHolder<T> {
  using ArgHolder<T>::ArgHolder;
  T& get() { return this->value; }
};
template <typename T>
struct ArgHolder<T&&> : ArgHolder<T> {
  using ArgHolder<T>::ArgHolder;
  T&& get() { return std::move(this->value); }
};
template <typename T>
struct ArgHolder<ArrayRef<T>> {
  explicit ArgHolder(const IValue& v) : value(v.to<std::vector<T>>()) {}
  ArrayRef<T> get() { return value; }
  std::vector<T> value;
};
template <>
struct ArgHolder<ArrayRef<bool>> {
  explicit ArgHolder(const IValue& v);
  ArrayRef<bool> get() { return ArrayRef<bool>(value.get(), size); }
  std::unique_ptr<bool[]> value;
  size_t size;
};
inline ArgHolder<ArrayRef<bool>>::ArgHolder(const IValue& v)
    : value(new bool[v.toListRef().size()]), size(v.toListRef().size()) {
  for (size_t i = 0; i < size; ++i) value[i] = v.toListRef()[i].toBool();
}
template <typename T>
struct ArgHolder<std::optional<ArrayRef<T>>> {
  explicit ArgHolder(const IValue& v) : value(v.to<std::optional<std::vector<T>>>()) {}
  std::optional<ArrayRef<T>> get() {
    if (!value) return std::nullopt;
    return ArrayRef<T>(*value);
  }
  std::optional<std::vector<T>> value;
};
template <typename T>
struct ArgHolder<OptionalArrayRef<T>> {
  explicit ArgHolder(const IValue& v) : value(v.to<std::optional<std::vector<T>>>()) {}
  OptionalArrayRef<T> get() {
    if (!value) return std::nullopt;
    return OptionalArrayRef<T>(ArrayRef<T>(*value));
  }
  std::optional<std::vector<T>> value;
};

template <typename T>
struct PushResult {
  template <typename U>
  static void call(U&& result, Stack* stack) {
    stack->emplace_back(std::forward<U>(result));
  }
};
template <typename... Ts>
struct PushResult<std::tuple<Ts...>> {
  static void call(std::tuple<Ts...>&& results, Stack* stack) {
    std::apply([&](auto&&... xs) { (stack->emplace_back(std::forward<decltype(xs)>(xs)), ...); },
               std::move(results));
  }
};

// Calls `unboxed(args...)` with the top of the stack, which its results replace.
template <typename Return, typename... Args>
struct BoxedAdapter {
  template <typename Unboxed, size_t... I>
  static void call(Unboxed&& unboxed, Stack* stack, std::index_sequence<I...>) {
    constexpr size_t kArgs = sizeof...(Args);
    std::tuple<ArgHolder<Args>...> holders{ArgHolder<Args>(torch::jit::peek(*stack, I, kArgs))...};
    if constexpr (std::is_void_v<Return>) {
      unboxed(std::get<I>(holders).get()...);
      torch::jit::drop(*stack, kArgs);
    } else {
      decltype(auto) result = unboxed(std::get<I>(holders).get()...);
      torch::jit::drop(*stack, kArgs);
      PushResult<std::decay_t<Return>>::call(std::forward<decltype(result)>(result), stack);
    }
  }
};

}  // namespace c10::impl
