// The library of `--blas`: products against plain loops, decompositions against their definitions.

#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/CPUBlas.h>
#include <c10/util/BFloat16.h>
#include <c10/util/complex_type.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native {
namespace {

using cpublas::TransposeType;
using Wide = std::complex<double>;

template <typename T>
constexpr bool is_complex = !std::is_same_v<T, lapack::Real<T>>;

template <typename T>
Wide wide(T x) {
  if constexpr (is_complex<T>) {
    return {x.real(), x.imag()};
  } else {
    return {static_cast<double>(x), 0};
  }
}

// Columns of a matrix of doubles, complex for all types: what is compared with.
struct Matrix {
  int64_t rows;
  int64_t columns;
  std::vector<Wide> data;

  Matrix(int64_t r, int64_t c) : rows(r), columns(c), data(static_cast<size_t>(r * c)) {}
  template <typename T>
  Matrix(int64_t r, int64_t c, const std::vector<T>& from, int64_t ld) : Matrix(r, c) {
    for (int64_t j = 0; j < c; ++j) {
      for (int64_t i = 0; i < r; ++i) at(i, j) = wide(from[static_cast<size_t>(i + j * ld)]);
    }
  }
  Wide& at(int64_t i, int64_t j) { return data[static_cast<size_t>(i + j * rows)]; }
  Wide at(int64_t i, int64_t j) const { return data[static_cast<size_t>(i + j * rows)]; }
};

Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (int64_t j = 0; j < c.columns; ++j) {
    for (int64_t l = 0; l < a.columns; ++l) {
      for (int64_t i = 0; i < c.rows; ++i) c.at(i, j) += a.at(i, l) * b.at(l, j);
    }
  }
  return c;
}

Matrix adjoint(const Matrix& a) {
  Matrix t(a.columns, a.rows);
  for (int64_t j = 0; j < a.columns; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) t.at(j, i) = std::conj(a.at(i, j));
  }
  return t;
}

Matrix identity(int64_t n) {
  Matrix m(n, n);
  for (int64_t i = 0; i < n; ++i) m.at(i, i) = 1;
  return m;
}

double distance(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  double largest = 0;
  for (size_t i = 0; i < a.data.size(); ++i) {
    // NaN must not look near.
    const double d = std::abs(a.data[i] - b.data[i]);
    largest = d <= largest ? largest : d;
  }
  return largest;
}

template <typename T>
std::vector<T> random_values(int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& value : values) {
    if constexpr (is_complex<T>) {
      value = T(static_cast<lapack::Real<T>>(uniform(generator)),
                static_cast<lapack::Real<T>>(uniform(generator)));
    } else {
      value = static_cast<T>(uniform(generator));
    }
  }
  return values;
}

template <typename T>
class BlasTest : public ::testing::Test {
 protected:
  // Rounding errors of some hundred additions of numbers near 1.
  static constexpr double kTolerance =
      2000 * static_cast<double>(std::numeric_limits<lapack::Real<T>>::epsilon());
};

using Types = ::testing::Types<float, double, c10::complex<float>, c10::complex<double>>;
TYPED_TEST_SUITE(BlasTest, Types);

template <typename T>
void check_gemm(int64_t m, int64_t n, int64_t k, double tolerance) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const int64_t lda = (ta ? k : m) + 3;
      const int64_t ldb = (tb ? n : k) + 1;
      const int64_t ldc = m + 2;
      const auto a = random_values<T>(lda * (ta ? m : k), 1);
      const auto b = random_values<T>(ldb * (tb ? k : n), 2);
      auto c = random_values<T>(ldc * n, 3);
      Matrix expected(m, n, c, ldc);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < m; ++i) {
          Wide sum = 0;
          for (int64_t l = 0; l < k; ++l) {
            sum += wide(a[static_cast<size_t>(ta ? l + i * lda : i + l * lda)]) *
                   wide(b[static_cast<size_t>(tb ? j + l * ldb : l + j * ldb)]);
          }
          expected.at(i, j) = 0.5 * sum + 2.0 * expected.at(i, j);
        }
      }
      cpublas::gemm(ta ? TransposeType::Transpose : TransposeType::NoTranspose,
                    tb ? TransposeType::Transpose : TransposeType::NoTranspose, m, n, k, 0.5,
                    a.data(), lda, b.data(), ldb, 2.0, c.data(), ldc,
                    c10::CppTypeToScalarType<T>::value);
      EXPECT_LT(distance(Matrix(m, n, c, ldc), expected), tolerance)
          << m << "x" << n << "x" << k << " transposed " << ta << " " << tb;
    }
  }
}

TYPED_TEST(BlasTest, Products) {
  check_gemm<TypeParam>(1, 1, 1, this->kTolerance);
  check_gemm<TypeParam>(5, 70, 33, this->kTolerance);
  check_gemm<TypeParam>(130, 67, 129, this->kTolerance);
}

// Sizes around those of vectors, of tiles, and of what is packed at a time.
TYPED_TEST(BlasTest, SmallProducts) {
  for (const int64_t m : {1, 2, 3, 4, 7, 8, 15, 17, 32, 65, 100}) {
    for (const int64_t n : {1, 5, 6, 13}) {
      for (const int64_t k : {1, 4, 130, 260}) check_gemm<TypeParam>(m, n, k, this->kTolerance);
    }
  }
  check_gemm<TypeParam>(700, 9, 16, this->kTolerance);
  // Rows so far apart that they are packed.
  check_gemm<TypeParam>(200, 31, 270, this->kTolerance);
  // More columns, and more rows, than are kept near.
  check_gemm<TypeParam>(70, 530, 261, this->kTolerance);
  check_gemm<TypeParam>(600, 27, 261, this->kTolerance);
}

TEST(NarrowBlasTest, ProductsAreRoundedOnce) {
  // A result near 10 has 1/32 between neighbours.
  check_gemm<c10::BFloat16>(33, 17, 70, 1.0 / 16);
  check_gemm<c10::BFloat16>(130, 77, 31, 1.0 / 16);
  check_gemm<c10::Half>(33, 17, 70, 1.0 / 128);
  // In several bands, of columns and of rows.
  check_gemm<c10::Half>(5, 600, 550, 1.0 / 16);
  check_gemm<c10::Half>(600, 5, 550, 1.0 / 16);
  for (const int64_t m : {1, 2, 16, 17, 40, 2100}) {
    for (const int64_t n : {1, 3, 33}) {
      for (const int64_t k : {1, 2, 35}) {
        check_gemm<c10::BFloat16>(m, n, k, 1.0 / 16);
        check_gemm<c10::Half>(m, n, k, 1.0 / 128);
      }
    }
  }
}

TYPED_TEST(BlasTest, MatrixTimesVectorAndDot) {
  using T = TypeParam;
  const int64_t m = 70;
  for (const auto& [by_rows, n] :
       {std::pair<bool, int64_t>{false, 61}, {true, 61}, {true, 5}, {false, 1}}) {
    for (const int64_t incx : {1, 3}) {
      for (const int64_t incy : {1, 2}) {
        const auto a = random_values<T>(m * n * 2, 1);
        const auto x = random_values<T>(n * incx, 2);
        auto y = random_values<T>(m * incy, 3);
        const int64_t row = by_rows ? n : 1;
        const int64_t column = by_rows ? 1 : m;
        Matrix expected(m, 1);
        Wide dot = 0;
        for (int64_t j = 0; j < n; ++j) {
          const Wide xj = wide(x[static_cast<size_t>(j * incx)]);
          for (int64_t i = 0; i < m; ++i) {
            expected.at(i, 0) += wide(a[static_cast<size_t>(i * row + j * column)]) * xj;
          }
          dot += wide(a[static_cast<size_t>(j * incy)]) * xj;
        }
        cpublas::gemv(m, n, 1, a.data(), row, column, x.data(), incx, 0, y.data(), incy,
                      c10::CppTypeToScalarType<T>::value);
        Matrix got(m, 1);
        for (int64_t i = 0; i < m; ++i) got.at(i, 0) = wide(y[static_cast<size_t>(i * incy)]);
        EXPECT_LT(distance(got, expected), this->kTolerance) << by_rows << incx << incy;
        T result;
        cpublas::dot(n, a.data(), incy, x.data(), incx, &result,
                     c10::CppTypeToScalarType<T>::value);
        EXPECT_LT(std::abs(wide(result) - dot), this->kTolerance);
      }
    }
  }
}

TYPED_TEST(BlasTest, Cholesky) {
  using T = TypeParam;
  const int64_t n = 41;
  const Matrix root(n, n, random_values<T>(n * n, 4), n);
  Matrix a = root * adjoint(root);
  for (int64_t i = 0; i < n; ++i) a.at(i, i) += 1;
  for (const char uplo : {'L', 'U'}) {
    std::vector<T> factor(static_cast<size_t>(n * n));
    for (size_t i = 0; i < factor.size(); ++i) {
      if constexpr (is_complex<T>) {
        factor[i] = T(static_cast<lapack::Real<T>>(a.data[i].real()),
                      static_cast<lapack::Real<T>>(a.data[i].imag()));
      } else {
        factor[i] = static_cast<T>(a.data[i].real());
      }
    }
    ASSERT_EQ(lapack::potrf(uplo, n, factor.data(), n), 0);
    Matrix l(n, n);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = j; i < n; ++i) {
        const int64_t at = uplo == 'L' ? i + j * n : j + i * n;
        const Wide value = wide(factor[static_cast<size_t>(at)]);
        l.at(i, j) = uplo == 'L' ? value : std::conj(value);
      }
    }
    EXPECT_LT(distance(l * adjoint(l), a), 10 * this->kTolerance) << uplo;
    auto b = random_values<T>(n * 2, 5);
    const Matrix right(n, 2, b, n);
    const bool lower = uplo == 'L';
    for (const char trans : {lower ? 'N' : 'C', lower ? 'C' : 'N'}) {
      ASSERT_EQ(lapack::trtrs(uplo, trans, 'N', n, 2, factor.data(), n, b.data(), n), 0);
    }
    EXPECT_LT(distance(a * Matrix(n, 2, b, n), right), 10 * this->kTolerance) << uplo;
  }
  std::vector<T> indefinite = {T(1), T(0), T(0), T(-1)};
  EXPECT_EQ(lapack::potrf('L', 2, indefinite.data(), 2), 2);
}

TYPED_TEST(BlasTest, LuSolvesAndInverts) {
  using T = TypeParam;
  const int64_t n = 50;
  auto a = random_values<T>(n * n, 6);
  for (int64_t i = 0; i < n; i += 2) a[static_cast<size_t>(i + i * n)] += T(8);
  const Matrix original(n, n, a, n);
  std::vector<int32_t> pivots(static_cast<size_t>(n));
  ASSERT_EQ(lapack::getrf(n, n, a.data(), n, pivots.data()), 0);
  for (const char trans : {'N', 'T', 'C'}) {
    auto b = random_values<T>(n * 3, 7);
    const Matrix right(n, 3, b, n);
    ASSERT_EQ(lapack::getrs(trans, n, 3, a.data(), n, pivots.data(), b.data(), n), 0);
    Matrix op = original;
    if (trans != 'N') op = adjoint(original);
    if (trans == 'T') {
      for (Wide& value : op.data) value = std::conj(value);
    }
    EXPECT_LT(distance(op * Matrix(n, 3, b, n), right), 50 * this->kTolerance) << trans;
  }
  ASSERT_EQ(lapack::getri(n, a.data(), n, pivots.data()), 0);
  EXPECT_LT(distance(original * Matrix(n, n, a, n), identity(n)), 50 * this->kTolerance);
  std::vector<T> singular(9, T(1));
  EXPECT_EQ(lapack::getrf(3, 3, singular.data(), 3, pivots.data()), 2);
}

template <typename T>
void check_triangles(int64_t n, int64_t nrhs, double tolerance) {
  auto a = random_values<T>(n * n, 8);
  for (int64_t i = 0; i < n; ++i) a[static_cast<size_t>(i + i * n)] += T(4);
  for (const char uplo : {'L', 'U'}) {
    for (const char trans : {'N', 'T', 'C'}) {
      for (const char diag : {'N', 'U'}) {
        Matrix m(n, n);
        for (int64_t j = 0; j < n; ++j) {
          for (int64_t i = 0; i < n; ++i) {
            if (uplo == 'L' ? i < j : i > j) continue;
            Wide value = wide(a[static_cast<size_t>(i + j * n)]);
            if (i == j && diag == 'U') value = 1;
            // A unit diagonal alone does not keep such a triangle well conditioned.
            if (i != j && diag == 'U') value /= n;
            (trans == 'N' ? m.at(i, j) : m.at(j, i)) = trans == 'C' ? std::conj(value) : value;
          }
        }
        auto scaled = a;
        for (int64_t j = 0; j < n && diag == 'U'; ++j) {
          for (int64_t i = 0; i < n; ++i) scaled[static_cast<size_t>(i + j * n)] /= T(n);
        }
        auto b = random_values<T>(n * nrhs, 9);
        const Matrix right(n, nrhs, b, n);
        ASSERT_EQ(lapack::trtrs(uplo, trans, diag, n, nrhs, scaled.data(), n, b.data(), n), 0);
        EXPECT_LT(distance(m * Matrix(n, nrhs, b, n), right), tolerance)
            << uplo << trans << diag << " " << n << " by " << nrhs;
      }
    }
  }
}

TYPED_TEST(BlasTest, TrianglesSolve) {
  check_triangles<TypeParam>(20, 2, 50 * this->kTolerance);
  check_triangles<TypeParam>(7, 2, 50 * this->kTolerance);
  // Whole vectors of right hand sides and parts of them; systems that are halved.
  for (const int64_t nrhs : {1, 5, 16, 33, 70}) {
    for (const int64_t n : {1, 9, 32, 33, 77}) {
      check_triangles<TypeParam>(n, nrhs, 100 * this->kTolerance);
    }
  }
}

TYPED_TEST(BlasTest, QrOfTallAndWide) {
  using T = TypeParam;
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{60, 25}, {25, 60}, {30, 30}}) {
    const int64_t k = std::min(m, n);
    auto a = random_values<T>(m * n, 10);
    const Matrix original(m, n, a, m);
    std::vector<T> tau(static_cast<size_t>(k));
    ASSERT_EQ(lapack::geqrf(m, n, a.data(), m, tau.data()), 0);
    Matrix r(k, n, a, m);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = j + 1; i < k; ++i) r.at(i, j) = 0;
    }
    ASSERT_EQ(lapack::orgqr(m, k, k, a.data(), m, tau.data()), 0);
    const Matrix q(m, k, a, m);
    EXPECT_LT(distance(adjoint(q) * q, identity(k)), this->kTolerance);
    EXPECT_LT(distance(q * r, original), this->kTolerance);
  }
}

TYPED_TEST(BlasTest, EigenvaluesOfHermitian) {
  using T = TypeParam;
  const int64_t n = 31;
  auto a = random_values<T>(n * n, 11);
  Matrix hermitian(n, n, a, n);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < j; ++i) hermitian.at(i, j) = std::conj(hermitian.at(j, i));
    hermitian.at(j, j) = hermitian.at(j, j).real();
  }
  std::vector<lapack::Real<T>> w(static_cast<size_t>(n));
  ASSERT_EQ(lapack::syevd('V', 'L', n, a.data(), n, w.data()), 0);
  EXPECT_TRUE(std::is_sorted(w.begin(), w.end()));
  const Matrix v(n, n, a, n);
  Matrix diagonal(n, n);
  for (int64_t i = 0; i < n; ++i) diagonal.at(i, i) = w[static_cast<size_t>(i)];
  EXPECT_LT(distance(adjoint(v) * v, identity(n)), this->kTolerance);
  EXPECT_LT(distance(v * diagonal * adjoint(v), hermitian), this->kTolerance);
}

TYPED_TEST(BlasTest, EigenvaluesOfGeneral) {
  using T = TypeParam;
  const int64_t n = 23;
  auto a = random_values<T>(n * n, 12);
  const Matrix original(n, n, a, n);
  std::vector<c10::complex<lapack::Real<T>>> w(static_cast<size_t>(n));
  std::vector<c10::complex<lapack::Real<T>>> vectors(static_cast<size_t>(n * n));
  ASSERT_EQ(lapack::geev('V', n, a.data(), n, w.data(), vectors.data(), n), 0);
  const Matrix v(n, n, vectors, n);
  Matrix scaled = v;
  for (int64_t j = 0; j < n; ++j) {
    double norm = 0;
    for (int64_t i = 0; i < n; ++i) {
      norm += std::norm(v.at(i, j));
      scaled.at(i, j) *= wide(w[static_cast<size_t>(j)]);
    }
    EXPECT_NEAR(norm, 1, this->kTolerance);
  }
  EXPECT_LT(distance(original * v, scaled), this->kTolerance);
}

TYPED_TEST(BlasTest, SingularValues) {
  using T = TypeParam;
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{40, 27}, {27, 40}, {9, 9}}) {
    const int64_t k = std::min(m, n);
    for (const char jobz : {'S', 'A', 'N'}) {
      auto a = random_values<T>(m * n, 13);
      const Matrix original(m, n, a, m);
      const int64_t columns = jobz == 'A' ? m : k;
      const int64_t rows = jobz == 'A' ? n : k;
      std::vector<lapack::Real<T>> s(static_cast<size_t>(k));
      std::vector<T> u(static_cast<size_t>(m * columns)), vt(static_cast<size_t>(rows * n));
      ASSERT_EQ(lapack::gesdd(jobz, m, n, a.data(), m, s.data(), u.data(), m, vt.data(), rows), 0);
      EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
      double squares = 0;
      double frobenius = 0;
      for (const auto value : s) squares += static_cast<double>(value) * static_cast<double>(value);
      for (const Wide value : original.data) frobenius += std::norm(value);
      EXPECT_NEAR(squares / frobenius, 1, this->kTolerance);
      if (jobz == 'N') continue;
      Matrix sigma(columns, rows);
      for (int64_t i = 0; i < k; ++i) sigma.at(i, i) = s[static_cast<size_t>(i)];
      const Matrix left(m, columns, u, m);
      EXPECT_LT(distance(adjoint(left) * left, identity(columns)), this->kTolerance);
      EXPECT_LT(distance(left * sigma * Matrix(rows, n, vt, rows), original), this->kTolerance);
    }
  }
}

}  // namespace
}  // namespace at::native
