#pragma once

#include <cstddef>
#include <tuple>

// The parameter and result types of a function or of an object with one call operator.
template <typename T>
struct function_traits : function_traits<decltype(&T::operator())> {};
template <typename T>
struct function_traits<T&> : function_traits<T> {};
template <typename T>
struct function_traits<T*> : function_traits<T> {};
template <typename Class, typename Return, typename... Args>
struct function_traits<Return (Class::*)(Args...) const> : function_traits<Return(Args...)> {};
template <typename Class, typename Return, typename... Args>
struct function_traits<Return (Class::*)(Args...)> : function_traits<Return(Args...)> {};

template <typename Return, typename... Args>
struct function_traits<Return(Args...)> {
  static constexpr size_t arity = sizeof...(Args);
  using ArgsTuple = std::tuple<Args...>;
  using result_type = Return;
  template <size_t i>
  struct arg {
    using type = std::tuple_element_t<i, ArgsTuple>;
  };
};
