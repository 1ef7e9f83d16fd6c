// Singular values of BatchLinearAlgebra.h with OpenBLAS, or without it with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackEigen.h>
#include <ATen/native/LapackOpenblas.h>

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

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
  return {svd.matrixU(), svd.singularValues(), svd.matrixV(), svd.info() == Eigen::Success};
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
  const Svd<Real64> inner = decompose(bidiagonal, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Svd<Complex64> result{{}, inner.s * scale, {}, inner.converged};
  const Eigen::Index columns = (options & Eigen::ComputeFullU) != 0 ? a.rows() : n;
  result.u = Complex64::Identity(a.rows(), columns);
  result.u.topLeftCorner(n, n) = inner.u.cast<std::complex<double>>();
  reduced.householderU().applyThisOnTheLeft(result.u);
  result.v = inner.v.cast<std::complex<double>>();
  if (n > 1) reduced.householderV().applyThisOnTheLeft(result.v);
  return result;
}

// The rotation [c s; -s c] that makes (f, g) (r, 0).
struct Rotation {
  double c;
  double s;
  double r;
};
Rotation rotation(double f, double g) {
  if (g == 0) return {1, 0, f};
  if (f == 0) return {0, 1, g};
  const double square = f * f + g * g;
  const double r = square > 1e-280 ? std::sqrt(square) : std::hypot(f, g);
  return {f / r, g / r, r};
}

// The smaller singular value of [f g; 0 h].
double smaller_value(double f, double g, double h) {
  const double larger = std::max(std::abs(f), std::abs(h));
  const double smaller = std::min(std::abs(f), std::abs(h));
  if (smaller == 0) return 0;
  const double sum = std::hypot(f + h, g);
  const double difference = std::hypot(f - h, g);
  return 2 * smaller * (larger / (sum + difference));
}

// One step of QR from the first of n rows to the last; without shift small values stay accurate.
void step(double* d, double* e, int64_t n, double shift) {
  if (shift == 0) {
    Rotation right{1, 0, 0};
    Rotation left{1, 0, 0};
    for (int64_t i = 0; i + 1 < n; ++i) {
      right = rotation(d[i] * right.c, e[i]);
      if (i > 0) e[i - 1] = left.s * right.r;
      left = rotation(left.c * right.r, d[i + 1] * right.s);
      d[i] = left.r;
    }
    const double last = d[n - 1] * right.c;
    d[n - 1] = last * left.c;
    e[n - 2] = last * left.s;
    return;
  }
  double f = (std::abs(d[0]) - shift) * (std::copysign(1.0, d[0]) + shift / d[0]);
  double g = e[0];
  for (int64_t i = 0; i + 1 < n; ++i) {
    const Rotation right = rotation(f, g);
    if (i > 0) e[i - 1] = right.r;
    f = right.c * d[i] + right.s * e[i];
    e[i] = right.c * e[i] - right.s * d[i];
    g = right.s * d[i + 1];
    d[i + 1] *= right.c;
    const Rotation left = rotation(f, g);
    d[i] = left.r;
    f = left.c * e[i] + left.s * d[i + 1];
    d[i + 1] = left.c * d[i + 1] - left.s * e[i];
    if (i + 2 < n) {
      g = left.s * e[i + 1];
      e[i + 1] *= left.c;
    }
  }
  e[n - 2] = f;
}

// The singular values of an upper bidiagonal matrix, in place of its diagonal d; e is above it.
// Demmel and Kahan, "Accurate singular values of bidiagonal matrices", SIAM Journal on Scientific
// and Statistical Computing 11, 1990. Returns whether it converged.
bool bidiagonal_values(double* d, double* e, int64_t n) {
  double norm = 0;
  for (int64_t i = 0; i < n; ++i)
    norm = std::max({norm, std::abs(d[i]), i > 0 ? std::abs(e[i - 1]) : 0});
  const double negligible = norm * std::numeric_limits<double>::epsilon() / 2;
  int64_t steps = 30 * n;
  for (int64_t end = n; end > 1;) {
    if (std::abs(e[end - 2]) <= negligible) {
      --end;
      continue;
    }
    if (steps-- == 0) return false;
    int64_t begin = end - 2;
    while (begin > 0 && std::abs(e[begin - 1]) > negligible) --begin;
    // The values appear where the smaller ones are: at the end. The transposed matrix, read from
    // its end, has the same values.
    if (std::abs(d[begin]) < std::abs(d[end - 1])) {
      std::reverse(d + begin, d + end);
      std::reverse(e + begin, e + end - 1);
    }
    double shift = smaller_value(d[end - 2], e[end - 2], d[end - 1]);
    const double ratio = d[begin] == 0 ? 0 : shift / d[begin];
    if (ratio * ratio < std::numeric_limits<double>::epsilon()) shift = 0;
    step(d + begin, e + begin, end - begin, shift);
  }
  for (int64_t i = 0; i < n; ++i) d[i] = std::abs(d[i]);
  std::sort(d, d + n, std::greater<>());
  return true;
}

// The singular values of a matrix, which it destroys. Returns whether they converged.
template <typename M>
bool values_alone(M& a, Vector<double>& values) {
  using W = std::conditional_t<std::is_same_v<M, Real64>, double, c10::complex<double>>;
  if (a.rows() < a.cols()) a = a.adjoint().eval();
  const Eigen::Index n = a.cols();
  // The formulas square elements: they are scaled to at most 1.
  const double largest = a.cwiseAbs().maxCoeff();
  if (largest == 0) {
    values.setZero(n);
    return true;
  }
  a /= largest;
  if (a.rows() > n + n / 2) {
    std::vector<W> tau(static_cast<size_t>(n));
    geqrf(a.rows(), n, reinterpret_cast<W*>(a.data()), a.rows(), tau.data());
    a = M(a.topRows(n).template triangularView<Eigen::Upper>());
  }
  const Eigen::internal::UpperBidiagonalization<M> reduced(a);
  values = reduced.bidiagonal().diagonal(0).transpose();
  Vector<double> above = Vector<double>::Zero(n);
  if (n > 1) above.head(n - 1) = reduced.bidiagonal().diagonal(1).transpose();
  const bool converged = bidiagonal_values(values.data(), above.data(), n);
  values *= largest;
  return converged;
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
  if (const auto* library = openblas_routines<T>()) {
    return fortran::gesdd(*library, jobz, m, n, a, lda, s, u, ldu, vt, ldvt);
  }
  unsigned int options = 0;
  if (all) options = Eigen::ComputeFullU | Eigen::ComputeFullV;
  if (some) options = Eigen::ComputeThinU | Eigen::ComputeThinV;
  Matrix<Wide<T>> matrix = map(a, m, n, lda).template cast<Element<Wide<T>>>();
  // LAPACK's answer to a matrix that holds a NaN.
  if (!matrix.allFinite()) return -4;
  if (options == 0) {
    Vector<double> values;
    if (!values_alone(matrix, values)) return k;
    Eigen::Map<Vector<Real<T>>>(s, k) = values.template cast<Real<T>>();
    return 0;
  }
  const auto svd = decompose(matrix, options);
  if (!svd.converged) return k;
  Eigen::Map<Vector<Real<T>>>(s, k) = svd.s.template cast<Real<T>>();
  map(u, m, all ? m : k, ldu) = svd.u.template cast<Element<T>>();
  map(vt, all ? n : k, n, ldvt) = svd.v.adjoint().template cast<Element<T>>();
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
