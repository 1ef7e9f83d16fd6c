// Singular values of BatchLinearAlgebra.h with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>

#include <Eigen/SVD>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace at::native::lapack {
namespace {

// Divide and conquer for the usual types; the slower Jacobi rotations, which compile in a third of
// the time, for complex ones.
template <typename W>
using Svd = std::conditional_t<std::is_floating_point_v<W>, Eigen::BDCSVD<Matrix<W>>,
                               Eigen::JacobiSVD<Matrix<W>, Eigen::HouseholderQRPreconditioner>>;

}  // namespace

template <typename T>
int64_t gesdd(char jobz, int64_t m, int64_t n, T* a, int64_t lda, Real<T>* s, T* u, int64_t ldu,
              T* vt, int64_t ldvt) {
  const int64_t k = std::min(m, n);
  const bool all = is(jobz, 'A');
  const bool some = is(jobz, 'S');
  if (k == 0) {
    if (all) {
      map(u, m, m, ldu).setIdentity();
      map(vt, n, n, ldvt).setIdentity();
    }
    return 0;
  }
  unsigned int options = 0;
  if (all) options = Eigen::ComputeFullU | Eigen::ComputeFullV;
  if (some) options = Eigen::ComputeThinU | Eigen::ComputeThinV;
  const Matrix<Wide<T>> matrix = map(a, m, n, lda).template cast<Element<Wide<T>>>();
  // LAPACK's answer to a matrix that holds a NaN.
  if (!matrix.allFinite()) return -4;
  const Svd<Wide<T>> svd(matrix, options);
  if (svd.info() != Eigen::Success) return k;
  Eigen::Map<Vector<Real<T>>>(s, k) = svd.singularValues().template cast<Real<T>>();
  if (all || some) {
    map(u, m, all ? m : k, ldu) = svd.matrixU().template cast<Element<T>>();
    map(vt, all ? n : k, n, ldvt) = svd.matrixV().adjoint().template cast<Element<T>>();
  }
  return 0;
}

#define TORCH_LAPACK_SVD(T)                                                                       \
  template TORCH_API int64_t gesdd<T>(char, int64_t, int64_t, T*, int64_t, Real<T>*, T*, int64_t, \
                                      T*, int64_t);
TORCH_LAPACK_SVD(float)
TORCH_LAPACK_SVD(double)
TORCH_LAPACK_SVD(c10::complex<float>)
TORCH_LAPACK_SVD(c10::complex<double>)
#undef TORCH_LAPACK_SVD

}  // namespace at::native::lapack

#endif
