// QR factors of BatchLinearAlgebra.h with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>

#include <Eigen/Householder>
#include <Eigen/QR>

#include <algorithm>
#include <cstdint>

namespace at::native::lapack {

template <typename T>
int64_t geqrf(int64_t m, int64_t n, T* a, int64_t lda, T* tau) {
  if (m == 0 || n == 0) return 0;
  auto qr = map(a, m, n, lda);
  Eigen::Map<Vector<T>> factors(element_ptr(tau), std::min(m, n));
  Vector<T> workspace(n);
  Eigen::internal::householder_qr_inplace_blocked<decltype(qr), decltype(factors)>::run(
      qr, factors, 48, workspace.data());
  // Eigen's factors are those of Q^H.
  factors = factors.conjugate().eval();
  return 0;
}

template <typename T>
int64_t orgqr(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, const T* tau) {
  if (m == 0 || n == 0) return 0;
  auto q = map(a, m, n, lda);
  const Matrix<T> vectors = q.leftCols(k);
  const Eigen::Map<const Vector<T>> factors(element_ptr(tau), k);
  Matrix<T> result = Matrix<T>::Identity(m, n);
  if (k > 0) Eigen::householderSequence(vectors, factors).applyThisOnTheLeft(result);
  q = result;
  return 0;
}

#define TORCH_LAPACK_QR(T)                                                \
  template TORCH_API int64_t geqrf<T>(int64_t, int64_t, T*, int64_t, T*); \
  template TORCH_API int64_t orgqr<T>(int64_t, int64_t, int64_t, T*, int64_t, const T*);
TORCH_LAPACK_QR(float)
TORCH_LAPACK_QR(double)
TORCH_LAPACK_QR(c10::complex<float>)
TORCH_LAPACK_QR(c10::complex<double>)
#undef TORCH_LAPACK_QR

}  // namespace at::native::lapack

#endif
