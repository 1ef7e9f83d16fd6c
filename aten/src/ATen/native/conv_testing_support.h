#pragma once

// For the tests of convolutions.

#include <ATen/native/ConvUtils.h>

#include <cstddef>
#include <cstdint>

namespace at::native::testing {

// A convolution with channels of each group; the sizes of its output follow from the rest.
inline ConvGeometry conv_geometry(int64_t batch, int64_t groups, int64_t in_channels,
                                  int64_t out_channels, ConvGeometry::Dims in,
                                  ConvGeometry::Dims kernel, ConvGeometry::Dims stride,
                                  ConvGeometry::Dims padding, ConvGeometry::Dims dilation) {
  ConvGeometry g;
  g.batch = batch;
  g.groups = groups;
  g.in_channels = in_channels;
  g.out_channels = out_channels;
  g.in = in;
  g.kernel = kernel;
  g.stride = stride;
  g.padding = padding;
  g.dilation = dilation;
  for (size_t d = 0; d < 3; ++d) {
    g.out[d] = (in[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1;
  }
  return g;
}

}  // namespace at::native::testing
