#pragma once

// Signs and limits of numbers of any type, without a comparison of signed with unsigned.

#include <limits>
#include <type_traits>
#include <utility>

namespace c10 {

template <typename T>
constexpr bool is_negative(const T& x) {
  if constexpr (std::is_unsigned_v<T>) {
    return false;
  } else {
    return x < T(0);
  }
}

/// -1, 0 or 1.
template <typename T>
constexpr int signum(const T& x) {
  return (T(0) < x ? 1 : 0) - (is_negative(x) ? 1 : 0);
}

template <typename T, typename U>
constexpr bool signs_differ(const T& a, const U& b) {
  return is_negative(a) != is_negative(b);
}

/// Whether `x` is beyond what `Limit` holds.
template <typename Limit, typename T>
constexpr bool greater_than_max(const T& x) {
  constexpr Limit kMax = std::numeric_limits<Limit>::max();
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Limit>) {
    return std::cmp_greater(x, kMax);
  } else {
    return x > kMax;
  }
}
template <typename Limit, typename T>
constexpr bool less_than_lowest(const T& x) {
  constexpr Limit kLowest = std::numeric_limits<Limit>::lowest();
  if constexpr (std::is_integral_v<T> && std::is_integral_v<Limit>) {
    return std::cmp_less(x, kLowest);
  } else {
    return x < kLowest;
  }
}

}  // namespace c10
