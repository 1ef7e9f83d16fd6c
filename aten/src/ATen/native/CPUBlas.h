#pragma once

// Matrix products on plain pointers. Matrices are stored by columns, as in BLAS.
//
// float, double and complex run in the library that the build option `blas` chose, Half there too,
// as floats; BFloat16 by the processor's instruction for it, or as floats. Without a library, and
// for products of Half and BFloat16 with vectors, they run in loops of our own. The other types run
// in a plain loop.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/BFloat16.h>

#include <cstdint>

namespace at::native::cpublas {

enum class TransposeType : uint8_t { NoTranspose, Transpose };

// c = alpha * op(a) * op(b) + beta * c, where c is m x n, op(a) m x k and op(b) k x n; ld* are the
// distances between columns. `c` is not read when beta is 0. All elements are of `dtype`.
TORCH_API void gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                    double alpha, const void* a, int64_t lda, const void* b, int64_t ldb,
                    double beta, void* c, int64_t ldc, c10::ScalarType dtype);

// gemm for float, double and complex where no BLAS library is chosen, compiled for each capability.
using gemm_fn = void (*)(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                         int64_t k, double alpha, const void* a, int64_t lda, const void* b,
                         int64_t ldb, double beta, void* c, int64_t ldc, c10::ScalarType dtype);
DECLARE_DISPATCH(gemm_fn, gemm_stub)

// The same for BFloat16 where the processor has an instruction for it; false, and nothing done,
// where it has not.
using bfloat16_gemm_fn = bool (*)(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                                  int64_t k, double alpha, const c10::BFloat16* a, int64_t lda,
                                  const c10::BFloat16* b, int64_t ldb, double beta,
                                  c10::BFloat16* c, int64_t ldc);
DECLARE_DISPATCH(bfloat16_gemm_fn, bfloat16_gemm_stub)

// y = alpha * a * x + beta * y for an m x n matrix of any strides.
TORCH_API void gemv(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
                    int64_t column_stride, const void* x, int64_t incx, double beta, void* y,
                    int64_t incy, c10::ScalarType dtype);

// The inner product, written to *result; with the conjugates of x where `conjugated`.
TORCH_API void dot(int64_t n, const void* x, int64_t incx, const void* y, int64_t incy,
                   void* result, c10::ScalarType dtype, bool conjugated = false);

}  // namespace at::native::cpublas
