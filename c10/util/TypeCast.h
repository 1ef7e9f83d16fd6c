#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>
#include <c10/util/overflows.h>

#include <cstdint>
#include <type_traits>

namespace c10 {

/// Converts between element types as PyTorch does: a complex number loses its imaginary part on the
/// way to a real one, floats go to uint8 by way of int64 (so that -1.0 becomes 255).
template <typename To, typename From>
struct static_cast_with_inter_type {
  C10_HOST_DEVICE __ubsan_ignore_undefined__ static inline To apply(From value) {
    if constexpr (std::is_same_v<To, From>) {
      return value;
    } else if constexpr (is_complex_v<From> && !is_complex_v<To>) {
      using Part = typename scalar_value_type<From>::type;
      if constexpr (std::is_same_v<To, bool>) {
        return value.real() != Part(0) || value.imag() != Part(0);
      } else {
        return static_cast_with_inter_type<To, Part>::apply(value.real());
      }
    } else if constexpr (is_complex_v<To> && !is_complex_v<From>) {
      using Part = typename scalar_value_type<To>::type;
      return To(static_cast_with_inter_type<Part, From>::apply(value), Part(0));
    } else if constexpr (is_complex_v<To>) {
      using ToPart = typename scalar_value_type<To>::type;
      using FromPart = typename scalar_value_type<From>::type;
      return To(static_cast_with_inter_type<ToPart, FromPart>::apply(value.real()),
                static_cast_with_inter_type<ToPart, FromPart>::apply(value.imag()));
    } else if constexpr (std::is_same_v<To, uint8_t> && !std::is_integral_v<From>) {
      return static_cast<uint8_t>(static_cast<int64_t>(value));
    } else if constexpr ((std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) &&
                         !std::is_same_v<From, bool>) {
      return To(static_cast<float>(value));
    } else {
      return static_cast<To>(value);
    }
  }
};

template <typename To, typename From>
C10_HOST_DEVICE To convert(From f) {
  return static_cast_with_inter_type<To, From>::apply(f);
}

/// Throws "value cannot be converted to type X without overflow".
[[noreturn]] C10_API void report_overflow(const char* name);

/// Converts, or throws when the value is outside the range of To, whose name the message shows.
template <typename To, typename From>
To checked_convert(From f, const char* name) {
  if (!std::is_same_v<To, bool> && overflows<To, From>(f)) report_overflow(name);
  return convert<To, From>(f);
}

}  // namespace c10
