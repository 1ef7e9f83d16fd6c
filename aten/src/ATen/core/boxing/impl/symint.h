#pragma once

// Kernels and callers may write SymInt where an operator has sizes. The dispatcher passes int64_t:
// a kernel with SymInt serves callers with int64_t, and the reverse.

#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace c10::impl {

// The type that is passed for a parameter or result of C++.
template <typename T>
struct PassedAs {
  using type = T;
};
template <>
struct PassedAs<SymInt> {
  using type = int64_t;
};
template <>
struct PassedAs<std::optional<SymInt>> {
  using type = std::optional<int64_t>;
};
template <>
struct PassedAs<SymIntArrayRef> {
  using type = IntArrayRef;
};
template <>
struct PassedAs<std::optional<SymIntArrayRef>> {
  using type = std::optional<IntArrayRef>;
};
template <>
struct PassedAs<OptionalSymIntArrayRef> {
  using type = OptionalIntArrayRef;
};
template <>
struct PassedAs<const SymInt&> : PassedAs<SymInt> {};
template <>
struct PassedAs<const std::optional<SymInt>&> : PassedAs<std::optional<SymInt>> {};
template <>
struct PassedAs<const SymIntArrayRef&> : PassedAs<SymIntArrayRef> {};
template <>
struct PassedAs<const OptionalSymIntArrayRef&> : PassedAs<OptionalSymIntArrayRef> {};

template <typename T>
using passed_as_t = typename PassedAs<T>::type;

template <typename... Ts>
inline constexpr bool has_symint_v = !(std::is_same_v<passed_as_t<Ts>, Ts> && ...);

template <typename Func>
struct PassedFunction;
template <typename Return, typename... Args>
struct PassedFunction<Return(Args...)> {
  using type = passed_as_t<Return>(passed_as_t<Args>...);
};

inline int64_t withoutSymInt(SymInt n) { return n.expect_int(); }
inline std::optional<int64_t> withoutSymInt(std::optional<SymInt> n) {
  if (!n.has_value()) return std::nullopt;
  return n->expect_int();
}
inline IntArrayRef withoutSymInt(SymIntArrayRef list) { return asIntArrayRefUnchecked(list); }
inline std::optional<IntArrayRef> withoutSymInt(std::optional<SymIntArrayRef> list) {
  if (!list.has_value()) return std::nullopt;
  return asIntArrayRefUnchecked(*list);
}
inline OptionalIntArrayRef withoutSymInt(OptionalSymIntArrayRef list) {
  if (!list.has_value()) return std::nullopt;
  return OptionalIntArrayRef(asIntArrayRefUnchecked(*list));
}

// A caller's argument as it is passed.
template <typename T>
passed_as_t<T> toPassed(T&& arg) {
  if constexpr (has_symint_v<T>) {
    return withoutSymInt(arg);
  } else {
    return std::forward<T>(arg);
  }
}

// A passed value as a kernel of parameter `T` or a caller with result `T` has it.
template <typename T>
decltype(auto) fromPassed(passed_as_t<T>&& value) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (!has_symint_v<T>) {
    return std::forward<passed_as_t<T>>(value);
  } else if constexpr (std::is_same_v<Value, SymIntArrayRef>) {
    return fromIntArrayRefUnchecked(value);
  } else if constexpr (std::is_same_v<Value, std::optional<SymInt>> ||
                       std::is_same_v<Value, SymInt>) {
    return Value(value);
  } else {
    if (!value.has_value()) return Value(std::nullopt);
    return Value(fromIntArrayRefUnchecked(*value));
  }
}

// Calls a kernel `Return(Args...)` with passed arguments.
template <typename Return, typename... Args, typename Kernel>
passed_as_t<Return> callWithSymInts(Kernel&& kernel, passed_as_t<Args>... args) {
  if constexpr (has_symint_v<Return>) {
    return withoutSymInt(kernel(fromPassed<Args>(std::forward<passed_as_t<Args>>(args))...));
  } else {
    return kernel(fromPassed<Args>(std::forward<passed_as_t<Args>>(args))...);
  }
}

}  // namespace c10::impl
