// Products of matrices with Eigen, for builds without a BLAS library.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/CPUBlas.h>
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <complex>
#include <cstdint>

#if !defined(TORCH_USE_BLAS)

// GCC's AVX-512 intrinsics start from values that are undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

// Eigen's functions are inline: under one name for all capabilities the linker would keep only one
// of them, with instructions that another processor may not have.
#define TORCH_EIGEN_NAMESPACE_OF(capability) Eigen_##capability
#define TORCH_EIGEN_NAMESPACE(capability) TORCH_EIGEN_NAMESPACE_OF(capability)
#define Eigen TORCH_EIGEN_NAMESPACE(CPU_CAPABILITY)
#include <Eigen/Core>

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

// Eigen's complex numbers are std's, of the same layout as ours.
template <typename T>
struct Element {
  using type = T;
};
template <typename T>
struct Element<c10::complex<T>> {
  using type = std::complex<T>;
};

template <typename T>
using ConstMatrix =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
template <typename T>
using MutableMatrix =
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;

// One product on the calling thread.
template <typename T>
void eigen_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc) {
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  const ConstMatrix<T> ma(a, ta ? k : m, ta ? m : k, Eigen::OuterStride<>(lda));
  const ConstMatrix<T> mb(b, tb ? n : k, tb ? k : n, Eigen::OuterStride<>(ldb));
  MutableMatrix<T> mc(c, m, n, Eigen::OuterStride<>(ldc));
  if (ta && tb) {
    mc.noalias() += alpha * (ma.transpose() * mb.transpose());
  } else if (ta) {
    mc.noalias() += alpha * (ma.transpose() * mb);
  } else if (tb) {
    mc.noalias() += alpha * (ma * mb.transpose());
  } else {
    mc.noalias() += alpha * (ma * mb);
  }
}

// Threads take bands of the longer side of c.
template <typename T>
void eigen_gemm_parallel(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                         int64_t k, T alpha, const T* a, int64_t lda, const T* b, int64_t ldb,
                         T beta, T* c, int64_t ldc) {
  const int64_t column_work = std::max<int64_t>(m * k, 1);
  const int64_t row_work = std::max<int64_t>(n * k, 1);
  const auto aligned = [](int64_t grain) { return (grain + 15) / 16 * 16; };
  if (n >= m) {
    at::parallel_for(0, n, aligned(kSerialWork / column_work), [&](int64_t begin, int64_t end) {
      const T* bb = transb == TransposeType::Transpose ? b + begin : b + begin * ldb;
      T* cc = c + begin * ldc;
      scale_columns(m, end - begin, beta, cc, ldc);
      eigen_gemm(transa, transb, m, end - begin, k, alpha, a, lda, bb, ldb, cc, ldc);
    });
  } else {
    at::parallel_for(0, m, aligned(kSerialWork / row_work), [&](int64_t begin, int64_t end) {
      const T* aa = transa == TransposeType::Transpose ? a + begin * lda : a + begin;
      T* cc = c + begin;
      scale_columns(end - begin, n, beta, cc, ldc);
      eigen_gemm(transa, transb, end - begin, n, k, alpha, aa, lda, b, ldb, cc, ldc);
    });
  }
}

void gemm_kernel(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                 double alpha, const void* a, int64_t lda, const void* b, int64_t ldb, double beta,
                 void* c, int64_t ldc, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, "gemm", [&] {
    using T = typename Element<scalar_t>::type;
    using Real = typename c10::scalar_value_type<scalar_t>::type;
    eigen_gemm_parallel(transa, transb, m, n, k, T(static_cast<Real>(alpha)),
                        static_cast<const T*>(a), lda, static_cast<const T*>(b), ldb,
                        T(static_cast<Real>(beta)), static_cast<T*>(c), ldc);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gemm_stub, &CPU_CAPABILITY::gemm_kernel)

}  // namespace at::native::cpublas

#endif
