#include <c10/util/complex.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>
#include <sstream>
#include <type_traits>

// Against std::complex.

namespace {

template <class T>
class ComplexTest : public testing::Test {
 protected:
  c10::complex<T> draw() { return {uniform_(random_), uniform_(random_)}; }
  static std::complex<T> to_std(const c10::complex<T>& z) { return z; }
  static void expect_near(const c10::complex<T>& actual, const std::complex<T>& expected) {
    const T tolerance = 32 * std::numeric_limits<T>::epsilon() * (1 + std::abs(expected));
    EXPECT_NEAR(actual.real(), expected.real(), tolerance);
    EXPECT_NEAR(actual.imag(), expected.imag(), tolerance);
  }

 private:
  std::mt19937 random_{std::random_device()()};
  std::uniform_real_distribution<T> uniform_{T(-3), T(3)};
};
using Parts = testing::Types<float, double>;
TYPED_TEST_SUITE(ComplexTest, Parts);

TYPED_TEST(ComplexTest, LayoutIsStdComplexs) {
  EXPECT_EQ(sizeof(c10::complex<TypeParam>), sizeof(std::complex<TypeParam>));
  EXPECT_TRUE(std::is_trivially_copyable_v<c10::complex<TypeParam>>);
}

TYPED_TEST(ComplexTest, ArithmeticAgrees) {
  for (int i = 0; i < 200; ++i) {
    const auto a = this->draw();
    const auto b = this->draw();
    const TypeParam s = b.real();
    this->expect_near(a + b, this->to_std(a) + this->to_std(b));
    this->expect_near(a - b, this->to_std(a) - this->to_std(b));
    this->expect_near(a * b, this->to_std(a) * this->to_std(b));
    this->expect_near(a / b, this->to_std(a) / this->to_std(b));
    this->expect_near(a + s, this->to_std(a) + s);
    this->expect_near(s - a, s - this->to_std(a));
    this->expect_near(a * s, this->to_std(a) * s);
    this->expect_near(s / a, s / this->to_std(a));
    this->expect_near(-a, -this->to_std(a));
  }
}

TYPED_TEST(ComplexTest, DivisionDoesNotOverflowHalfway) {
  const TypeParam large = std::numeric_limits<TypeParam>::max() / 4;
  const c10::complex<TypeParam> z(large, large);
  const c10::complex<TypeParam> one = z / z;
  EXPECT_NEAR(one.real(), 1, 1e-6);
  EXPECT_NEAR(one.imag(), 0, 1e-6);
}

TYPED_TEST(ComplexTest, FunctionsAgree) {
  for (int i = 0; i < 50; ++i) {
    const auto z = this->draw();
    const auto w = this->draw();
    this->expect_near(exp(z), std::exp(this->to_std(z)));
    this->expect_near(log(z), std::log(this->to_std(z)));
    this->expect_near(sqrt(z), std::sqrt(this->to_std(z)));
    this->expect_near(sin(z), std::sin(this->to_std(z)));
    this->expect_near(tanh(z), std::tanh(this->to_std(z)));
    this->expect_near(pow(z, w), std::pow(this->to_std(z), this->to_std(w)));
    this->expect_near(conj(z), std::conj(this->to_std(z)));
    EXPECT_NEAR(abs(z), std::abs(this->to_std(z)), 1e-5);
    EXPECT_NEAR(arg(z), std::arg(this->to_std(z)), 1e-5);
    EXPECT_NEAR(norm(z), std::norm(this->to_std(z)), 1e-4);
  }
}

TYPED_TEST(ComplexTest, SmallNumbersKeepTheirDigits) {
  using T = TypeParam;
  const T tiny = std::numeric_limits<T>::epsilon() / 64;
  const c10::complex<T> z(tiny, -2 * tiny);
  EXPECT_NEAR(expm1(z).real() / tiny, 1, 1e-6);
  EXPECT_NEAR(expm1(z).imag() / tiny, -2, 1e-6);
  EXPECT_NEAR(log1p(z).real() / tiny, 1, 1e-6);
  EXPECT_NEAR(log1p(z).imag() / tiny, -2, 1e-6);
  for (int i = 0; i < 50; ++i) {
    const auto w = this->draw();
    this->expect_near(std::expm1(w), std::exp(this->to_std(w)) - T(1));
    this->expect_near(std::log1p(w), std::log(this->to_std(w) + T(1)));
  }
  const T large = std::numeric_limits<T>::max() / 4;
  EXPECT_NEAR(log1p(c10::complex<T>(large, large)).real(), std::log(large) + std::log(T(2)) / 2,
              1e-4);
}

TEST(ComplexConversionTest, WideningIsImplicitNarrowingExplicit) {
  EXPECT_TRUE((std::is_convertible_v<c10::complex<float>, c10::complex<double>>));
  EXPECT_FALSE((std::is_convertible_v<c10::complex<double>, c10::complex<float>>));
  EXPECT_TRUE((std::is_constructible_v<c10::complex<float>, c10::complex<double>>));
  const c10::complex<c10::Half> half = c10::complex<float>(1.5f, -2.0f);
  const c10::complex<float> back = half;
  EXPECT_EQ(back, (c10::complex<float>(1.5f, -2.0f)));
}

TEST(ComplexConversionTest, TruthAndEquality) {
  EXPECT_FALSE(static_cast<bool>(c10::complex<float>()));
  EXPECT_TRUE(static_cast<bool>(c10::complex<float>(0, 1)));
  EXPECT_TRUE(c10::complex<float>(2) == 2.0f);
  EXPECT_FALSE(c10::complex<float>(2, 1) == 2.0f);
}

TEST(ComplexConversionTest, LiteralsAndPrinting) {
  using namespace c10::complex_literals;  // NOLINT
  std::ostringstream out;
  out << 1.0f + 2.5_if << c10::complex<c10::Half>(c10::complex<float>(1, 2)) << 3.0_id;
  EXPECT_EQ(out.str(), "(1,2.5)(1,2)(0,3)");
  EXPECT_EQ(2_if, (c10::complex<float>(0, 2)));
  c10::complex<double> read;
  std::istringstream in("(3,4) x");
  in >> read;
  EXPECT_EQ(read, (c10::complex<double>(3, 4)));
  in >> read;
  EXPECT_TRUE(in.fail());
  EXPECT_EQ(read, (c10::complex<double>(3, 4)));
}

}  // namespace
