#pragma once

// Types of functions taken apart, and tuples cut.
//
//   using traits = c10::guts::infer_function_traits_t<decltype(lambda)>;
//   traits::return_type, traits::parameter_types, traits::number_of_parameters

#include <c10/util/TypeList.h>
#include <c10/util/TypeTraits.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace c10::guts {

template <class Func>
struct function_traits;
template <class Result, class... Args>
struct function_traits<Result(Args...)> {
  using func_type = Result(Args...);
  using return_type = Result;
  using parameter_types = typelist::typelist<Args...>;
  static constexpr auto number_of_parameters = sizeof...(Args);
};
template <class Result, class... Args>
struct function_traits<Result(Args...) noexcept> : function_traits<Result(Args...)> {};

/// function_traits of a functor, a function or a pointer to one.
template <class Functor>
struct infer_function_traits : infer_function_traits<decltype(&Functor::operator())> {};
template <class Result, class... Args>
struct infer_function_traits<Result (*)(Args...)> {
  using type = function_traits<Result(Args...)>;
};
template <class Result, class... Args>
struct infer_function_traits<Result(Args...)> {
  using type = function_traits<Result(Args...)>;
};
template <class Class, class Result, class... Args>
struct infer_function_traits<Result (Class::*)(Args...)> {
  using type = function_traits<Result(Args...)>;
};
template <class Class, class Result, class... Args>
struct infer_function_traits<Result (Class::*)(Args...) const> {
  using type = function_traits<Result(Args...)>;
};
template <class Functor>
using infer_function_traits_t = typename infer_function_traits<Functor>::type;

template <class Result, class ArgList>
struct make_function_traits;
template <class Result, class... Args>
struct make_function_traits<Result, typelist::typelist<Args...>> {
  using type = function_traits<Result(Args...)>;
};
template <class Result, class ArgList>
using make_function_traits_t = typename make_function_traits<Result, ArgList>::type;

namespace detail {
template <size_t First, class Tuple, size_t... Indices>
constexpr auto tuple_part(Tuple&& tuple, std::index_sequence<Indices...>) {
  return std::tuple<std::tuple_element_t<First + Indices, std::remove_cvref_t<Tuple>>...>(
      std::get<First + Indices>(std::forward<Tuple>(tuple))...);
}
template <class Tuple, class Mapper, size_t... Indices>
constexpr auto tuple_mapped(Tuple&& tuple, const Mapper& mapper, std::index_sequence<Indices...>) {
  return std::tuple<decltype(mapper(std::get<Indices>(std::forward<Tuple>(tuple))))...>(
      mapper(std::get<Indices>(std::forward<Tuple>(tuple)))...);
}
}  // namespace detail

/// The elements at these places.
template <size_t... Indices, class Tuple>
constexpr auto tuple_elements(Tuple&& tuple, std::index_sequence<Indices...>) {
  return std::tuple<std::tuple_element_t<Indices, std::remove_cvref_t<Tuple>>...>(
      std::get<Indices>(std::forward<Tuple>(tuple))...);
}
/// The first `num` elements, or the last `-num` ones: tuple_take<decltype(t), 2>(t).
template <class Tuple, int64_t num>
constexpr auto tuple_take(Tuple tuple) {
  constexpr auto size = static_cast<int64_t>(std::tuple_size_v<Tuple>);
  static_assert(-size <= num && num <= size, "the tuple has fewer elements");
  return detail::tuple_part <
         num<0 ? size + num : 0>(
             std::move(tuple),
             std::make_index_sequence<static_cast<size_t>(num < 0 ? -num : num)>());
}
/// `num` elements from the one at `start`: tuple_slice<decltype(t), 1, 2>(t).
template <class Tuple, size_t start, size_t num>
constexpr auto tuple_slice(Tuple tuple) {
  static_assert(start + num <= std::tuple_size_v<Tuple>, "the tuple has fewer elements");
  return detail::tuple_part<start>(std::move(tuple), std::make_index_sequence<num>());
}
/// mapper(element) of every element.
template <class Tuple, class Mapper>
constexpr auto tuple_map(Tuple&& tuple, const Mapper& mapper) {
  return detail::tuple_mapped(
      std::forward<Tuple>(tuple), mapper,
      std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<Tuple>>>());
}

using std::apply;
using std::bool_constant;
using std::conjunction;
using std::disjunction;
using std::negation;

}  // namespace c10::guts
