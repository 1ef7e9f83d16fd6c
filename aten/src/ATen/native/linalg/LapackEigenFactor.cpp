// Factorisations and triangular solves of BatchLinearAlgebra.h with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <utility>

// LAPACK chooses complex pivots by the sum of the magnitudes of their parts, not by their length.
// Nothing else in the library takes LU factors with Eigen.
namespace Eigen::internal {
template <typename T>
struct scalar_score_coeff_op<std::complex<T>> {
  using result_type = T;
  T operator()(const std::complex<T>& z) const { return std::abs(z.real()) + std::abs(z.imag()); }
};
template <typename T>
struct functor_traits<scalar_score_coeff_op<std::complex<T>>> {
  enum { Cost = 3, PacketAccess = false };
};
}  // namespace Eigen::internal

namespace at::native::lapack {
namespace {

// Solves op(A) x = b for a triangle of A. It is made a lower one first, so that the compiler has
// one solver to make for each type: rows and columns of an upper one change order.
template <typename T>
void solve_triangle(char uplo, char trans, bool unit, int64_t n, int64_t nrhs, const T* a,
                    int64_t lda, T* b, int64_t ldb) {
  const auto m = map(a, n, n, lda);
  Matrix<T> lower;
  if (is(trans, 'N')) {
    lower = m;
  } else if (is(trans, 'T')) {
    lower = m.transpose();
  } else {
    lower = m.adjoint();
  }
  const bool reversed = is(uplo, 'L') != is(trans, 'N');
  if (reversed) lower = lower.reverse().eval();
  if (unit) lower.diagonal().setOnes();
  auto x = map(b, n, nrhs, ldb);
  if (reversed) x.colwise().reverseInPlace();
  lower.template triangularView<Eigen::Lower>().solveInPlace(x);
  if (reversed) x.colwise().reverseInPlace();
}

// Exchanges rows as getrf did, or back.
template <typename B>
void exchange_rows(B& b, const int32_t* pivots, int64_t n, bool backwards) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = backwards ? n - 1 - step : step;
    if (pivots[i] - 1 != i) b.row(i).swap(b.row(pivots[i] - 1));
  }
}

}  // namespace

template <typename T>
int64_t potrf(char uplo, int64_t n, T* a, int64_t lda) {
  auto m = map(a, n, n, lda);
  // The factors are adjoint to each other.
  if (!is(uplo, 'L')) m.adjointInPlace();
  const Eigen::Index bad = Eigen::internal::llt_inplace<Element<T>, Eigen::Lower>::blocked(m);
  if (!is(uplo, 'L')) m.adjointInPlace();
  return bad + 1;
}

template <typename T>
int64_t getrf(int64_t m, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  if (m == 0 || n == 0) return 0;
  int32_t exchanges = 0;
  const Eigen::Index singular =
      Eigen::internal::partial_lu_impl<Element<T>, Eigen::ColMajor, int32_t>::blocked_lu(
          m, n, element_ptr(a), lda, pivots, exchanges);
  for (int64_t i = 0; i < std::min(m, n); ++i) ++pivots[i];
  return singular + 1;
}

template <typename T>
int64_t getrs(char trans, int64_t n, int64_t nrhs, const T* a, int64_t lda, const int32_t* pivots,
              T* b, int64_t ldb) {
  auto x = map(b, n, nrhs, ldb);
  if (is(trans, 'N')) {
    exchange_rows(x, pivots, n, /*backwards=*/false);
    solve_triangle('L', trans, /*unit=*/true, n, nrhs, a, lda, b, ldb);
    solve_triangle('U', trans, /*unit=*/false, n, nrhs, a, lda, b, ldb);
  } else {
    solve_triangle('U', trans, /*unit=*/false, n, nrhs, a, lda, b, ldb);
    solve_triangle('L', trans, /*unit=*/true, n, nrhs, a, lda, b, ldb);
    exchange_rows(x, pivots, n, /*backwards=*/true);
  }
  return 0;
}

template <typename T>
int64_t getri(int64_t n, T* a, int64_t lda, const int32_t* pivots) {
  auto m = map(a, n, n, lda);
  for (int64_t i = 0; i < n; ++i) {
    if (m(i, i) == Element<T>(0)) return i + 1;
  }
  Matrix<T> inverse = Matrix<T>::Identity(n, n);
  getrs('N', n, n, const_cast<const T*>(a), lda, pivots, reinterpret_cast<T*>(inverse.data()),
        std::max<int64_t>(n, 1));
  m = inverse;
  return 0;
}

template <typename T>
int64_t trtrs(char uplo, char trans, char diag, int64_t n, int64_t nrhs, const T* a, int64_t lda,
              T* b, int64_t ldb) {
  const auto m = map(a, n, n, lda);
  const bool unit = is(diag, 'U');
  for (int64_t i = 0; i < n && !unit; ++i) {
    if (m(i, i) == Element<T>(0)) return i + 1;
  }
  solve_triangle(uplo, trans, unit, n, nrhs, a, lda, b, ldb);
  return 0;
}

#define TORCH_LAPACK_FACTOR(T)                                                                   \
  template TORCH_API int64_t potrf<T>(char, int64_t, T*, int64_t);                               \
  template TORCH_API int64_t getrf<T>(int64_t, int64_t, T*, int64_t, int32_t*);                  \
  template TORCH_API int64_t getrs<T>(char, int64_t, int64_t, const T*, int64_t, const int32_t*, \
                                      T*, int64_t);                                              \
  template TORCH_API int64_t getri<T>(int64_t, T*, int64_t, const int32_t*);                     \
  template TORCH_API int64_t trtrs<T>(char, char, char, int64_t, int64_t, const T*, int64_t, T*, \
                                      int64_t);
TORCH_LAPACK_FACTOR(float)
TORCH_LAPACK_FACTOR(double)
TORCH_LAPACK_FACTOR(c10::complex<float>)
TORCH_LAPACK_FACTOR(c10::complex<double>)
#undef TORCH_LAPACK_FACTOR

}  // namespace at::native::lapack

#endif
