#pragma once

// What products of matrices need beside a BLAS library, compiled for each capability.

#include <ATen/native/CPUBlas.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native::cpublas {

// gemm for integers, whose sums wrap around.
DECLARE_DISPATCH(gemm_fn, integer_gemm_stub)

// y = alpha * a * x + beta * y of any strides, for integers, whose sums wrap around, and Half and
// BFloat16, whose sums are floats.
using gemv_fn = void (*)(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
                         int64_t column_stride, const void* x, int64_t incx, double beta, void* y,
                         int64_t incy, c10::ScalarType dtype);
DECLARE_DISPATCH(gemv_fn, gemv_stub)

// n elements of Half or BFloat16 that lie together, as floats and back, rounded to the nearest.
using widen_fn = void (*)(float* out, const void* in, int64_t n, c10::ScalarType dtype);
using narrow_fn = void (*)(void* out, const float* in, int64_t n, c10::ScalarType dtype);
DECLARE_DISPATCH(widen_fn, widen_stub)
DECLARE_DISPATCH(narrow_fn, narrow_stub)

}  // namespace at::native::cpublas
