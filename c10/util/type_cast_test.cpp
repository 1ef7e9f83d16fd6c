#include <c10/util/TypeCast.h>
#include <c10/util/overflows.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace {

using c10::checked_convert;
using c10::convert;
using c10::overflows;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(OverflowsTest, IntegerToInteger) {
  // Every int16 against int8 and uint8: the reference is the range itself.
  for (int value = -40000 / 2; value < 20000; ++value) {
    const auto v = static_cast<int16_t>(value);
    EXPECT_EQ((overflows<int8_t, int16_t>(v)), v < -128 || v > 127) << v;
    EXPECT_EQ((overflows<uint8_t, int16_t>(v)), v < -255 || v > 255) << v;
    EXPECT_EQ((overflows<uint8_t, int16_t>(v, /*strict_unsigned=*/true)), v < 0 || v > 255) << v;
  }
  EXPECT_TRUE((overflows<int64_t, uint64_t>(std::numeric_limits<uint64_t>::max())));
  EXPECT_FALSE((overflows<uint64_t, int64_t>(std::numeric_limits<int64_t>::max())));
}

TEST(OverflowsTest, FloatingToIntegerAtTheEdges) {
  const double two63 = std::ldexp(1.0, 63);
  EXPECT_TRUE((overflows<int64_t, double>(two63)));
  EXPECT_FALSE((overflows<int64_t, double>(std::nextafter(two63, 0.0))));
  EXPECT_FALSE((overflows<int64_t, double>(-two63)));
  EXPECT_TRUE((overflows<int64_t, double>(std::nextafter(-two63, -kInf))));
  EXPECT_TRUE((overflows<int8_t, double>(128.0)));
  EXPECT_FALSE((overflows<int8_t, double>(126.5)));
  EXPECT_TRUE((overflows<int8_t, double>(127.5)));
  EXPECT_TRUE((overflows<int8_t, double>(-128.5)));
  EXPECT_TRUE((overflows<uint8_t, double>(255.5)));
  // Only integers wrap around.
  for (const double value : {-300.0, -1.0, -0.5}) {
    EXPECT_TRUE((overflows<uint8_t, double>(value))) << value;
  }
  EXPECT_TRUE((overflows<uint8_t, float>(-1.0f)));
  for (const double value : {kInf, -kInf, kNan}) EXPECT_TRUE((overflows<int64_t, double>(value)));
}

TEST(OverflowsTest, FloatingToFloatingLetsInfinityThrough) {
  EXPECT_TRUE((overflows<float, double>(1e300)));
  EXPECT_TRUE((overflows<c10::Half, double>(70000.0)));
  EXPECT_FALSE((overflows<c10::BFloat16, double>(70000.0)));
  for (const double value : {kInf, -kInf, kNan, 1.5}) {
    EXPECT_FALSE((overflows<float, double>(value)));
  }
}

TEST(OverflowsTest, ComplexNeedsAZeroImaginaryPart) {
  using Z = c10::complex<double>;
  EXPECT_TRUE((overflows<double, Z>(Z(1, 1))));
  EXPECT_FALSE((overflows<double, Z>(Z(1, 0))));
  EXPECT_TRUE((overflows<int8_t, Z>(Z(1000, 0))));
  EXPECT_TRUE((overflows<c10::complex<float>, Z>(Z(0, 1e300))));
  EXPECT_FALSE((overflows<c10::complex<float>, double>(3.0)));
}

TEST(ConvertTest, ByteWrapsNegativeNumbers) {
  EXPECT_EQ((convert<uint8_t, double>(-1.0)), 255);
  EXPECT_EQ((convert<uint8_t, float>(300.0f)), 300 - 256);
}

TEST(ConvertTest, ComplexLosesItsImaginaryPart) {
  EXPECT_EQ((convert<float>(c10::complex<double>(2.5, 7))), 2.5f);
  EXPECT_TRUE((convert<bool>(c10::complex<double>(0, 7))));
  EXPECT_FALSE((convert<bool>(c10::complex<double>(0, 0))));
  EXPECT_EQ((convert<c10::complex<float>>(3)), c10::complex<float>(3, 0));
}

TEST(ConvertTest, ReducedTypes) {
  EXPECT_EQ(static_cast<float>(convert<c10::Half>(1.5)), 1.5f);
  EXPECT_EQ((convert<int64_t>(c10::BFloat16(7.0f))), 7);
  EXPECT_EQ(static_cast<float>(convert<c10::BFloat16>(c10::Half(0.5f))), 0.5f);
}

TEST(CheckedConvertTest, NamesTheType) {
  EXPECT_EQ((checked_convert<int8_t>(5.0, "int8_t")), 5);
  EXPECT_TRUE((checked_convert<bool>(1000, "bool")));
  EXPECT_THROW((checked_convert<int8_t>(1e6, "int8_t")), std::runtime_error);
  try {
    (void)checked_convert<float>(c10::complex<double>(0, 1), "float");
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "value cannot be converted to type float without overflow");
  }
}

}  // namespace
