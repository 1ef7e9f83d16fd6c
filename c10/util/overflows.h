#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <limits>
#include <type_traits>

namespace c10 {
namespace detail {

// The least floating-point value above every value of integer type To: 2^digits.
template <typename To, typename From>
constexpr From integer_upper_bound() {
  From bound = 1;
  for (int i = 0; i < std::numeric_limits<To>::digits; ++i) bound *= 2;
  return bound;
}

}  // namespace detail

/// True when `f` is outside the range of To. Infinity and NaN fit floating types, and no integer.
/// With `strict_unsigned`, a negative integer does not fit an unsigned type; without, -1 wraps to
/// the largest value, as in C. A negative fraction never fits one.
template <typename To, typename From>
bool overflows(From f, bool strict_unsigned = false) {
  if constexpr (std::is_same_v<To, From>) {
    return false;
  } else if constexpr (is_complex_v<From>) {
    using FromValue = typename scalar_value_type<From>::type;
    if constexpr (is_complex_v<To>) {
      using ToValue = typename scalar_value_type<To>::type;
      return overflows<ToValue, FromValue>(f.real(), strict_unsigned) ||
             overflows<ToValue, FromValue>(f.imag(), strict_unsigned);
    } else {
      // A complex number with an imaginary part fits no real type.
      return f.imag() != FromValue(0) || overflows<To, FromValue>(f.real(), strict_unsigned);
    }
  } else if constexpr (is_complex_v<To>) {
    return overflows<typename scalar_value_type<To>::type, From>(f, strict_unsigned);
  } else if constexpr (std::is_same_v<To, bool>) {
    return false;
  } else if constexpr (std::is_integral_v<From>) {
    using limit = std::numeric_limits<To>;
    if constexpr (!std::is_integral_v<To>) {
      return static_cast<double>(f) > static_cast<double>(limit::max()) ||
             static_cast<double>(f) < static_cast<double>(limit::lowest());
    } else {
      if constexpr (std::is_signed_v<From>) {
        if (f < 0) {
          if constexpr (std::is_signed_v<To>) {
            return f < limit::lowest();
          } else {
            if (strict_unsigned) return true;
            // Unsigned types take a negative number whose magnitude they can hold.
            return 0 - static_cast<unsigned long long>(f) >
                   static_cast<unsigned long long>(limit::max());
          }
        }
      }
      return static_cast<unsigned long long>(f) > static_cast<unsigned long long>(limit::max());
    }
  } else if constexpr (std::is_integral_v<To>) {
    using Wide = std::conditional_t<std::is_same_v<From, double>, double, float>;
    const Wide value = static_cast<Wide>(f);
    // The largest int64 is no double: its neighbour above is what does not fit.
    const Wide upper = detail::integer_upper_bound<To, Wide>();
    return !(value >= static_cast<Wide>(std::numeric_limits<To>::lowest()) && value < upper &&
             value <= static_cast<Wide>(std::numeric_limits<To>::max()));
  } else {
    using limit = std::numeric_limits<To>;
    const double value = static_cast<double>(f);
    if (value != value || value - value != 0) return false;  // NaN, infinity
    return value < static_cast<double>(limit::lowest()) ||
           value > static_cast<double>(limit::max());
  }
}

}  // namespace c10
