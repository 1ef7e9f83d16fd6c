// Convolution with one input channel in each group: rows of the output are sums of shifted rows.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/DepthwiseConv.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>

#include <algorithm>
#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// y[i] += w * x[i * stride]
template <typename T>
void add_scaled(int64_t n, T w, const T* x, int64_t stride, T* y) {
  using Vec = Vectorized<T>;
  int64_t i = 0;
  if (stride == 1) {
    const Vec vw(w);
    for (; i + Vec::size() <= n; i += Vec::size()) {
      vec::fmadd(vw, Vec::loadu(x + i), Vec::loadu(y + i)).store(y + i);
    }
  }
  for (; i < n; ++i) y[i] += w * x[i * stride];
}

template <typename T>
void depthwise_plane(const ConvGeometry& g, const T* x, const T* w, T bias, T* y) {
  const int64_t stride = g.stride[2];
  for (int64_t oh = 0; oh < g.out[1]; ++oh) {
    T* row = y + oh * g.out[2];
    std::fill_n(row, g.out[2], bias);
    for (int64_t kh = 0; kh < g.kernel[1]; ++kh) {
      const int64_t ih = oh * g.stride[1] - g.padding[1] + kh * g.dilation[1];
      if (ih < 0 || ih >= g.in[1]) continue;
      for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
        // Output columns whose input column is not padding.
        const int64_t start = kw * g.dilation[2] - g.padding[2];
        const int64_t first = start >= 0 ? 0 : (-start + stride - 1) / stride;
        const int64_t last =
            std::min(g.out[2], start >= g.in[2] ? 0 : (g.in[2] - start + stride - 1) / stride);
        if (first >= last) continue;
        add_scaled(last - first, w[kh * g.kernel[2] + kw],
                   x + ih * g.in[2] + start + first * stride, stride, row + first);
      }
    }
  }
}

void depthwise_conv_kernel(const ConvGeometry& g, c10::ScalarType dtype, const void* x,
                           const void* w, const void* bias, void* y) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "depthwise_conv", [&] {
    const int64_t planes = g.groups * g.out_channels;
    const auto* px = static_cast<const scalar_t*>(x);
    const auto* pw = static_cast<const scalar_t*>(w);
    const auto* pb = static_cast<const scalar_t*>(bias);
    auto* py = static_cast<scalar_t*>(y);
    at::parallel_for(0, g.batch * planes, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t plane = i % planes;
        const int64_t channel = i / planes * g.groups + plane / g.out_channels;
        depthwise_plane(g, px + channel * g.in_size(), pw + plane * g.kernel_size(),
                        pb != nullptr ? pb[plane] : scalar_t(0), py + i * g.out_size());
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(depthwise_conv_stub, &CPU_CAPABILITY::depthwise_conv_kernel)

}  // namespace at::native
