// Elementwise operators against loops over doubles.

#include <ATen/core/Tensor.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/add.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace at::native::testing {
namespace {

template <typename F>
std::vector<double> map(const Tensor& a, F&& f) {
  std::vector<double> result;
  for (const double x : values(a)) result.push_back(f(x));
  return result;
}

template <typename F>
std::vector<double> zip(const Tensor& a, const Tensor& b, F&& f) {
  const std::vector<double> x = values(a);
  const std::vector<double> y = values(b);
  std::vector<double> result;
  for (size_t i = 0; i < x.size(); ++i) result.push_back(f(x[i], y[i]));
  return result;
}

TEST(Elementwise, AddsWithAlphaOnStridedAndBroadcastOperands) {
  const Tensor a = random_tensor({37, 5}).t();  // not contiguous
  const Tensor b = random_tensor({37});
  expect_close(at::add(a, b, 0.5),
               zip(a, b.expand({5, 37}), [](double x, double y) { return x + 0.5 * y; }));
  Tensor c = a.clone();
  c.sub_(b);
  expect_close(c, zip(a, b.expand({5, 37}), [](double x, double y) { return x - y; }));
}

TEST(Elementwise, UnaryFunctionsOfFloatsOnVectorsAndTheirTails) {
  for (const int64_t n : {1, 7, 64, 131}) {
    const Tensor a = random_tensor({n});
    expect_close(a.exp(), map(a, [](double x) { return std::exp(x); }));
    expect_close(a.tanh(), map(a, [](double x) { return std::tanh(x); }));
    expect_close(a.sigmoid(), map(a, [](double x) { return 1 / (1 + std::exp(-x)); }));
    expect_close(at::relu(a), map(a, [](double x) { return x > 0 ? x : 0; }));
    expect_close(at::gelu(a),
                 map(a, [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }));
    expect_close(a.abs().log(), map(a, [](double x) { return std::log(std::abs(x)); }), 1e-4);
    expect_close(a.pow(3), map(a, [](double x) { return x * x * x; }));
  }
}

TEST(Elementwise, DoublesKeepTheirPrecision) {
  const Tensor a = random_tensor({53}, 0.1, 3, kDouble);
  expect_close(a.sqrt(), map(a, [](double x) { return std::sqrt(x); }), 1e-14);
  expect_close(a.sin(), map(a, [](double x) { return std::sin(x); }), 1e-14);
}

TEST(Elementwise, IntegersDivideAndTakeRemaindersAsPythonDoes) {
  const Tensor a = random_tensor({101}, -50, 50, kLong);
  const Tensor signs = random_tensor({101}, 0, 2, kLong).mul(2).sub(1);
  const Tensor b = random_tensor({101}, 1, 9, kLong).mul(signs);
  expect_close(at::div(a, b, "floor"),
               zip(a, b, [](double x, double y) { return std::floor(x / y); }));
  expect_close(at::div(a, b, "trunc"),
               zip(a, b, [](double x, double y) { return std::trunc(x / y); }));
  expect_close(at::remainder(a, b),
               zip(a, b, [](double x, double y) { return x - y * std::floor(x / y); }));
  EXPECT_EQ(at::div(a, b).scalar_type(), kFloat);
  EXPECT_NE(message_of([&] { at::div(a, a.mul(0), "floor"); }).find("ZeroDivisionError"),
            std::string::npos);
}

TEST(Elementwise, HalfPrecisionIsComputedInFloat) {
  for (const ScalarType dtype : {kHalf, kBFloat16}) {
    const Tensor a = random_tensor({40}, -2, 2, dtype);
    const Tensor b = random_tensor({40}, -2, 2, dtype);
    expect_close(a.mul(b), zip(a, b, [](double x, double y) { return x * y; }), 1e-2);
    EXPECT_EQ(a.mul(b).scalar_type(), dtype);
  }
}

TEST(Elementwise, PromotesByCategoryForNumbers) {
  const Tensor i = random_tensor({4}, 0, 9, kInt);
  const Tensor f = random_tensor({4}, 0, 9, kFloat);
  EXPECT_EQ(i.add(1).scalar_type(), kInt);
  EXPECT_EQ(i.add(1.5).scalar_type(), kFloat);
  EXPECT_EQ(i.add(f).scalar_type(), kFloat);
  EXPECT_EQ(f.add(at::full({}, 1.0, TensorOptions().dtype(kDouble))).scalar_type(), kFloat);
  EXPECT_EQ(i.add(random_tensor({4}, 0, 9, kLong)).scalar_type(), kLong);
  EXPECT_EQ(i.eq(f).scalar_type(), kBool);
}

TEST(Elementwise, ComparisonsIntoOtherTypesGiveZerosAndOnes) {
  const Tensor a = random_tensor({33});
  const Tensor b = random_tensor({33});
  expect_close(a.lt(b), zip(a, b, [](double x, double y) { return x < y ? 1 : 0; }));
  Tensor c = a.clone();
  c.lt_(b);
  EXPECT_EQ(c.scalar_type(), kFloat);
  expect_close(c, zip(a, b, [](double x, double y) { return x < y ? 1 : 0; }));
}

TEST(Elementwise, WhereMaximumAndClampKeepNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tensor a = random_tensor({19});
  a.select(0, 3).fill_(nan);
  const Tensor b = random_tensor({19});
  EXPECT_TRUE(std::isnan(values(at::maximum(a, b))[3]));
  EXPECT_TRUE(std::isnan(values(a.clamp(-1, 1))[3]));
  EXPECT_TRUE(std::isnan(values(a.clamp_min(0))[3]));
  const Tensor w = at::where(a.isnan(), b, a);
  EXPECT_FLOAT_EQ(values(w)[3], values(b)[3]);
  EXPECT_FLOAT_EQ(values(w)[4], values(a)[4]);
}

TEST(Elementwise, CopiesConvertBetweenAllTypes) {
  for (const ScalarType from :
       {kByte, kChar, kShort, kInt, kLong, kFloat, kDouble, kHalf, kBFloat16, kBool}) {
    for (const ScalarType to :
         {kByte, kChar, kShort, kInt, kLong, kFloat, kDouble, kHalf, kBFloat16, kBool}) {
      const Tensor a = random_tensor({3, 11}, 0, 100, kLong).to(from).t();
      const Tensor b = a.to(to);
      EXPECT_EQ(b.scalar_type(), to);
      expect_close(b, map(a, [&](double x) { return to == kBool ? (x != 0) : x; }));
    }
  }
}

TEST(Elementwise, MessagesAreThoseUsersKnow) {
  const Tensor a = random_tensor({2, 3});
  EXPECT_EQ(message_of([&] { at::add(a, random_tensor({4})); }),
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
            "dimension 1");
  EXPECT_EQ(message_of([&] { a.to(kLong).add_(a); }),
            "result type Float can't be cast to the desired output type Long");
  EXPECT_EQ(message_of([&] { a.to(kByte).fill_(300); }),
            "value cannot be converted to type uint8_t without overflow");
  EXPECT_EQ(message_of([&] { a.to(kLong).add(a.to(kLong), 1.5); }),
            "For integral input tensors, argument alpha must not be a floating point number.");
  EXPECT_EQ(message_of([&] { a.select(2, 0); }),
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
}

TEST(Elementwise, ArangeCountsWithoutItsEnd) {
  expect_close(at::arange(2, 11, 3), {2, 5, 8});
  expect_close(at::arange(1.0, 2.0, 0.25), {1, 1.25, 1.5, 1.75});
  EXPECT_EQ(at::arange(5).scalar_type(), kLong);
}

}  // namespace
}  // namespace at::native::testing
