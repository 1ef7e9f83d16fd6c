#include <c10/core/Scalar.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

using c10::Scalar;
using c10::ScalarType;

TEST(ScalarTest, KeepsTheKindNotTheWidth) {
  EXPECT_EQ(Scalar(int8_t{1}).type(), ScalarType::Long);
  EXPECT_EQ(Scalar(1.0f).type(), ScalarType::Double);
  EXPECT_EQ(Scalar(true).type(), ScalarType::Bool);
  EXPECT_EQ(Scalar(c10::complex<float>(1, 2)).type(), ScalarType::ComplexDouble);
  EXPECT_EQ(Scalar(c10::Half(1.0f)).type(), ScalarType::Double);
  EXPECT_EQ(Scalar(std::numeric_limits<uint64_t>::max()).type(), ScalarType::UInt64);
  EXPECT_EQ(Scalar(uint64_t{3}).type(), ScalarType::Long);
  EXPECT_EQ(Scalar().toLong(), 0);
}

TEST(ScalarTest, Predicates) {
  EXPECT_TRUE(Scalar(1).isIntegral(/*includeBool=*/false));
  EXPECT_FALSE(Scalar(true).isIntegral(/*includeBool=*/false));
  EXPECT_TRUE(Scalar(true).isIntegral(/*includeBool=*/true));
  EXPECT_TRUE(Scalar(1.5).isFloatingPoint());
  EXPECT_TRUE(Scalar(c10::complex<double>(0, 1)).isComplex());
  EXPECT_TRUE(Scalar(false).isBoolean());
}

TEST(ScalarTest, ConvertsToEveryType) {
#define CHECK_TO(type, name) EXPECT_TRUE(Scalar(1).to<type>() == static_cast<type>(1.0f)) << #name;
  AT_FORALL_SCALAR_TYPES(CHECK_TO)
#undef CHECK_TO
  EXPECT_TRUE(Scalar(2).toBool());
  EXPECT_EQ(Scalar(2.75).toLong(), 2);
  EXPECT_EQ(Scalar(3).toComplexFloat(), c10::complex<float>(3, 0));
  EXPECT_EQ(static_cast<float>(Scalar(0.5).toHalf()), 0.5f);
  EXPECT_EQ(static_cast<float>(Scalar(0.5).toBFloat16()), 0.5f);
  EXPECT_EQ(Scalar(std::numeric_limits<uint64_t>::max()).toUInt64(),
            std::numeric_limits<uint64_t>::max());
}

std::string refusal(const std::function<void()>& convert) {
  try {
    convert();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "none";
}

TEST(ScalarTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal([] { (void)Scalar(300).toByte(); }),
            "value cannot be converted to type uint8_t without overflow");
  EXPECT_EQ(refusal([] { (void)Scalar(1e40).toLong(); }),
            "value cannot be converted to type int64_t without overflow");
  EXPECT_EQ(refusal([] { (void)Scalar(1e6).toHalf(); }),
            "value cannot be converted to type c10::Half without overflow");
  EXPECT_EQ(refusal([] { (void)Scalar(c10::complex<double>(0, 1)).toFloat(); }),
            "value cannot be converted to type float without overflow");
  EXPECT_EQ(refusal([] { (void)Scalar(std::numeric_limits<uint64_t>::max()).toLong(); }),
            "value cannot be converted to type int64_t without overflow");
  EXPECT_EQ(Scalar(-1).toByte(), 255);  // wraps, as fill_(-1) on uint8 does
}

TEST(ScalarTest, EqualComparesValues) {
  EXPECT_TRUE(Scalar(1.0).equal(1));
  EXPECT_TRUE(Scalar(2).equal(2.0f));
  EXPECT_FALSE(Scalar(2).equal(3));
  EXPECT_TRUE(Scalar(c10::complex<double>(2, 0)).equal(2));
  EXPECT_FALSE(Scalar(c10::complex<double>(2, 1)).equal(2));
  EXPECT_TRUE(Scalar(true).equal(true));
  EXPECT_FALSE(Scalar(true).equal(1));
  EXPECT_FALSE(Scalar(1).equal(true));
}

TEST(ScalarTest, NegationConjugationLogarithm) {
  EXPECT_EQ((-Scalar(3)).toLong(), -3);
  EXPECT_EQ((-Scalar(1.5)).toDouble(), -1.5);
  EXPECT_EQ((-Scalar(c10::complex<double>(1, 2))).toComplexDouble(), c10::complex<double>(-1, -2));
  EXPECT_EQ((-Scalar(std::numeric_limits<int64_t>::min())).toLong(),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Scalar(c10::complex<double>(1, 2)).conj().toComplexDouble(),
            c10::complex<double>(1, -2));
  EXPECT_EQ(Scalar(4).conj().toLong(), 4);
  EXPECT_DOUBLE_EQ(Scalar(1.0).log().toDouble(), 0.0);
  EXPECT_THROW_MESSAGE(-Scalar(true), c10::Error,
                       "torch boolean negative, the `-` operator, is not supported.");
}

TEST(ScalarTest, TakesStdComplex) {
  EXPECT_EQ(Scalar(std::complex<float>(1, 2)).toComplexDouble(), c10::complex<double>(1, 2));
}

TEST(ScalarTest, Prints) {
  std::ostringstream out;
  out << Scalar(1) << " " << Scalar(2.5) << " " << Scalar(true) << " "
      << Scalar(c10::complex<double>(1, -1)) << " " << Scalar(std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(out.str(), "1 2.5 true (1,-1) 18446744073709551615");
}

}  // namespace
