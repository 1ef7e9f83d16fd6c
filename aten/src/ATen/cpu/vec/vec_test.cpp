// Vectorized against scalar arithmetic in double on fresh random numbers. Compiled once for each
// capability; skips itself on a processor without it.

#include <ATen/cpu/vec/vec.h>

#include <ATen/cpu/vec/functional.h>
#include <ATen/native/DispatchStub.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using at::vec::Vectorized;

at::native::CPUCapability compiledFor() { return at::native::CPUCapability::CPU_CAPABILITY; }

template <typename T>
class VectorizedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (at::native::detail::supported_cpu_capability() < compiledFor()) {
      GTEST_SKIP() << "this processor lacks " << at::native::toString(compiledFor());
    }
    const auto seed = std::random_device{}();
    RecordProperty("seed", std::to_string(seed));
    rng_.seed(seed);
  }

  std::vector<T> random(double low, double high, size_t n = 259) {
    std::vector<T> out(n);
    std::uniform_real_distribution<double> dist(low, high);
    for (T& x : out) x = static_cast<T>(dist(rng_));
    return out;
  }

  std::mt19937 rng_;
};

using AllTypes = testing::Types<float, double, int8_t, uint8_t, int16_t, int32_t, int64_t>;
using FloatTypes = testing::Types<float, double>;
template <typename T>
using VectorizedAll = VectorizedTest<T>;
template <typename T>
using VectorizedFloat = VectorizedTest<T>;
TYPED_TEST_SUITE(VectorizedAll, AllTypes);
TYPED_TEST_SUITE(VectorizedFloat, FloatTypes);

template <typename T, typename VecOp, typename ScalarOp>
void expectSame(const std::vector<T>& a, const std::vector<T>& b, VecOp vec_op, ScalarOp op) {
  std::vector<T> out(a.size());
  at::vec::map2(vec_op, out.data(), a.data(), b.data(), static_cast<int64_t>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<T>(op(a[i], b[i]))) << "a=" << +a[i] << " b=" << +b[i];
  }
}

TYPED_TEST(VectorizedAll, Arithmetic) {
  using T = TypeParam;
  // Whole vectors: the zeros that fill a part would be divided by.
  const auto a = this->random(1, 11, 256);
  const auto b = this->random(1, 11, 256);
  expectSame(a, b, [](auto x, auto y) { return x + y; }, [](T x, T y) { return x + y; });
  expectSame(a, b, [](auto x, auto y) { return x - y; }, [](T x, T y) { return x - y; });
  expectSame(a, b, [](auto x, auto y) { return x * y; }, [](T x, T y) { return x * y; });
  expectSame(a, b, [](auto x, auto y) { return x / y; }, [](T x, T y) { return x / y; });
}

TYPED_TEST(VectorizedAll, Comparisons) {
  using T = TypeParam;
  const auto a = this->random(0, 4);
  const auto b = this->random(0, 4);
  expectSame(a, b, [](auto x, auto y) { return x.lt(y); }, [](T x, T y) { return x < y; });
  expectSame(a, b, [](auto x, auto y) { return x.eq(y); }, [](T x, T y) { return x == y; });
  expectSame(a, b, [](auto x, auto y) { return x.ge(y); }, [](T x, T y) { return x >= y; });
  expectSame(
      a, b, [](auto x, auto y) { return decltype(x)::blendv(x, y, x > y); },
      [](T x, T y) { return x > y ? y : x; });
}

TYPED_TEST(VectorizedAll, MaximumAndMinimum) {
  using T = TypeParam;
  const auto a = this->random(0, 100);
  const auto b = this->random(0, 100);
  expectSame(
      a, b, [](auto x, auto y) { return maximum(x, y); }, [](T x, T y) { return std::max(x, y); });
  expectSame(
      a, b, [](auto x, auto y) { return minimum(x, y); }, [](T x, T y) { return std::min(x, y); });
}

TYPED_TEST(VectorizedAll, LoadsAndStoresParts) {
  using T = TypeParam;
  using Vec = Vectorized<T>;
  const auto in = this->random(1, 100, Vec::size());
  for (int n = 0; n <= Vec::size(); ++n) {
    std::vector<T> out(Vec::size() + 1, T(77));
    Vec::loadu(in.data(), n).store(out.data(), n);
    for (int i = 0; i < n; ++i) ASSERT_EQ(out[i], in[i]);
    ASSERT_EQ(out[n], T(77));
  }
}

TYPED_TEST(VectorizedAll, Reduces) {
  using T = TypeParam;
  for (const size_t n : {1, 2, 5, 64, 131}) {
    const auto in = this->random(0, 100, n);
    const T largest = at::vec::reduce_all([](auto x, auto y) { return maximum(x, y); }, in.data(),
                                          static_cast<int64_t>(n));
    ASSERT_EQ(largest, *std::max_element(in.begin(), in.end()));
  }
}

// The error of `f`, in units of the last place of the result type, is at most `ulps`.
template <typename T, typename VecOp, typename ScalarOp>
void expectClose(const std::vector<T>& in, double ulps, VecOp vec_op, ScalarOp op) {
  std::vector<T> out(in.size());
  at::vec::map(vec_op, out.data(), in.data(), static_cast<int64_t>(in.size()));
  for (size_t i = 0; i < in.size(); ++i) {
    const long double expected = op(static_cast<long double>(in[i]));
    const auto near = static_cast<T>(std::abs(expected));
    const T ulp = std::nextafter(near, std::numeric_limits<T>::infinity()) - near;
    ASSERT_LE(std::abs(static_cast<long double>(out[i]) - expected), ulps * ulp)
        << "x=" << in[i] << " got " << out[i] << " expected " << expected;
  }
}

#define EXPECT_FUNCTION(name, low, high, ulps)                        \
  expectClose(                                                        \
      this->random(low, high), ulps, [](auto x) { return x.name(); }, \
      [](long double x) { return std::name(x); })

TYPED_TEST(VectorizedFloat, Functions) {
  EXPECT_FUNCTION(exp, -20, 20, 4);
  EXPECT_FUNCTION(expm1, 0.1, 20, 8);
  EXPECT_FUNCTION(log, 0.001, 100, 8);
  EXPECT_FUNCTION(log1p, 0.01, 100, 8);
  EXPECT_FUNCTION(tanh, -5, 5, 8);
  EXPECT_FUNCTION(sqrt, 0, 100, 1);
  EXPECT_FUNCTION(floor, -100, 100, 0);
  EXPECT_FUNCTION(ceil, -100, 100, 0);
  EXPECT_FUNCTION(trunc, -100, 100, 0);
}

// Near a zero of the function the error is absolute.
TYPED_TEST(VectorizedFloat, Trigonometric) {
  using T = TypeParam;
  const auto in = this->random(-100, 100);
  std::vector<T> s(in.size()), c(in.size());
  at::vec::map([](auto x) { return x.sin(); }, s.data(), in.data(), in.size());
  at::vec::map([](auto x) { return x.cos(); }, c.data(), in.data(), in.size());
  const double tolerance = 8 * std::numeric_limits<T>::epsilon();
  for (size_t i = 0; i < in.size(); ++i) {
    ASSERT_NEAR(s[i], std::sin(static_cast<double>(in[i])), tolerance) << in[i];
    ASSERT_NEAR(c[i], std::cos(static_cast<double>(in[i])), tolerance) << in[i];
  }
}

TYPED_TEST(VectorizedFloat, SpecialValues) {
  using T = TypeParam;
  using Vec = Vectorized<T>;
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_EQ(Vec(inf).exp()[0], inf);
  EXPECT_EQ(Vec(-inf).exp()[0], T(0));
  EXPECT_TRUE(std::isnan(Vec(nan).exp()[0]));
  EXPECT_EQ(Vec(T(0)).log()[0], -inf);
  EXPECT_TRUE(std::isnan(Vec(T(-1)).log()[0]));
  EXPECT_EQ(Vec(inf).log()[0], inf);
  EXPECT_EQ(Vec(-inf).tanh()[0], T(-1));
  EXPECT_TRUE(std::isnan(Vec(nan).tanh()[0]));
  EXPECT_TRUE(std::isnan(Vec(inf).sin()[0]));
  EXPECT_TRUE(std::isnan(maximum(Vec(nan), Vec(T(1)))[0]));
  EXPECT_TRUE(std::isnan(maximum(Vec(T(1)), Vec(nan))[0]));
  EXPECT_TRUE(std::isnan(minimum(Vec(T(1)), Vec(nan))[0]));
  EXPECT_TRUE(std::isnan(clamp_min(Vec(nan), Vec(T(1)))[0]));
  EXPECT_EQ(Vec(T(2.5)).round()[0], T(2));
  EXPECT_TRUE(std::signbit(Vec(T(-0.0)).floor()[0]));
  EXPECT_TRUE(std::signbit(Vec(T(-0.5)).ceil()[0]));
  EXPECT_TRUE(std::signbit(Vec(T(-0.5)).trunc()[0]));
  EXPECT_TRUE(std::signbit(Vec(T(-0.5)).round()[0]));
}

// An element outside the range of a formula does not change its neighbours.
TYPED_TEST(VectorizedFloat, ElementsOutsideTheRangeOfAFormula) {
  using T = TypeParam;
  using Vec = Vectorized<T>;
  using Limits = std::numeric_limits<T>;
  const T specials[] = {Limits::quiet_NaN(),
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::max(),
                        Limits::lowest(),
                        Limits::denorm_min(),
                        T(0),
                        T(-0.0),
                        T(1),
                        T(-1),
                        T(-2),
                        T(0.9995),
                        T(-0.995),
                        T(1.01),
                        T(1e5),
                        T(-1e5),
                        T(-100),
                        T(100)};
  const auto check = [&](const char* name, double low, double high, auto vec_op, auto op) {
    const std::vector<T> in = this->random(low, high, Vec::size());
    for (const T special : specials) {
      for (int k = 0; k < Vec::size(); ++k) {
        std::vector<T> mixed = in;
        mixed[k] = special;
        T out[Vec::size()];
        vec_op(Vec::loadu(mixed.data())).store(out);
        for (int i = 0; i < Vec::size(); ++i) {
          if (i != k) {
            EXPECT_EQ(out[i], vec_op(Vec(in[i]))[0]) << name << " of " << in[i];
            continue;
          }
          const T wanted = op(special);
          const bool same =
              out[i] == wanted || (out[i] != out[i] && wanted != wanted) ||
              std::abs(out[i] - wanted) <= 8 * Limits::epsilon() * std::abs(wanted) + Limits::min();
          EXPECT_TRUE(same) << name << " of " << special << " is " << out[i] << ", not " << wanted;
        }
      }
    }
  };
#define CHECK_FUNCTION(name, low, high) \
  check(#name, low, high, [](Vec x) { return Vec(x.name()); }, [](T x) { return std::name(x); })
  CHECK_FUNCTION(exp, -20, 20);
  CHECK_FUNCTION(exp2, -20, 20);
  CHECK_FUNCTION(expm1, 0.1, 20);
  CHECK_FUNCTION(log, 0.001, 100);
  CHECK_FUNCTION(log2, 2, 100);
  CHECK_FUNCTION(log10, 2, 100);
  CHECK_FUNCTION(log1p, 0.01, 100);
  CHECK_FUNCTION(sin, 0.1, 3);
  CHECK_FUNCTION(cos, 0.1, 1.5);
  CHECK_FUNCTION(tan, 0.1, 1.5);
  CHECK_FUNCTION(acos, -0.9, 0.9);
  CHECK_FUNCTION(asin, -0.9, 0.9);
  CHECK_FUNCTION(atan, -10, 10);
  CHECK_FUNCTION(acosh, 2, 100);
  CHECK_FUNCTION(asinh, 1, 100);
  CHECK_FUNCTION(atanh, 0.1, 0.9);
  CHECK_FUNCTION(sinh, 1, 20);
  CHECK_FUNCTION(cosh, 1, 20);
  CHECK_FUNCTION(tanh, 0.5, 5);
#undef CHECK_FUNCTION
}

// Every pair of NaN, infinities, zeros, denormals and extremes: as C++ compares and computes.
template <typename T>
class VectorizedPairs : public VectorizedTest<T> {
 protected:
  static std::vector<T> specials() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> out = {T(0), T(1), T(3), Limits::lowest(), Limits::max(), Limits::min()};
    if constexpr (Limits::is_signed) out.push_back(T(-1));
    if constexpr (Limits::has_infinity) {
      for (const T x : {Limits::infinity(), T(-Limits::infinity()), T(-0.0), Limits::quiet_NaN(),
                        T(-Limits::quiet_NaN()), Limits::denorm_min(), T(-Limits::denorm_min()),
                        T(-Limits::min())}) {
        out.push_back(x);
      }
    }
    return out;
  }

  // `vec_op` on whole vectors against `op` on elements, bit by bit, but for the bits of a NaN.
  template <typename VecOp, typename ScalarOp>
  void expectSamePairs(const char* what, VecOp vec_op, ScalarOp op) {
    using Vec = Vectorized<T>;
    std::vector<T> a, b;
    for (const T x : specials()) {
      for (const T y : specials()) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    while (a.size() % Vec::size() != 0) {
      a.push_back(T(1));
      b.push_back(T(2));
    }
    for (size_t i = 0; i < a.size(); i += Vec::size()) {
      T out[Vec::size()];
      vec_op(Vec::loadu(a.data() + i), Vec::loadu(b.data() + i)).store(out);
      for (int k = 0; k < Vec::size(); ++k) {
        const T x = a[i + k];
        const T y = b[i + k];
        const T expected = op(x, y);
        const bool same = std::memcmp(&out[k], &expected, sizeof(T)) == 0 ||
                          (out[k] != out[k] && expected != expected);
        EXPECT_TRUE(same) << what << " of " << double(x) << " and " << double(y) << " is "
                          << double(out[k]) << ", expected " << double(expected);
      }
    }
  }
};
using PairTypes = testing::Types<float, double, c10::Half, c10::BFloat16, int8_t, uint8_t, int16_t,
                                 int32_t, int64_t>;
TYPED_TEST_SUITE(VectorizedPairs, PairTypes);

#define EXPECT_COMPARES(op, name)                                                             \
  this->expectSamePairs(                                                                      \
      #name, [](auto x, auto y) { return x.name(y); }, [](T x, T y) { return T(x op y); });   \
  this->expectSamePairs(                                                                      \
      "mask of " #op, [](auto x, auto y) { return decltype(x)::blendv(T(0), T(1), x op y); }, \
      [](T x, T y) { return T(x op y); })

TYPED_TEST(VectorizedPairs, Compare) {
  using T = TypeParam;
  EXPECT_COMPARES(==, eq);
  EXPECT_COMPARES(!=, ne);
  EXPECT_COMPARES(<, lt);
  EXPECT_COMPARES(<=, le);
  EXPECT_COMPARES(>, gt);
  EXPECT_COMPARES(>=, ge);
}

TYPED_TEST(VectorizedPairs, MaximumMinimumAndClamps) {
  using T = TypeParam;
  const auto nan = [](T x) { return x != x; };
  this->expectSamePairs(
      "maximum", [](auto x, auto y) { return maximum(x, y); },
      [&](T x, T y) { return nan(x)            ? x
                             : nan(y) || x < y ? y
                                               : x; });
  this->expectSamePairs(
      "minimum", [](auto x, auto y) { return minimum(x, y); },
      [&](T x, T y) { return nan(x)            ? x
                             : nan(y) || y < x ? y
                                               : x; });
  this->expectSamePairs(
      "clamp_min", [](auto x, auto y) { return clamp_min(x, y); },
      [](T x, T y) { return x < y ? y : x; });
  this->expectSamePairs(
      "clamp_max", [](auto x, auto y) { return clamp_max(x, y); },
      [](T x, T y) { return y < x ? y : x; });
}

TYPED_TEST(VectorizedPairs, SignsAndBlends) {
  using T = TypeParam;
  if constexpr (std::numeric_limits<T>::has_infinity) {
    this->expectSamePairs(
        "neg", [](auto x, auto) { return x.neg(); }, [](T x, T) { return T(-x); });
    this->expectSamePairs(
        "abs", [](auto x, auto) { return x.abs(); },
        [](T x, T) { return std::signbit(static_cast<float>(x)) ? T(-x) : x; });
    this->expectSamePairs(
        "isnan", [](auto x, auto) { return decltype(x)::blendv(T(0), T(1), x.isnan()); },
        [](T x, T) { return T(x != x); });
  }
  this->expectSamePairs(
      "blendv", [](auto x, auto y) { return decltype(x)::blendv(x, y, y > x); },
      [](T x, T y) { return y > x ? y : x; });
  this->expectSamePairs(
      "set", [](auto x, auto y) { return decltype(x)::set(x, y, decltype(x)::size()); },
      [](T, T y) { return y; });
}

// All 65536 numbers up, and floats beside every one of them down.
template <typename T>
void expectConversions() {
  if (at::native::detail::supported_cpu_capability() < compiledFor()) GTEST_SKIP();
  using Vec = Vectorized<T>;
  const auto same = [](float x, float y) {
    return std::memcmp(&x, &y, sizeof(x)) == 0 || (std::isnan(x) && std::isnan(y));
  };
  for (uint32_t bits = 0; bits < 65536; bits += Vec::size()) {
    T in[Vec::size()];
    for (int i = 0; i < Vec::size(); ++i) {
      in[i] = T(static_cast<uint16_t>(bits + static_cast<uint32_t>(i)), T::from_bits());
    }
    const auto [low, high] = at::vec::convert_to_float(Vec::loadu(in));
    float wide[Vec::size()];
    low.store(wide);
    high.store(wide + Vectorized<float>::size());
    for (int i = 0; i < Vec::size(); ++i) {
      ASSERT_TRUE(same(wide[i], static_cast<float>(in[i]))) << "bits " << bits + i;
    }
    for (const float step : {-1.0f, 0.0f, 1.0f}) {
      float near[Vec::size()];
      for (int i = 0; i < Vec::size(); ++i) {
        const float next = T(static_cast<uint16_t>(bits + i + 1), T::from_bits());
        near[i] = (wide[i] + next) / 2;  // a tie
        if (step != 0.0f) near[i] = std::nextafter(near[i], step * INFINITY);
      }
      T out[Vec::size()];
      at::vec::convert_from_float<T>(Vectorized<float>::loadu(near),
                                     Vectorized<float>::loadu(near + Vectorized<float>::size()))
          .store(out);
      for (int i = 0; i < Vec::size(); ++i) {
        ASSERT_TRUE(same(static_cast<float>(out[i]), static_cast<float>(T(near[i]))))
            << near[i] << " became " << static_cast<float>(out[i]);
      }
    }
  }
}

TEST(VectorizedHalf, ConvertsEveryNumber) { expectConversions<c10::Half>(); }
TEST(VectorizedBFloat16, ConvertsEveryNumber) { expectConversions<c10::BFloat16>(); }

TEST(VectorizedHalf, ConvertsThroughFloat) {
  if (at::native::detail::supported_cpu_capability() < compiledFor()) GTEST_SKIP();
  Vectorized<c10::Half> v = Vectorized<c10::Half>::arange(c10::Half(1.0f), c10::Half(0.5f));
  const auto [low, high] = at::vec::convert_to_float(v);
  EXPECT_EQ(low[0], 1.0f);
  EXPECT_EQ(high[0], 1.0f + 0.5f * Vectorized<float>::size());
  const auto back = at::vec::convert_from_float<c10::Half>(low, high);
  for (int i = 0; i < v.size(); ++i) EXPECT_EQ(float(back[i]), float(v[i]));
}

}  // namespace
