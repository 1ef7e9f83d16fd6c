#pragma once

// What products of matrices need beside a BLAS library.

#include <ATen/native/CPUBlas.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/Formula.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>

namespace at::native::cpublas {

inline namespace AT_FORMULA_NAMESPACE {

// Multiply-adds below which work stays on one thread.
constexpr int64_t kSerialWork = 64 * 64 * 64;

// The grain of parallel_for for rows or columns of `work` multiply-adds each.
inline int64_t grain_of(int64_t work) {
  return std::max<int64_t>(1, kSerialWork / std::max<int64_t>(work, 1));
}

// c = beta * c, where beta = 0 clears whatever was there.
template <typename T>
void scale_columns(int64_t m, int64_t n, T beta, T* c, int64_t ldc) {
  if (beta == T(1)) return;
  for (int64_t j = 0; j < n; ++j) {
    T* column = c + j * ldc;
    if (beta == T(0)) {
      std::fill_n(column, m, T(0));
    } else {
      for (int64_t i = 0; i < m; ++i) column[i] = T(beta * column[i]);
    }
  }
}

}  // namespace AT_FORMULA_NAMESPACE

// Compiled for each capability:

// gemm for integers, whose sums wrap around.
DECLARE_DISPATCH(gemm_fn, integer_gemm_stub)

// y = alpha * a * x + beta * y of any strides, for every type but complex ones. The sums of
// integers wrap around, those of Half and BFloat16 are floats.
using gemv_fn = void (*)(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
                         int64_t column_stride, const void* x, int64_t incx, double beta, void* y,
                         int64_t incy, c10::ScalarType dtype);
DECLARE_DISPATCH(gemv_fn, gemv_stub)
// c = alpha * a * b + beta * c for a column a and a row b, for floating point.
using outer_fn = void (*)(int64_t m, int64_t n, double alpha, const void* a, int64_t a_step,
                          const void* b, int64_t b_step, double beta, void* c, int64_t ldc,
                          c10::ScalarType dtype);
DECLARE_DISPATCH(outer_fn, outer_stub)

// The inner product of complex vectors whose elements lie together, of x with conjugates where
// `conjugated`, written to *result.
using complex_dot_fn = void (*)(int64_t n, const void* x, const void* y, bool conjugated,
                                void* result, c10::ScalarType dtype);
DECLARE_DISPATCH(complex_dot_fn, complex_dot_stub)

// Solves L x = b in place of b, for a lower triangle L of at most kMostRows rows. Steps may be
// negative: an upper triangle is a lower one from its last row and column on.
inline constexpr int64_t kMostRows = 32;
struct TriangularSystem {
  int64_t n;
  int64_t nrhs;
  bool unit;  // the diagonal is of ones, and not read
  const void* a;
  int64_t row_step;
  int64_t column_step;
  void* b;  // one right hand side after the other, ldb apart
  int64_t b_step;
  int64_t ldb;
};
using triangular_fn = void (*)(const TriangularSystem& system, c10::ScalarType dtype);
DECLARE_DISPATCH(triangular_fn, triangular_stub)

// n elements of Half or BFloat16 that lie together, as floats and back, rounded to the nearest.
using widen_fn = void (*)(float* out, const void* in, int64_t n, c10::ScalarType dtype);
using narrow_fn = void (*)(void* out, const float* in, int64_t n, c10::ScalarType dtype);
DECLARE_DISPATCH(widen_fn, widen_stub)
DECLARE_DISPATCH(narrow_fn, narrow_stub)

}  // namespace at::native::cpublas
