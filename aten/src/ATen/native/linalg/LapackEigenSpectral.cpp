// Eigenvalues of BatchLinearAlgebra.h with OpenBLAS, or without it with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>
#include <ATen/native/LapackOpenblas.h>

#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native::lapack {

template <typename T>
int64_t syevd(char jobz, char uplo, int64_t n, T* a, int64_t lda, Real<T>* w) {
  if (n == 0) return 0;
  if (const auto* library = openblas_routines<T>()) {
    return fortran::syevd(*library, jobz, uplo, n, a, lda, w);
  }
  auto m = map(a, n, n, lda);
  const bool vectors = is(jobz, 'V');
  // The solver reads the lower triangle.
  Matrix<Wide<T>> lower = m.template cast<Element<Wide<T>>>();
  if (!is(uplo, 'L')) lower.adjointInPlace();
  const Eigen::SelfAdjointEigenSolver<Matrix<Wide<T>>> solver(
      lower, vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return n;
  Eigen::Map<Vector<Real<T>>>(w, n) = solver.eigenvalues().template cast<Real<T>>();
  if (vectors) m = solver.eigenvectors().template cast<Element<T>>();
  return 0;
}

template <typename T>
int64_t geev(char jobvr, int64_t n, T* a, int64_t lda, c10::complex<Real<T>>* w,
             c10::complex<Real<T>>* vr, int64_t ldvr) {
  using W = Matrix<Wide<T>>;
  using Solver = std::conditional_t<std::is_floating_point_v<T>, Eigen::EigenSolver<W>,
                                    Eigen::ComplexEigenSolver<W>>;
  if (n == 0) return 0;
  if (const auto* library = openblas_routines<T>()) {
    return fortran::geev(*library, jobvr, n, a, lda, w, vr, ldvr);
  }
  const bool vectors = is(jobvr, 'V');
  const W m = map(a, n, n, lda).template cast<Element<Wide<T>>>();
  Solver solver(m, vectors);
  if (solver.info() != Eigen::Success) {
    if constexpr (std::is_floating_point_v<T>) {
      return n;
    } else {
      // The iteration drops an element below the diagonal where it is small beside its neighbours.
      // In a matrix of low rank these are rounding errors themselves, and it does not end. Errors
      // of the size that rounding has in the whole matrix may go: the triangle is found without
      // them, and its vectors are turned back.
      const Eigen::HessenbergDecomposition<W> hessenberg(m);
      W h = hessenberg.matrixH();
      const auto small = std::numeric_limits<Real<Wide<T>>>::epsilon() * h.norm();
      for (int64_t i = 0; i + 1 < n; ++i) {
        if (std::abs(h(i + 1, i)) <= small) h(i + 1, i) = 0;
      }
      Eigen::ComplexSchur<W> schur(n);
      schur.computeFromHessenberg(h, W(hessenberg.matrixQ()), vectors);
      if (schur.info() != Eigen::Success) return n;
      solver.compute(schur.matrixT(), vectors);
      if (solver.info() != Eigen::Success) return n;
      if (vectors) {
        W turned = schur.matrixU() * solver.eigenvectors();
        turned.colwise().normalize();
        map(vr, n, n, ldvr) = turned.template cast<std::complex<Real<T>>>();
      }
      Eigen::Map<Vector<c10::complex<Real<T>>>>(element_ptr(w), n) =
          solver.eigenvalues().template cast<std::complex<Real<T>>>();
      return 0;
    }
  }
  Eigen::Map<Vector<c10::complex<Real<T>>>>(element_ptr(w), n) =
      solver.eigenvalues().template cast<std::complex<Real<T>>>();
  if (vectors) {
    map(vr, n, n, ldvr) = solver.eigenvectors().template cast<std::complex<Real<T>>>();
  }
  return 0;
}

#define TORCH_LAPACK_SPECTRAL(T)                                                         \
  template TORCH_API int64_t syevd<T>(char, char, int64_t, T*, int64_t, Real<T>*);       \
  template TORCH_API int64_t geev<T>(char, int64_t, T*, int64_t, c10::complex<Real<T>>*, \
                                     c10::complex<Real<T>>*, int64_t);
TORCH_LAPACK_SPECTRAL(float)
TORCH_LAPACK_SPECTRAL(double)
TORCH_LAPACK_SPECTRAL(c10::complex<float>)
TORCH_LAPACK_SPECTRAL(c10::complex<double>)
#undef TORCH_LAPACK_SPECTRAL

}  // namespace at::native::lapack

#endif
