#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/ConvProducts.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace at::native {
namespace {

// Element i of window o is at stride * o + dilation * i of the padded input: a view of it, of sizes
// (batch, groups, in_channels, kernel, out).
Tensor windows(const ConvGeometry& g, const Tensor& x) {
  const auto& p = g.padding;
  const Tensor padded =
      at::constant_pad_nd(x.view({g.batch, g.groups, g.in_channels, g.in[0], g.in[1], g.in[2]}),
                          {p[2], p[2], p[1], p[1], p[0], p[0]}, 0)
          .contiguous();
  const IntArrayRef s = padded.strides();
  return padded.as_strided(
      {g.batch, g.groups, g.in_channels, g.kernel[0], g.kernel[1], g.kernel[2], g.out[0], g.out[1],
       g.out[2]},
      {s[0], s[1], s[2], g.dilation[0] * s[3], g.dilation[1] * s[4], g.dilation[2] * s[5],
       g.stride[0] * s[3], g.stride[1] * s[4], g.stride[2] * s[5]});
}

// A matrix for each image and group; those of one weight are the same.
Tensor matrices(const ConvGeometry& g, const Tensor& w) {
  const int64_t columns = g.in_channels * g.kernel_size();
  return w.view({1, g.groups, g.out_channels, columns})
      .expand({g.batch, g.groups, g.out_channels, columns})
      .reshape({g.batch * g.groups, g.out_channels, columns});
}

}  // namespace

void conv_forward_by_products(const ConvGeometry& g, const Tensor& x, const Tensor& w,
                              const Tensor& bias, const Tensor& y) {
  const Tensor columns =
      windows(g, x).reshape({g.batch * g.groups, g.in_channels * g.kernel_size(), g.out_size()});
  Tensor sums =
      at::bmm(matrices(g, w), columns).view({g.batch, g.groups * g.out_channels, g.out_size()});
  if (bias.defined()) sums.add_(bias.view({1, -1, 1}));
  y.copy_(sums.view(y.sizes()));
}

void conv_backward_input_by_products(const ConvGeometry& g, const Tensor& y, const Tensor& w,
                                     const Tensor& x) {
  const Tensor sums = y.view({g.batch * g.groups, g.out_channels, g.out_size()});
  const Tensor columns = at::bmm(matrices(g, w).transpose(1, 2), sums)
                             .view({g.batch, g.groups * g.in_channels, g.kernel[0], g.kernel[1],
                                    g.kernel[2], g.out[0], g.out[1], g.out[2]});
  std::array<int64_t, 3> size{};
  for (size_t d = 0; d < 3; ++d) size[d] = g.in[d] + 2 * g.padding[d];
  const Tensor padded =
      at::zeros({g.batch, g.groups * g.in_channels, size[0], size[1], size[2]}, x.options());
  // Windows overlap, but one element of each of them does not with the others' same.
  const auto places = [&](const Tensor& from, size_t d, int64_t i) {
    const int64_t begin = i * g.dilation[d];
    return from.slice(static_cast<int64_t>(d) + 2, begin, begin + (g.out[d] - 1) * g.stride[d] + 1,
                      g.stride[d]);
  };
  for (int64_t i = 0; i < g.kernel[0]; ++i) {
    for (int64_t j = 0; j < g.kernel[1]; ++j) {
      for (int64_t k = 0; k < g.kernel[2]; ++k) {
        places(places(places(padded, 0, i), 1, j), 2, k)
            .add_(columns.select(2, i).select(2, j).select(2, k));
      }
    }
  }
  x.copy_(padded.narrow(2, g.padding[0], g.in[0])
              .narrow(3, g.padding[1], g.in[1])
              .narrow(4, g.padding[2], g.in[2])
              .reshape(x.sizes()));
}

void conv_backward_weight_by_products(const ConvGeometry& g, const Tensor& y, const Tensor& x,
                                      const Tensor& w) {
  const Tensor sums = y.view({g.batch, g.groups, g.out_channels, g.out_size()})
                          .permute({1, 2, 0, 3})
                          .reshape({g.groups, g.out_channels, g.batch * g.out_size()});
  const Tensor columns =
      windows(g, x)
          .permute({1, 2, 3, 4, 5, 0, 6, 7, 8})
          .reshape({g.groups, g.in_channels * g.kernel_size(), g.batch * g.out_size()});
  w.copy_(at::bmm(sums, columns.transpose(1, 2)).view(w.sizes()));
}

}  // namespace at::native
