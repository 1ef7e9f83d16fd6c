#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>

// The conversions against arithmetic on the formats' definitions, in double.

namespace {

using c10::BFloat16;
using c10::Half;

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr Format kHalf{5, 10};
constexpr Format kBFloat16{8, 7};

double decode(uint16_t bits, Format format) {
  const int exponent = (bits & 0x7FFF) >> format.mantissa_bits;
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << format.exponent_bits) - 1) {
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - format.bias() - format.mantissa_bits);
  return sign * std::ldexp((1 << format.mantissa_bits) + mantissa,
                           exponent - format.bias() - format.mantissa_bits);
}

// Rounds to the format's grid at this magnitude; nearbyint rounds ties to even.
double rounded(double value, Format format) {
  if (!std::isfinite(value) || value == 0) return value;
  const int least_exponent = 1 - format.bias();
  const int exponent = std::max(std::ilogb(value), least_exponent);
  const double unit = std::ldexp(1.0, exponent - format.mantissa_bits);
  const double result = std::nearbyint(value / unit) * unit;
  const double limit = std::ldexp(1.0, format.bias() + 1);
  return std::fabs(result) >= limit ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                    : result;
}

template <class T>
void check_all_patterns(Format format) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const T value(static_cast<uint16_t>(bits), T::from_bits());
    const double expected = decode(static_cast<uint16_t>(bits), format);
    const float actual = value;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(T(actual)))) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(actual), expected) << bits;
      ASSERT_EQ(T(actual).x, bits) << "round trip";
    }
  }
}

template <class T>
void check_rounding(Format format) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 400000; ++i) {
    float value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (i % 2 == 0 && std::isnormal(value)) {
      value = std::ldexp(value, -static_cast<int>(std::ilogb(value)) + i % 40 - 26);
    }
    if (std::isnan(value)) continue;
    ASSERT_EQ(static_cast<double>(static_cast<float>(T(value))), rounded(value, format)) << value;
  }
}

TEST(HalfTest, EveryPatternConvertsExactlyAndBack) { check_all_patterns<Half>(kHalf); }
TEST(HalfTest, RoundsToNearestEven) { check_rounding<Half>(kHalf); }
TEST(BFloat16Test, EveryPatternConvertsExactlyAndBack) { check_all_patterns<BFloat16>(kBFloat16); }
TEST(BFloat16Test, RoundsToNearestEven) { check_rounding<BFloat16>(kBFloat16); }

TEST(HalfTest, TiesAndLimits) {
  EXPECT_EQ(static_cast<float>(Half(2049.0f)), 2048.0f);  // halfway, to even
  EXPECT_EQ(static_cast<float>(Half(2051.0f)), 2052.0f);
  EXPECT_EQ(static_cast<float>(Half(65519.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(Half(65520.0f))));
}

template <class T>
void check_arithmetic() {
  const T a(1.5f), b(-0.25f);
  EXPECT_EQ(static_cast<float>(a + b), 1.25f);
  EXPECT_EQ(static_cast<float>(a - b), 1.75f);
  EXPECT_EQ(static_cast<float>(a * b), -0.375f);
  EXPECT_EQ(static_cast<float>(a / b), -6.0f);
  EXPECT_EQ(static_cast<float>(-a), -1.5f);
  EXPECT_EQ(a + 1.0f, 2.5f);
  EXPECT_EQ(static_cast<float>(a + 1), 2.5f);
  T c = a;
  c += b;
  EXPECT_EQ(static_cast<float>(c), 1.25f);
  EXPECT_TRUE(b < a);
  EXPECT_TRUE(a == T(1.5f));
  EXPECT_FALSE(a != T(1.5f));
}
TEST(HalfTest, Arithmetic) { check_arithmetic<Half>(); }
TEST(BFloat16Test, Arithmetic) { check_arithmetic<BFloat16>(); }

template <class T>
void check_limits(Format format) {
  using limits = std::numeric_limits<T>;
  EXPECT_EQ(static_cast<double>(static_cast<float>(limits::max())),
            std::ldexp(2.0 - std::ldexp(1.0, -format.mantissa_bits), format.bias()));
  EXPECT_EQ(static_cast<float>(limits::lowest()), -static_cast<float>(limits::max()));
  EXPECT_EQ(static_cast<double>(static_cast<float>(limits::min())),
            std::ldexp(1.0, 1 - format.bias()));
  EXPECT_EQ(static_cast<double>(static_cast<float>(limits::epsilon())),
            std::ldexp(1.0, -format.mantissa_bits));
  EXPECT_EQ(static_cast<double>(static_cast<float>(limits::denorm_min())),
            std::ldexp(1.0, 1 - format.bias() - format.mantissa_bits));
  EXPECT_TRUE(std::isinf(static_cast<float>(limits::infinity())));
  EXPECT_TRUE(std::isnan(static_cast<float>(limits::quiet_NaN())));
  EXPECT_EQ(limits::digits, format.mantissa_bits + 1);
}
TEST(HalfTest, NumericLimits) { check_limits<Half>(kHalf); }
TEST(BFloat16Test, NumericLimits) { check_limits<BFloat16>(kBFloat16); }

TEST(HalfTest, Prints) {
  std::ostringstream out;
  out << Half(0.5f) << " " << BFloat16(-2.0f);
  EXPECT_EQ(out.str(), "0.5 -2");
}

}  // namespace
