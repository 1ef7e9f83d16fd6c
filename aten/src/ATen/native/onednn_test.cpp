// What oneDNN computes, against our own loops: ./bazelw test --onednn
// //aten/src/ATen/native:onednn_test

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/CPUBlas.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/OneDnn.h>
#include <ATen/native/conv_testing_support.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

namespace at::native::testing {
namespace {

using cpublas::TransposeType;

Tensor like(const Tensor& t) { return at::empty(t.sizes(), t.options()); }

const ConvGeometry kGeometries[] = {
    conv_geometry(2, 1, 6, 10, {1, 23, 25}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}),
    conv_geometry(2, 1, 6, 10, {1, 40, 41}, {1, 7, 7}, {1, 2, 2}, {0, 3, 3}, {1, 1, 1}),
    conv_geometry(2, 2, 6, 10, {1, 30, 24}, {1, 3, 5}, {1, 2, 1}, {0, 0, 2}, {1, 3, 2}),
    conv_geometry(2, 1, 6, 10, {7, 12, 11}, {3, 2, 3}, {2, 1, 1}, {1, 0, 1}, {1, 2, 1}),
    conv_geometry(2, 3, 6, 10, {1, 1, 900}, {1, 1, 5}, {1, 1, 2}, {0, 0, 2}, {1, 1, 1}),
};

class OneDnnConvolution : public ::testing::TestWithParam<c10::ScalarType> {
 protected:
  void SetUp() override {
    if (!onednn::is_available()) GTEST_SKIP() << "a build without --onednn";
    if (GetParam() != kFloat && !onednn::convolves(GetParam())) {
      GTEST_SKIP() << "the processor has no instructions for " << c10::toString(GetParam());
    }
  }
  // Numbers that both types hold exactly; results of the narrow one are rounded once.
  Tensor input(IntArrayRef sizes) const { return random_tensor(sizes).to(GetParam()); }
  void compare(const Tensor& actual, const Tensor& expected) const {
    expect_close(actual, values(expected), GetParam() == kFloat ? 1e-4 : 1e-2);
  }
};

TEST_P(OneDnnConvolution, IsWhatTheLoopsCompute) {
  for (const ConvGeometry& g : kGeometries) {
    const Tensor x = input({g.batch, g.groups * g.in_channels, g.in[0], g.in[1], g.in[2]});
    const Tensor w =
        input({g.groups * g.out_channels, g.in_channels, g.kernel[0], g.kernel[1], g.kernel[2]});
    const Tensor bias = input({g.groups * g.out_channels});
    const Tensor y = input({g.batch, g.groups * g.out_channels, g.out[0], g.out[1], g.out[2]});
    const Tensor wide_x = x.to(kFloat), wide_w = w.to(kFloat), wide_b = bias.to(kFloat),
                 wide_y = y.to(kFloat);
    Tensor actual = like(y);
    Tensor expected = like(wide_y);
    for (const bool with_bias : {false, true}) {
      ASSERT_TRUE(onednn::conv_forward(g, GetParam(), x.const_data_ptr(), w.const_data_ptr(),
                                       with_bias ? bias.const_data_ptr() : nullptr,
                                       actual.mutable_data_ptr()));
      conv_forward(g, kFloat, wide_x.const_data_ptr(), wide_w.const_data_ptr(),
                   with_bias ? wide_b.const_data_ptr() : nullptr, expected.mutable_data_ptr());
      compare(actual, expected);
    }
    actual = like(x);
    expected = like(wide_x);
    ASSERT_TRUE(onednn::conv_backward_input(g, GetParam(), y.const_data_ptr(), w.const_data_ptr(),
                                            actual.mutable_data_ptr()));
    conv_backward_input(g, kFloat, wide_y.const_data_ptr(), wide_w.const_data_ptr(),
                        expected.mutable_data_ptr());
    compare(actual, expected);
    actual = like(w);
    expected = like(wide_w);
    ASSERT_TRUE(onednn::conv_backward_weight(g, GetParam(), y.const_data_ptr(), x.const_data_ptr(),
                                             actual.mutable_data_ptr()));
    conv_backward_weight(g, kFloat, wide_y.const_data_ptr(), wide_x.const_data_ptr(),
                         expected.mutable_data_ptr());
    compare(actual, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, OneDnnConvolution, ::testing::Values(kFloat, kBFloat16),
                         [](const auto& info) { return c10::toString(info.param); });

TEST(OneDnnProduct, IsTheRoundedProductOfFloats) {
  if (!onednn::convolves(kBFloat16)) GTEST_SKIP() << "no oneDNN, or no instructions for bfloat16";
  constexpr int64_t kM = 137, kN = 221, kK = 150;
  const Tensor a = random_tensor({kM * kK}).to(kBFloat16);
  const Tensor b = random_tensor({kK * kN}).to(kBFloat16);
  const Tensor wide_a = a.to(kFloat), wide_b = b.to(kFloat);
  for (const auto transa : {TransposeType::NoTranspose, TransposeType::Transpose}) {
    for (const auto transb : {TransposeType::NoTranspose, TransposeType::Transpose}) {
      const int64_t lda = transa == TransposeType::Transpose ? kK : kM;
      const int64_t ldb = transb == TransposeType::Transpose ? kN : kK;
      const Tensor actual = at::empty({kM * kN}, a.options());
      const Tensor expected = at::empty({kM * kN}, wide_a.options());
      ASSERT_TRUE(onednn::bfloat16_gemm(
          transa, transb, kM, kN, kK, 1, a.const_data_ptr<c10::BFloat16>(), lda,
          b.const_data_ptr<c10::BFloat16>(), ldb, 0, actual.mutable_data_ptr<c10::BFloat16>(), kM));
      cpublas::gemm(transa, transb, kM, kN, kK, 1, wide_a.const_data_ptr(), lda,
                    wide_b.const_data_ptr(), ldb, 0, expected.mutable_data_ptr(), kM, kFloat);
      expect_close(actual, values(expected), 1e-2);
    }
  }
}

TEST(OneDnn, LeavesTheRestToTheLoops) {
  // No window overlaps another.
  const ConvGeometry pointwise =
      conv_geometry(2, 1, 6, 10, {1, 40, 40}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1});
  const Tensor x = random_tensor({2, 6, 40, 40});
  const Tensor w = random_tensor({10, 6});
  Tensor y = at::empty({2, 10, 40, 40}, x.options());
  EXPECT_FALSE(onednn::conv_forward(pointwise, kFloat, x.const_data_ptr(), w.const_data_ptr(),
                                    nullptr, y.mutable_data_ptr()));
  EXPECT_FALSE(onednn::convolves(kHalf));
  constexpr int64_t kSide = 200;
  const Tensor a = random_tensor({kSide * kSide}).to(kBFloat16);
  const Tensor c = at::empty({kSide * kSide}, a.options());
  c.fill_(2);
  const auto product = [&](int64_t side, double beta) {
    const auto* p = a.const_data_ptr<c10::BFloat16>();
    return onednn::bfloat16_gemm(TransposeType::NoTranspose, TransposeType::NoTranspose, side, side,
                                 side, 1, p, side, p, side, beta,
                                 c.mutable_data_ptr<c10::BFloat16>(), side);
  };
  EXPECT_FALSE(product(kSide, 0.5));
  EXPECT_FALSE(product(8, 0));
  EXPECT_EQ(values(c), std::vector<double>(kSide * kSide, 2.0));
}

TEST(OneDnn, LeavesImagesToTheLoopsOfOneThread) {
  if (!onednn::is_available()) GTEST_SKIP() << "a build without --onednn";
  const int before = at::get_num_threads();
  const ConvGeometry g =
      conv_geometry(1, 1, 3, 16, {1, 40, 40}, {1, 7, 7}, {1, 2, 2}, {0, 3, 3}, {1, 1, 1});
  const Tensor x = random_tensor({1, 3, 40, 40});
  const Tensor w = random_tensor({16, 3, 7, 7});
  const Tensor y = at::empty({1, 16, g.out[1], g.out[2]}, x.options());
  const auto convolve = [&](int threads) {
    at::set_num_threads(threads);
    return onednn::conv_forward(g, kFloat, x.const_data_ptr(), w.const_data_ptr(), nullptr,
                                y.mutable_data_ptr());
  };
  EXPECT_FALSE(convolve(1));
  EXPECT_TRUE(convolve(2));
  at::set_num_threads(before);
}

// Each thread of the program is a folder.
int64_t threads() {
  const std::filesystem::directory_iterator folders("/proc/self/task");
  return std::distance(begin(folders), end(folders));
}

TEST(OneDnn, UsesNoMoreThreadsThanWereAskedFor) {
  if (!onednn::is_available()) GTEST_SKIP() << "a build without --onednn";
  const int64_t before = threads();
  at::set_num_threads(1);
  const ConvGeometry g = kGeometries[0];
  const Tensor x = random_tensor({g.batch, g.in_channels, g.in[1], g.in[2]});
  const Tensor w = random_tensor({g.out_channels, g.in_channels, 3, 3});
  const Tensor y = at::empty({g.batch, g.out_channels, g.out[1], g.out[2]}, x.options());
  const auto convolve = [&] {
    return onednn::conv_forward(g, kFloat, x.const_data_ptr(), w.const_data_ptr(), nullptr,
                                y.mutable_data_ptr());
  };
  ASSERT_TRUE(convolve());
  EXPECT_EQ(threads(), before);
  at::set_num_threads(static_cast<int>(before) + 1);
  ASSERT_TRUE(convolve());
  EXPECT_EQ(threads(), before + 1);
}

}  // namespace
}  // namespace at::native::testing
