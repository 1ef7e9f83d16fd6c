#include <ATen/native/CPUBlas.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/GemmLoops.h>
#include <ATen/native/OneDnn.h>
#include <ATen/native/Wrapping.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_math.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <type_traits>

#if defined(TORCH_USE_BLAS)
// The Fortran interface: every library has it, and none needs a header.
extern "C" {
#define TORCH_DECLARE_GEMM(name, T)                                                           \
  void name(const char*, const char*, const int*, const int*, const int*, const T*, const T*, \
            const int*, const T*, const int*, const T*, T*, const int*);
TORCH_DECLARE_GEMM(sgemm_, float)
TORCH_DECLARE_GEMM(dgemm_, double)
TORCH_DECLARE_GEMM(cgemm_, c10::complex<float>)
TORCH_DECLARE_GEMM(zgemm_, c10::complex<double>)
#undef TORCH_DECLARE_GEMM
}
#endif

namespace at::native::cpublas {

DEFINE_DISPATCH(gemm_stub);
DEFINE_DISPATCH(bfloat16_gemm_stub);
DEFINE_DISPATCH(gemv_stub);
DEFINE_DISPATCH(integer_gemm_stub);
DEFINE_DISPATCH(outer_stub);
DEFINE_DISPATCH(complex_dot_stub);
DEFINE_DISPATCH(triangular_stub);
DEFINE_DISPATCH(widen_stub);
DEFINE_DISPATCH(narrow_stub);

namespace {

// The types that the library multiplies.
template <typename T>
constexpr bool is_blas_type =
    std::is_same_v<T, float> || std::is_same_v<T, double> ||
    std::is_same_v<T, c10::complex<float>> || std::is_same_v<T, c10::complex<double>>;

#if defined(TORCH_USE_BLAS)

template <typename T>
struct Gemm;
template <>
struct Gemm<float> {
  static constexpr auto call = &sgemm_;
};
template <>
struct Gemm<double> {
  static constexpr auto call = &dgemm_;
};
template <>
struct Gemm<c10::complex<float>> {
  static constexpr auto call = &cgemm_;
};
template <>
struct Gemm<c10::complex<double>> {
  static constexpr auto call = &zgemm_;
};

template <typename T>
void library_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                  double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                  int64_t ldc) {
  const char ta = transa == TransposeType::Transpose ? 'T' : 'N';
  const char tb = transb == TransposeType::Transpose ? 'T' : 'N';
  const int sizes[] = {static_cast<int>(m),   static_cast<int>(n),   static_cast<int>(k),
                       static_cast<int>(lda), static_cast<int>(ldb), static_cast<int>(ldc)};
  const T alpha_(static_cast<typename c10::scalar_value_type<T>::type>(alpha));
  const T beta_(static_cast<typename c10::scalar_value_type<T>::type>(beta));
  Gemm<T>::call(&ta, &tb, &sizes[0], &sizes[1], &sizes[2], &alpha_, a, &sizes[3], b, &sizes[4],
                &beta_, c, &sizes[5]);
}

// BLAS counts in int: whether it can take such a matrix.
bool library_fits(std::initializer_list<int64_t> numbers) {
  return std::max(numbers) <= std::numeric_limits<int>::max();
}

#else

bool library_fits(std::initializer_list<int64_t> /*numbers*/) { return true; }

template <typename T>
void library_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                  double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                  int64_t ldc) {
  gemm_stub(c10::DeviceType::CPU, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
            c10::CppTypeToScalarType<T>::value);
}

#endif

template <typename T>
T add_product(T sum, T a, T b) {
  return wrapping_add(sum, wrapping_mul(a, b));
}

// Any type, one column of c at a time; sums are accumulated in a wider type.
template <typename T>
void plain_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                int64_t ldc) {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;
  const int64_t a_row = transa == TransposeType::Transpose ? lda : 1;
  const int64_t a_column = transa == TransposeType::Transpose ? 1 : lda;
  const int64_t b_row = transb == TransposeType::Transpose ? ldb : 1;
  const int64_t b_column = transb == TransposeType::Transpose ? 1 : ldb;
  const int64_t grain = grain_of(m * k);
  at::parallel_for(0, n, grain, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        acc_t sum(0);
        for (int64_t l = 0; l < k; ++l) {
          sum = add_product(sum, static_cast<acc_t>(a[i * a_row + l * a_column]),
                            static_cast<acc_t>(b[l * b_row + j * b_column]));
        }
        T& out = c[i + j * ldc];
        sum = wrapping_mul(static_cast<acc_t>(alpha), sum);
        if (beta != 0) sum = add_product(sum, static_cast<acc_t>(beta), static_cast<acc_t>(out));
        out = static_cast<T>(sum);
      }
    }
  });
}

// Memory for floats, with whatever was there.
std::unique_ptr<float[]> floats(int64_t n) {
  return std::unique_ptr<float[]>(new float[static_cast<size_t>(n)]);
}

// A matrix of a narrow type as floats, its columns close together.
template <typename T>
void widen(float* out, const T* a, int64_t rows, int64_t columns, int64_t ld) {
  constexpr ScalarType kType = c10::CppTypeToScalarType<T>::value;
  at::parallel_for(0, columns, grain_of(rows), [&](int64_t begin, int64_t end) {
    if (ld == rows) {
      widen_stub(c10::DeviceType::CPU, out + begin * rows, a + begin * rows, (end - begin) * rows,
                 kType);
      return;
    }
    for (int64_t j = begin; j < end; ++j) {
      widen_stub(c10::DeviceType::CPU, out + j * rows, a + j * ld, rows, kType);
    }
  });
}

// c = beta * c + product, rounded once; the columns of the product lie close together.
template <typename T>
void narrow(T* c, int64_t ldc, float* product, int64_t rows, int64_t columns, double beta) {
  constexpr ScalarType kType = c10::CppTypeToScalarType<T>::value;
  if (ldc == rows && beta == 0) {
    narrow_stub(c10::DeviceType::CPU, c, product, rows * columns, kType);
    return;
  }
  for (int64_t j = 0; j < columns; ++j) {
    float* column = product + j * rows;
    for (int64_t i = 0; i < rows && beta != 0; ++i) {
      column[i] += static_cast<float>(beta) * static_cast<float>(c[i + j * ldc]);
    }
    narrow_stub(c10::DeviceType::CPU, c + j * ldc, column, rows, kType);
  }
}

// BFloat16 and Half: products of floats. The operand on the longer side of c is made floats band by
// band, which stay in a near cache, the other one at once.
template <typename T>
void narrow_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                 double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                 int64_t ldc) {
  constexpr int64_t kNearFloats = 128 * 1024;
  constexpr int64_t kLeast = 256;  // columns for which the other operand is worth packing again
  constexpr int64_t kAligned = 64;
  const bool columns = n >= m;
  const int64_t side = columns ? n : m;
  const int64_t other = columns ? m : n;
  // op(x) has `other` rows or columns, op(y) is cut. `along` says whether k goes along memory.
  const T* const x = columns ? a : b;
  const T* const y = columns ? b : a;
  const int64_t ldx = columns ? lda : ldb;
  const int64_t ldy = columns ? ldb : lda;
  const bool x_along =
      columns ? transa == TransposeType::Transpose : transb == TransposeType::NoTranspose;
  const bool y_along =
      columns ? transb == TransposeType::NoTranspose : transa == TransposeType::Transpose;
  const int64_t x_rows = x_along ? k : other;
  const auto wide_x = floats(other * k);
  widen(wide_x.get(), x, x_rows, x_along ? other : k, ldx);
  const int64_t threads = at::get_num_threads();
  const int64_t share = side * other * k > kSerialWork ? (side + threads - 1) / threads : side;
  const int64_t near = std::max(kLeast, kNearFloats / (other + k) / kAligned * kAligned);
  const int64_t band = std::min(share, near);
  at::parallel_for(0, (side + band - 1) / band, 1, [&](int64_t begin, int64_t end) {
    const auto wide_y = floats(band * k);
    const auto product = floats(band * other);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * band;
      const int64_t count = std::min(band, side - first);
      const int64_t y_rows = y_along ? k : count;
      widen(wide_y.get(), y + (y_along ? first * ldy : first), y_rows, y_along ? count : k, ldy);
      if (columns) {
        library_gemm(transa, transb, m, count, k, alpha, wide_x.get(), x_rows, wide_y.get(), y_rows,
                     0.0, product.get(), m);
        narrow(c + first * ldc, ldc, product.get(), m, count, beta);
      } else {
        library_gemm(transa, transb, count, n, k, alpha, wide_y.get(), y_rows, wide_x.get(), x_rows,
                     0.0, product.get(), count);
        narrow(c + first, ldc, product.get(), count, n, beta);
      }
    }
  });
}

// The types whose products with vectors are ours.
#if defined(TORCH_USE_BLAS)
template <typename T>
constexpr bool kOwnVectors = std::is_same_v<T, c10::BFloat16> || std::is_same_v<T, c10::Half>;
#else
template <typename T>
constexpr bool kOwnVectors =
    std::is_same_v<T, c10::BFloat16> || std::is_same_v<T, c10::Half> || std::is_floating_point_v<T>;
#endif

// gemm where a side is 1; false, and nothing done, elsewhere.
template <typename T>
bool vector_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                 double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                 int64_t ldc) {
  constexpr ScalarType kType = c10::CppTypeToScalarType<T>::value;
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  const int64_t a_row = ta ? lda : 1;
  const int64_t a_column = ta ? 1 : lda;
  const int64_t b_row = tb ? ldb : 1;
  const int64_t b_column = tb ? 1 : ldb;
  if (n == 1) {
    gemv_stub(c10::DeviceType::CPU, m, k, alpha, a, a_row, a_column, b, b_row, beta, c, int64_t(1),
              kType);
  } else if (m == 1) {
    gemv_stub(c10::DeviceType::CPU, n, k, alpha, b, b_column, b_row, a, a_column, beta, c, ldc,
              kType);
  } else if (k == 1) {
    outer_stub(c10::DeviceType::CPU, m, n, alpha, a, a_row, b, b_column, beta, c, ldc, kType);
  } else {
    return false;
  }
  return true;
}

// The library multiplies what it knows, the loop above the rest.
template <typename T>
void typed_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                int64_t ldc) {
  // Nothing is added. A factor of integers wraps, which the loops below know.
  if (is_blas_type<T> ? k == 0 || alpha == 0 : k == 0 && beta == 0) {
    scale_columns(m, n, static_cast<T>(beta), c, ldc);
    return;
  }
  if constexpr (kOwnVectors<T>) {
    if (k != 0 && vector_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) {
      return;
    }
  }
  if constexpr (is_blas_type<T>) {
    if (library_fits({m, n, k, lda, ldb, ldc})) {
      library_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
      return;
    }
  } else if constexpr (std::is_same_v<T, c10::BFloat16> || std::is_same_v<T, c10::Half>) {
    if constexpr (std::is_same_v<T, c10::BFloat16>) {
      if (k != 0 &&
          onednn::bfloat16_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) {
        return;
      }
      if (k != 0 && bfloat16_gemm_stub(c10::DeviceType::CPU, transa, transb, m, n, k, alpha, a, lda,
                                       b, ldb, beta, c, ldc)) {
        return;
      }
    }
    if (k != 0 && library_fits({m, n, k})) {
      narrow_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
      return;
    }
  }
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    integer_gemm_stub(c10::DeviceType::CPU, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c,
                      ldc, c10::CppTypeToScalarType<T>::value);
    return;
  }
  plain_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// y = alpha a x + beta y as a product of matrices, if BLAS can have `a` as it is.
template <typename T>
bool library_gemv(int64_t m, int64_t n, double alpha, const T* a, int64_t row_stride,
                  int64_t column_stride, const T* x, int64_t incx, double beta, T* y,
                  int64_t incy) {
  if (n == 0 || incx < 1 || incy < 1) return false;
  const bool columns = row_stride == 1 && column_stride >= m;
  const bool rows = column_stride == 1 && row_stride >= n;
  if (!columns && !rows) return false;
  const int64_t lda = columns ? column_stride : row_stride;
  const auto trans = columns ? TransposeType::NoTranspose : TransposeType::Transpose;
  if (incy == 1) {
    // x is a column, or the transpose of a row whose elements are incx apart.
    const auto trans_x = incx == 1 ? TransposeType::NoTranspose : TransposeType::Transpose;
    typed_gemm(trans, trans_x, m, int64_t(1), n, alpha, a, lda, x, incx == 1 ? n : incx, beta, y,
               m);
  } else {
    const auto flipped = columns ? TransposeType::Transpose : TransposeType::NoTranspose;
    const auto trans_x = incx == 1 ? TransposeType::Transpose : TransposeType::NoTranspose;
    typed_gemm(trans_x, flipped, int64_t(1), m, n, alpha, x, incx == 1 ? n : incx, a, lda, beta, y,
               incy);
  }
  return true;
}

template <typename T>
void plain_gemv(int64_t m, int64_t n, double alpha, const T* a, int64_t row_stride,
                int64_t column_stride, const T* x, int64_t incx, double beta, T* y, int64_t incy) {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;
  const int64_t grain = grain_of(n);
  at::parallel_for(0, m, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      acc_t sum(0);
      const T* row = a + i * row_stride;
      for (int64_t j = 0; j < n; ++j) {
        sum = add_product(sum, static_cast<acc_t>(row[j * column_stride]),
                          static_cast<acc_t>(x[j * incx]));
      }
      T& out = y[i * incy];
      sum = wrapping_mul(static_cast<acc_t>(alpha), sum);
      if (beta != 0) sum = add_product(sum, static_cast<acc_t>(beta), static_cast<acc_t>(out));
      out = static_cast<T>(sum);
    }
  });
}

template <typename T>
T plain_dot(int64_t n, const T* x, int64_t incx, const T* y, int64_t incy, bool conjugated) {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;
  acc_t sum(0);
  for (int64_t i = 0; i < n; ++i) {
    auto left = static_cast<acc_t>(x[i * incx]);
    if constexpr (c10::is_complex<acc_t>::value) {
      if (conjugated) left = c10::conj(left);
    }
    sum = add_product(sum, left, static_cast<acc_t>(y[i * incy]));
  }
  return static_cast<T>(sum);
}

}  // namespace

void gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, double alpha,
          const void* a, int64_t lda, const void* b, int64_t ldb, double beta, void* c, int64_t ldc,
          c10::ScalarType dtype) {
  if (m == 0 || n == 0) return;
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, dtype, "gemm", [&] {
    typed_gemm(transa, transb, m, n, k, alpha, static_cast<const scalar_t*>(a), lda,
               static_cast<const scalar_t*>(b), ldb, beta, static_cast<scalar_t*>(c), ldc);
  });
}

void gemv(int64_t m, int64_t n, double alpha, const void* a, int64_t row_stride,
          int64_t column_stride, const void* x, int64_t incx, double beta, void* y, int64_t incy,
          c10::ScalarType dtype) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, dtype, "gemv", [&] {
    if constexpr (is_blas_type<scalar_t> && !kOwnVectors<scalar_t>) {
      if (library_gemv(m, n, alpha, static_cast<const scalar_t*>(a), row_stride, column_stride,
                       static_cast<const scalar_t*>(x), incx, beta, static_cast<scalar_t*>(y),
                       incy)) {
        return;
      }
      plain_gemv(m, n, alpha, static_cast<const scalar_t*>(a), row_stride, column_stride,
                 static_cast<const scalar_t*>(x), incx, beta, static_cast<scalar_t*>(y), incy);
    } else {
      gemv_stub(c10::DeviceType::CPU, m, n, alpha, a, row_stride, column_stride, x, incx, beta, y,
                incy, dtype);
    }
  });
}

void dot(int64_t n, const void* x, int64_t incx, const void* y, int64_t incy, void* result,
         c10::ScalarType dtype, bool conjugated) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, dtype, "dot", [&] {
    const auto* px = static_cast<const scalar_t*>(x);
    const auto* py = static_cast<const scalar_t*>(y);
    auto* out = static_cast<scalar_t*>(result);
    if constexpr (c10::is_complex<scalar_t>::value) {
      if (incx == 1 && incy == 1) {
        complex_dot_stub(c10::DeviceType::CPU, n, x, y, conjugated, result, dtype);
      } else {
        *out = plain_dot(n, px, incx, py, incy, conjugated);
      }
    } else if constexpr (is_blas_type<scalar_t> && !kOwnVectors<scalar_t>) {
      if (!library_gemv(int64_t(1), n, 1.0, px, incx == 1 ? n : int64_t(1), incx, py, incy, 0.0,
                        out, int64_t(1))) {
        *out = plain_dot(n, px, incx, py, incy, /*conjugated=*/false);
      }
    } else {
      gemv_stub(c10::DeviceType::CPU, int64_t(1), n, 1.0, x, int64_t(1), incx, y, incy, 0.0, result,
                int64_t(1), dtype);
    }
  });
}

}  // namespace at::native::cpublas
