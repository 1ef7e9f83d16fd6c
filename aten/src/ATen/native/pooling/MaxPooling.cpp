// Maxima over windows, in one, two and three dimensions, adaptive windows too.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
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
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(max_pool_stub);

namespace {

// First and last element (exclusive) of a window, and the step between its elements.
struct Window {
  int64_t begin;
  int64_t end;
  int64_t step;
};

Window fixed_window(const PoolGeometry& g, size_t d, int64_t i) {
  Window w{i * g.stride[d] - g.padding[d], 0, g.dilation[d]};
  w.end = std::min(w.begin + (g.kernel[d] - 1) * w.step + 1, g.in[d]);
  if (w.begin < 0) w.begin += (-w.begin + w.step - 1) / w.step * w.step;
  return w;
}

Window adaptive_window(const PoolGeometry& g, size_t d, int64_t i) {
  return {adaptive_begin(i, g.out[d], g.in[d]), adaptive_end(i, g.out[d], g.in[d]), 1};
}

template <typename T>
T lowest() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::lowest();
  } else {
    return -std::numeric_limits<T>::infinity();
  }
}

// Results have the memory format of the input. In three dimensions that of a single volume counts
// too, and adaptive pooling is contiguous.
template <Window (*window)(const PoolGeometry&, size_t, int64_t)>
Tensor in_format_of(const Tensor& self, const Tensor& result, int64_t dims) {
  if (dims != 3) return pooled_in_format(result, self.suggest_memory_format());
  if (window == adaptive_window) return result;
  if (self.dim() == 5) return pooled_in_format(result, self.suggest_memory_format());
  const Tensor volume = self.unsqueeze(0);
  const MemoryFormat last = MemoryFormat::ChannelsLast3d;
  if (self.is_contiguous() || !volume.is_contiguous(last)) return result;
  return pooled_in_format(result.unsqueeze(0), last).squeeze(0);
}

constexpr int64_t kGrain = 32768;  // elements that are worth a thread

// Channels that are compared together: a known number, which the compiler makes vectors of.
constexpr int64_t kChannels = 16;

// As above where the channels of a place lie together; places fit 32 bits.
template <typename T, Window (*window)(const PoolGeometry&, size_t, int64_t)>
void max_pool_channels_last(const PoolGeometry& g, int64_t channels, const T* x, T* y,
                            int64_t* indices) {
  const int64_t rows = g.out[0] * g.out[1];
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, g.out[2] * channels));
  at::parallel_for(0, g.planes / channels * rows, grain, [&](int64_t first, int64_t last) {
    for (int64_t line = first; line < last; ++line) {
      const T* in = x + line / rows * channels * g.in_size();
      const Window wd = window(g, 0, line % rows / g.out[1]);
      const Window wh = window(g, 1, line % g.out[1]);
      for (int64_t ow = 0; ow < g.out[2]; ++ow) {
        const Window ww = window(g, 2, ow);
        const int64_t start = (wd.begin * g.in[1] + wh.begin) * g.in[2] + ww.begin;
        for (int64_t c = 0; c < channels; c += kChannels) {
          const int64_t count = std::min(kChannels, channels - c);
          T best[kChannels];
          int32_t place[kChannels];
          std::fill_n(best, kChannels, lowest<T>());
          std::fill_n(place, kChannels, static_cast<int32_t>(start));
          const auto take = [&](const T* from, int32_t at, int64_t n) {
            for (int64_t k = 0; k < n; ++k) {
              const T value = from[k];
              const bool better = (value > best[k]) | (value != value);
              best[k] = better ? value : best[k];
              place[k] = better ? at : place[k];
            }
          };
          for (int64_t id = wd.begin; id < wd.end; id += wd.step) {
            for (int64_t ih = wh.begin; ih < wh.end; ih += wh.step) {
              for (int64_t iw = ww.begin; iw < ww.end; iw += ww.step) {
                const int64_t at = (id * g.in[1] + ih) * g.in[2] + iw;
                const T* from = in + at * channels + c;
                if (count == kChannels) {
                  take(from, static_cast<int32_t>(at), kChannels);
                } else {
                  take(from, static_cast<int32_t>(at), count);
                }
              }
            }
          }
          const int64_t o = (line * g.out[2] + ow) * channels + c;
          std::copy_n(best, count, y + o);
          std::copy_n(place, count, indices + o);
        }
      }
    }
  });
}

template <Window (*window)(const PoolGeometry&, size_t, int64_t)>
std::pair<Tensor, Tensor> max_pool(const char* name, const Tensor& self, int64_t dims,
                                   const PoolGeometry& g) {
  const auto format = self.suggest_memory_format();
  // Few channels are not worth a loop of their own.
  const bool keeps = dims != 3 || window != adaptive_window;
  if (keeps && self.is_cpu() && format != MemoryFormat::Contiguous && self.size(1) >= 4 &&
      g.planes == self.size(0) * self.size(1) &&
      g.in_size() <= std::numeric_limits<int32_t>::max()) {
    const Tensor x = self.contiguous(format);
    Tensor output = at::empty(g.out_sizes, x.options(), format);
    Tensor indices = at::empty(g.out_sizes, x.options().dtype(kLong), format);
    if (output.numel() == 0) return {output, indices};
    AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, x.scalar_type(), name, [&] {
      max_pool_channels_last<scalar_t, window>(g, self.size(1), x.const_data_ptr<scalar_t>(),
                                               output.mutable_data_ptr<scalar_t>(),
                                               indices.mutable_data_ptr<int64_t>());
    });
    return {output, indices};
  }
  const Tensor x = self.contiguous();
  Tensor output = at::empty(g.out_sizes, x.options());
  Tensor indices = at::empty(g.out_sizes, x.options().dtype(kLong));
  if (output.numel() != 0) {
    TORCH_CHECK_NOT_IMPLEMENTED(
        !x.is_cpu() || window != adaptive_window || c10::isFloatingType(x.scalar_type()), '"', name,
        "\" not implemented for '", c10::toString(x.scalar_type()), "'");
    max_pool_stub(x.device().type(), g, /*adaptive=*/window == adaptive_window, x.scalar_type(),
                  x.const_data_ptr(), output.mutable_data_ptr(),
                  indices.mutable_data_ptr<int64_t>());
  }
  return {in_format_of<window>(self, output, dims), in_format_of<window>(self, indices, dims)};
}

// Adds each output's gradient to the element that was the maximum.
Tensor max_pool_backward(const char* name, const Tensor& grad_output, const Tensor& self,
                         const Tensor& indices, int64_t dims) {
  TORCH_CHECK(grad_output.scalar_type() == self.scalar_type(), name, ": expected dtype ",
              self.scalar_type(), " for `grad_output` but got dtype ", grad_output.scalar_type());
  TORCH_CHECK(grad_output.sizes() == indices.sizes(), name, ": expected grad_output of size ",
              indices.sizes(), ", but got ", grad_output.sizes());
  // Sums of 16-bit elements are sums of floats, rounded once.
  const bool widens =
      self.is_cpu() && (self.scalar_type() == kHalf || self.scalar_type() == kBFloat16);
  const Tensor gy = (widens ? grad_output.to(kFloat) : grad_output).contiguous();
  const Tensor places = indices.contiguous();
  const Tensor sums = at::zeros(self.sizes(), gy.options());
  const auto result = [&] {
    return sums.to(self.scalar_type()).contiguous(self.suggest_memory_format());
  };
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
  AT_DISPATCH_ALL_TYPES(gy.scalar_type(), name, [&] {
    const auto* gyd = gy.const_data_ptr<scalar_t>();
    const auto* pd = places.const_data_ptr<int64_t>();
    auto* gxd = sums.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, gy.numel() / out_size, 1, [&](int64_t first, int64_t last) {
      for (int64_t plane = first; plane < last; ++plane) {
        scalar_t* gx = gxd + plane * in_size;
        for (int64_t i = plane * out_size; i < (plane + 1) * out_size; ++i) {
          const int64_t place = pd[i];
          TORCH_CHECK_INDEX(place >= 0 && place < in_size, name, ": index ", place,
                            " is out of bounds for a volume of ", in_size, " elements");
          gx[place] += gyd[i];
        }
      }
    });
  });
  return result();
}

}  // namespace

std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& self, IntArrayRef kernel_size,
                                                   IntArrayRef stride, IntArrayRef padding,
                                                   IntArrayRef dilation, bool ceil_mode) {
  return max_pool<fixed_window>(
      "max_pool2d", self, 2,
      pool_geometry("max_pool2d", self, 2, kernel_size, stride, padding, dilation, ceil_mode));
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
  return max_pool<fixed_window>(
      "max_pool3d", self, 3,
      pool_geometry("max_pool3d", self, 3, kernel_size, stride, padding, dilation, ceil_mode));
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
  return max_pool<adaptive_window>(
      "adaptive_max_pool2d", self, 2,
      adaptive_pool_geometry("adaptive_max_pool2d", self, 2, output_size, /*mean=*/false));
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
  return max_pool<adaptive_window>(
      "adaptive_max_pool3d", self, 3,
      adaptive_pool_geometry("adaptive_max_pool3d", self, 3, output_size, /*mean=*/false));
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
