#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

constexpr std::size_t kCount = 96;
const std::uint64_t kSeed = std::random_device()();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> some_floats(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(-3, 3);
  std::vector<float> values;
  for (std::size_t i = 0; i < kCount; ++i)
    values.push_back(std::ldexp(mantissa(random), exponent(random)));
  return values;
}

// A float64 as float32 in a mode: to the nearest, zero, minus or plus infinity.
float rounded(double exact, char mode) {
  if (mode == 'n') return static_cast<float>(exact);
  if (mode == 'z') mode = exact < 0 ? 'p' : 'm';
  const float nearest = static_cast<float>(exact);
  if (mode == 'm') return nearest > exact ? std::nextafterf(nearest, -kInfinity) : nearest;
  return nearest < exact ? std::nextafterf(nearest, kInfinity) : nearest;
}

TEST(Float, EveryRounding) {
  const std::vector<float> a = some_floats(kSeed);
  const std::vector<float> b = some_floats(kSeed + 1);
  for (const char mode : {'n', 'z', 'm', 'p'}) {
    SCOPED_TRACE(std::string("mode ") + mode + ", seed " + std::to_string(kSeed));
    const std::vector<float> sum =
        evaluate<float>(std::string("add.r") + mode + ".f32 %d, %a, %b;", a, b);
    const std::vector<float> product =
        evaluate<float>(std::string("mul.r") + mode + ".f32 %d, %a, %b;", a, b);
    const std::vector<float> fused =
        evaluate<float>(std::string("fma.r") + mode + ".f32 %d, %a, %b, %c;", a, b,
                        std::vector<float>(kCount, 0.0f));
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_EQ(sum[i], rounded(double{a[i]} + b[i], mode));
      EXPECT_EQ(product[i], rounded(double{a[i]} * b[i], mode));
      EXPECT_EQ(fused[i], product[i]);
    }
  }
}

TEST(Float, AProductIsNotRoundedBeforeTheSum) {
  const std::vector<float> a(32, 1.0f + 0x1p-12f);
  const std::vector<float> c(32, -1.0f - 0x1p-11f);
  EXPECT_EQ(evaluate<float>("fma.rn.f32 %d, %a, %b, %c;", a, a, c)[0], 0x1p-24f);
  EXPECT_EQ(evaluate<float>("mul.rn.f32 %f1, %a, %b; add.rn.f32 %d, %f1, %c;", a, a, c)[0], 0.0f);
}

TEST(Float, ExtremesIgnoreWhatIsNotANumber) {
  const std::vector<float> a = {1, kNaN, 0.0f, -0.0f, kNaN};
  const std::vector<float> b = {kNaN, 2, -0.0f, 0.0f, kNaN};
  const std::vector<float> low = evaluate<float>("min.f32 %d, %a, %b;", a, b);
  const std::vector<float> high = evaluate<float>("max.NaN.f32 %d, %a, %b;", a, b);
  EXPECT_EQ(low[0], 1);
  EXPECT_EQ(low[1], 2);
  EXPECT_TRUE(std::signbit(low[2]) && std::signbit(low[3]));
  EXPECT_TRUE(std::isnan(low[4]) && std::isnan(high[0]) && std::isnan(high[1]));
  EXPECT_FALSE(std::signbit(high[2]) || std::signbit(high[3]));
}

TEST(Float, ComparisonsWithWhatIsNotANumber) {
  const std::vector<float> a = {1, kNaN, 1, 2};
  const std::vector<float> b = {2, 1, 1, 1};
  const std::vector<std::uint32_t> d = evaluate<std::uint32_t>(R"(
      setp.lt.f32 %p0, %a, %b; setp.ltu.f32 %p1, %a, %b; setp.ne.f32 %p2, %a, %b; setp.neu.f32 %p3, %a, %b;
      setp.nan.f32 %p4, %a, %b;
      mov.u32 %r1, 0;
      @%p0 or.b32 %r1, %r1, 1; @%p1 or.b32 %r1, %r1, 2; @%p2 or.b32 %r1, %r1, 4; @%p3 or.b32 %r1, %r1, 8;
      @%p4 or.b32 %r1, %r1, 16;
      mov.b32 %d, %r1;)",
                                                               a, b);
  EXPECT_EQ(d, (std::vector<std::uint32_t>{1 + 2 + 4 + 8, 2 + 8 + 16, 0, 4 + 8}));
}

TEST(Float, FlushesAndSaturates) {
  const std::vector<float> a = {0x1p-130f, -0x1p-130f, 0.25f, 3.0f, kNaN};
  const std::vector<float> b(5, 1.0f);
  EXPECT_EQ(evaluate<float>("mul.ftz.f32 %d, %a, %b;", a, b)[0], 0.0f);
  EXPECT_TRUE(std::signbit(evaluate<float>("mul.ftz.f32 %d, %a, %b;", a, b)[1]));
  EXPECT_EQ(evaluate<float>("mul.f32 %d, %a, %b;", a, b)[0], a[0]);
  const std::vector<float> saturated = evaluate<float>("mul.sat.f32 %d, %a, %b;", a, b);
  EXPECT_EQ(saturated, (std::vector<float>{a[0], 0.0f, 0.25f, 1.0f, 0.0f}));
}

TEST(Float, Approximations) {
  const std::vector<float> a = some_floats(kSeed + 2);
  const std::vector<float> exponential = evaluate<float>("ex2.approx.ftz.f32 %d, %a;", a);
  const std::vector<float> root =
      evaluate<float>("abs.f32 %f1, %a; rsqrt.approx.f32 %f2, %f1; rcp.approx.ftz.f32 %d, %f2;", a);
  const std::vector<float> wave = evaluate<float>("sin.approx.f32 %d, %a;", a);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_NEAR(exponential[i], std::exp2(double{a[i]}), 1e-6 * std::exp2(a[i]));
    EXPECT_NEAR(root[i], std::sqrt(std::fabs(double{a[i]})), 1e-5);
    EXPECT_NEAR(wave[i], std::sin(double{a[i]}), 1e-6);
  }
  // A reciprocal in float64 is good to 20 bits, and its low word is zero.
  const std::vector<double> third =
      evaluate<double>("rcp.approx.ftz.f64 %d, %a;", std::vector<double>{3.0});
  EXPECT_EQ(std::bit_cast<std::uint64_t>(third[0]) & 0xffffffffu, 0u);
  EXPECT_NEAR(third[0], 1.0 / 3, 1e-6);
  EXPECT_EQ(evaluate<double>("rsqrt.approx.f64 %d, %a;", std::vector<double>{9.0})[0], 1.0 / 3);
}

TEST(Half, PairsAreRoundedOnce) {
  std::mt19937_64 random(kSeed);
  std::vector<std::uint32_t> a(kCount);
  std::vector<std::uint32_t> b(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto half = [&] {
      return std::uint32_t{half_bits(std::uniform_real_distribution<float>(-4, 4)(random))};
    };
    a[i] = half() | half() << 16;
    b[i] = half() | half() << 16;
  }
  const std::vector<std::uint32_t> fused =
      evaluate<std::uint32_t>("fma.rn.f16x2 %d, %a, %b, %a;", a, b);
  const std::vector<std::uint32_t> sum = evaluate<std::uint32_t>("add.rn.bf16x2 %d, %a, %b;", a, b);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (const int shift : {0, 16}) {
      const auto part = [&](std::uint32_t word) {
        return static_cast<std::uint16_t>(word >> shift);
      };
      const double x = half_value(part(a[i]));
      EXPECT_EQ(part(fused[i]), half_bits(x * half_value(part(b[i])) + x));
      EXPECT_EQ(part(sum[i]), bfloat_bits(bfloat_value(part(a[i])) + bfloat_value(part(b[i]))));
    }
  }
}

TEST(Conversion, FloatsToIntegers) {
  const std::vector<float> a = {2.5f, -2.5f, 3.5f, 1e20f, -1e20f, kNaN, 0.9f, -0.9f};
  const auto convert = [&](const std::string& name) {
    return evaluate<std::int32_t>(name + " %d, %a;", a);
  };
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(convert("cvt.rni.s32.f32"),
            (std::vector<std::int32_t>{2, -2, 4, kMost, kLeast, 0, 1, -1}));
  EXPECT_EQ(convert("cvt.rzi.s32.f32"),
            (std::vector<std::int32_t>{2, -2, 3, kMost, kLeast, 0, 0, 0}));
  EXPECT_EQ(convert("cvt.rmi.s32.f32"),
            (std::vector<std::int32_t>{2, -3, 3, kMost, kLeast, 0, 0, -1}));
  EXPECT_EQ(convert("cvt.rpi.s32.f32"),
            (std::vector<std::int32_t>{3, -2, 4, kMost, kLeast, 0, 1, 0}));
  EXPECT_EQ(evaluate<std::uint32_t>("cvt.rzi.u32.f32 %d, %a;", a)[1], 0u);
  EXPECT_EQ(evaluate<std::uint64_t>("cvt.rzi.s64.f32 %d, %a;", a)[5], std::uint64_t{1} << 63);
  EXPECT_EQ(evaluate<float>("cvt.rni.f32.f32 %d, %a;", a)[2], 4.0f);
}

TEST(Conversion, IntegersToFloats) {
  const std::vector<std::int64_t> a = some_integers<std::int64_t>(kCount, kSeed);
  const std::vector<float> nearest = evaluate<float>("cvt.rn.f32.s64 %d, %a;", a);
  const std::vector<float> down = evaluate<float>("cvt.rm.f32.s64 %d, %a;", a);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(nearest[i], static_cast<float>(a[i]));
    EXPECT_LE(static_cast<long double>(down[i]), static_cast<long double>(a[i]));
    EXPECT_GE(down[i], std::nextafterf(nearest[i], -kInfinity));
  }
}

TEST(Conversion, SmallIntegersAreExtendedAndCut) {
  const std::vector<std::uint16_t> a = {0x0080, 0x017f, 0xffff, 0x0001};
  EXPECT_EQ(evaluate<std::int32_t>("cvt.s32.s8 %d, %a;", a),
            (std::vector<std::int32_t>{-128, 127, -1, 1}));
  EXPECT_EQ(evaluate<std::int32_t>("cvt.u32.u8 %d, %a;", a),
            (std::vector<std::int32_t>{128, 127, 255, 1}));
  EXPECT_EQ(evaluate<std::int16_t>("cvt.s16.s8 %d, %a;", a),
            (std::vector<std::int16_t>{-128, 127, -1, 1}));
  EXPECT_EQ(evaluate<std::int64_t>("cvt.s64.s16 %d, %a;", a),
            (std::vector<std::int64_t>{128, 0x17f, -1, 1}));
  EXPECT_EQ(evaluate<std::int16_t>("cvt.sat.s8.s16 %d, %a;", a),
            (std::vector<std::int16_t>{127, 127, -1, 1}));
}

TEST(Conversion, EveryHalfIsItself) {
  for (unsigned start = 0; start < 0x10000; start += 1024) {
    std::vector<std::uint16_t> a(1024);
    for (unsigned i = 0; i < 1024; ++i) a[i] = static_cast<std::uint16_t>(start + i);
    const std::vector<std::uint16_t> half =
        evaluate<std::uint16_t>("cvt.f32.f16 %f1, %a; cvt.rn.f16.f32 %d, %f1;", a);
    const std::vector<std::uint16_t> brain =
        evaluate<std::uint16_t>("cvt.f32.bf16 %f1, %a; cvt.rn.bf16.f32 %d, %f1;", a);
    for (unsigned i = 0; i < 1024; ++i) {
      EXPECT_EQ(half[i], (a[i] & 0x7fff) > 0x7c00 ? 0x7fff : a[i]);
      EXPECT_EQ(brain[i], (a[i] & 0x7fff) > 0x7f80 ? 0x7fff : a[i]);
    }
  }
}

TEST(Conversion, HalvesAreRoundedToEven) {
  const std::vector<float> a = {1.0f + 0x1p-11f, 1.0f + 0x3p-11f, 65519.0f, 65520.0f, 0x1p-25f};
  EXPECT_EQ(evaluate<std::uint16_t>("cvt.rn.f16.f32 %d, %a;", a),
            (std::vector<std::uint16_t>{0x3c00, 0x3c02, 0x7bff, 0x7c00, 0}));
  const std::vector<float> b = {1.0f + 0x1p-8f, 1.0f + 0x3p-8f, 3.4e38f, 2.0f, 1.0f};
  EXPECT_EQ(evaluate<std::uint16_t>("cvt.rn.bf16.f32 %d, %a;", b),
            (std::vector<std::uint16_t>{0x3f80, 0x3f82, 0x7f80, 0x4000, 0x3f80}));
  EXPECT_EQ(evaluate<std::uint32_t>("cvt.rn.f16x2.f32 %d, %a, %b;", std::vector<float>{1.0f},
                                    std::vector<float>{2.0f})[0],
            0x3c004000u);
}

}  // namespace
}  // namespace emulator
