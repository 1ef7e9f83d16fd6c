// Convolution by products, which a GPU runs, against the CPU's loops.

#include <ATen/core/Tensor.h>
#include <ATen/native/ConvProducts.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/conv_testing_support.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <vector>

namespace at::native::testing {
namespace {

TEST(ConvProducts, AreWhatTheLoopsCompute) {
  for (const ConvGeometry& g :
       {conv_geometry(2, 2, 3, 2, {5, 6, 7}, {2, 3, 3}, {1, 2, 3}, {0, 1, 2}, {1, 2, 1}),
        conv_geometry(3, 1, 3, 2, {1, 9, 4}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}),
        conv_geometry(1, 3, 3, 2, {1, 1, 9}, {1, 1, 4}, {1, 1, 2}, {0, 0, 0}, {1, 1, 2})}) {
    const Tensor x = random_tensor({g.batch, g.groups * g.in_channels, g.in[0], g.in[1], g.in[2]});
    const Tensor w = random_tensor(
        {g.groups * g.out_channels, g.in_channels, g.kernel[0], g.kernel[1], g.kernel[2]});
    const Tensor bias = random_tensor({g.groups * g.out_channels});
    const Tensor y =
        random_tensor({g.batch, g.groups * g.out_channels, g.out[0], g.out[1], g.out[2]});
    const auto like = [](const Tensor& t) { return at::empty(t.sizes(), t.options()); };
    Tensor expected = like(y);
    Tensor actual = like(y);
    conv_forward(g, kFloat, x.const_data_ptr(), w.const_data_ptr(), bias.const_data_ptr(),
                 expected.mutable_data_ptr());
    conv_forward_by_products(g, x, w, bias, actual);
    expect_close(actual, values(expected), 1e-4);
    expected = like(x);
    actual = like(x);
    conv_backward_input(g, kFloat, y.const_data_ptr(), w.const_data_ptr(),
                        expected.mutable_data_ptr());
    conv_backward_input_by_products(g, y, w, actual);
    expect_close(actual, values(expected), 1e-4);
    expected = like(w);
    actual = like(w);
    conv_backward_weight(g, kFloat, y.const_data_ptr(), x.const_data_ptr(),
                         expected.mutable_data_ptr());
    conv_backward_weight_by_products(g, y, x, actual);
    expect_close(actual, values(expected), 1e-4);
  }
}

}  // namespace
}  // namespace at::native::testing
