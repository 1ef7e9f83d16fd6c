#pragma once

// One convolution in three dimensions, which those in one and two are with sizes of 1, and its
// loops.
//
// Its three products are each other's gradients: forward is convolution, backward_input transposed
// convolution and the gradient of the input, backward_weight the gradient of the weight of both.

#include <c10/core/ScalarType.h>

#include <array>
#include <cstdint>

namespace at::native {

struct ConvGeometry {
  using Dims = std::array<int64_t, 3>;

  int64_t batch = 0;
  int64_t groups = 1;
  int64_t in_channels = 0;   // of one group
  int64_t out_channels = 0;  // of one group
  Dims in = {1, 1, 1};
  Dims out = {1, 1, 1};
  Dims kernel = {1, 1, 1};
  Dims stride = {1, 1, 1};
  Dims padding = {0, 0, 0};
  Dims dilation = {1, 1, 1};

  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
  int64_t kernel_size() const { return kernel[0] * kernel[1] * kernel[2]; }
  // Whether every output element is a product of one input element of each channel.
  bool is_pointwise() const {
    return kernel_size() == 1 && in == out && stride == Dims{1, 1, 1} && padding == Dims{0, 0, 0};
  }
};

// All tensors are contiguous and of `dtype`, for which cpublas::gemm must know products:
// x (batch, groups * in_channels, in), w (groups * out_channels, in_channels, kernel),
// bias (groups * out_channels) or null, y (batch, groups * out_channels, out).
void conv_forward(const ConvGeometry& g, c10::ScalarType dtype, const void* x, const void* w,
                  const void* bias, void* y);
// x is overwritten.
void conv_backward_input(const ConvGeometry& g, c10::ScalarType dtype, const void* y, const void* w,
                         void* x);
// w is overwritten.
void conv_backward_weight(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                          const void* x, void* w);

// The columns of x, (batch, in_channels * kernel, out), whatever the groups.
void conv_unfold(const ConvGeometry& g, c10::ScalarType dtype, const void* x, void* columns);
// Adds columns to where in x they came from.
void conv_fold(const ConvGeometry& g, c10::ScalarType dtype, const void* columns, void* x);

}  // namespace at::native
