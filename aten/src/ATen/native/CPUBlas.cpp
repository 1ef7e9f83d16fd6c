#include <ATen/native/CPUBlas.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>

#if defined(TORCH_USE_CBLAS)
#include <cblas.h>
#endif

namespace at::native::cpublas {

DEFINE_DISPATCH(gemm_stub);

namespace {

// Multiply-adds below which a product stays on one thread.
constexpr int64_t kSerialWork = 64 * 64 * 64;

// c = beta * c, where beta = 0 clears whatever was there.
template <typename T>
void scale_columns(int64_t m, int64_t n, T beta, T* c, int64_t ldc) {
  if (beta == T(1)) return;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) c[i + j * ldc] = beta == T(0) ? T(0) : T(beta * c[i + j * ldc]);
  }
}

#if defined(TORCH_USE_CBLAS)

CBLAS_TRANSPOSE to_cblas(TransposeType type) {
  return type == TransposeType::Transpose ? CblasTrans : CblasNoTrans;
}

void library_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                  float alpha, const float* a, int64_t lda, const float* b, int64_t ldb, float beta,
                  float* c, int64_t ldc) {
  cblas_sgemm(CblasColMajor, to_cblas(transa), to_cblas(transb), static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), alpha, a, static_cast<int>(lda), b,
              static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}

void library_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                  double alpha, const double* a, int64_t lda, const double* b, int64_t ldb,
                  double beta, double* c, int64_t ldc) {
  cblas_dgemm(CblasColMajor, to_cblas(transa), to_cblas(transb), static_cast<int>(m),
              static_cast<int>(n), static_cast<int>(k), alpha, a, static_cast<int>(lda), b,
              static_cast<int>(ldb), beta, c, static_cast<int>(ldc));
}

// CBLAS counts in int: whether it can take such a matrix.
bool library_fits(std::initializer_list<int64_t> numbers) {
  return std::max(numbers) <= std::numeric_limits<int>::max();
}

#else

bool library_fits(std::initializer_list<int64_t> /*numbers*/) { return true; }

template <typename T>
void library_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                  T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                  int64_t ldc) {
  gemm_stub(c10::DeviceType::CPU, transa, transb, m, n, k, static_cast<double>(alpha), a, lda, b,
            ldb, static_cast<double>(beta), c, ldc, c10::CppTypeToScalarType<T>::value);
}

#endif

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
  const int64_t grain = std::max<int64_t>(1, kSerialWork / std::max<int64_t>(m * k, 1));
  at::parallel_for(0, n, grain, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        acc_t sum(0);
        for (int64_t l = 0; l < k; ++l) {
          sum += static_cast<acc_t>(a[i * a_row + l * a_column]) *
                 static_cast<acc_t>(b[l * b_row + j * b_column]);
        }
        T& out = c[i + j * ldc];
        sum = static_cast<acc_t>(alpha) * sum;
        if (beta != 0) sum += static_cast<acc_t>(beta) * static_cast<acc_t>(out);
        out = static_cast<T>(sum);
      }
    }
  });
}

// The library multiplies what it knows, the loop above the rest.
template <typename T>
void typed_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                double alpha, const T* a, int64_t lda, const T* b, int64_t ldb, double beta, T* c,
                int64_t ldc) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    if (k == 0 || alpha == 0) {
      scale_columns(m, n, static_cast<T>(beta), c, ldc);
      return;
    }
    if (library_fits({m, n, k, lda, ldb, ldc})) {
      library_gemm(transa, transb, m, n, k, static_cast<T>(alpha), a, lda, b, ldb,
                   static_cast<T>(beta), c, ldc);
      return;
    }
  }
  plain_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

template <typename T>
void plain_gemv(int64_t m, int64_t n, double alpha, const T* a, int64_t row_stride,
                int64_t column_stride, const T* x, int64_t incx, double beta, T* y, int64_t incy) {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;
  const int64_t grain = std::max<int64_t>(1, kSerialWork / std::max<int64_t>(n, 1));
  at::parallel_for(0, m, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      acc_t sum(0);
      const T* row = a + i * row_stride;
      for (int64_t j = 0; j < n; ++j) {
        sum += static_cast<acc_t>(row[j * column_stride]) * static_cast<acc_t>(x[j * incx]);
      }
      sum = static_cast<acc_t>(alpha) * sum;
      if (beta != 0) sum += static_cast<acc_t>(beta) * static_cast<acc_t>(y[i * incy]);
      y[i * incy] = static_cast<T>(sum);
    }
  });
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
    plain_gemv(m, n, alpha, static_cast<const scalar_t*>(a), row_stride, column_stride,
               static_cast<const scalar_t*>(x), incx, beta, static_cast<scalar_t*>(y), incy);
  });
}

void dot(int64_t n, const void* x, int64_t incx, const void* y, int64_t incy, void* result,
         c10::ScalarType dtype) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, dtype, "dot", [&] {
    using acc_t = at::acc_type<scalar_t, /*is_cuda=*/false>;
    const auto* px = static_cast<const scalar_t*>(x);
    const auto* py = static_cast<const scalar_t*>(y);
    acc_t sum(0);
    for (int64_t i = 0; i < n; ++i) {
      sum += static_cast<acc_t>(px[i * incx]) * static_cast<acc_t>(py[i * incy]);
    }
    *static_cast<scalar_t*>(result) = static_cast<scalar_t>(sum);
  });
}

}  // namespace at::native::cpublas
