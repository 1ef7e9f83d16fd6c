// Factorisations and triangular solves of BatchLinearAlgebra.h with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if !defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/GemmLoops.h>
#include <ATen/native/LapackBlocks.h>
#include <ATen/native/LapackEigen.h>
#include <ATen/native/LapackOpenblas.h>

#include <c10/util/complex_math.h>

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

// Triangular systems up to this size with few right hand sides leave vectors empty.
constexpr int64_t kInPlace = 16;
constexpr int64_t kFewSides = 4;
// LU factors of this many columns are Eigen's: it is compiled here for any processor.
constexpr int64_t kPanel = 16;

// What op(A) is, where op transposes or does nothing.
struct Triangle {
  bool lower;
  bool transposed;
  bool unit;
};

// Solves op(A) x = b for at most kMostRows rows.
template <typename T>
void solve_whole(Triangle triangle, int64_t n, int64_t nrhs, const T* a, int64_t lda, T* b,
                 int64_t ldb) {
  const int64_t row = triangle.transposed ? lda : 1;
  const int64_t column = triangle.transposed ? 1 : lda;
  cpublas::TriangularSystem system{n, nrhs, triangle.unit, a, row, column, b, 1, ldb};
  if (!triangle.lower) {
    system.a = a + (n - 1) * (lda + 1);
    system.row_step = -row;
    system.column_step = -column;
    system.b = b + (n - 1);
    system.b_step = -1;
  }
  cpublas::triangular_stub(c10::DeviceType::CPU, system, c10::CppTypeToScalarType<T>::value);
}

template <typename T>
Real<T> real_part(const T& value) {
  if constexpr (c10::is_complex<T>::value) {
    return value.real();
  } else {
    return value;
  }
}
template <typename T>
T conjugate(const T& value) {
  if constexpr (c10::is_complex<T>::value) {
    return c10::conj(value);
  } else {
    return value;
  }
}

// Solves op(A) x = b by substitution, where op may conjugate too.
template <bool kTransposed, bool kConjugated, typename T>
void substitute(bool lower, bool unit, int64_t n, int64_t nrhs, const T* a, int64_t lda, T* b,
                int64_t ldb) {
  const auto element = [](const T& value) { return kConjugated ? conjugate(value) : value; };
  for (int64_t column = 0; column < nrhs; ++column) {
    T* x = b + column * ldb;
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = lower ? step : n - 1 - step;
      const T* stored = a + i * lda;
      T value = x[i];
      if constexpr (kTransposed) {
        // Column i of A is row i of op(A): what it takes from x is known.
        for (int64_t j = lower ? 0 : i + 1; j < (lower ? i : n); ++j) {
          value -= element(stored[j]) * x[j];
        }
      }
      if (!unit) value /= element(stored[i]);
      x[i] = value;
      if constexpr (!kTransposed) {
        for (int64_t j = lower ? i + 1 : 0; j < (lower ? n : i); ++j) {
          x[j] -= element(stored[j]) * value;
        }
      }
    }
  }
}

// Solves op(A) x = b, in halves.
template <typename T>
void solve_in_halves(Triangle triangle, int64_t n, int64_t nrhs, const T* a, int64_t lda, T* b,
                     int64_t ldb) {
  if (n <= cpublas::kMostRows) {
    solve_whole(triangle, n, nrhs, a, lda, b, ldb);
    return;
  }
  const int64_t half = first_half(n);
  const T* second = a + half * lda + half;
  const T* joint = triangle.lower == triangle.transposed ? a + half * lda : a + half;
  const auto op =
      triangle.transposed ? cpublas::TransposeType::Transpose : cpublas::TransposeType::NoTranspose;
  const auto subtract = [&](int64_t rows, int64_t k, const T* x, T* y) {
    cpublas::gemm(op, cpublas::TransposeType::NoTranspose, rows, nrhs, k, -1, joint, lda, x, ldb, 1,
                  y, ldb, c10::CppTypeToScalarType<T>::value);
  };
  if (triangle.lower) {
    solve_in_halves(triangle, half, nrhs, a, lda, b, ldb);
    subtract(n - half, half, b, b + half);
    solve_in_halves(triangle, n - half, nrhs, second, lda, b + half, ldb);
  } else {
    solve_in_halves(triangle, n - half, nrhs, second, lda, b + half, ldb);
    subtract(half, n - half, b + half, b);
    solve_in_halves(triangle, half, nrhs, a, lda, b, ldb);
  }
}

// Solves A x = b for the lower triangle of A.
template <typename T>
void solve_lower(int64_t n, int64_t nrhs, const T* a, int64_t lda, T* b, int64_t ldb) {
  const Triangle triangle{.lower = true, .transposed = false, .unit = false};
  solve_in_halves(triangle, n, nrhs, a, lda, b, ldb);
}

// Solves op(A) x = b for a triangle of A, where op is LAPACK's.
template <typename T>
void solve_triangle(char uplo, char trans, bool unit, int64_t n, int64_t nrhs, const T* a,
                    int64_t lda, T* b, int64_t ldb) {
  const bool transposed = !is(trans, 'N');
  const Triangle triangle{
      .lower = is(uplo, 'L') != transposed, .transposed = transposed, .unit = unit};
  const bool conjugated = c10::is_complex<T>::value && is(trans, 'C');
  if (n <= kInPlace && (conjugated || nrhs < kFewSides)) {
    const auto solve = !transposed  ? substitute<false, false, T>
                       : conjugated ? substitute<true, c10::is_complex<T>::value, T>
                                    : substitute<true, false, T>;
    solve(triangle.lower, unit, n, nrhs, a, lda, b, ldb);
    return;
  }
  if constexpr (c10::is_complex<T>::value) {
    if (conjugated) {
      const Matrix<T> conjugate = map(a, n, n, lda).conjugate();
      solve_in_halves(triangle, n, nrhs, element_of<T>(conjugate), n, b, ldb);
      return;
    }
  }
  solve_in_halves(triangle, n, nrhs, a, lda, b, ldb);
}

// Exchanges rows as getrf did, or back.
template <typename B>
void exchange_rows(B&& b, const int32_t* pivots, int64_t n, bool backwards) {
  for (Eigen::Index column = 0; column < b.cols(); ++column) {
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = backwards ? n - 1 - step : step;
      std::swap(b(i, column), b(pivots[i] - 1, column));
    }
  }
}

// A -= b * c, for the lower triangle of A alone.
template <typename T>
void subtract_lower_product(int64_t n, int64_t k, const T* b, int64_t ldb, const T* c, int64_t ldc,
                            T* a, int64_t lda) {
  for (int64_t j = 0; j < n; j += kWhole) {
    const int64_t width = std::min(kWhole, n - j);
    Matrix<T> square(width, width);
    add_product<T>(1, width, width, k, b + j, ldb, c + j * ldc, ldc, 0, element_of<T>(square),
                   width);
    map(a + j * lda + j, width, width, lda).template triangularView<Eigen::Lower>() -= square;
    add_product<T>(-1, n - j - width, width, k, b + j + width, ldb, c + j * ldc, ldc, 1,
                   a + j * lda + j + width, lda);
  }
}

// factor_cholesky() of a small matrix, column by column.
template <typename T>
int64_t factor_small_cholesky(int64_t n, T* a, int64_t lda) {
  for (int64_t j = 0; j < n; ++j) {
    T* column = a + j * lda;
    const Real<T> square = real_part(column[j]);
    if (!(square > 0)) return j;
    const Real<T> root = std::sqrt(square);
    column[j] = T(root);
    const Real<T> inverse = 1 / root;
    for (int64_t i = j + 1; i < n; ++i) column[i] *= inverse;
    for (int64_t k = j + 1; k < n; ++k) {
      T* rest = a + k * lda;
      const T factor = conjugate(column[k]);
      for (int64_t i = k; i < n; ++i) rest[i] -= column[i] * factor;
    }
  }
  return -1;
}

// The lower Cholesky factor in place. Returns the first column that has none, or -1.
template <typename T>
int64_t factor_cholesky(int64_t n, T* a, int64_t lda) {
  if (n <= kInPlace) return factor_small_cholesky(n, a, lda);
  const int64_t half = first_half(n);
  int64_t bad = factor_cholesky(half, a, lda);
  if (bad >= 0) return bad;
  // The factor's lower left block is the adjoint of what solves L X = A21^H.
  auto lower_left = map(a + half, n - half, half, lda);
  Matrix<T> adjoint = lower_left.adjoint();
  solve_lower(half, n - half, a, lda, element_of<T>(adjoint), half);
  lower_left = adjoint.adjoint();
  T* rest = a + half * lda + half;
  subtract_lower_product<T>(n - half, half, a + half, lda, element_of<T>(adjoint), half, rest, lda);
  bad = factor_cholesky(n - half, rest, lda);
  return bad < 0 ? bad : half + bad;
}

// The inverse of a lower triangle in place, with zeros above it.
template <typename T>
void invert_lower(int64_t n, T* a, int64_t lda) {
  if (n <= kWhole) {
    Matrix<T> inverse = Matrix<T>::Identity(n, n);
    solve_lower(n, n, a, lda, element_of<T>(inverse), n);
    map(a, n, n, lda) = inverse;
    return;
  }
  const int64_t half = first_half(n);
  const int64_t rest = n - half;
  T* joint = a + half;
  T* second = a + half * lda + half;
  invert_lower(half, a, lda);
  invert_lower(rest, second, lda);
  map(a + half * lda, half, rest, lda).setZero();
  Matrix<T> product(rest, half);
  add_product<T>(1, rest, half, half, joint, lda, a, lda, 0, element_of<T>(product), rest);
  add_product<T>(-1, rest, half, rest, second, lda, element_of<T>(product), rest, 0, joint, lda);
}

// The lower triangle of L^H L in place of a lower triangle L that has zeros above it. Destroys
// those.
template <typename T>
void multiply_by_adjoint(int64_t n, T* a, int64_t lda) {
  if (n <= kWhole) {
    const Matrix<T> adjoint = map(a, n, n, lda).adjoint();
    Matrix<T> product(n, n);
    add_product<T>(1, n, n, n, element_of<T>(adjoint), n, a, lda, 0, element_of<T>(product), n);
    map(a, n, n, lda) = product;
    return;
  }
  const int64_t half = first_half(n);
  const int64_t rest = n - half;
  T* joint = a + half;
  T* second = a + half * lda + half;
  const Matrix<T> lower_left = map(joint, rest, half, lda);
  const Matrix<T> negative = -lower_left.adjoint();
  const Matrix<T> second_adjoint = map(second, rest, rest, lda).adjoint();
  multiply_by_adjoint(half, a, lda);
  subtract_lower_product<T>(half, rest, element_of<T>(negative), half, joint, lda, a, lda);
  add_product<T>(1, rest, half, rest, element_of<T>(second_adjoint), rest,
                 element_of<T>(lower_left), rest, 0, joint, lda);
  multiply_by_adjoint(rest, second, lda);
}

// Applies the row exchanges to the columns from k on, and solves for their first k rows of U.
template <typename T>
void finish_right(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, const int32_t* pivots) {
  T* right = a + k * lda;
  exchange_rows(map(right, m, n - k, lda), pivots, k, /*backwards=*/false);
  const Triangle lower{.lower = true, .transposed = false, .unit = true};
  solve_in_halves(lower, k, n - k, a, lda, right, lda);
}

// LU factors in place, the columns in halves (Toledo, "Locality of reference in LU decomposition
// with partial pivoting", SIAM Journal on Matrix Analysis and Applications 18, 1997). Pivots count
// from 1. Returns the first column whose pivot is 0, or -1.
template <typename T>
int64_t factor_lu(int64_t m, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  const int64_t k = std::min(m, n);
  if (k <= kPanel) {
    int32_t exchanges = 0;
    const Eigen::Index singular =
        Eigen::internal::partial_lu_impl<Element<T>, Eigen::ColMajor, int32_t>::blocked_lu(
            m, k, element_ptr(a), lda, pivots, exchanges);
    for (int64_t i = 0; i < k; ++i) ++pivots[i];
    // Eigen leaves columns beyond the rows as they are.
    if (k < n) finish_right(m, n, k, a, lda, pivots);
    return singular;
  }
  const int64_t half = first_half(k);
  const int64_t singular = factor_lu(m, half, a, lda, pivots);
  finish_right(m, n, half, a, lda, pivots);
  T* right = a + half * lda;
  add_product<T>(-1, m - half, n - half, half, a + half, lda, right, lda, 1, right + half, lda);
  const int64_t rest = factor_lu(m - half, n - half, right + half, lda, pivots + half);
  exchange_rows(map(a + half, m - half, half, lda), pivots + half, k - half, /*backwards=*/false);
  for (int64_t i = half; i < k; ++i) pivots[i] += static_cast<int32_t>(half);
  return singular < 0 && rest >= 0 ? half + rest : singular;
}

}  // namespace

template <typename T>
int64_t potrf(char uplo, int64_t n, T* a, int64_t lda) {
  auto m = map(a, n, n, lda);
  // The factors are adjoint to each other.
  if (!is(uplo, 'L')) m.adjointInPlace();
  const int64_t bad = factor_cholesky(n, a, lda);
  if (!is(uplo, 'L')) m.adjointInPlace();
  return bad + 1;
}

template <typename T>
int64_t potri(char uplo, int64_t n, T* a, int64_t lda) {
  auto m = map(a, n, n, lda);
  for (int64_t i = 0; i < n; ++i) {
    if (m(i, i) == Element<T>(0)) return i + 1;
  }
  // The factors are adjoint to each other.
  if (!is(uplo, 'L')) m.adjointInPlace();
  invert_lower(n, a, lda);
  multiply_by_adjoint(n, a, lda);
  for (int64_t j = 0; j < n; ++j) m.row(j).tail(n - j - 1) = m.col(j).tail(n - j - 1).adjoint();
  return 0;
}

template <typename T>
int64_t getrf(int64_t m, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  if (m == 0 || n == 0) return 0;
  return factor_lu(m, n, a, lda, pivots) + 1;
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

bool has_sytrf() { return openblas_routines<double>() != nullptr; }

template <typename T>
int64_t sytrf(bool hermitian, char uplo, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  return fortran::sytrf(*openblas_routines<T>(), hermitian, uplo, n, a, lda, pivots);
}

template <typename T>
int64_t sytrs(bool hermitian, char uplo, int64_t n, int64_t nrhs, const T* a, int64_t lda,
              const int32_t* pivots, T* b, int64_t ldb) {
  return fortran::sytrs(*openblas_routines<T>(), hermitian, uplo, n, nrhs, a, lda, pivots, b, ldb);
}

#define TORCH_LAPACK_FACTOR(T)                                                                   \
  template TORCH_API int64_t potrf<T>(char, int64_t, T*, int64_t);                               \
  template TORCH_API int64_t potri<T>(char, int64_t, T*, int64_t);                               \
  template TORCH_API int64_t getrf<T>(int64_t, int64_t, T*, int64_t, int32_t*);                  \
  template TORCH_API int64_t getrs<T>(char, int64_t, int64_t, const T*, int64_t, const int32_t*, \
                                      T*, int64_t);                                              \
  template TORCH_API int64_t getri<T>(int64_t, T*, int64_t, const int32_t*);                     \
  template TORCH_API int64_t trtrs<T>(char, char, char, int64_t, int64_t, const T*, int64_t, T*, \
                                      int64_t);                                                  \
  template TORCH_API int64_t sytrf<T>(bool, char, int64_t, T*, int64_t, int32_t*);               \
  template TORCH_API int64_t sytrs<T>(bool, char, int64_t, int64_t, const T*, int64_t,           \
                                      const int32_t*, T*, int64_t);
TORCH_LAPACK_FACTOR(float)
TORCH_LAPACK_FACTOR(double)
TORCH_LAPACK_FACTOR(c10::complex<float>)
TORCH_LAPACK_FACTOR(c10::complex<double>)
#undef TORCH_LAPACK_FACTOR

}  // namespace at::native::lapack

#endif
