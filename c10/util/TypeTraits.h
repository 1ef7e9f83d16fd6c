#pragma once

// Traits of types: whether a functor, a template's instance, of what kind its arguments are.

#include <c10/util/TypeList.h>

#include <functional>
#include <tuple>
#include <type_traits>

namespace c10::guts {

/// Whether values of `T` compare with ==.
template <typename T>
    struct is_equality_comparable : std::bool_constant < requires(const T& a, const T& b) {
  a == b;
}>{};
/// Whether std::hash has values of `T`.
template <typename T>
    struct is_hashable : std::bool_constant < requires(const T& a) {
  std::hash<T>()(a);
}>{};

/// Whether `T` is a type of functions, such as int(float).
template <typename T>
struct is_function_type : std::is_function<T> {};
template <typename T>
using is_function_type_t = typename is_function_type<T>::type;

/// is_instantiation_of<std::vector, std::vector<int>> is true.
template <template <class...> class Template, class T>
struct is_instantiation_of : std::false_type {};
template <template <class...> class Template, class... Args>
struct is_instantiation_of<Template, Template<Args...>> : std::true_type {};
template <template <class...> class Template, class T>
using is_instantiation_of_t = typename is_instantiation_of<Template, T>::type;

/// Whether `Condition` has a value: std::is_reference has, std::vector has not.
template <template <class> class Condition>
    struct is_type_condition : std::bool_constant < requires {
  Condition<int>::value;
}>{};

/// Whether objects of `T` are called: the type has one operator().
template <typename T>
    struct is_functor : std::bool_constant < requires {
  &T::operator();
}>{};

/// Whether `T` is a lambda that captures nothing: it converts to a pointer to a function, which
/// other functors do not.
template <typename T>
    struct is_stateless_lambda : std::bool_constant < requires(const std::decay_t<T>& functor) {
  requires is_functor<std::decay_t<T>>::value && std::is_empty_v<std::decay_t<T>>;
  + functor;
}>{};

}  // namespace c10::guts
