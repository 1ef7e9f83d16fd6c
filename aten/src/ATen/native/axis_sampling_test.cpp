// Padding and upsampling by operators, which a GPU runs, are what their definition says.

#include <ATen/core/Tensor.h>
#include <ATen/native/AxisSampling.h>
#include <ATen/native/testing_support.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace at::native::testing {
namespace {

// Three positions of the result from two of four positions of the input.
const std::vector<int64_t> kIndex = {0, 1, 3, 3, 2, 0};
const std::vector<double> kWeight = {0.25, 0.75, 1, 2, -1, 0.5};

TEST(AxisSampling, SumsWeightedPositions) {
  const Tensor x = random_tensor({2, 4, 3});
  const Tensor y = sample_axis(x, 1, 2, kIndex, kWeight);
  ASSERT_EQ(y.sizes().vec(), (std::vector<int64_t>{2, 3, 3}));
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t c = 0; c < 3; ++c) {
        double expected = 0;
        for (size_t t = 0; t < 2; ++t) {
          const auto at = static_cast<size_t>(2 * i) + t;
          expected +=
              kWeight[at] * x.select(0, n).select(0, kIndex[at]).select(0, c).item().toDouble();
        }
        EXPECT_NEAR(y.select(0, n).select(0, i).select(0, c).item().toDouble(), expected, 1e-5);
      }
    }
  }
}

TEST(AxisSampling, CopiesPositionsWithoutWeights) {
  const Tensor x = random_tensor({4, 2});
  const Tensor y = sample_axis(x, 0, 1, {2, 2, 0}, {});
  ASSERT_EQ(y.sizes().vec(), (std::vector<int64_t>{3, 2}));
  EXPECT_TRUE(y.select(0, 0).equal(x.select(0, 2)));
  EXPECT_TRUE(y.select(0, 1).equal(x.select(0, 2)));
  EXPECT_TRUE(y.select(0, 2).equal(x.select(0, 0)));
}

// <grad, sample(x)> = <scatter(grad), x> for every x: that is what a gradient of a linear map is.
TEST(AxisSampling, ScatterIsTheTransposeOfSample) {
  const Tensor x = random_tensor({3, 4, 2});
  const Tensor grad = random_tensor({3, 3, 2});
  const Tensor plain = random_tensor({3, 6, 2});
  const auto dot = [](const Tensor& a, const Tensor& b) {
    return a.mul(b).sum().item().toDouble();
  };
  EXPECT_NEAR(dot(grad, sample_axis(x, 1, 2, kIndex, kWeight)),
              dot(scatter_axis(grad, 1, 4, 2, kIndex, kWeight), x), 1e-4);
  EXPECT_NEAR(dot(plain, sample_axis(x, 1, 1, kIndex, {})),
              dot(scatter_axis(plain, 1, 4, 1, kIndex, {}), x), 1e-4);
}

}  // namespace
}  // namespace at::native::testing
