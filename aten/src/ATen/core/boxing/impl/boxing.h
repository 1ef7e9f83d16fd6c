#pragma once

// Boxed calls from unboxed arguments: the arguments go onto a stack, the results come off it.

#include <ATen/core/stack.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace c10::impl {

// Collects the addresses of the arguments that are `Tensor&`.
inline void addIfMutable(at::Tensor** out, size_t& n, at::Tensor& arg) { out[n++] = &arg; }
template <typename T>
void addIfMutable(at::Tensor**, size_t&, const T&) {}

// Takes the result of a boxed call off the stack.
template <typename Return>
struct PopResult final {
  static Return call(Stack& stack) {
    TORCH_INTERNAL_ASSERT(
        stack.size() == 1,
        "Boxed kernel was expected to return a single value on the stack, but instead returned ",
        stack.size(), " values.");
    return stack.back().template to<Return>();
  }
};
template <>
struct PopResult<void> final {
  static void call(Stack& stack) {
    TORCH_INTERNAL_ASSERT(
        stack.empty(),
        "Boxed kernel was expected to return no values on the stack, but instead returned ",
        stack.size(), " values.");
  }
};
template <typename... Types>
struct PopResult<std::tuple<Types...>> final {
  static std::tuple<Types...> call(Stack& stack) {
    TORCH_INTERNAL_ASSERT(stack.size() == sizeof...(Types), "Boxed kernel was expected to return ",
                          sizeof...(Types), " values on the stack, but instead returned ",
                          stack.size(), " values.");
    return unpack(stack, std::index_sequence_for<Types...>());
  }
  template <size_t... I>
  static std::tuple<Types...> unpack(Stack& stack, std::index_sequence<I...>) {
    return std::tuple<Types...>(stack[I].template to<Types>()...);
  }
};

template <typename T>
struct is_tuple_of_refs : std::false_type {};
template <typename... Ts>
struct is_tuple_of_refs<std::tuple<Ts&...>> : std::bool_constant<(sizeof...(Ts) > 0)> {};

template <typename Return, size_t... I>
Return refsFromMutable(at::Tensor* const* tensors, std::index_sequence<I...>) {
  return Return(*tensors[I]...);
}

// Calls `boxed(Stack*)` with `args` and gives its result as `Return`. A result by reference is one
// of the `Tensor&` arguments: the first argument of an in-place operator, which may change others
// too, and the last ones of an out= operator.
template <typename Return, typename... Args, typename Boxed>
Return callBoxed(Boxed&& boxed, Args&... args) {
  Stack stack;
  stack.reserve(sizeof...(Args));
  (stack.emplace_back(args), ...);
  boxed(&stack);
  if constexpr (std::is_same_v<Return, const at::Tensor&>) {
    return std::get<0>(std::tie(args...));
  } else if constexpr (std::is_reference_v<Return> || is_tuple_of_refs<Return>::value) {
    at::Tensor* tensors[sizeof...(Args)];
    size_t n = 0;
    (addIfMutable(tensors, n, args), ...);
    if constexpr (std::is_reference_v<Return>) {
      TORCH_INTERNAL_ASSERT(n >= 1);
      using First = std::tuple_element_t<0, std::tuple<Args&...>>;
      return *tensors[std::is_same_v<First, at::Tensor&> ? 0 : n - 1];
    } else {
      constexpr size_t kResults = std::tuple_size_v<Return>;
      TORCH_INTERNAL_ASSERT(n >= kResults);
      return refsFromMutable<Return>(tensors + (n - kResults),
                                     std::make_index_sequence<kResults>());
    }
  } else {
    return PopResult<Return>::call(stack);
  }
}

}  // namespace c10::impl
