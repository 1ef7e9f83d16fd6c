#pragma once

// The types that elements are computed with.

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <cstdint>
#include <type_traits>

namespace at {

// float for Half and BFloat16, the type itself otherwise.
template <typename scalar_t>
struct OpMathType {
  using type = scalar_t;
};
template <>
struct OpMathType<Half> {
  using type = float;
};
template <>
struct OpMathType<BFloat16> {
  using type = float;
};

template <typename T>
using opmath_type = typename OpMathType<T>::type;

// The same for dtypes.
inline c10::ScalarType toOpMathType(c10::ScalarType type) {
  const bool reduced = type == c10::ScalarType::Half || type == c10::ScalarType::BFloat16;
  return reduced ? c10::ScalarType::Float : type;
}

}  // namespace at
