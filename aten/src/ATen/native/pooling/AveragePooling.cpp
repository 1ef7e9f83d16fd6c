// Means over windows, in one, two and three dimensions, adaptive windows too.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Pool.h>
#include <ATen/ops/_adaptive_avg_pool2d.h>
#include <ATen/ops/_adaptive_avg_pool2d_backward_native.h>
#include <ATen/ops/_adaptive_avg_pool2d_native.h>
#include <ATen/ops/_adaptive_avg_pool3d.h>
#include <ATen/ops/_adaptive_avg_pool3d_backward_native.h>
#include <ATen/ops/_adaptive_avg_pool3d_native.h>
#include <ATen/ops/adaptive_avg_pool1d_native.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/adaptive_avg_pool2d_native.h>
#include <ATen/ops/adaptive_avg_pool3d_native.h>
#include <ATen/ops/avg_pool1d_native.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/avg_pool2d_backward_native.h>
#include <ATen/ops/avg_pool2d_native.h>
#include <ATen/ops/avg_pool3d_backward_native.h>
#include <ATen/ops/avg_pool3d_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(average_pool_stub);
DEFINE_DISPATCH(average_pool_backward_stub);

namespace {

// The elements of one window along each dimension, and what their sum is divided by.
struct Box {
  std::array<int64_t, 3> begin;
  std::array<int64_t, 3> end;
  int64_t divisor;
  bool empty() const { return begin[0] >= end[0] || begin[1] >= end[1] || begin[2] >= end[2]; }
};

// A window along one dimension, and how many elements the divisor counts in it.
struct Edge {
  int64_t begin;
  int64_t end;
  int64_t counted;
};

struct FixedBoxes {
  bool count_include_pad;
  std::optional<int64_t> divisor_override;

  AveragePool pool() const {
    return {/*adaptive=*/false, count_include_pad, divisor_override.value_or(0)};
  }
  Edge edge(const PoolGeometry& g, size_t d, int64_t place) const {
    const int64_t begin = place * g.stride[d] - g.padding[d];
    const int64_t end = std::min(begin + g.kernel[d], g.in[d] + g.padding[d]);
    const int64_t first = std::max<int64_t>(begin, 0);
    const int64_t last = std::min(end, g.in[d]);
    return {first, last, count_include_pad ? end - begin : std::max<int64_t>(last - first, 0)};
  }
};

struct AdaptiveBoxes {
  std::optional<int64_t> divisor_override;

  AveragePool pool() const { return {}; }
  Edge edge(const PoolGeometry& g, size_t d, int64_t place) const {
    const int64_t begin = adaptive_begin(place, g.out[d], g.in[d]);
    const int64_t end = adaptive_end(place, g.out[d], g.in[d]);
    return {begin, end, end - begin};
  }
};

// The windows of one plane, which are those of all.
class Windows {
 public:
  template <typename Boxes>
  Windows(const PoolGeometry& g, const Boxes& boxes) : divisor_(boxes.divisor_override) {
    for (size_t d = 0; d < 3; ++d) {
      for (int64_t place = 0; place < g.out[d]; ++place) {
        edges_[d].push_back(boxes.edge(g, d, place));
      }
    }
  }

  // Calls f(number of the output element, box) for the elements of one plane.
  template <typename F>
  void for_each(const F& f) const {
    int64_t o = 0;
    for (const Edge& d : edges_[0]) {
      for (const Edge& h : edges_[1]) {
        for (const Edge& w : edges_[2]) {
          f(o++, Box{{d.begin, h.begin, w.begin},
                     {d.end, h.end, w.end},
                     divisor_.value_or(d.counted * h.counted * w.counted)});
        }
      }
    }
  }

 private:
  std::optional<int64_t> divisor_;
  std::array<std::vector<Edge>, 3> edges_;
};

constexpr int64_t kGrain = 32768;  // elements that are worth a thread

// How many planes, or images of `channels` planes, are worth a thread.
int64_t grain_of(const PoolGeometry& g, int64_t channels = 1) {
  const int64_t size = channels * std::max(g.in_size(), g.out_size());
  return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, size));
}

template <typename T>
void average(const PoolGeometry& g, const Windows& windows, const T* x, T* y) {
  using acc_t = at::opmath_type<T>;
  at::parallel_for(0, g.planes, grain_of(g), [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      const T* in = x + plane * g.in_size();
      T* out = y + plane * g.out_size();
      windows.for_each([&](int64_t o, const Box& box) {
        acc_t sum(0);
        for (int64_t d = box.begin[0]; d < box.end[0]; ++d) {
          for (int64_t h = box.begin[1]; h < box.end[1]; ++h) {
            const T* row = in + (d * g.in[1] + h) * g.in[2];
            for (int64_t w = box.begin[2]; w < box.end[2]; ++w) sum += static_cast<acc_t>(row[w]);
          }
        }
        out[o] = box.empty() ? T(0) : static_cast<T>(sum / static_cast<acc_t>(box.divisor));
      });
    }
  });
}

// Channels that are summed together: a known number, which the compiler makes vectors of.
constexpr int64_t kChannels = 16;

// The same where the channels of a place lie together: x and y are of channels_last.
template <typename T>
void average_channels_last(const PoolGeometry& g, const Windows& windows, int64_t channels,
                           const T* x, T* y) {
  using acc_t = at::opmath_type<T>;
  at::parallel_for(0, g.planes / channels, grain_of(g, channels), [&](int64_t first, int64_t last) {
    for (int64_t image = first; image < last; ++image) {
      const T* in = x + image * channels * g.in_size();
      T* out = y + image * channels * g.out_size();
      windows.for_each([&](int64_t o, const Box& box) {
        for (int64_t c = 0; c < channels; c += kChannels) {
          const int64_t count = std::min(kChannels, channels - c);
          acc_t sums[kChannels] = {};
          for (int64_t d = box.begin[0]; d < box.end[0]; ++d) {
            for (int64_t h = box.begin[1]; h < box.end[1]; ++h) {
              for (int64_t w = box.begin[2]; w < box.end[2]; ++w) {
                const T* from = in + ((d * g.in[1] + h) * g.in[2] + w) * channels + c;
                if (count == kChannels) {
                  for (int64_t k = 0; k < kChannels; ++k) sums[k] += static_cast<acc_t>(from[k]);
                } else {
                  for (int64_t k = 0; k < count; ++k) sums[k] += static_cast<acc_t>(from[k]);
                }
              }
            }
          }
          T* to = out + o * channels + c;
          for (int64_t k = 0; k < count; ++k) {
            to[k] = box.empty() ? T(0) : static_cast<T>(sums[k] / static_cast<acc_t>(box.divisor));
          }
        }
      });
    }
  });
}

template <typename T>
void spread(const PoolGeometry& g, const Windows& windows, const T* gy, T* gx) {
  at::parallel_for(0, g.planes, grain_of(g), [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      T* in = gx + plane * g.in_size();
      const T* out = gy + plane * g.out_size();
      windows.for_each([&](int64_t o, const Box& box) {
        if (box.empty()) return;
        const T part = out[o] / static_cast<T>(box.divisor);
        for (int64_t d = box.begin[0]; d < box.end[0]; ++d) {
          for (int64_t h = box.begin[1]; h < box.end[1]; ++h) {
            T* row = in + (d * g.in[1] + h) * g.in[2];
            for (int64_t w = box.begin[2]; w < box.end[2]; ++w) row[w] += part;
          }
        }
      });
    }
  });
}

template <typename T>
void spread_channels_last(const PoolGeometry& g, const Windows& windows, int64_t channels,
                          const T* gy, T* gx) {
  at::parallel_for(0, g.planes / channels, grain_of(g, channels), [&](int64_t first, int64_t last) {
    std::vector<T> parts(static_cast<size_t>(channels));
    for (int64_t image = first; image < last; ++image) {
      T* in = gx + image * channels * g.in_size();
      const T* out = gy + image * channels * g.out_size();
      windows.for_each([&](int64_t o, const Box& box) {
        if (box.empty()) return;
        const T* from = out + o * channels;
        for (int64_t c = 0; c < channels; ++c) parts[c] = from[c] / static_cast<T>(box.divisor);
        for (int64_t d = box.begin[0]; d < box.end[0]; ++d) {
          for (int64_t h = box.begin[1]; h < box.end[1]; ++h) {
            for (int64_t w = box.begin[2]; w < box.end[2]; ++w) {
              T* to = in + ((d * g.in[1] + h) * g.in[2] + w) * channels;
              for (int64_t c = 0; c < channels; ++c) to[c] += parts[c];
            }
          }
        }
      });
    }
  });
}

template <typename Boxes>
Tensor average_pool(const char* name, const Tensor& self, const PoolGeometry& g,
                    const Boxes& boxes) {
  // Means in three dimensions are contiguous whatever the input, as in PyTorch.
  const bool images = self.dim() == 4 && g.planes == self.size(0) * self.size(1);
  const MemoryFormat format = images ? self.suggest_memory_format() : MemoryFormat::Contiguous;
  const bool channels_last = self.is_cpu() && format == MemoryFormat::ChannelsLast;
  const Tensor x =
      self.contiguous(channels_last ? MemoryFormat::ChannelsLast : MemoryFormat::Contiguous);
  Tensor output =
      at::empty(g.out_sizes, x.options(),
                channels_last ? std::optional(MemoryFormat::ChannelsLast) : std::nullopt);
  if (output.numel() == 0) return output;
  if (!x.is_cpu()) {
    average_pool_stub(x.device().type(), g, boxes.pool(), x.scalar_type(), x.const_data_ptr(),
                      output.mutable_data_ptr());
    return pooled_in_format(output, format);
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!boxes.pool().adaptive || c10::isFloatingType(x.scalar_type()), '"',
                              name, "\" not implemented for '", c10::toString(x.scalar_type()),
                              "'");
  const Windows windows(g, boxes);
  AT_DISPATCH_FLOATING_TYPES_AND3(kLong, kBFloat16, kHalf, x.scalar_type(), name, [&] {
    const auto* from = x.const_data_ptr<scalar_t>();
    auto* to = output.mutable_data_ptr<scalar_t>();
    if (channels_last) {
      average_channels_last(g, windows, self.size(1), from, to);
    } else {
      average(g, windows, from, to);
    }
  });
  return channels_last ? output : pooled_in_format(output, format);
}

template <typename Boxes>
Tensor average_pool_backward(const char* name, const Tensor& grad_output, const Tensor& self,
                             const PoolGeometry& g, const Boxes& boxes) {
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(g.out_sizes), name,
              ": expected grad_output of size ", IntArrayRef(g.out_sizes), ", but got ",
              grad_output.sizes());
  TORCH_CHECK(grad_output.scalar_type() == self.scalar_type(), "expected dtype ",
              self.scalar_type(), " for `grad_output` but got dtype ", grad_output.scalar_type());
  const MemoryFormat format = self.suggest_memory_format();
  const bool images = self.dim() == 4 && g.planes == self.size(0) * self.size(1);
  const bool channels_last = self.is_cpu() && images && format == MemoryFormat::ChannelsLast;
  // Sums of 16-bit elements are sums of floats, rounded once.
  const ScalarType type = self.scalar_type();
  const bool widens = self.is_cpu() && (type == kHalf || type == kBFloat16);
  const Tensor gy =
      (widens ? grad_output.to(kFloat) : grad_output)
          .contiguous(channels_last ? MemoryFormat::ChannelsLast : MemoryFormat::Contiguous);
  const Tensor grad_input =
      at::empty(self.sizes(), gy.options(),
                channels_last ? std::optional(MemoryFormat::ChannelsLast) : std::nullopt)
          .zero_();
  if (gy.numel() == 0) return grad_input.to(type);
  if (!gy.is_cpu()) {
    average_pool_backward_stub(gy.device().type(), g, boxes.pool(), gy.scalar_type(),
                               gy.const_data_ptr(), grad_input.mutable_data_ptr());
    return grad_input.contiguous(format);
  }
  const Windows windows(g, boxes);
  AT_DISPATCH_FLOATING_TYPES_AND(kLong, gy.scalar_type(), name, [&] {
    const auto* from = gy.const_data_ptr<scalar_t>();
    auto* to = grad_input.mutable_data_ptr<scalar_t>();
    if (channels_last) {
      spread_channels_last(g, windows, self.size(1), from, to);
    } else {
      spread(g, windows, from, to);
    }
  });
  const Tensor result = grad_input.to(type);
  return channels_last ? result : result.contiguous(format);
}

FixedBoxes fixed_boxes(bool count_include_pad, std::optional<int64_t> divisor_override) {
  TORCH_CHECK(!divisor_override.has_value() || *divisor_override != 0, "divisor must be not zero");
  return {count_include_pad, divisor_override};
}

PoolGeometry average_geometry(const char* name, const Tensor& self, int64_t dims,
                              IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                              bool ceil_mode) {
  return pool_geometry(name, self, dims, kernel_size, stride, padding, {1}, ceil_mode);
}

}  // namespace

#define TORCH_AVG_POOL(dims)                                                                       \
  Tensor avg_pool##dims##d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,        \
                           IntArrayRef padding, bool ceil_mode, bool count_include_pad,            \
                           std::optional<int64_t> divisor_override) {                              \
    const char* name = "avg_pool" #dims "d";                                                       \
    return average_pool(                                                                           \
        name, self, average_geometry(name, self, dims, kernel_size, stride, padding, ceil_mode),   \
        fixed_boxes(count_include_pad, divisor_override));                                         \
  }                                                                                                \
  Tensor& avg_pool##dims##d_out(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,   \
                                IntArrayRef padding, bool ceil_mode, bool count_include_pad,       \
                                std::optional<int64_t> divisor_override, Tensor& out) {            \
    return write_out(out, native::avg_pool##dims##d(self, kernel_size, stride, padding, ceil_mode, \
                                                    count_include_pad, divisor_override));         \
  }                                                                                                \
  Tensor avg_pool##dims##d_backward(const Tensor& grad_output, const Tensor& self,                 \
                                    IntArrayRef kernel_size, IntArrayRef stride,                   \
                                    IntArrayRef padding, bool ceil_mode, bool count_include_pad,   \
                                    std::optional<int64_t> divisor_override) {                     \
    const char* name = "avg_pool" #dims "d_backward";                                              \
    return average_pool_backward(                                                                  \
        name, grad_output, self,                                                                   \
        average_geometry(name, self, dims, kernel_size, stride, padding, ceil_mode),               \
        fixed_boxes(count_include_pad, divisor_override));                                         \
  }                                                                                                \
  Tensor _adaptive_avg_pool##dims##d(const Tensor& self, IntArrayRef output_size) {                \
    const char* name = "adaptive_avg_pool" #dims "d";                                              \
    return average_pool(name, self, adaptive_pool_geometry(name, self, dims, output_size, true),   \
                        AdaptiveBoxes());                                                          \
  }                                                                                                \
  Tensor _adaptive_avg_pool##dims##d_backward(const Tensor& grad_output, const Tensor& self) {     \
    const char* name = "adaptive_avg_pool" #dims "d_backward";                                     \
    TORCH_CHECK(grad_output.dim() == self.dim(), name, ": expected grad_output to have ",          \
                self.dim(), " dimensions, but got ", grad_output.dim());                           \
    check_adaptive_sizes(name, "grad_output", grad_output, 1);                                     \
    const IntArrayRef sizes = grad_output.sizes();                                                 \
    return average_pool_backward(                                                                  \
        name, grad_output, self,                                                                   \
        adaptive_pool_geometry(name, self, dims,                                                   \
                               sizes.slice(sizes.size() - static_cast<size_t>(dims)), true),       \
        AdaptiveBoxes());                                                                          \
  }
TORCH_AVG_POOL(2)
TORCH_AVG_POOL(3)
#undef TORCH_AVG_POOL

Tensor avg_pool1d(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool count_include_pad) {
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3,
              "avg_pool1d() Expected 2D or 3D input tensor, but got ", self.sizes());
  TORCH_CHECK(kernel_size.size() == 1 && stride.size() <= 1 && padding.size() == 1,
              "avg_pool1d() arguments kernel_size, stride and padding must be of length 1");
  const Tensor output =
      at::avg_pool2d(self.unsqueeze(-2), {1, kernel_size[0]},
                     std::vector<int64_t>{1, stride.empty() ? kernel_size[0] : stride[0]},
                     {0, padding[0]}, ceil_mode, count_include_pad, std::nullopt);
  return output.squeeze(-2);
}

Tensor adaptive_avg_pool1d(const Tensor& self, IntArrayRef output_size) {
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3,
              "adaptive_avg_pool1d() Expected 2D or 3D input tensor, but got ", self.sizes());
  TORCH_CHECK(output_size.size() == 1,
              "adaptive_avg_pool1d() argument 'output_size' should contain one int (got ",
              output_size.size(), ")");
  return at::adaptive_avg_pool2d(self.unsqueeze(-2), {1, output_size[0]}).squeeze(-2);
}

namespace {

// The mean over all of space. Its sizes of 1 say nothing of the memory format; the strides do.
Tensor global_average(const Tensor& self, IntArrayRef dims) {
  Tensor mean = self.mean(dims, /*keepdim=*/true);
  const MemoryFormat format = self.suggest_memory_format();
  if (format == MemoryFormat::Contiguous) return mean;
  const int64_t channels = mean.size(1);
  std::vector<int64_t> strides(mean.dim(), channels);
  strides[1] = 1;
  return mean.as_strided_(mean.sizes(), strides);
}

}  // namespace

Tensor adaptive_avg_pool2d(const Tensor& self, IntArrayRef output_size) {
  TORCH_CHECK(output_size.size() == 2, "adaptive_avg_pool2d: output_size must be 2");
  TORCH_CHECK(
      output_size[0] >= 0 && output_size[1] >= 0,
      "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {",
      output_size[0], ", ", output_size[1], "}");
  if (output_size[0] == 1 && output_size[1] == 1 && self.numel() > 0 && self.dim() >= 3 &&
      self.dim() <= 4) {
    return global_average(self, {-2, -1});
  }
  return at::_adaptive_avg_pool2d(self, output_size);
}

Tensor adaptive_avg_pool3d(const Tensor& self, IntArrayRef output_size) {
  TORCH_CHECK(output_size.size() == 3, "adaptive_avg_pool3d: output_size must be 3");
  TORCH_CHECK(
      output_size[0] >= 0 && output_size[1] >= 0 && output_size[2] >= 0,
      "adaptive_avg_pool3d: elements of output_size must be greater than or equal to 0 but received ",
      output_size);
  if (output_size[0] == 1 && output_size[1] == 1 && output_size[2] == 1 && self.numel() > 0 &&
      self.dim() >= 4 && self.dim() <= 5) {
    return global_average(self, {-3, -2, -1});
  }
  return at::_adaptive_avg_pool3d(self, output_size);
}

}  // namespace at::native
