#pragma once

// Lists of types, and what is computed of them when the program is compiled.
//
//   using all = typelist<int, float>;
//   static_assert(size<all>::value == 2);
//   static_assert(std::is_same_v<map_t<std::add_pointer_t, all>, typelist<int*, float*>>);

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace c10::guts::typelist {

template <class... Items>
struct typelist final {
  typelist() = delete;
};

template <class List>
struct size;
template <class... Types>
struct size<typelist<Types...>> : std::integral_constant<size_t, sizeof...(Types)> {};

template <class Tuple>
struct from_tuple;
template <class... Types>
struct from_tuple<std::tuple<Types...>> {
  using type = typelist<Types...>;
};
template <class Tuple>
using from_tuple_t = typename from_tuple<Tuple>::type;

template <class List>
struct to_tuple;
template <class... Types>
struct to_tuple<typelist<Types...>> {
  using type = std::tuple<Types...>;
};
template <class List>
using to_tuple_t = typename to_tuple<List>::type;

template <class... Lists>
struct concat;
template <>
struct concat<> {
  using type = typelist<>;
};
template <class... Types>
struct concat<typelist<Types...>> {
  using type = typelist<Types...>;
};
template <class... Heads, class... Tails, class... Rest>
struct concat<typelist<Heads...>, typelist<Tails...>, Rest...> {
  using type = typename concat<typelist<Heads..., Tails...>, Rest...>::type;
};
template <class... Lists>
using concat_t = typename concat<Lists...>::type;

/// The types T for which Condition<T>::value is true.
template <template <class> class Condition, class List>
struct filter;
template <template <class> class Condition, class... Types>
struct filter<Condition, typelist<Types...>> {
  using type =
      concat_t<std::conditional_t<Condition<Types>::value, typelist<Types>, typelist<>>...>;
};
template <template <class> class Condition, class List>
using filter_t = typename filter<Condition, List>::type;

template <template <class> class Condition, class List>
struct count_if : size<filter_t<Condition, List>> {};

template <class List, class Type>
struct contains;
template <class... Types, class Type>
struct contains<typelist<Types...>, Type>
    : std::bool_constant<(std::is_same_v<Types, Type> || ...)> {};

template <template <class> class Condition, class List>
struct all;
template <template <class> class Condition, class... Types>
struct all<Condition, typelist<Types...>> : std::bool_constant<(Condition<Types>::value && ...)> {};
template <class List, template <class> class Condition>
struct true_for_each_type : all<Condition, List> {};
template <template <class> class Condition, class List>
struct true_for_any_type;
template <template <class> class Condition, class... Types>
struct true_for_any_type<Condition, typelist<Types...>>
    : std::bool_constant<(Condition<Types>::value || ...)> {};

/// Mapper<T> of every type T.
template <template <class> class Mapper, class List>
struct map;
template <template <class> class Mapper, class... Types>
struct map<Mapper, typelist<Types...>> {
  using type = typelist<Mapper<Types>...>;
};
template <template <class> class Mapper, class List>
using map_t = typename map<Mapper, List>::type;

template <size_t Index, class List>
struct element;
template <size_t Index, class... Types>
struct element<Index, typelist<Types...>> {
  using type = std::tuple_element_t<Index, std::tuple<Types...>>;
};
template <size_t Index, class List>
using element_t = typename element<Index, List>::type;

template <class List>
struct head;
template <class Head, class... Tail>
struct head<typelist<Head, Tail...>> {
  using type = Head;
};
template <class List>
using head_t = typename head<List>::type;

/// The first type; `Default` of an empty list.
template <class Default, class List>
struct head_with_default {
  using type = Default;
};
template <class Default, class Head, class... Tail>
struct head_with_default<Default, typelist<Head, Tail...>> {
  using type = Head;
};
template <class Default, class List>
using head_with_default_t = typename head_with_default<Default, List>::type;

/// Where the first type with Condition<T>::value is. There must be one.
template <class List, template <class...> class Condition>
struct find_if;
template <template <class...> class Condition, class Head, class... Tail>
struct find_if<typelist<Head, Tail...>, Condition> {
  static constexpr size_t value = [] {
    if constexpr (Condition<Head>::value) {
      return size_t(0);
    } else {
      return 1 + find_if<typelist<Tail...>, Condition>::value;
    }
  }();
};

/// A type as a value, for functors that are called with one.
template <class T>
struct type_ final {
  using type = T;
};
/// The tuple of mapper(type_<T>) of every type T.
template <class List, class Mapper>
auto map_types_to_values(Mapper&& mapper) {
  return []<class... Types>(typelist<Types...>*, auto& function) {
    return std::tuple<decltype(function(type_<Types>()))...>(function(type_<Types>())...);
  }(static_cast<List*>(nullptr), mapper);
}

template <class List>
using last_t = element_t<size<List>::value - 1, List>;

/// Without the first `num` types, or the first `num` types alone; all if the list is shorter.
template <class List, size_t num>
struct drop {
 private:
  static constexpr size_t skipped = num < size<List>::value ? num : size<List>::value;
  template <size_t... Indices>
  static typelist<element_t<skipped + Indices, List>...> rest(std::index_sequence<Indices...>);

 public:
  using type = decltype(rest(std::make_index_sequence<size<List>::value - skipped>()));
};
template <class List, size_t num>
using drop_t = typename drop<List, num>::type;
/// `drop` under its older name.
template <class List, size_t num>
using drop_if_nonempty_t = drop_t<List, num>;
template <class List, size_t num>
struct take {
 private:
  static constexpr size_t kept = num < size<List>::value ? num : size<List>::value;
  template <size_t... Indices>
  static typelist<element_t<Indices, List>...> first(std::index_sequence<Indices...>);

 public:
  using type = decltype(first(std::make_index_sequence<kept>()));
};
template <class List, size_t num>
using take_t = typename take<List, num>::type;

template <class List>
struct reverse;
template <>
struct reverse<typelist<>> {
  using type = typelist<>;
};
template <class Head, class... Tail>
struct reverse<typelist<Head, Tail...>> {
  using type = concat_t<typename reverse<typelist<Tail...>>::type, typelist<Head>>;
};
template <class List>
using reverse_t = typename reverse<List>::type;

}  // namespace c10::guts::typelist
