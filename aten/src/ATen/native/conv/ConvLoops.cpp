// The loops of ConvUtils.h: direct ones, or columns of the input, tile by tile, times the weight.
//
// A tile is a range of output elements whose columns fit the second cache, so that what unfolding
// writes is still there when the product reads it. (Unfolding as in Chellapilla, Puri and Simard,
// "High Performance Convolutional Neural Networks for Document Processing", 2006.)

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ConvUtils.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/CPUBlas.h>
#include <ATen/native/DepthwiseConv.h>
#include <ATen/native/DirectConv.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(depthwise_conv_stub);
DEFINE_DISPATCH(depthwise_conv_backward_weight_stub);
DEFINE_DISPATCH(direct_conv_forward_stub);
DEFINE_DISPATCH(direct_conv_backward_input_stub);
DEFINE_DISPATCH(direct_conv_backward_weight_stub);

namespace {

using cpublas::TransposeType;

constexpr int64_t kTileBytes = 512 * 1024;

// The elements of a column, for `channels` channels.
int64_t tile_length(const ConvGeometry& g, int64_t channels, size_t itemsize) {
  const int64_t column = std::max<int64_t>(1, channels * g.kernel_size());
  const int64_t fit = kTileBytes / (column * static_cast<int64_t>(itemsize));
  return std::min(std::max<int64_t>(64, fit / 16 * 16), std::max<int64_t>(1, g.out_size()));
}

// Calls row(offset in the tile, length, input position, first input column) for each run of output
// elements in [begin, end) that lie in one row, with kernel element (kd, kh, kw); the position is
// negative where the row reads padding alone.
template <typename F>
void for_each_run(const ConvGeometry& g, int64_t kd, int64_t kh, int64_t kw, int64_t begin,
                  int64_t end, const F& row) {
  int64_t position = begin;
  int64_t ow = begin % g.out[2];
  int64_t oh = begin / g.out[2] % g.out[1];
  int64_t od = begin / g.out[2] / g.out[1];
  while (position < end) {
    const int64_t length = std::min(end - position, g.out[2] - ow);
    const int64_t id = od * g.stride[0] - g.padding[0] + kd * g.dilation[0];
    const int64_t ih = oh * g.stride[1] - g.padding[1] + kh * g.dilation[1];
    const bool inside = id >= 0 && id < g.in[0] && ih >= 0 && ih < g.in[1];
    row(position - begin, length, inside ? (id * g.in[1] + ih) * g.in[2] : -1,
        ow * g.stride[2] - g.padding[2] + kw * g.dilation[2]);
    position += length;
    ow = 0;
    if (++oh == g.out[1]) {
      oh = 0;
      ++od;
    }
  }
}

// The part [first, last) of `length` elements, `stride` apart from `start`, that is in [0, size).
struct Inside {
  int64_t first;
  int64_t last;
};
Inside inside(int64_t start, int64_t stride, int64_t length, int64_t size) {
  const int64_t first = start >= 0 ? 0 : (-start + stride - 1) / stride;
  const int64_t last = start >= size ? 0 : (size - start + stride - 1) / stride;
  return {std::min(first, length), std::max(std::min(last, length), std::min(first, length))};
}

// to[i] = from[i * stride]; four are written at once.
template <typename T>
void copy_strided(T* to, const T* from, int64_t stride, int64_t length) {
  int64_t i = 0;
  for (; i + 4 <= length; i += 4) {
    const T* p = from + i * stride;
    const T four[4] = {p[0], p[stride], p[2 * stride], p[3 * stride]};
    std::copy(four, four + 4, to + i);
  }
  for (; i < length; ++i) to[i] = from[i * stride];
}

// Rows of the columns matrix: one for each channel and kernel element, `end - begin` long.
template <typename T>
void unfold(const ConvGeometry& g, const T* x, int64_t channels, int64_t begin, int64_t end,
            T* columns) {
  const int64_t stride = g.stride[2];
  T* out = columns;
  for (int64_t c = 0; c < channels; ++c) {
    const T* plane = x + c * g.in_size();
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh) {
        for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
          for_each_run(g, kd, kh, kw, begin, end,
                       [&](int64_t offset, int64_t length, int64_t position, int64_t iw) {
                         T* to = out + offset;
                         if (position < 0) {
                           std::fill_n(to, length, T(0));
                           return;
                         }
                         const Inside in = inside(iw, stride, length, g.in[2]);
                         std::fill(to, to + in.first, T(0));
                         const T* from = plane + position + iw;
                         if (stride == 1) {
                           std::copy(from + in.first, from + in.last, to + in.first);
                         } else {
                           copy_strided(to + in.first, from + in.first * stride, stride,
                                        in.last - in.first);
                         }
                         std::fill(to + in.last, to + length, T(0));
                       });
          out += end - begin;
        }
      }
    }
  }
}

// Adds the columns to where they came from.
template <typename T>
void fold(const ConvGeometry& g, const T* columns, int64_t channels, int64_t begin, int64_t end,
          T* x) {
  const int64_t stride = g.stride[2];
  const T* in_row = columns;
  for (int64_t c = 0; c < channels; ++c) {
    T* plane = x + c * g.in_size();
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd) {
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh) {
        for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
          for_each_run(g, kd, kh, kw, begin, end,
                       [&](int64_t offset, int64_t length, int64_t position, int64_t iw) {
                         if (position < 0) return;
                         const T* from = in_row + offset;
                         const Inside in = inside(iw, stride, length, g.in[2]);
                         T* to = plane + position + iw;
                         for (int64_t i = in.first; i < in.last; ++i) to[i * stride] += from[i];
                       });
          in_row += end - begin;
        }
      }
    }
  }
}

template <typename T>
void gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, const T* a,
          int64_t lda, const T* b, int64_t ldb, double beta, T* c, int64_t ldc) {
  const auto at_least_1 = [](int64_t ld) { return std::max<int64_t>(ld, 1); };
  cpublas::gemm(transa, transb, m, n, k, 1.0, a, at_least_1(lda), b, at_least_1(ldb), beta, c,
                at_least_1(ldc), c10::CppTypeToScalarType<T>::value);
}

template <typename T>
void forward(const ConvGeometry& g, const T* x, const T* w, const T* bias, T* y) {
  const int64_t k = g.in_channels * g.kernel_size();
  const int64_t size = g.out_size();
  const int64_t tile = tile_length(g, g.in_channels, sizeof(T));
  const int64_t tiles = (size + tile - 1) / tile;
  const bool pointwise = g.is_pointwise();
  at::parallel_for(0, g.batch * g.groups * tiles, 1, [&](int64_t first, int64_t last) {
    std::vector<T> columns(pointwise ? 0 : static_cast<size_t>(k * tile));
    for (int64_t task = first; task < last; ++task) {
      const int64_t image = task / tiles;  // an image of one group
      const int64_t group = image % g.groups;
      const int64_t begin = task % tiles * tile;
      const int64_t end = std::min(begin + tile, size);
      const T* in = x + image * g.in_channels * g.in_size();
      T* out = y + image * g.out_channels * size + begin;
      if (bias != nullptr) {
        for (int64_t o = 0; o < g.out_channels; ++o) {
          std::fill_n(out + o * size, end - begin, bias[group * g.out_channels + o]);
        }
      }
      if (!pointwise) unfold(g, in, g.in_channels, begin, end, columns.data());
      gemm(TransposeType::NoTranspose, TransposeType::NoTranspose, end - begin, g.out_channels, k,
           pointwise ? in + begin : columns.data(), pointwise ? size : end - begin,
           w + group * g.out_channels * k, k, bias != nullptr ? 1.0 : 0.0, out, size);
    }
  });
}

// Channels that one task takes, so that there are tasks for every thread.
int64_t channel_block(const ConvGeometry& g, int64_t tasks) {
  const int64_t wanted = std::max<int64_t>(1, at::get_num_threads() / std::max<int64_t>(tasks, 1));
  return std::max<int64_t>(1, (g.in_channels + wanted - 1) / wanted);
}

template <typename T>
void backward_input(const ConvGeometry& g, const T* y, const T* w, T* x) {
  const int64_t kernel = g.kernel_size();
  const int64_t size = g.out_size();
  const int64_t block = channel_block(g, g.batch * g.groups);
  const int64_t blocks = (g.in_channels + block - 1) / block;
  const int64_t tile = tile_length(g, block, sizeof(T));
  const bool pointwise = g.is_pointwise();
  at::parallel_for(0, g.batch * g.groups * blocks, 1, [&](int64_t first, int64_t last) {
    std::vector<T> columns(pointwise ? 0 : static_cast<size_t>(block * kernel * tile));
    for (int64_t task = first; task < last; ++task) {
      const int64_t image = task / blocks;
      const int64_t group = image % g.groups;
      const int64_t channel = task % blocks * block;
      const int64_t channels = std::min(block, g.in_channels - channel);
      const int64_t k = channels * kernel;
      const T* out = y + image * g.out_channels * size;
      const T* weight = w + (group * g.out_channels * g.in_channels + channel) * kernel;
      T* in = x + (image * g.in_channels + channel) * g.in_size();
      if (!pointwise) std::fill_n(in, channels * g.in_size(), T(0));
      for (int64_t begin = 0; begin < size; begin += tile) {
        const int64_t end = std::min(begin + tile, size);
        // columns^T (k x length) = weight^T y
        gemm(TransposeType::NoTranspose, TransposeType::Transpose, end - begin, k, g.out_channels,
             out + begin, size, weight, g.in_channels * kernel, 0.0,
             pointwise ? in + begin : columns.data(), pointwise ? size : end - begin);
        if (!pointwise) fold(g, columns.data(), channels, begin, end, in);
      }
    }
  });
}

template <typename T>
void backward_weight(const ConvGeometry& g, const T* y, const T* x, T* w) {
  const int64_t kernel = g.kernel_size();
  const int64_t size = g.out_size();
  const int64_t block = channel_block(g, g.groups);
  const int64_t blocks = (g.in_channels + block - 1) / block;
  const int64_t tile = tile_length(g, block, sizeof(T));
  const bool pointwise = g.is_pointwise();
  at::parallel_for(0, g.groups * blocks, 1, [&](int64_t first, int64_t last) {
    std::vector<T> columns(pointwise ? 0 : static_cast<size_t>(block * kernel * tile));
    for (int64_t task = first; task < last; ++task) {
      const int64_t group = task / blocks;
      const int64_t channel = task % blocks * block;
      const int64_t channels = std::min(block, g.in_channels - channel);
      const int64_t k = channels * kernel;
      T* weight = w + (group * g.out_channels * g.in_channels + channel) * kernel;
      for (int64_t n = 0; n < g.batch; ++n) {
        const int64_t image = n * g.groups + group;
        const T* in = x + (image * g.in_channels + channel) * g.in_size();
        const T* out = y + image * g.out_channels * size;
        for (int64_t begin = 0; begin < size; begin += tile) {
          const int64_t end = std::min(begin + tile, size);
          if (!pointwise) unfold(g, in, channels, begin, end, columns.data());
          // weight^T (k x out_channels) += columns y^T
          gemm(TransposeType::Transpose, TransposeType::NoTranspose, k, g.out_channels, end - begin,
               pointwise ? in + begin : columns.data(), pointwise ? size : end - begin, out + begin,
               size, n == 0 && begin == 0 ? 0.0 : 1.0, weight, g.in_channels * kernel);
        }
      }
    }
  });
}

// A product of matrices needs no columns of a pointwise convolution. x86 without AVX has few
// vectors and no multiply-add; there a BLAS library, which chooses its own instructions, is faster.
bool is_direct(const ConvGeometry& g, c10::ScalarType dtype) {
#if defined(__x86_64__) || defined(_M_X64)
  if (get_cpu_capability() == CPUCapability::DEFAULT) return false;
#endif
  return (dtype == kFloat || dtype == kDouble) && !g.is_pointwise();
}

// In two dimensions, one input channel in each group.
bool is_depthwise(const ConvGeometry& g, c10::ScalarType dtype) {
  return g.in_channels == 1 && g.groups > 1 && g.kernel[0] == 1 && g.in[0] == 1 &&
         g.padding[0] == 0 && g.out[0] == 1 && (dtype == kFloat || dtype == kDouble);
}

// Whether the gradient of the input is a depthwise convolution too: of the gradient of the output,
// with the elements of each kernel in reverse order.
bool is_depthwise_backwards(const ConvGeometry& g, c10::ScalarType dtype) {
  if (!is_depthwise(g, dtype) || g.out_channels != 1) return false;
  for (const size_t d : {1, 2}) {
    if (g.stride[d] != 1 || g.padding[d] > g.dilation[d] * (g.kernel[d] - 1)) return false;
  }
  return true;
}

template <typename T>
void depthwise_backward_input(const ConvGeometry& g, c10::ScalarType dtype, const T* y, const T* w,
                              T* x) {
  ConvGeometry back = g;
  std::swap(back.in, back.out);
  for (const size_t d : {1, 2}) {
    back.padding[d] = g.dilation[d] * (g.kernel[d] - 1) - g.padding[d];
  }
  const int64_t kernel = g.kernel_size();
  std::vector<T> reversed(static_cast<size_t>(g.groups * kernel));
  for (int64_t c = 0; c < g.groups; ++c) {
    std::reverse_copy(w + c * kernel, w + (c + 1) * kernel, reversed.data() + c * kernel);
  }
  depthwise_conv_stub(c10::DeviceType::CPU, back, dtype, y, reversed.data(), nullptr, x);
}

}  // namespace

void conv_forward(const ConvGeometry& g, c10::ScalarType dtype, const void* x, const void* w,
                  const void* bias, void* y) {
  if (is_depthwise(g, dtype)) {
    depthwise_conv_stub(c10::DeviceType::CPU, g, dtype, x, w, bias, y);
    return;
  }
  if (is_direct(g, dtype)) {
    direct_conv_forward_stub(c10::DeviceType::CPU, g, dtype, x, w, bias, y);
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX(dtype, "slow_conv2d_cpu", [&] {
    forward(g, static_cast<const scalar_t*>(x), static_cast<const scalar_t*>(w),
            static_cast<const scalar_t*>(bias), static_cast<scalar_t*>(y));
  });
}

void conv_backward_input(const ConvGeometry& g, c10::ScalarType dtype, const void* y, const void* w,
                         void* x) {
  if (is_depthwise_backwards(g, dtype)) {
    AT_DISPATCH_FLOATING_TYPES(dtype, "convolution_backward", [&] {
      depthwise_backward_input(g, dtype, static_cast<const scalar_t*>(y),
                               static_cast<const scalar_t*>(w), static_cast<scalar_t*>(x));
    });
    return;
  }
  if (is_direct(g, dtype)) {
    direct_conv_backward_input_stub(c10::DeviceType::CPU, g, dtype, y, w, x);
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX(dtype, "slow_conv2d_cpu_grad_input", [&] {
    backward_input(g, static_cast<const scalar_t*>(y), static_cast<const scalar_t*>(w),
                   static_cast<scalar_t*>(x));
  });
}

void conv_backward_weight(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                          const void* x, void* w) {
  if (is_depthwise(g, dtype)) {
    depthwise_conv_backward_weight_stub(c10::DeviceType::CPU, g, dtype, y, x, w);
    return;
  }
  if (is_direct(g, dtype)) {
    direct_conv_backward_weight_stub(c10::DeviceType::CPU, g, dtype, y, x, w);
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX(dtype, "slow_conv2d_cpu_grad_weight", [&] {
    backward_weight(g, static_cast<const scalar_t*>(y), static_cast<const scalar_t*>(x),
                    static_cast<scalar_t*>(w));
  });
}

void conv_unfold(const ConvGeometry& g, c10::ScalarType dtype, const void* x, void* columns) {
  const int64_t column = g.in_channels * g.kernel_size() * g.out_size();
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(
      kBFloat16, kHalf, kBool, dtype, "im2col_out_cpu", [&] {
        at::parallel_for(0, g.batch, 1, [&](int64_t first, int64_t last) {
          for (int64_t n = first; n < last; ++n) {
            unfold(g, static_cast<const scalar_t*>(x) + n * g.in_channels * g.in_size(),
                   g.in_channels, 0, g.out_size(), static_cast<scalar_t*>(columns) + n * column);
          }
        });
      });
}

void conv_fold(const ConvGeometry& g, c10::ScalarType dtype, const void* columns, void* x) {
  const int64_t column = g.in_channels * g.kernel_size() * g.out_size();
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kBFloat16, kHalf, dtype, "col2im_out_cpu", [&] {
    at::parallel_for(0, g.batch, 1, [&](int64_t first, int64_t last) {
      for (int64_t n = first; n < last; ++n) {
        fold(g, static_cast<const scalar_t*>(columns) + n * column, g.in_channels, 0, g.out_size(),
             static_cast<scalar_t*>(x) + n * g.in_channels * g.in_size());
      }
    });
  });
}

}  // namespace at::native
