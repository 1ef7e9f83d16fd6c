// Maxima over windows, in one, two and three dimensions, adaptive windows too.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Pool.h>
#include <ATen/ops/adaptive_max_pool1d_native.h>
#include <ATen/ops/adaptive_max_pool2d.h>
#include <ATen/ops/adaptive_max_pool2d_backward_native.h>
#include <ATen/ops/adaptive_max_pool2d_native.h>
#include <ATen/ops/adaptive_max_pool3d_backward_native.h>
#include <ATen/ops/adaptive_max_pool3d_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/max_pool1d_native.h>
#include <ATen/ops/max_pool1d_with_indices.h>
#include <ATen/ops/max_pool1d_with_indices_native.h>
#include <ATen/ops/max_pool2d_native.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool2d_with_indices_backward_native.h>
#include <ATen/ops/max_pool2d_with_indices_native.h>
#include <ATen/ops/max_pool3d_native.h>
#include <ATen/ops/max_pool3d_with_indices.h>
#include <ATen/ops/max_pool3d_with_indices_backward_native.h>
#include <ATen/ops/max_pool3d_with_indices_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(max_pool_stub);
DEFINE_DISPATCH(max_pool_channels_last_stub);
DEFINE_DISPATCH(max_pool_backward_stub);

namespace {

// Results have the memory format of the input. In three dimensions that of a single volume counts
// too, and adaptive pooling is contiguous.
Tensor in_format_of(const Tensor& self, const Tensor& result, int64_t dims, bool adaptive) {
  if (dims != 3) return pooled_in_format(result, self.suggest_memory_format());
  if (adaptive) return result;
  if (self.dim() == 5) return pooled_in_format(result, self.suggest_memory_format());
  const Tensor volume = self.unsqueeze(0);
  const MemoryFormat last = MemoryFormat::ChannelsLast3d;
  if (self.is_contiguous() || !volume.is_contiguous(last)) return result;
  return pooled_in_format(result.unsqueeze(0), last).squeeze(0);
}

std::pair<Tensor, Tensor> max_pool(const char* name, const Tensor& self, int64_t dims,
                                   const PoolGeometry& g, bool adaptive) {
  TORCH_CHECK_NOT_IMPLEMENTED(
      !self.is_cpu() || !adaptive || c10::isFloatingType(self.scalar_type()) ||
          g.planes * g.out_size() == 0,
      '"', name, "\" not implemented for '", c10::toString(self.scalar_type()), "'");
  const auto format = self.suggest_memory_format();
  // Few channels are not worth a loop of their own.
  const bool keeps = dims != 3 || !adaptive;
  if (keeps && self.is_cpu() && format != MemoryFormat::Contiguous && self.size(1) >= 4 &&
      g.planes == self.size(0) * self.size(1)) {
    const Tensor x = self.contiguous(format);
    Tensor output = at::empty(g.out_sizes, x.options(), format);
    Tensor indices = at::empty(g.out_sizes, x.options().dtype(kLong), format);
    if (output.numel() != 0) {
      max_pool_channels_last_stub(DeviceType::CPU, g, adaptive, self.size(1), x.scalar_type(),
                                  x.const_data_ptr(), output.mutable_data_ptr(),
                                  indices.mutable_data_ptr<int64_t>());
    }
    return {output, indices};
  }
  const Tensor x = self.contiguous();
  Tensor output = at::empty(g.out_sizes, x.options());
  Tensor indices = at::empty(g.out_sizes, x.options().dtype(kLong));
  if (output.numel() != 0) {
    max_pool_stub(x.device().type(), g, adaptive, x.scalar_type(), x.const_data_ptr(),
                  output.mutable_data_ptr(), indices.mutable_data_ptr<int64_t>());
  }
  return {in_format_of(self, output, dims, adaptive), in_format_of(self, indices, dims, adaptive)};
}

// Adds each output's gradient to the element that was the maximum.
Tensor max_pool_backward(const char* name, const Tensor& grad_output, const Tensor& self,
                         const Tensor& indices, int64_t dims) {
  TORCH_CHECK(grad_output.scalar_type() == self.scalar_type(), name, ": expected dtype ",
              self.scalar_type(), " for `grad_output` but got dtype ", grad_output.scalar_type());
  TORCH_CHECK(grad_output.sizes() == indices.sizes(), name, ": expected grad_output of size ",
              indices.sizes(), ", but got ", grad_output.sizes());
  const auto format = self.suggest_memory_format();
  const bool channels_last =
      self.is_cpu() && self.dim() == dims + 2 && format != MemoryFormat::Contiguous;
  // Sums of 16-bit elements are sums of floats, rounded once.
  const bool widens = channels_last && c10::isReducedFloatingType(self.scalar_type());
  const auto within = channels_last ? format : MemoryFormat::Contiguous;
  const Tensor gy = (widens ? grad_output.to(kFloat) : grad_output).contiguous(within);
  const Tensor places = indices.contiguous(within);
  const Tensor sums = at::empty(self.sizes(), gy.options(), within).zero_();
  const auto result = [&] { return sums.to(self.scalar_type()).contiguous(format); };
  if (gy.numel() == 0) return result();
  int64_t in_size = 1;
  int64_t out_size = 1;
  for (int64_t d = -dims; d < 0; ++d) {
    in_size *= self.size(d);
    out_size *= gy.size(d);
  }
  if (!self.is_cpu()) {
    const int64_t planes = gy.numel() / out_size;
    sums.view({planes, in_size})
        .scatter_add_(1, places.view({planes, out_size}), gy.view({planes, out_size}));
    return result();
  }
  const int64_t channels = channels_last ? self.size(1) : 1;
  const MaxPoolGradient pool{name, gy.numel() / out_size / channels, channels, in_size, out_size};
  max_pool_backward_stub(DeviceType::CPU, pool, gy.scalar_type(), gy.const_data_ptr(),
                         places.const_data_ptr<int64_t>(), sums.mutable_data_ptr());
  return result();
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  return max_pool(
      "max_pool2d", self, 2,
      pool_geometry("max_pool2d", self, 2, kernel_size, stride, padding, dilation, ceil_mode),
      /*adaptive=*/false);
}

std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(const Tensor& self,
                                                         IntArrayRef kernel_size,
                                                         IntArrayRef stride, IntArrayRef padding,
                                                         IntArrayRef dilation, bool ceil_mode,
                                                         Tensor& out, Tensor& indices) {
  const auto [y, places] =
      native::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode);
  return {write_out(out, y), write_out(indices, places)};
}

Tensor max_pool2d_with_indices_backward(const Tensor& grad_output, const Tensor& self,
                                        IntArrayRef kernel_size, IntArrayRef stride,
                                        IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices) {
  pool_geometry("max_pool2d", self, 2, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_backward("max_pool2d_backward", grad_output, self, indices, 2);
}

std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  return max_pool(
      "max_pool3d", self, 3,
      pool_geometry("max_pool3d", self, 3, kernel_size, stride, padding, dilation, ceil_mode),
      /*adaptive=*/false);
}

std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(const Tensor& self,
                                                         IntArrayRef kernel_size,
                                                         IntArrayRef stride, IntArrayRef padding,
                                                         IntArrayRef dilation, bool ceil_mode,
                                                         Tensor& out, Tensor& indices) {
  const auto [y, places] =
      native::max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode);
  return {write_out(out, y), write_out(indices, places)};
}

Tensor max_pool3d_with_indices_backward(const Tensor& grad_output, const Tensor& self,
                                        IntArrayRef kernel_size, IntArrayRef stride,
                                        IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                        const Tensor& indices) {
  pool_geometry("max_pool3d", self, 3, kernel_size, stride, padding, dilation, ceil_mode);
  return max_pool_backward("max_pool3d_backward", grad_output, self, indices, 3);
}

namespace {

void check_max_pool1d(const Tensor& self, int64_t kernel, int64_t stride, int64_t padding,
                      int64_t dilation, bool ceil_mode) {
  TORCH_CHECK(kernel > 0, "max_pool1d() kernel_size must be greater than zero, but got ", kernel);
  TORCH_CHECK(stride > 0, "max_pool1d() stride must be greater than zero, but got ", stride);
  TORCH_CHECK(dilation > 0, "max_pool1d() dilation must be greater than zero, but got ", dilation);
  TORCH_CHECK(
      self.size(-1) > 0 && self.size(-2) > 0,
      "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
      self.sizes());
  const int64_t room = self.size(-1) + 2 * padding - dilation * (kernel - 1) - 1;
  // The last window of ceil_mode may reach over the end.
  TORCH_CHECK(room >= 0 || (ceil_mode && room + stride > 0),
              "max_pool1d() Invalid computed output size: ", (room - stride + 1) / stride + 1,
              ". Output size is too small");
}

}  // namespace

// One dimension is two with a size of 1.
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  TORCH_CHECK(
      kernel_size.size() == 1 && stride.size() <= 1 && padding.size() == 1 && dilation.size() == 1,
      "max_pool1d() arguments kernel_size, stride, padding and dilation must be of length 1");
  TORCH_CHECK(
      self.dim() == 2 || self.dim() == 3,
      "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:",
      self.sizes());
  check_max_pool1d(self, kernel_size[0], stride.empty() ? kernel_size[0] : stride[0], padding[0],
                   dilation[0], ceil_mode);
  const auto [output, indices] = at::max_pool2d_with_indices(
      self.unsqueeze(-2), {1, kernel_size[0]},
      std::vector<int64_t>{1, stride.empty() ? kernel_size[0] : stride[0]}, {0, padding[0]},
      {1, dilation[0]}, ceil_mode);
  return {output.squeeze(-2), indices.squeeze(-2)};
}

Tensor max_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(
      at::max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor max_pool2d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(
      at::max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

Tensor max_pool3d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode) {
  return std::get<0>(
      at::max_pool3d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode));
}

std::tuple<Tensor, Tensor> adaptive_max_pool2d(const Tensor& self, IntArrayRef output_size) {
  return max_pool(
      "adaptive_max_pool2d", self, 2,
      adaptive_pool_geometry("adaptive_max_pool2d", self, 2, output_size, /*mean=*/false),
      /*adaptive=*/true);
}

std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(const Tensor& self, IntArrayRef output_size,
                                                     Tensor& out, Tensor& indices) {
  const auto [y, places] = native::adaptive_max_pool2d(self, output_size);
  return {write_out(out, y), write_out(indices, places)};
}

Tensor adaptive_max_pool2d_backward(const Tensor& grad_output, const Tensor& self,
                                    const Tensor& indices) {
  check_adaptive_sizes("adaptive_max_pool2d_backward", "grad_output", grad_output, 1);
  return max_pool_backward("adaptive_max_pool2d_backward", grad_output, self, indices, 2);
}

std::tuple<Tensor, Tensor> adaptive_max_pool3d(const Tensor& self, IntArrayRef output_size) {
  return max_pool(
      "adaptive_max_pool3d", self, 3,
      adaptive_pool_geometry("adaptive_max_pool3d", self, 3, output_size, /*mean=*/false),
      /*adaptive=*/true);
}

std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(const Tensor& self, IntArrayRef output_size,
                                                     Tensor& out, Tensor& indices) {
  const auto [y, places] = native::adaptive_max_pool3d(self, output_size);
  return {write_out(out, y), write_out(indices, places)};
}

Tensor adaptive_max_pool3d_backward(const Tensor& grad_output, const Tensor& self,
                                    const Tensor& indices) {
  check_adaptive_sizes("adaptive_max_pool3d_backward", "grad_output", grad_output, 1);
  return max_pool_backward("adaptive_max_pool3d_backward", grad_output, self, indices, 3);
}

std::tuple<Tensor, Tensor> adaptive_max_pool1d(const Tensor& self, IntArrayRef output_size) {
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3,
              "adaptive_max_pool1d() Expected 2D or 3D input tensor, but got ", self.sizes());
  TORCH_CHECK(output_size.size() == 1,
              "adaptive_max_pool1d() argument 'output_size' should contain one int (got ",
              output_size.size(), ")");
  const auto [output, indices] = at::adaptive_max_pool2d(self.unsqueeze(-2), {1, output_size[0]});
  return {output.squeeze(-2), indices.squeeze(-2)};
}

}  // namespace at::native
