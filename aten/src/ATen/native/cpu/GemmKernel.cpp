// Products of matrices of integers, of matrices and vectors, of a column and a row, and the
// conversions that products of matrices of 16-bit floats need.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
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
struct Sum<float> {
  using type = float;
};
template <>
struct Sum<double> {
  using type = double;
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
// Whether those are added up in vectors.
template <typename T>
constexpr bool kInVectors = std::is_floating_point_v<sum_of<T>>;

template <typename T>
vec::Vectorized<sum_of<T>> load_as_sum(const T* p) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    return vec::load_as_float(p);
  } else {
    return vec::Vectorized<T>::loadu(p);
  }
}

// What a factor is for elements of T; integers wrap.
template <typename T>
sum_of<T> as_factor(double x) {
  if constexpr (kInVectors<T>) {
    return static_cast<sum_of<T>>(x);
  } else {
    return static_cast<sum_of<T>>(static_cast<int64_t>(x));
  }
}

// beta * out + sum, where beta = 0 does not read `out`.
template <typename T>
sum_of<T> added(const T& out, sum_of<T> beta, sum_of<T> sum) {
  using sum_t = sum_of<T>;
  return beta == 0 ? sum
                   : static_cast<sum_t>(static_cast<sum_t>(beta * static_cast<sum_t>(out)) + sum);
}

// A vector whose elements lie together in the type of sums: itself, or a copy.
template <typename T>
class Gathered {
  using sum_t = sum_of<T>;

 public:
  Gathered(const T* x, int64_t n, int64_t step) {
    if constexpr (std::is_same_v<T, sum_t>) {
      if (step == 1) {
        data_ = x;
        return;
      }
    }
    copy_.reset(new sum_t[static_cast<size_t>(n)]);
    if constexpr (vec::is_reduced_floating_point_v<T>) {
      if (step == 1) vec::widen(copy_.get(), x, n);
    }
    if (step != 1 || !vec::is_reduced_floating_point_v<T>) {
      for (int64_t i = 0; i < n; ++i) copy_[i] = static_cast<sum_t>(x[i * step]);
    }
    data_ = copy_.get();
  }
  const sum_t* data() const { return data_; }

 private:
  std::unique_ptr<sum_t[]> copy_;
  const sum_t* data_ = nullptr;
};

// The inner product of a row and a vector.
template <typename T>
sum_of<T> inner_product(int64_t n, const T* a, int64_t step, const sum_of<T>* x) {
  using sum_t = sum_of<T>;
  sum_t sum = 0;
  int64_t j = 0;
  if constexpr (kInVectors<T>) {
    using Vec = vec::Vectorized<sum_t>;
    constexpr int64_t kStep = Vec::size();
    constexpr int64_t kSums = 4;  // as many additions run at a time
    if (step == 1 && n >= kStep) {
      vec::Register<sum_t> sums[kSums] = {};
      for (; j + kSums * kStep <= n; j += kSums * kStep) {
#pragma GCC unroll 4
        for (int64_t s = 0; s < kSums; ++s) {
          sums[s] += vec::to_register(load_as_sum(a + j + s * kStep)) *
                     vec::to_register(Vec::loadu(x + j + s * kStep));
        }
      }
      for (; j + kStep <= n; j += kStep) {
        sums[0] += vec::to_register(load_as_sum(a + j)) * vec::to_register(Vec::loadu(x + j));
      }
      sum = vec::sum_of_lanes(std::bit_cast<Vec>((sums[0] + sums[1]) + (sums[2] + sums[3])));
    }
  }
  for (; j < n; ++j) sum += static_cast<sum_t>(a[j * step]) * x[j];
  return sum;
}

// Rows that columns are added up for together.
constexpr int64_t kTogether = 32;

// The products of kTogether rows that lie beside each other.
template <typename T>
void add_columns(int64_t n, const T* a, int64_t column_stride, const sum_of<T>* x,
                 sum_of<T>* sums) {
  using sum_t = sum_of<T>;
  if constexpr (kInVectors<T>) {
    using Vec = vec::Vectorized<sum_t>;
    constexpr int64_t kVectors = kTogether / Vec::size();
    static_assert(kVectors * Vec::size() == kTogether);
    vec::Register<sum_t> rows[kVectors] = {};
    for (int64_t j = 0; j < n; ++j) {
      const auto factor = vec::to_register(Vec(x[j]));
#pragma GCC unroll 16
      for (int64_t k = 0; k < kVectors; ++k) {
        rows[k] += vec::to_register(load_as_sum(a + j * column_stride + k * Vec::size())) * factor;
      }
    }
#pragma GCC unroll 16
    for (int64_t k = 0; k < kVectors; ++k) {
      std::bit_cast<Vec>(rows[k]).store(sums + k * Vec::size());
    }
  } else {
    std::fill_n(sums, kTogether, sum_t(0));
    for (int64_t j = 0; j < n; ++j) {
      const T* column = a + j * column_stride;
      for (int64_t r = 0; r < kTogether; ++r) sums[r] += static_cast<sum_t>(column[r]) * x[j];
    }
  }
}

// The same for rows that are too short for vectors of their own.
template <typename T>
void add_short_rows(int64_t n, const T* a, int64_t row_stride, int64_t column_stride,
                    const sum_of<T>* x, sum_of<T>* sums) {
  using sum_t = sum_of<T>;
  std::fill_n(sums, kTogether, sum_t(0));
  for (int64_t j = 0; j < n; ++j) {
    const T* column = a + j * column_stride;
    for (int64_t r = 0; r < kTogether; ++r) {
      sums[r] += static_cast<sum_t>(column[r * row_stride]) * x[j];
    }
  }
}

template <typename T>
void rows_times_vector(int64_t first, int64_t last, int64_t n, sum_of<T> alpha, const T* a,
                       int64_t row_stride, int64_t column_stride, const sum_of<T>* x,
                       sum_of<T> beta, T* y, int64_t incy) {
  constexpr int64_t kShort = 8;
  const auto write = [&](int64_t i, sum_of<T> sum) {
    T& out = y[i * incy];
    out = static_cast<T>(added(out, beta, static_cast<sum_of<T>>(alpha * sum)));
  };
  int64_t i = first;
  const bool columns = row_stride == 1 && column_stride != 1;
  if (columns || n <= kShort) {
    sum_of<T> sums[kTogether];
    for (; i + kTogether <= last; i += kTogether) {
      if (columns) {
        add_columns(n, a + i, column_stride, x, sums);
      } else {
        add_short_rows(n, a + i * row_stride, row_stride, column_stride, x, sums);
      }
      for (int64_t r = 0; r < kTogether; ++r) write(i + r, sums[r]);
    }
  }
  for (; i < last; ++i) write(i, inner_product(n, a + i * row_stride, column_stride, x));
}

template <typename T>
void matrix_times_vector(int64_t m, int64_t n, double alpha, const T* a, int64_t row_stride,
                         int64_t column_stride, const T* x, int64_t incx, double beta, T* y,
                         int64_t incy) {
  const Gathered<T> gathered(x, n, incx);
  const int64_t grain = std::max<int64_t>(kTogether, kSerialWork / std::max<int64_t>(n, 1));
  at::parallel_for(0, m, grain, [&](int64_t first, int64_t last) {
    rows_times_vector(first, last, n, as_factor<T>(alpha), a, row_stride, column_stride,
                      gathered.data(), as_factor<T>(beta), y, incy);
  });
}

void gemv_kernel(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
                 int64_t column_stride, const void* x, int64_t incx, double beta, void* y,
                 int64_t incy, c10::ScalarType dtype) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, dtype, "gemv", [&] {
    // As in BLAS, a factor of 0 leaves the matrix unread.
    const bool none = alpha == 0 && std::is_same_v<scalar_t, sum_of<scalar_t>>;
    matrix_times_vector(m, none ? 0 : n, alpha, static_cast<const scalar_t*>(a), row_stride,
                        column_stride, static_cast<const scalar_t*>(x), incx, beta,
                        static_cast<scalar_t*>(y), incy);
  });
}

// Numbers lie as pairs of parts: sums of the products of equal parts, and of each part with the
// other one.
template <typename T>
c10::complex<T> complex_inner_product(int64_t n, const T* x, const T* y, bool conjugated) {
  using Vec = vec::Vectorized<T>;
  constexpr int64_t kStep = Vec::size();
  constexpr int64_t kSums = 4;
  constexpr int64_t kChunk = 128 * kSums * kStep;  // What is added without being widened.
  double equal[2] = {0, 0};
  double crossed[2] = {0, 0};
  int64_t i = 0;
  const int64_t parts = 2 * n;
  while (i + kSums * kStep <= parts) {
    vec::Register<T> products[kSums] = {};
    vec::Register<T> others[kSums] = {};
    const int64_t end = std::min(parts - kSums * kStep + 1, i + kChunk);
    for (; i < end; i += kSums * kStep) {
#pragma GCC unroll 4
      for (int64_t s = 0; s < kSums; ++s) {
        const auto a = vec::to_register(Vec::loadu(x + i + s * kStep));
        const auto b = vec::to_register(Vec::loadu(y + i + s * kStep));
        products[s] += a * b;
        others[s] += a * vec::swap_lanes<1>(b);
      }
    }
    const auto p = (products[0] + products[1]) + (products[2] + products[3]);
    const auto o = (others[0] + others[1]) + (others[2] + others[3]);
    for (int64_t lane = 0; lane < kStep; ++lane) {
      equal[lane % 2] += static_cast<double>(p[lane]);
      crossed[lane % 2] += static_cast<double>(o[lane]);
    }
  }
  for (; i < parts; ++i) {
    equal[i % 2] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    crossed[i % 2] += static_cast<double>(x[i]) * static_cast<double>(y[i ^ 1]);
  }
  const double sign = conjugated ? 1 : -1;
  return {static_cast<T>(equal[0] + sign * equal[1]),
          static_cast<T>(crossed[0] - sign * crossed[1])};
}

void complex_dot_kernel(int64_t n, const void* x, const void* y, bool conjugated, void* result,
                        c10::ScalarType dtype) {
  AT_DISPATCH_COMPLEX_TYPES(dtype, "dot", [&] {
    using Part = typename scalar_t::value_type;
    *static_cast<scalar_t*>(result) = complex_inner_product(
        n, static_cast<const Part*>(x), static_cast<const Part*>(y), conjugated);
  });
}

// Columns [first, last) of a column times a row.
template <typename T>
void outer_columns(int64_t m, int64_t first, int64_t last, double alpha, const sum_of<T>* a,
                   const T* b, int64_t b_step, double beta, T* c, int64_t ldc) {
  using sum_t = sum_of<T>;
  constexpr int64_t kBlock = 2048;
  const sum_t scale = as_factor<T>(beta);
  const auto factor = [&](int64_t j) {
    return static_cast<sum_t>(as_factor<T>(alpha) * static_cast<sum_t>(b[j * b_step]));
  };
  if constexpr (std::is_same_v<T, sum_t>) {
    for (int64_t j = first; j < last; ++j) {
      const sum_t right = factor(j);
      T* column = c + j * ldc;
      if (beta == 0) {
        for (int64_t i = 0; i < m; ++i) column[i] = a[i] * right;
      } else {
        for (int64_t i = 0; i < m; ++i) column[i] = scale * column[i] + a[i] * right;
      }
    }
  } else {
    // Several short columns are rounded together.
    sum_t block[kBlock];
    const int64_t rows = std::min(m, kBlock);
    const int64_t together = ldc == m && m <= kBlock ? kBlock / m : 1;
    for (int64_t j = first; j < last; j += together) {
      const int64_t columns = std::min(together, last - j);
      for (int64_t begin = 0; begin < m; begin += rows) {
        const int64_t count = std::min(rows, m - begin);
        for (int64_t s = 0; s < columns; ++s) {
          const sum_t right = factor(j + s);
          sum_t* to = block + s * count;
          for (int64_t i = 0; i < count; ++i) to[i] = a[begin + i] * right;
          const T* old = c + (j + s) * ldc + begin;
          for (int64_t i = 0; i < count && beta != 0; ++i) {
            to[i] += scale * static_cast<sum_t>(old[i]);
          }
        }
        vec::narrow(c + j * ldc + begin, block, columns * count);
      }
    }
  }
}

void outer_kernel(int64_t m, int64_t n, double alpha, const void* a, int64_t a_step, const void* b,
                  int64_t b_step, double beta, void* c, int64_t ldc, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "gemm", [&] {
    const Gathered<scalar_t> left(static_cast<const scalar_t*>(a), m, a_step);
    at::parallel_for(0, n, grain_of(m), [&](int64_t begin, int64_t end) {
      outer_columns(m, begin, end, alpha, left.data(), static_cast<const scalar_t*>(b), b_step,
                    beta, static_cast<scalar_t*>(c), ldc);
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

REGISTER_DISPATCH(outer_stub, &CPU_CAPABILITY::outer_kernel)
REGISTER_DISPATCH(complex_dot_stub, &CPU_CAPABILITY::complex_dot_kernel)
REGISTER_DISPATCH(gemv_stub, &CPU_CAPABILITY::gemv_kernel)
REGISTER_DISPATCH(integer_gemm_stub, &CPU_CAPABILITY::integer_gemm_kernel)
REGISTER_DISPATCH(widen_stub, &CPU_CAPABILITY::widen_kernel)
REGISTER_DISPATCH(narrow_stub, &CPU_CAPABILITY::narrow_kernel)

}  // namespace at::native::cpublas
