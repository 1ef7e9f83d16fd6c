// Sliding blocks of images as columns, and their sum back.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/ops/col2im_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/im2col_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstddef>

namespace at::native {
namespace {

ConvGeometry block_geometry(int64_t height, int64_t width, IntArrayRef kernel, IntArrayRef dilation,
                            IntArrayRef padding, IntArrayRef stride) {
  const auto check = [](const char* name, IntArrayRef values, int64_t least) {
    TORCH_CHECK(values.size() == 2, "It is expected ", name, " equals to 2, but got size ",
                values.size());
    TORCH_CHECK(values[0] >= least && values[1] >= least, name, " should be ",
                least == 0 ? "non-negative" : "greater than zero", ", but got ", values);
  };
  check("kernel_size", kernel, 1);
  check("dilation", dilation, 1);
  check("padding", padding, 0);
  check("stride", stride, 1);
  ConvGeometry g;
  g.in = {1, height, width};
  for (size_t d = 0; d < 2; ++d) {
    g.kernel[d + 1] = kernel[d];
    g.stride[d + 1] = stride[d];
    g.padding[d + 1] = padding[d];
    g.dilation[d + 1] = dilation[d];
    const int64_t room = g.in[d + 1] + 2 * padding[d] - (dilation[d] * (kernel[d] - 1) + 1);
    g.out[d + 1] = room < 0 ? 0 : room / stride[d] + 1;
  }
  TORCH_CHECK(g.out[1] >= 1 && g.out[2] >= 1, "Given input with spatial size (", height, ", ",
              width, "), kernel_size=", kernel, ", dilation=", dilation, ", padding=", padding,
              ", stride=", stride, ", calculated shape of the array of sliding blocks as (",
              g.out[1], ", ", g.out[2], "), but its components must be at least one.");
  return g;
}

}  // namespace

Tensor im2col_cpu(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation,
                  IntArrayRef padding, IntArrayRef stride) {
  const bool batched = self.dim() == 4;
  TORCH_CHECK(
      (batched || self.dim() == 3) && self.size(-1) != 0 && self.size(-2) != 0 &&
          self.size(-3) != 0,
      "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ",
      self.sizes());
  const Tensor x = (batched ? self : self.unsqueeze(0)).contiguous();
  ConvGeometry g = block_geometry(x.size(2), x.size(3), kernel_size, dilation, padding, stride);
  g.batch = x.size(0);
  g.in_channels = x.size(1);
  Tensor columns = at::empty({g.batch, g.in_channels * g.kernel_size(), g.out_size()}, x.options());
  conv_unfold(g, x.scalar_type(), x.const_data_ptr(), columns.mutable_data_ptr());
  return batched ? columns : columns.squeeze(0);
}

Tensor col2im_cpu(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
                  IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
  TORCH_CHECK(output_size.size() == 2, "It is expected output_size equals to 2, but got size ",
              output_size.size());
  TORCH_CHECK(output_size[0] > 0 && output_size[1] > 0,
              "output_size should be greater than zero, but got ", output_size);
  const bool batched = self.dim() == 3;
  TORCH_CHECK(
      (batched || self.dim() == 2) && self.size(-1) != 0 && self.size(-2) != 0,
      "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: ",
      self.sizes());
  const Tensor columns = (batched ? self : self.unsqueeze(0)).contiguous();
  ConvGeometry g =
      block_geometry(output_size[0], output_size[1], kernel_size, dilation, padding, stride);
  TORCH_CHECK(
      columns.size(1) % g.kernel_size() == 0,
      "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=",
      columns.size(1), " and kernel_size=", kernel_size, ".");
  TORCH_CHECK(
      columns.size(2) == g.out_size(), "Given output_size=", output_size,
      ", kernel_size=", kernel_size, ", dilation=", dilation, ", padding=", padding,
      ", stride=", stride,
      ", expected size of input's dimension 2 to match the calculated number of sliding blocks ",
      g.out[1], " * ", g.out[2], " = ", g.out_size(), ", but got input.size(2)=", columns.size(2),
      ".");
  g.batch = columns.size(0);
  g.in_channels = columns.size(1) / g.kernel_size();
  Tensor image =
      at::zeros({g.batch, g.in_channels, output_size[0], output_size[1]}, columns.options());
  conv_fold(g, columns.scalar_type(), columns.const_data_ptr(), image.mutable_data_ptr());
  return batched ? image : image.squeeze(0);
}

}  // namespace at::native
