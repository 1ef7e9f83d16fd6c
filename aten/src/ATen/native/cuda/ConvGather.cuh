#pragma once

// A convolution as a product of matrices one of which is an image, read element by element from
// where it lies (S. Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014).
//
// The matrix has a row for each pixel and a column for each tap, which is a channel of one group
// and a place in the kernel. The others are the weight and an image of pixels, the plain one:
//
//   product           gathered (pixel, tap)  weight (tap, other)  plain (pixel, other)
//   FORWARD           x                      operand              y, the result
//   BACKWARD_INPUT    y                      operand              x, the result
//   BACKWARD_WEIGHT   x                      the result           y, operand
//
// Of a stride the gradient of the input is so many convolutions without one, its phases: the taps
// that reach input element q are those with q + padding - tap * dilation a multiple of the stride,
// so they depend on the remainder of q.

#include <ATen/native/ConvLibrary.h>
#include <ATen/native/ConvUtils.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native::conv {

// In elements; 0 where there is only one.
struct Strides {
  int64_t batch, channel, dims[3];
};

struct Problem {
  bool backward_input;
  int batch, groups;
  int channels;  // of one group of the gathered image
  int others;    // of one group of the plain image
  int gathered_size[3], plain_size[3], kernel[3], stride[3], padding[3], dilation[3];
  bool channels_fastest;    // neighbouring taps are neighbouring channels
  Strides gathered, plain;  // of images
  Strides weight;           // `batch` is that of the other channels
  int64_t weight_group;     // from one group's weight to the next

  C10_HOST_DEVICE int phases() const {
    return backward_input ? stride[0] * stride[1] * stride[2] : 1;
  }
};

constexpr int kNowhere = -(1 << 30);

// Where a row of the matrix begins.
struct alignas(16) Pixel {
  int64_t gathered, plain;
  int at[3];

  C10_DEVICE bool exists() const { return at[0] != kNowhere; }
};
// How far from there a column is.
struct alignas(16) Tap {
  int64_t gathered, weight;
  int by[3];

  C10_DEVICE bool exists() const { return by[0] != kNowhere; }
};

// One dimension: pixel j is at start + j * step of the gathered image, place + j * place_step of
// the plain one; tap t is t * tap_step further, element first + t * first_step of the kernel.
struct Axis {
  int count, start, step, place, place_step;
  int taps, tap_step, first, first_step;
};

C10_HOST_DEVICE inline Axis axis_of(const Problem& p, int dim, int phase) {
  const int stride = p.stride[dim], padding = p.padding[dim], dilation = p.dilation[dim];
  const int size = p.plain_size[dim], kernel = p.kernel[dim];
  if (!p.backward_input) return {size, -padding, stride, 0, 1, kernel, dilation, 0, 1};
  int every = 1;  // one element of a kernel in so many is in one phase
  while (int64_t{every} * dilation % stride != 0) ++every;
  int first = 0;
  const int last = every < kernel ? every : kernel;
  while (first < last && (phase + padding - first * dilation) % stride != 0) ++first;
  const int taps = first < last ? (kernel - first + every - 1) / every : 0;
  return {phase < size ? (size - phase + stride - 1) / stride : 0,
          (phase + padding - first * dilation) / stride,
          1,
          phase,
          stride,
          taps,
          -static_cast<int>(int64_t{every} * dilation / stride),
          first,
          every};
}

struct Phase {
  Axis axes[3];
  uint32_t pixels, taps;

  C10_HOST_DEVICE void set(const Problem& p, int phase) {
    pixels = static_cast<uint32_t>(p.batch);
    taps = static_cast<uint32_t>(p.channels);
    for (int d = 2; d >= 0; --d) {
      axes[d] = axis_of(p, d, p.backward_input ? phase % p.stride[d] : 0);
      phase /= p.stride[d];
      pixels *= static_cast<uint32_t>(axes[d].count);
      taps *= static_cast<uint32_t>(axes[d].taps);
    }
  }

  // Of the pixels before `end`.
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
      result.plain += (axes[d].place + j * axes[d].place_step) * p.plain.dims[d];
    }
    result.gathered += index * p.gathered.batch;
    result.plain += index * p.plain.batch;
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

// Whether the image has an element for this pixel and tap; else it is padding, a zero.
C10_DEVICE inline bool is_inside(const Problem& p, const Pixel& pixel, const Tap& tap) {
  bool inside = true;
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    inside = inside && static_cast<unsigned>(pixel.at[d] + tap.by[d]) <
                           static_cast<unsigned>(p.gathered_size[d]);
  }
  return inside;
}

// The three tensors of one group; the result is one of them.
template <typename T>
struct Operands {
  T* gathered;
  T* weight;
  T* plain;
  const T* bias;  // or null

  C10_DEVICE Operands of(const Problem& p, int group) const {
    return {gathered + int64_t{group} * p.channels * p.gathered.channel,
            weight + group * p.weight_group, plain + int64_t{group} * p.others * p.plain.channel,
            bias == nullptr ? nullptr : bias + int64_t{group} * p.others};
  }
};

// The same, of any type.
struct Tensors {
  c10::ScalarType dtype;
  void* gathered;
  void* weight;
  void* plain;
  const void* bias;

  template <typename T>
  Operands<T> as() const {
    return {static_cast<T*>(gathered), static_cast<T*>(weight), static_cast<T*>(plain),
            static_cast<const T*>(bias)};
  }
};

// The sums of a weight's gradient are made in parts, each by its own blocks: floats, or doubles,
// (parts, groups, others, taps), which are added in a fixed order.
struct Parts {
  int count;
  uint32_t pixels;  // of one part
};
// So many that a GPU is full, for `blocks` blocks of each part; `multiple` divides Parts::pixels.
Parts parts_of(int64_t pixels, int64_t blocks, int64_t multiple);
void add_parts(const Problem& p, const Tensors& t, const void* parts, int count);

// On tensor cores; false without them, and for other types than Half and BFloat16.
bool run_on_tensor_cores(ConvProduct product, const Problem& p, const Tensors& t);
// For groups of so few channels that a product of matrices would be of zeros mostly.
void run_directly(ConvProduct product, const Problem& problem, const Tensors& t);

}  // namespace at::native::conv
