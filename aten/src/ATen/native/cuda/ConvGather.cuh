#pragma once

// Convolution as implicit GEMM (S. Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning",
// 2014): a product of matrices that reads one operand, the im2col matrix, from the image itself.
//
// That operand, the gathered image, has a row for each pixel and a column for each tap: a pair of
// a channel of the group and a position in the kernel. The second matrix is the weight, and the
// third the dense image, which is read or written where it is:
//
//   product          gathered  dense  M                N                K
//   FORWARD          x         y      pixels           channels of y    taps
//   BACKWARD_INPUT   y         x      pixels           channels of x    taps
//   BACKWARD_WEIGHT  x         y      channels of y    taps             pixels
//
// With a stride s, the gradient of the input splits into one convolution of stride 1 for each
// residue of the input position modulo s: only taps with
// (q + padding - tap * dilation) % s == 0 reach input position q.

#include <ATen/native/ConvLibrary.h>
#include <ATen/native/ConvUtils.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native::conv {

// In elements; 0 for a dimension of size 1.
struct Strides {
  int64_t batch, channel, dims[3];
};

struct Problem {
  bool backward_input;
  int batch, groups;
  int channels;        // of one group of the gathered image
  int dense_channels;  // of one group of the dense image
  int gathered_size[3], dense_size[3], kernel[3], stride[3], padding[3], dilation[3];
  bool channels_fastest;    // neighbouring taps are neighbouring channels
  Strides gathered, dense;  // of images
  Strides weight;           // `batch` is that of the dense image's channels
  int64_t weight_group;     // from one group's weight to the next

  C10_HOST_DEVICE int residues() const {
    return backward_input ? stride[0] * stride[1] * stride[2] : 1;
  }
};

constexpr int kNowhere = -(1 << 30);

// The row of the matrix that belongs to one pixel.
struct alignas(16) Pixel {
  int64_t gathered, dense;
  int at[3];

  C10_DEVICE bool exists() const { return at[0] != kNowhere; }
};
// The offset of a column from the start of its row.
struct alignas(16) Tap {
  int64_t gathered, weight;
  int by[3];

  C10_DEVICE bool exists() const { return by[0] != kNowhere; }
};

// One dimension. Pixel j is at start + j * step of the gathered image and at place + j * place_step
// of the dense one. Tap t adds t * tap_step and is element first + t * first_step of the kernel.
struct Axis {
  int count, start, step, place, place_step;
  int taps, tap_step, first, first_step;
};

C10_HOST_DEVICE inline Axis axis_of(const Problem& p, int dim, int residue) {
  const int stride = p.stride[dim], padding = p.padding[dim], dilation = p.dilation[dim];
  const int size = p.dense_size[dim], kernel = p.kernel[dim];
  if (!p.backward_input) return {size, -padding, stride, 0, 1, kernel, dilation, 0, 1};
  int every = 1;  // a residue uses every `every`-th element of the kernel
  while (int64_t{every} * dilation % stride != 0) ++every;
  int first = 0;
  const int last = every < kernel ? every : kernel;
  while (first < last && (residue + padding - first * dilation) % stride != 0) ++first;
  const int taps = first < last ? (kernel - first + every - 1) / every : 0;
  return {residue < size ? (size - residue + stride - 1) / stride : 0,
          (residue + padding - first * dilation) / stride,
          1,
          residue,
          stride,
          taps,
          -static_cast<int>(int64_t{every} * dilation / stride),
          first,
          every};
}

struct Residue {
  Axis axes[3];
  uint32_t pixels, taps;

  C10_HOST_DEVICE void set(const Problem& p, int residue) {
    pixels = static_cast<uint32_t>(p.batch);
    taps = static_cast<uint32_t>(p.channels);
    for (int d = 2; d >= 0; --d) {
      axes[d] = axis_of(p, d, p.backward_input ? residue % p.stride[d] : 0);
      residue /= p.stride[d];
      pixels *= static_cast<uint32_t>(axes[d].count);
      taps *= static_cast<uint32_t>(axes[d].taps);
    }
  }

  // Pixel `index`, or nowhere if it is not below `end`.
  C10_DEVICE Pixel pixel(const Problem& p, uint32_t index, uint32_t end) const {
    Pixel result{0, 0, {kNowhere, 0, 0}};
    if (index >= end) return result;
#pragma unroll
    for (int d = 2; d >= 0; --d) {
      const auto count = static_cast<uint32_t>(axes[d].count);
      const int j = static_cast<int>(index % count);
      index /= count;
      result.at[d] = axes[d].start + j * axes[d].step;
      result.gathered += result.at[d] * p.gathered.dims[d];
      result.dense += (axes[d].place + j * axes[d].place_step) * p.dense.dims[d];
    }
    result.gathered += index * p.gathered.batch;
    result.dense += index * p.dense.batch;
    return result;
  }

  C10_DEVICE Tap tap(const Problem& p, uint32_t index) const {
    Tap result{0, 0, {kNowhere, 0, 0}};
    if (index >= taps) return result;
    const auto channels = static_cast<uint32_t>(p.channels);
    uint32_t channel = 0;
    if (p.channels_fastest) {
      channel = index % channels;
      index /= channels;
    }
#pragma unroll
    for (int d = 2; d >= 0; --d) {
      const auto count = static_cast<uint32_t>(axes[d].taps);
      const int t = static_cast<int>(index % count);
      index /= count;
      result.by[d] = t * axes[d].tap_step;
      result.gathered += result.by[d] * p.gathered.dims[d];
      result.weight += (axes[d].first + t * axes[d].first_step) * p.weight.dims[d];
    }
    if (!p.channels_fastest) channel = index;
    result.gathered += channel * p.gathered.channel;
    result.weight += channel * p.weight.channel;
    return result;
  }
};

// False in the padding, which counts as zeros.
C10_DEVICE inline bool is_inside(const Problem& p, const Pixel& pixel, const Tap& tap) {
  bool inside = true;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    inside = inside && static_cast<unsigned>(pixel.at[d] + tap.by[d]) <
                           static_cast<unsigned>(p.gathered_size[d]);
  }
  return inside;
}

// The three matrices of one group; one of them is the result.
template <typename T>
struct Operands {
  T* gathered;
  T* weight;
  T* dense;
  const T* bias;  // or null

  C10_DEVICE Operands of(const Problem& p, int group) const {
    return {gathered + int64_t{group} * p.channels * p.gathered.channel,
            weight + group * p.weight_group,
            dense + int64_t{group} * p.dense_channels * p.dense.channel,
            bias == nullptr ? nullptr : bias + int64_t{group} * p.dense_channels};
  }
};

// The same, of any type.
struct Tensors {
  c10::ScalarType dtype;
  void* gathered;
  void* weight;
  void* dense;
  const void* bias;

  template <typename T>
  Operands<T> as() const {
    return {static_cast<T*>(gathered), static_cast<T*>(weight), static_cast<T*>(dense),
            static_cast<const T*>(bias)};
  }
};

// Split-K for the gradient of the weight: blocks write partial sums, float or double, to
// (parts, groups, dense channels, taps); a second kernel adds them in a fixed order.
struct Parts {
  int count;
  uint32_t pixels;  // of one part
};
// Enough parts to fill the GPU, given `blocks` blocks for each. Parts::pixels is a multiple of
// `multiple`.
Parts parts_of(int64_t pixels, int64_t blocks, int64_t multiple);
void add_parts(const Problem& p, const Tensors& t, const void* parts, int count);

// Runs on tensor cores. Returns false if the GPU has none or the type is not Half or BFloat16.
bool run_on_tensor_cores(ConvProduct product, const Problem& p, const Tensors& t);
// For groups with so few channels that tiles of a matrix product would be mostly zeros.
void run_directly(ConvProduct product, const Problem& problem, const Tensors& t);

}  // namespace at::native::conv
