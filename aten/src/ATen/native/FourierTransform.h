#pragma once

// Discrete Fourier transforms of the lines of a tensor.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

/// Lines along one dimension of two contiguous tensors, the other sizes of which are the same.
///
/// X[k] = factor * sum over j of x[j] * exp(-2 pi i j k / n); `inverse` has the other sign in the
/// exponent. Of real numbers `out_size` results are written, n or n / 2 + 1. For real results
/// n / 2 + 1 numbers are read, the first and, if n is even, the last without their imaginary parts.
struct FourierLines {
  const void* in;    ///< complex numbers, or real ones with `real_in`
  void* out;         ///< complex numbers, or real ones with `real_out`
  int64_t n;         ///< points of the transform, at least 1
  int64_t in_size;   ///< numbers of a line of `in`
  int64_t out_size;  ///< numbers of a line of `out`
  int64_t inner;     ///< the product of the sizes behind the dimension, the distance in a line
  int64_t lines;
  bool inverse;
  bool real_in;
  bool real_out;
  double factor;
};

/// Transforms lines of float or double, which the first argument says, or of their complex types.
///
/// Lengths of prime factors up to 31 take O(n log n) by Stockham's algorithm, in the type of the
/// tensor; others are computed in double through Bluestein's algorithm, so that no length takes
/// O(n^2).
DECLARE_DISPATCH(void (*)(c10::ScalarType, const FourierLines&), fourier_transform_stub)

}  // namespace at::native
