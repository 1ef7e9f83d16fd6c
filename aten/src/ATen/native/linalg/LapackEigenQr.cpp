// QR factors of BatchLinearAlgebra.h with Eigen, and ranks with OpenBLAS.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackBlocks.h>
#include <ATen/native/LapackEigen.h>
#include <ATen/native/LapackOpenblas.h>

#include <Eigen/Householder>
#include <Eigen/QR>

#include <algorithm>
#include <cstdint>

namespace at::native::lapack {

namespace {

// How many reflections are applied together.
constexpr int64_t kReflections = 48;
// Panels up to this width are Eigen's: it is compiled here for any processor.
constexpr int64_t kPanel = 8;

// Multiplications below which reflections are applied one by one, in place.
constexpr int64_t kSmall = 32 * 32 * 32;

// Applies k reflections to c, the first of them last, or their adjoints, the first of them first.
// The vectors lie below the diagonal of a (Schreiber and Van Loan, "A storage-efficient WY
// representation for products of Householder transformations", SIAM Journal on Scientific and
// Statistical Computing 10, 1989).
template <typename T>
void reflect(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const Vector<T>& factors,
             T* c, int64_t ldc, bool adjoint) {
  Matrix<T> v = map(a, m, k, lda);
  v.topRows(k).template triangularView<Eigen::StrictlyUpper>().setZero();
  v.diagonal().setOnes();
  const Matrix<T> v_adjoint = v.adjoint();
  Matrix<T> gram(k, k);
  add_product<T>(1, k, k, m, element_of<T>(v_adjoint), k, element_of<T>(v), m, 0,
                 element_of<T>(gram), k);
  Matrix<T> t = Matrix<T>::Zero(k, k);
  for (int64_t j = 0; j < k; ++j) {
    t(j, j) = factors(j);
    const auto known = t.topLeftCorner(j, j).template triangularView<Eigen::Upper>();
    t.col(j).head(j) = -factors(j) * (known * gram.col(j).head(j)).eval();
  }
  if (adjoint) t.adjointInPlace();
  Matrix<T> inner(k, n);
  Matrix<T> scaled(k, n);
  add_product<T>(1, k, n, m, element_of<T>(v_adjoint), k, c, ldc, 0, element_of<T>(inner), k);
  add_product<T>(1, k, n, k, element_of<T>(t), k, element_of<T>(inner), k, 0, element_of<T>(scaled),
                 k);
  add_product<T>(-1, m, n, k, element_of<T>(v), m, element_of<T>(scaled), k, 1, c, ldc);
}

// The product of k reflections in the place of their vectors, the last one first.
template <typename Q, typename Factors>
void multiply_in_place(Q& q, int64_t k, const Factors& factors) {
  const int64_t m = q.rows();
  const int64_t n = q.cols();
  for (int64_t j = k; j < n; ++j) {
    q.col(j).setZero();
    q(j, j) = 1;
  }
  for (int64_t i = k - 1; i >= 0; --i) {
    auto v = q.col(i).tail(m - i - 1);  // Below the 1 that is not stored.
    const auto factor = factors(i);
    for (int64_t j = i + 1; j < n; ++j) {
      auto rest = q.col(j).tail(m - i - 1);
      const auto product = factor * (q(i, j) + v.dot(rest));
      q(i, j) -= product;
      rest -= product * v;
    }
    v *= -factor;
    q(i, i) = typename Q::Scalar(1) - factor;
    q.col(i).head(i).setZero();
  }
}

// Q R of a panel in place, its columns in halves (Elmroth and Gustavson, "Applying recursion to
// serial and parallel QR factorization leads to better performance", IBM Journal of Research and
// Development 44, 2000).
template <typename T>
void factor_panel(int64_t m, int64_t n, T* a, int64_t lda, T* tau) {
  if (n <= kPanel) {
    auto panel = map(a, m, n, lda);
    Eigen::Map<Vector<T>> factors(element_ptr(tau), n);
    Vector<T> workspace(n);
    Eigen::internal::householder_qr_inplace_unblocked(panel, factors, workspace.data());
    // Eigen's factors are those of Q^H.
    factors = factors.conjugate().eval();
    return;
  }
  const int64_t half = first_half(n);
  factor_panel(m, half, a, lda, tau);
  T* right = a + half * lda;
  const Vector<T> factors = Eigen::Map<const Vector<T>>(element_ptr(tau), half);
  reflect<T>(m, n - half, half, a, lda, factors, right, lda, /*adjoint=*/true);
  factor_panel(m - half, n - half, right + half, lda, tau + half);
}

}  // namespace

template <typename T>
int64_t geqrf(int64_t m, int64_t n, T* a, int64_t lda, T* tau) {
  const int64_t k = std::min(m, n);
  for (int64_t j = 0; j < k; j += kReflections) {
    const int64_t width = std::min(kReflections, k - j);
    T* start = a + j * lda + j;
    factor_panel(m - j, width, start, lda, tau + j);
    if (j + width < n) {
      const Vector<T> factors = Eigen::Map<const Vector<T>>(element_ptr(tau + j), width);
      reflect<T>(m - j, n - j - width, width, start, lda, factors, start + width * lda, lda,
                 /*adjoint=*/true);
    }
  }
  return 0;
}

template <typename T>
int64_t orgqr(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, const T* tau) {
  if (m == 0 || n == 0) return 0;
  auto q = map(a, m, n, lda);
  if (n <= kPanel || m * n * k <= kSmall) {
    multiply_in_place(q, k, Eigen::Map<const Vector<T>>(element_ptr(tau), k));
    return 0;
  }
  const Matrix<T> vectors = q.leftCols(k);
  Matrix<T> result = Matrix<T>::Identity(m, n);
  for (int64_t j = (k - 1) / kReflections * kReflections; k > 0 && j >= 0; j -= kReflections) {
    const int64_t width = std::min(kReflections, k - j);
    const Vector<T> factors = Eigen::Map<const Vector<T>>(element_ptr(tau + j), width);
    // Columns before j are still those of the identity, and stay so.
    reflect(m - j, n - j, width, element_of<T>(vectors) + j * m + j, m, factors,
            element_of<T>(result) + j * m + j, m, /*adjoint=*/false);
  }
  q = result;
  return 0;
}

template <typename T>
int64_t ormqr(char trans, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* tau,
              T* c, int64_t ldc) {
  if (m == 0 || n == 0) return 0;
  const bool adjoint = !is(trans, 'N');
  const int64_t blocks = (k + kReflections - 1) / kReflections;
  for (int64_t step = 0; step < blocks; ++step) {
    const int64_t j = (adjoint ? step : blocks - 1 - step) * kReflections;
    const int64_t width = std::min(kReflections, k - j);
    const Vector<T> factors = Eigen::Map<const Vector<T>>(element_ptr(tau + j), width);
    reflect<T>(m - j, n, width, a + j * lda + j, lda, factors, c + j, ldc, adjoint);
  }
  return 0;
}

template <typename T>
int64_t gelsy(int64_t m, int64_t n, int64_t nrhs, T* a, int64_t lda, T* b, int64_t ldb,
              Real<T> rcond) {
  const auto* library = openblas_routines<T>();
  return library == nullptr ? -1 : fortran::gelsy(*library, m, n, nrhs, a, lda, b, ldb, rcond);
}

#define TORCH_LAPACK_QR(T)                                                                \
  template TORCH_API int64_t geqrf<T>(int64_t, int64_t, T*, int64_t, T*);                 \
  template TORCH_API int64_t orgqr<T>(int64_t, int64_t, int64_t, T*, int64_t, const T*);  \
  template TORCH_API int64_t ormqr<T>(char, int64_t, int64_t, int64_t, const T*, int64_t, \
                                      const T*, T*, int64_t);                             \
  template TORCH_API int64_t gelsy<T>(int64_t, int64_t, int64_t, T*, int64_t, T*, int64_t, Real<T>);
TORCH_LAPACK_QR(float)
TORCH_LAPACK_QR(double)
TORCH_LAPACK_QR(c10::complex<float>)
TORCH_LAPACK_QR(c10::complex<double>)
#undef TORCH_LAPACK_QR

}  // namespace at::native::lapack

#endif
