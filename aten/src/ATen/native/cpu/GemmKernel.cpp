// Products of integer matrices, and the conversions that products of 16-bit floats need.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

// Multiply-adds below which a product stays on one thread.
constexpr int64_t kSerialWork = 64 * 64 * 64;

// Rows and columns of c that are summed together.
constexpr int64_t kRows = 64;
constexpr int64_t kColumns = 4;
// Elements along k that are packed together.
constexpr int64_t kDepth = 256;

// Sums wrap around, so that they are the same modulo 2^32 or 2^64 in whatever order.
template <typename T>
using sum_type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T>
void integer_band(TransposeType transa, TransposeType transb, int64_t m, int64_t first,
                  int64_t last, int64_t k, sum_type<T> alpha, const T* a, int64_t lda, const T* b,
                  int64_t ldb, sum_type<T> beta, T* c, int64_t ldc) {
  using sum_t = sum_type<T>;
  const int64_t a_row = transa == TransposeType::Transpose ? lda : 1;
  const int64_t a_column = transa == TransposeType::Transpose ? 1 : lda;
  const int64_t b_row = transb == TransposeType::Transpose ? ldb : 1;
  const int64_t b_column = transb == TransposeType::Transpose ? 1 : ldb;
  // Rows that would leave most of a block empty are products of vectors.
  if (m <= kRows / 8) {
    for (int64_t j = first; j < last; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        const T* x = a + i * a_row;
        const T* y = b + j * b_column;
        sum_t sum = 0;
        if (a_column == 1 && b_row == 1) {
          for (int64_t l = 0; l < k; ++l) {
            sum += static_cast<sum_t>(x[l]) * static_cast<sum_t>(y[l]);
          }
        } else {
          for (int64_t l = 0; l < k; ++l) {
            sum += static_cast<sum_t>(x[l * a_column]) * static_cast<sum_t>(y[l * b_row]);
          }
        }
        T& out = c[j * ldc + i];
        const sum_t before =
            beta == 0 ? sum_t(0) : static_cast<sum_t>(beta * static_cast<sum_t>(out));
        out = static_cast<T>(before + alpha * sum);
      }
    }
    return;
  }
  std::vector<sum_t> packed(static_cast<size_t>(kRows * kDepth));
  for (int64_t i = 0; i < m; i += kRows) {
    const int64_t rows = std::min(kRows, m - i);
    for (int64_t l = 0; l < std::max<int64_t>(k, 1); l += kDepth) {
      const int64_t depth = std::min(kDepth, k - l);
      for (int64_t d = 0; d < depth; ++d) {
        sum_t* column = packed.data() + d * kRows;
        for (int64_t r = 0; r < rows; ++r) {
          column[r] = static_cast<sum_t>(a[(i + r) * a_row + (l + d) * a_column]);
        }
      }
      for (int64_t j = first; j < last; j += kColumns) {
        const int64_t columns = std::min(kColumns, last - j);
        sum_t sums[kColumns][kRows] = {};
        for (int64_t d = 0; d < depth; ++d) {
          const sum_t* column = packed.data() + d * kRows;
          sum_t factors[kColumns] = {};
          for (int64_t s = 0; s < columns; ++s) {
            factors[s] = static_cast<sum_t>(b[(l + d) * b_row + (j + s) * b_column]);
          }
          for (int64_t r = 0; r < kRows; ++r) {
            for (int64_t s = 0; s < kColumns; ++s) sums[s][r] += column[r] * factors[s];
          }
        }
        for (int64_t s = 0; s < columns; ++s) {
          T* out = c + (j + s) * ldc + i;
          for (int64_t r = 0; r < rows; ++r) {
            sum_t before = 0;
            if (l != 0) {
              before = static_cast<sum_t>(out[r]);
            } else if (beta != 0) {
              before = beta * static_cast<sum_t>(out[r]);
            }
            out[r] = static_cast<T>(before + alpha * sums[s][r]);
          }
        }
      }
    }
  }
}

void integer_gemm_kernel(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                         int64_t k, double alpha, const void* a, int64_t lda, const void* b,
                         int64_t ldb, double beta, void* c, int64_t ldc, c10::ScalarType dtype) {
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "gemm", [&] {
    using sum_t = sum_type<scalar_t>;
    const auto factor = [](double x) { return static_cast<sum_t>(static_cast<int64_t>(x)); };
    const int64_t grain = std::max<int64_t>(1, kSerialWork / std::max<int64_t>(m * k, 1));
    const int64_t bands = (n + kColumns - 1) / kColumns;
    at::parallel_for(0, bands, at::divup(grain, kColumns), [&](int64_t begin, int64_t end) {
      integer_band<scalar_t>(transa, transb, m, begin * kColumns, std::min(n, end * kColumns), k,
                             factor(alpha), static_cast<const scalar_t*>(a), lda,
                             static_cast<const scalar_t*>(b), ldb, factor(beta),
                             static_cast<scalar_t*>(c), ldc);
    });
  });
}

void widen_kernel(float* out, const void* in, int64_t n, c10::ScalarType dtype) {
  AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "gemm",
                                     [&] { vec::widen(out, static_cast<const scalar_t*>(in), n); });
}

void narrow_kernel(void* out, const float* in, int64_t n, c10::ScalarType dtype) {
  AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "gemm",
                                     [&] { vec::narrow(static_cast<scalar_t*>(out), in, n); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(integer_gemm_stub, &CPU_CAPABILITY::integer_gemm_kernel)
REGISTER_DISPATCH(widen_stub, &CPU_CAPABILITY::widen_kernel)
REGISTER_DISPATCH(narrow_stub, &CPU_CAPABILITY::narrow_kernel)

}  // namespace at::native::cpublas
