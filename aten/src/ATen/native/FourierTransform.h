#pragma once

// Discrete Fourier transforms along dimensions of a tensor, by the library DUCC.

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace at::native {

// X[k] = factor * sum over j of x[j] * exp(-2 pi i j k / n), along each dimension of `dim` in turn;
// without `forward` the exponent has the other sign. Both tensors have the same complex type and
// the same sizes, at least one number, and any strides; the arithmetic is in their own precision.
using fft_c2c_fn = void (*)(const TensorBase& out, const TensorBase& in, IntArrayRef dim,
                            bool forward, double factor);

// Of real numbers along one dimension of n numbers: the n / 2 + 1 first numbers of the spectrum.
using fft_r2c_fn = void (*)(const TensorBase& out, const TensorBase& in, int64_t dim,
                            double factor);

// From n / 2 + 1 numbers of a spectrum to the n real numbers that have it, times n. What belongs to
// no frequency but its own counts as real.
using fft_c2r_fn = void (*)(const TensorBase& out, const TensorBase& in, int64_t dim,
                            double factor);

DECLARE_DISPATCH(fft_c2c_fn, fft_c2c_stub)
DECLARE_DISPATCH(fft_r2c_fn, fft_r2c_stub)
DECLARE_DISPATCH(fft_c2r_fn, fft_c2r_stub)

}  // namespace at::native
