// Products of matrices of integers, of matrices of integers and 16-bit floats with vectors, and the
// conversions that products of matrices of 16-bit floats need.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

// Rows and columns of c that are summed together.
constexpr int64_t kRows = 64;
constexpr int64_t kColumns = 4;
// Elements along k that are packed together.
constexpr int64_t kDepth = 256;

// Sums wrap around, so that they are the same modulo 2^32 or 2^64 in whatever order.
template <typename T>
using sum_type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

// sums[s][r] = the products of kWidth packed rows and some columns of b, at most kColumns.
template <typename T, int64_t kWidth>
void integer_block(const sum_type<T>* packed, int64_t depth, const T* b, int64_t b_row,
                   int64_t b_column, int64_t columns, sum_type<T>* result) {
  using sum_t = sum_type<T>;
  sum_t sums[kColumns][kWidth] = {};
  for (int64_t d = 0; d < depth; ++d) {
    const sum_t* column = packed + d * kWidth;
    sum_t factors[kColumns] = {};
    for (int64_t s = 0; s < columns; ++s) {
      factors[s] = static_cast<sum_t>(b[d * b_row + s * b_column]);
    }
    for (int64_t r = 0; r < kWidth; ++r) {
      for (int64_t s = 0; s < kColumns; ++s) sums[s][r] += column[r] * factors[s];
    }
  }
  for (int64_t s = 0; s < columns; ++s) std::copy_n(sums[s], kWidth, result + s * kWidth);
}

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
  // Blocks are as wide as the rows need, so that small matrices are small here too.
  const int64_t width = m <= kRows / 4 ? kRows / 4 : (m <= kRows / 2 ? kRows / 2 : kRows);
  const auto multiply = width == kRows       ? integer_block<T, kRows>
                        : width == kRows / 2 ? integer_block<T, kRows / 2>
                                             : integer_block<T, kRows / 4>;
  std::vector<sum_t> packed(static_cast<size_t>(width * std::clamp<int64_t>(k, 1, kDepth)));
  sum_t sums[kColumns * kRows];
  for (int64_t i = 0; i < m; i += width) {
    const int64_t rows = std::min(width, m - i);
    for (int64_t l = 0; l < std::max<int64_t>(k, 1); l += kDepth) {
      const int64_t depth = std::min(kDepth, k - l);
      for (int64_t d = 0; d < depth; ++d) {
        sum_t* column = packed.data() + d * width;
        for (int64_t r = 0; r < rows; ++r) {
          column[r] = static_cast<sum_t>(a[(i + r) * a_row + (l + d) * a_column]);
        }
      }
      for (int64_t j = first; j < last; j += kColumns) {
        const int64_t columns = std::min(kColumns, last - j);
        multiply(packed.data(), depth, b + l * b_row + j * b_column, b_row, b_column, columns,
                 sums);
        for (int64_t s = 0; s < columns; ++s) {
          T* out = c + (j + s) * ldc + i;
          for (int64_t r = 0; r < rows; ++r) {
            sum_t before = 0;
            if (l != 0) {
              before = static_cast<sum_t>(out[r]);
            } else if (beta != 0) {
              before = beta * static_cast<sum_t>(out[r]);
            }
            out[r] = static_cast<T>(before + alpha * sums[s * width + r]);
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
    const int64_t grain = grain_of(m * k);
    const int64_t bands = (n + kColumns - 1) / kColumns;
    at::parallel_for(0, bands, at::divup(grain, kColumns), [&](int64_t begin, int64_t end) {
      integer_band<scalar_t>(transa, transb, m, begin * kColumns, std::min(n, end * kColumns), k,
                             factor(alpha), static_cast<const scalar_t*>(a), lda,
                             static_cast<const scalar_t*>(b), ldb, factor(beta),
                             static_cast<scalar_t*>(c), ldc);
    });
  });
}

// What products of T are summed in.
template <typename T>
struct Sum {
  using type = sum_type<T>;
};
template <>
struct Sum<c10::Half> {
  using type = float;
};
template <>
struct Sum<c10::BFloat16> {
  using type = float;
};
template <typename T>
using sum_of = typename Sum<T>::type;

// The inner product of a row and a vector.
template <typename T>
sum_of<T> inner_product(int64_t n, const T* a, int64_t step, const T* x, int64_t incx) {
  using sum_t = sum_of<T>;
  sum_t sum = 0;
  if (step != 1 || incx != 1) {
    for (int64_t j = 0; j < n; ++j) {
      sum += static_cast<sum_t>(a[j * step]) * static_cast<sum_t>(x[j * incx]);
    }
    return sum;
  }
  int64_t j = 0;
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    using Vec = vec::Vectorized<float>;
    constexpr int64_t kStep = Vec::size();
    constexpr int64_t kSums = 4;  // as many additions run at a time
    Vec sums[kSums] = {Vec(0.0f), Vec(0.0f), Vec(0.0f), Vec(0.0f)};
    for (; j + kSums * kStep <= n; j += kSums * kStep) {
      for (int64_t s = 0; s < kSums; ++s) {
        sums[s] = vec::fmadd(vec::load_as_float(a + j + s * kStep),
                             vec::load_as_float(x + j + s * kStep), sums[s]);
      }
    }
    for (; j + kStep <= n; j += kStep) {
      sums[0] = vec::fmadd(vec::load_as_float(a + j), vec::load_as_float(x + j), sums[0]);
    }
    float each[kStep];
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).store(each);
    for (const float value : each) sum += value;
  }
  for (; j < n; ++j) sum += static_cast<sum_t>(a[j]) * static_cast<sum_t>(x[j]);
  return sum;
}

// Rows that columns are added up for together.
constexpr int64_t kTogether = 32;

// The products of kTogether rows that lie beside each other.
template <typename T>
void add_columns(int64_t n, const T* a, int64_t column_stride, const T* x, int64_t incx,
                 sum_of<T>* sums) {
  using sum_t = sum_of<T>;
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    using Vec = vec::Vectorized<float>;
    constexpr int64_t kVectors = kTogether / Vec::size();
    static_assert(kVectors * Vec::size() == kTogether);
    Vec rows[kVectors];
    for (Vec& row : rows) row = Vec(0.0f);
    for (int64_t j = 0; j < n; ++j) {
      const Vec factor(static_cast<float>(x[j * incx]));
      for (int64_t k = 0; k < kVectors; ++k) {
        const T* at = a + j * column_stride + k * Vec::size();
        rows[k] = vec::fmadd(vec::load_as_float(at), factor, rows[k]);
      }
    }
    for (int64_t k = 0; k < kVectors; ++k) rows[k].store(sums + k * Vec::size());
  } else {
    std::fill_n(sums, kTogether, sum_t(0));
    for (int64_t j = 0; j < n; ++j) {
      const sum_t factor = static_cast<sum_t>(x[j * incx]);
      const T* column = a + j * column_stride;
      for (int64_t r = 0; r < kTogether; ++r) sums[r] += static_cast<sum_t>(column[r]) * factor;
    }
  }
}

template <typename T>
void rows_times_vector(int64_t first, int64_t last, int64_t n, sum_of<T> alpha, const T* a,
                       int64_t row_stride, int64_t column_stride, const T* x, int64_t incx,
                       sum_of<T> beta, T* y, int64_t incy) {
  using sum_t = sum_of<T>;
  const auto write = [&](int64_t i, sum_t sum) {
    T& out = y[i * incy];
    const sum_t before = beta == 0 ? sum_t(0) : static_cast<sum_t>(beta * static_cast<sum_t>(out));
    out = static_cast<T>(before + alpha * sum);
  };
  int64_t i = first;
  if (row_stride == 1 && column_stride != 1) {
    sum_t sums[kTogether];
    for (; i + kTogether <= last; i += kTogether) {
      add_columns(n, a + i, column_stride, x, incx, sums);
      for (int64_t r = 0; r < kTogether; ++r) write(i + r, sums[r]);
    }
  }
  for (; i < last; ++i) write(i, inner_product(n, a + i * row_stride, column_stride, x, incx));
}

template <typename T>
void matrix_times_vector(int64_t m, int64_t n, double alpha, const T* a, int64_t row_stride,
                         int64_t column_stride, const T* x, int64_t incx, double beta, T* y,
                         int64_t incy) {
  const auto factor = [](double value) {
    if constexpr (vec::is_reduced_floating_point_v<T>) {
      return static_cast<float>(value);
    } else {
      return static_cast<sum_of<T>>(static_cast<int64_t>(value));
    }
  };
  const int64_t grain = std::max<int64_t>(kTogether, kSerialWork / std::max<int64_t>(n, 1));
  at::parallel_for(0, m, grain, [&](int64_t first, int64_t last) {
    rows_times_vector(first, last, n, factor(alpha), a, row_stride, column_stride, x, incx,
                      factor(beta), y, incy);
  });
}

void gemv_kernel(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
                 int64_t column_stride, const void* x, int64_t incx, double beta, void* y,
                 int64_t incy, c10::ScalarType dtype) {
  const auto run = [&]<typename T>(const T* matrix) {
    matrix_times_vector(m, n, alpha, matrix, row_stride, column_stride, static_cast<const T*>(x),
                        incx, beta, static_cast<T*>(y), incy);
  };
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "gemv",
                                       [&] { run(static_cast<const scalar_t*>(a)); });
  } else {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "gemv", [&] { run(static_cast<const scalar_t*>(a)); });
  }
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

REGISTER_DISPATCH(gemv_stub, &CPU_CAPABILITY::gemv_kernel)
REGISTER_DISPATCH(integer_gemm_stub, &CPU_CAPABILITY::integer_gemm_kernel)
REGISTER_DISPATCH(widen_stub, &CPU_CAPABILITY::widen_kernel)
REGISTER_DISPATCH(narrow_stub, &CPU_CAPABILITY::narrow_kernel)

}  // namespace at::native::cpublas
