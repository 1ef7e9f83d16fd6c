#pragma once

// Hashes of tuples, pairs, vectors and of classes with a member `hash`.
//
//   size_t h = c10::get_hash(1, name, sizes);
//   std::unordered_map<std::vector<int64_t>, int, c10::hash<std::vector<int64_t>>> table;

#include <c10/util/ArrayRef.h>
#include <c10/util/complex_type.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace c10 {

/// Mixes a hash into another.
inline size_t hash_combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6U) + (seed >> 2U));
}

template <typename T>
struct hash;

namespace _hash_detail {

template <typename T>
size_t simple_get_hash(const T& o) {
  return c10::hash<T>()(o);
}

template <typename T>
size_t of_value(const T& o) {
  if constexpr (requires { T::hash(o); }) {
    return T::hash(o);
  } else if constexpr (std::is_enum_v<T>) {
    using Number = std::underlying_type_t<T>;
    return std::hash<Number>()(static_cast<Number>(o));
  } else {
    return std::hash<T>()(o);
  }
}

}  // namespace _hash_detail

template <typename T>
struct hash {
  size_t operator()(const T& o) const { return _hash_detail::of_value(o); }
};

template <typename... Types>
struct hash<std::tuple<Types...>> {
  size_t operator()(const std::tuple<Types...>& t) const {
    size_t seed = 0;
    std::apply([&](const auto&... o) { ((seed = hash_combine(seed, c10::hash<Types>()(o))), ...); },
               t);
    return seed;
  }
};

template <typename T1, typename T2>
struct hash<std::pair<T1, T2>> {
  size_t operator()(const std::pair<T1, T2>& pair) const {
    return hash<std::tuple<T1, T2>>()(std::make_tuple(pair.first, pair.second));
  }
};

template <typename T>
struct hash<c10::ArrayRef<T>> {
  size_t operator()(c10::ArrayRef<T> v) const {
    size_t seed = 0;
    for (const auto& element : v) {
      seed = hash_combine(seed, _hash_detail::simple_get_hash<std::remove_cv_t<T>>(element));
    }
    return seed;
  }
};

template <typename T>
struct hash<std::vector<T>> {
  size_t operator()(const std::vector<T>& v) const {
    size_t seed = 0;
    for (const T& element : v) seed = hash_combine(seed, _hash_detail::simple_get_hash(element));
    return seed;
  }
};

template <typename T>
struct hash<std::optional<T>> {
  size_t operator()(const std::optional<T>& o) const {
    return o ? _hash_detail::simple_get_hash(*o) : 0;
  }
};

template <typename T>
struct hash<c10::complex<T>> {
  size_t operator()(const c10::complex<T>& c) const {
    return hash_combine(std::hash<T>()(c.real()), std::hash<T>()(c.imag()));
  }
};

/// The hash of several values in this order.
template <typename... Types>
size_t get_hash(const Types&... args) {
  return c10::hash<std::tuple<const Types&...>>()(std::tie(args...));
}
template <typename T>
struct hash<const T&> : hash<T> {};

}  // namespace c10
