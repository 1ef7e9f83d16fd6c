#pragma once

// The quotient of integers, rounded towards negative infinity.
template <typename T>
T div_rtn(T x, T y) {
  const T quotient = x / y;
  return quotient * y != x && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}
