// Vectorized against scalar arithmetic in double on fresh random numbers. Compiled once for each
// capability; skips itself on a processor without it.

#include <ATen/cpu/vec/vec.h>

#include <ATen/cpu/vec/functional.h>
#include <ATen/native/DispatchStub.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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
