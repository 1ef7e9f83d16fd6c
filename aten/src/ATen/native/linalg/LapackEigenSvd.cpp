// Singular values of BatchLinearAlgebra.h with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>

#include <Eigen/SVD>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <utility>

namespace at::native::lapack {
namespace {

using Real64 = Matrix<double>;
using Complex64 = Matrix<c10::complex<double>>;

// What a decomposition gives: m x k (or m x m), k, and n x k (or n x n).
template <typename M>
struct Svd {
  M u;
  Vector<double> s;
  M v;
  bool converged;
};

// Divide and conquer.
Svd<Real64> decompose(const Real64& a, unsigned int options) {
  const Eigen::BDCSVD<Real64> svd(a, options);
  Svd<Real64> result{{}, svd.singularValues(), {}, svd.info() == Eigen::Success};
  if (options != 0) {
    result.u = svd.matrixU();
    result.v = svd.matrixV();
  }
  return result;
}

// A = Q B P^H with B real and bidiagonal: the decomposition is that of B between Q and P.
Svd<Complex64> decompose(const Complex64& a, unsigned int options) {
  if (a.rows() < a.cols()) {
    const Complex64 adjoint = a.adjoint();
    Svd<Complex64> result = decompose(adjoint, options);
    std::swap(result.u, result.v);
    return result;
  }
  const Eigen::Index n = a.cols();
  // The formulas square elements: they are scaled to at most 1.
  const double largest = a.cwiseAbs().maxCoeff();
  const double scale = largest > 0 ? largest : 1;
  Eigen::internal::UpperBidiagonalization<Complex64> reduced(a / scale);
  const Real64 bidiagonal = reduced.bidiagonal().toDenseMatrix();
  const bool vectors = options != 0;
  const Svd<Real64> inner =
      decompose(bidiagonal, vectors ? Eigen::ComputeThinU | Eigen::ComputeThinV : 0u);
  Svd<Complex64> result{{}, inner.s * scale, {}, inner.converged};
  if (vectors) {
    const Eigen::Index columns = (options & Eigen::ComputeFullU) != 0 ? a.rows() : n;
    result.u = Complex64::Identity(a.rows(), columns);
    result.u.topLeftCorner(n, n) = inner.u.cast<std::complex<double>>();
    reduced.householderU().applyThisOnTheLeft(result.u);
    result.v = inner.v.cast<std::complex<double>>();
    if (n > 1) reduced.householderV().applyThisOnTheLeft(result.v);
  }
  return result;
}

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
  const auto svd = decompose(matrix, options);
  if (!svd.converged) return k;
  Eigen::Map<Vector<Real<T>>>(s, k) = svd.s.template cast<Real<T>>();
  if (all || some) {
    map(u, m, all ? m : k, ldu) = svd.u.template cast<Element<T>>();
    map(vt, all ? n : k, n, ldvt) = svd.v.adjoint().template cast<Element<T>>();
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
