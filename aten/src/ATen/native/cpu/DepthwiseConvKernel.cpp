// Convolution with one input channel in each group. A plane is copied into a frame of zeros, with
// the columns that are a stride apart side by side: then every vector of outputs is a sum
// of products of whole vectors, at the edges too.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/DepthwiseConv.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

template <typename T>
class Depthwise {
 public:
  explicit Depthwise(const ConvGeometry& g)
      : g_(g),
        vectors_((g.out[2] + Vec::size() - 1) / Vec::size()),
        width_(std::max((g.in[2] + 2 * g.padding[2] + stride() - 1) / stride(),
                        vectors_ * Vec::size() + (g.kernel[2] - 1) * g.dilation[2] / stride())),
        frame_(static_cast<size_t>((g.in[1] + 2 * g.padding[1]) * stride() * width_), T(0)) {
    for (int64_t kw = 0; kw < g.kernel[2]; ++kw) columns_.push_back(column(kw * g.dilation[2]));
  }

  void operator()(const T* x, const T* w, T bias, T* y) {
    copy(x);
    for (int64_t oh = 0; oh < g_.out[1]; ++oh) {
      const T* row = frame_.data() + oh * g_.stride[1] * stride() * width_;
      // What a vector writes beyond its row the next row writes again.
      const int64_t left = (g_.out[1] - oh) * g_.out[2];
      int64_t v = 0;
      for (; v + 4 <= vectors_; v += 4) outputs<4>(row, w, bias, v * Vec::size(), y, left);
      for (; v < vectors_; ++v) outputs<1>(row, w, bias, v * Vec::size(), y, left);
      y += g_.out[2];
    }
  }

  // Adds what a plane, and the gradient of its output, give to the gradient of the weight.
  void add_weight_gradient(const T* x, const T* grad, T* w) {
    copy(x);
    const auto kernel = static_cast<int64_t>(columns_.size());
    for (int64_t kh = 0; kh < g_.kernel[1]; ++kh) {
      const T* line = frame_.data() + kh * g_.dilation[1] * stride() * width_;
      int64_t kw = 0;
      for (; kw + 3 <= kernel; kw += 3) add_products<3>(line, kw, grad, w + kw);
      for (; kw < kernel; ++kw) add_products<1>(line, kw, grad, w + kw);
      w += kernel;
    }
  }

 private:
  using Vec = Vectorized<T>;

  int64_t stride() const { return g_.stride[2]; }

  // Where a column of the padded plane is in a row of the frame.
  int64_t column(int64_t c) const { return c % stride() * width_ + c / stride(); }

  // The frame's zeros are never written.
  void copy(const T* x) {
    for (int64_t h = 0; h < g_.in[1]; ++h) {
      T* row = frame_.data() + (h + g_.padding[1]) * stride() * width_;
      const T* from = x + h * g_.in[2];
      if (stride() == 1) {
        copy_row(from, row + g_.padding[2]);
        continue;
      }
      // Columns that are a stride apart lie side by side.
      for (int64_t c = 0; c < std::min(stride(), g_.in[2]); ++c) {
        T* to = row + column(c + g_.padding[2]);
        for (int64_t i = c; i < g_.in[2]; i += stride()) *to++ = from[i];
      }
    }
  }

  // Rows are short: a call of memcpy takes longer.
  void copy_row(const T* from, T* to) const {
    int64_t c = 0;
    for (; c + Vec::size() <= g_.in[2]; c += Vec::size()) Vec::loadu(from + c).store(to + c);
    if (c < g_.in[2]) {
      vec::store_part(to + c, vec::load_part(from + c, g_.in[2] - c), g_.in[2] - c);
    }
  }

  // N vectors of a row of the output, from its column `first` on; `left` elements of the plane may
  // be written from y on.
  template <int64_t N>
  void outputs(const T* row, const T* w, T bias, int64_t first, T* y, int64_t left) const {
    std::array<Vec, N> sums;
    sums.fill(Vec(bias));
    for (int64_t kh = 0; kh < g_.kernel[1]; ++kh) {
      const T* line = row + kh * g_.dilation[1] * stride() * width_ + first;
      for (const int64_t offset : columns_) {
        const Vec weight(*w++);
#pragma GCC unroll 4
        for (int64_t n = 0; n < N; ++n) {
          sums[n] = vec::fmadd(weight, Vec::loadu(line + offset + n * Vec::size()), sums[n]);
        }
      }
    }
#pragma GCC unroll 4
    for (int64_t n = 0; n < N; ++n) {
      const int64_t at = first + n * Vec::size();
      if (left - at >= Vec::size()) {
        sums[n].store(y + at);
      } else if (left > at) {
        vec::store_part(y + at, sums[n], left - at);
      }
    }
  }

  // Adds the products with N columns of the kernel; `line` is the frame at one of its rows.
  template <int64_t N>
  void add_products(const T* line, int64_t kw, const T* grad, T* w) const {
    // Two accumulators for each: a multiplication does not wait for the one before it.
    std::array<Vec, 2 * N> sums;
    sums.fill(Vec(T(0)));
    for (int64_t oh = 0; oh < g_.out[1]; ++oh) {
      const auto take_in = [&](int64_t first, int64_t half) {
        const Vec gradients = Vec::loadu(grad + first);
#pragma GCC unroll 3
        for (int64_t n = 0; n < N; ++n) {
          Vec& sum = sums[2 * n + half];
          sum = vec::fmadd(gradients, Vec::loadu(line + columns_[kw + n] + first), sum);
        }
      };
      int64_t first = 0;
      for (; first + 2 * Vec::size() <= g_.out[2]; first += 2 * Vec::size()) {
        take_in(first, 0);
        take_in(first + Vec::size(), 1);
      }
      if (first + Vec::size() <= g_.out[2]) {
        take_in(first, 1);
        first += Vec::size();
      }
      if (const int64_t count = g_.out[2] - first; count > 0) {
        // Elements of the frame beyond the last output may be infinite: 0 times them is NaN.
        const Vec gradients = vec::load_part(grad + first, count);
        for (int64_t n = 0; n < N; ++n) {
          const Vec inputs = vec::load_part(line + columns_[kw + n] + first, count);
          sums[2 * n] = vec::fmadd(gradients, inputs, sums[2 * n]);
        }
      }
      grad += g_.out[2];
      line += g_.stride[1] * stride() * width_;
    }
    for (int64_t n = 0; n < N; ++n) {
      w[n] += vec::sum_of_lanes(Vec(sums[2 * n] + sums[2 * n + 1]));
    }
  }

  const ConvGeometry& g_;
  int64_t vectors_;  // of a row of the output
  int64_t width_;    // of the columns that are a stride apart
  std::vector<T> frame_;
  std::vector<int64_t> columns_;
};

void depthwise_conv_kernel(const ConvGeometry& g, c10::ScalarType dtype, const void* x,
                           const void* w, const void* bias, void* y) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "convolution", [&] {
    const int64_t planes = g.groups * g.out_channels;
    const auto* px = static_cast<const scalar_t*>(x);
    const auto* pw = static_cast<const scalar_t*>(w);
    const auto* pb = static_cast<const scalar_t*>(bias);
    auto* py = static_cast<scalar_t*>(y);
    at::parallel_for(0, g.batch * planes, 1, [&](int64_t begin, int64_t end) {
      Depthwise<scalar_t> convolve(g);
      for (int64_t i = begin; i < end; ++i) {
        const int64_t plane = i % planes;
        const int64_t channel = i / planes * g.groups + plane / g.out_channels;
        convolve(px + channel * g.in_size(), pw + plane * g.kernel_size(),
                 pb != nullptr ? pb[plane] : scalar_t(0), py + i * g.out_size());
      }
    });
  });
}

void depthwise_conv_backward_weight_kernel(const ConvGeometry& g, c10::ScalarType dtype,
                                           const void* y, const void* x, void* w) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "convolution_backward", [&] {
    const int64_t planes = g.groups * g.out_channels;
    const auto* px = static_cast<const scalar_t*>(x);
    const auto* py = static_cast<const scalar_t*>(y);
    auto* pw = static_cast<scalar_t*>(w);
    at::parallel_for(0, planes, 1, [&](int64_t begin, int64_t end) {
      Depthwise<scalar_t> convolve(g);
      for (int64_t plane = begin; plane < end; ++plane) {
        scalar_t* gradient = pw + plane * g.kernel_size();
        std::fill_n(gradient, g.kernel_size(), scalar_t(0));
        for (int64_t n = 0; n < g.batch; ++n) {
          const int64_t channel = n * g.groups + plane / g.out_channels;
          convolve.add_weight_gradient(px + channel * g.in_size(),
                                       py + (n * planes + plane) * g.out_size(), gradient);
        }
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(depthwise_conv_stub, &CPU_CAPABILITY::depthwise_conv_kernel)
REGISTER_DISPATCH(depthwise_conv_backward_weight_stub,
                  &CPU_CAPABILITY::depthwise_conv_backward_weight_kernel)

}  // namespace at::native
