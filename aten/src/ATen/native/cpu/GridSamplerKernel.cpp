// Samples of images and volumes at the places of a grid, in blocks of points: the loops over the
// points of a block become vectors.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/GridSampler.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using grid::Axis;
using grid::kBicubic;
using grid::kNearest;
using grid::kReflection;
using grid::kZeros;
using grid::Slope;

constexpr int64_t kPoints = 64;  // that are sampled together
// Places of an axis. Those of padded() are below 1e9.
constexpr int32_t kOutside = -1;

// The neighbours of each point along one axis, with weights and their derivatives by the
// coordinate.
template <typename T>
struct Neighbours {
  int32_t place[4][kPoints];
  T weight[4][kPoints];
  T slope[4][kPoints];
};

// Axis::padded for each point.
template <typename T>
void pad(const Axis<T>& axis, T (&x)[kPoints], T (&slope)[kPoints]) {
  if (axis.padding == kReflection) {
    for (int64_t k = 0; k < kPoints; ++k) {
      const Slope<T> padded = axis.padded({x[k], slope[k]});
      x[k] = padded.value;
      slope[k] = padded.slope;
    }
  } else if (axis.padding == kZeros) {
    for (int64_t k = 0; k < kPoints; ++k) {
      const bool near = std::abs(x[k]) < T(1e9);
      x[k] = near ? x[k] : T(-100);
      slope[k] = near ? slope[k] : T(0);
    }
  } else {
    const auto last = static_cast<T>(axis.size - 1);
    for (int64_t k = 0; k < kPoints; ++k) {
      const T raised = x[k] > 0 ? x[k] : T(0);
      const bool inside = x[k] > 0 && x[k] < last;
      x[k] = raised < last ? raised : last;
      slope[k] = inside ? slope[k] : T(0);
    }
  }
}

// Where x, a whole number, is inside of the axis.
template <typename T>
void find(const Axis<T>& axis, const T (&x)[kPoints], T step, int32_t (&place)[kPoints]) {
  const auto size = static_cast<T>(axis.size);
  for (int64_t k = 0; k < kPoints; ++k) {
    const T at = x[k] + step;
    place[k] = at >= 0 && at < size ? static_cast<int32_t>(at) : kOutside;
  }
}

template <typename T>
void find_neighbours(const Axis<T>& axis, int64_t interpolation, T (&x)[kPoints],
                     Neighbours<T>& found) {
  T slope[kPoints];
  T whole[kPoints];
  // One loop for each, so that the condition is outside.
  const auto place = [&](auto align_corners) {
    for (int64_t k = 0; k < kPoints; ++k) {
      x[k] = grid::unnormalize(x[k], axis.size, align_corners.value);
    }
  };
  axis.align_corners ? place(std::true_type()) : place(std::false_type());
  std::fill_n(slope, kPoints, grid::unnormalize_slope<T>(axis.size, axis.align_corners));
  if (interpolation == kBicubic) {
    T steps[4][kPoints];
    T flat[kPoints];
    for (int64_t k = 0; k < kPoints; ++k) {
      const T floor = std::floor(x[k]);
      const auto weights = grid::cubic_weights<T>(x[k] - floor);
      for (size_t n = 0; n < 4; ++n) {
        steps[n][k] = floor + static_cast<T>(n) - 1;
        found.weight[n][k] = weights[n].value;
        found.slope[n][k] = weights[n].slope * slope[k];
      }
    }
    for (size_t n = 0; n < 4; ++n) {
      std::fill_n(flat, kPoints, T(0));
      pad(axis, steps[n], flat);
      for (int64_t k = 0; k < kPoints; ++k) whole[k] = std::trunc(steps[n][k]);
      find(axis, whole, T(0), found.place[n]);
    }
    return;
  }
  pad(axis, x, slope);
  if (interpolation == kNearest) {
    for (int64_t k = 0; k < kPoints; ++k) whole[k] = std::nearbyint(x[k]);
    find(axis, whole, T(0), found.place[0]);
    std::fill_n(found.weight[0], kPoints, T(1));
    std::fill_n(found.slope[0], kPoints, T(0));
    return;
  }
  for (int64_t k = 0; k < kPoints; ++k) {
    whole[k] = std::floor(x[k]);
    const T rest = x[k] - whole[k];
    found.weight[0][k] = 1 - rest;
    found.weight[1][k] = rest;
    found.slope[0][k] = -slope[k];
    found.slope[1][k] = slope[k];
  }
  find(axis, whole, T(0), found.place[0]);
  find(axis, whole, T(1), found.place[1]);
}

// The elements that a block of points reads: their offsets in a channel, or kOutside, their weights
// and the derivatives of these by the coordinates. An offset is of type Index.
template <typename T, size_t D, typename Index>
class Block {
 public:
  static constexpr size_t kTaps = D == 2 ? 16 : 8;

  Index offset[kTaps][kPoints];
  T weight[kTaps][kPoints];
  T slope[kTaps][D][kPoints];
  T start[kPoints];  // what a sum begins with: NaN where a sample is undefined
  size_t taps = 0;

  Block(const std::array<Axis<T>, D>& axes, int64_t interpolation)
      : axes_(axes), interpolation_(interpolation) {
    neighbours_ = interpolation == kBicubic ? 4 : interpolation == kNearest ? 1 : 2;
    taps = 1;
    for (size_t d = 0; d < D; ++d) taps *= neighbours_;
  }

  // Finds the taps of `count` points; those after the last are like it.
  template <bool kSlopes>
  void load(const T* points, int64_t count) {
    const bool mixes =
        interpolation_ == kBicubic || (interpolation_ != kNearest && axes_[0].padding == kZeros);
    std::fill_n(start, kPoints, T(0));
    for (size_t d = 0; d < D; ++d) {
      T x[kPoints];
      for (int64_t k = 0; k < count; ++k) {
        x[k] = points[k * static_cast<int64_t>(D) + static_cast<int64_t>(D - 1 - d)];
      }
      std::fill(x + count, x + kPoints, x[count - 1]);
      if (mixes) {
        for (int64_t k = 0; k < kPoints; ++k) {
          const bool finite = std::abs(x[k]) <= std::numeric_limits<T>::max();
          start[k] = finite ? start[k] : std::numeric_limits<T>::quiet_NaN();
        }
      }
      find_neighbours(axes_[d], interpolation_, x, along_[d]);
    }
    for (size_t tap = 0; tap < taps; ++tap) {
      std::array<size_t, D> n;
      size_t rest = tap;
      for (size_t d = D; d-- > 0; rest /= neighbours_) n[d] = rest % neighbours_;
      combine<kSlopes>(tap, n);
    }
  }

 private:
  // The tap of neighbour n[d] along each axis.
  template <bool kSlopes>
  void combine(size_t tap, const std::array<size_t, D>& n) {
    for (int64_t k = 0; k < kPoints; ++k) {
      offset[tap][k] = along_[0].place[n[0]][k];
      weight[tap][k] = along_[0].weight[n[0]][k];
    }
    for (size_t d = 1; d < D; ++d) {
      const auto size = static_cast<Index>(axes_[d].size);
      for (int64_t k = 0; k < kPoints; ++k) {
        const Index before = offset[tap][k];
        const Index place = along_[d].place[n[d]][k];
        offset[tap][k] = before < 0 || place < 0 ? Index(kOutside) : before * size + place;
        weight[tap][k] *= along_[d].weight[n[d]][k];
      }
    }
    if constexpr (kSlopes) {
      for (size_t by = 0; by < D; ++by) {
        std::copy_n(along_[by].slope[n[by]], kPoints, slope[tap][by]);
        for (size_t d = 0; d < D; ++d) {
          if (d == by) continue;
          for (int64_t k = 0; k < kPoints; ++k) slope[tap][by][k] *= along_[d].weight[n[d]][k];
        }
      }
    }
  }

  std::array<Axis<T>, D> axes_;
  int64_t interpolation_;
  size_t neighbours_;
  Neighbours<T> along_[D];
};

// products[k] = channel[offset[k]] * factor[k], and 0 outside. The compiler alone would take the
// offsets apart instead of gathering.
template <typename T, typename Index>
void multiply_taps(const T* channel, const Index (&offset)[kPoints], const T (&factor)[kPoints],
                   T (&products)[kPoints]) {
#if AT_VEC_ON_HIGHWAY
  if constexpr (sizeof(Index) == sizeof(T)) {
    namespace hw = at::vec::hw;
    const hw::CappedTag<T, static_cast<size_t>(kPoints)> d;
    const hw::RebindToSigned<decltype(d)> offsets;
    const auto zero = hw::Zero(offsets);
    for (size_t k = 0; k < static_cast<size_t>(kPoints); k += hw::Lanes(d)) {
      const auto at = hw::LoadU(offsets, offset + k);
      const auto value = hw::GatherIndex(d, channel, hw::Max(at, zero));
      const auto outside = hw::RebindMask(d, hw::Lt(at, zero));
      const auto product = hw::Mul(value, hw::LoadU(d, factor + k));
      hw::StoreU(hw::IfThenZeroElse(outside, product), d, products + k);
    }
    return;
  }
#endif
  for (int64_t k = 0; k < kPoints; ++k) {
    const T product = channel[offset[k] < 0 ? 0 : offset[k]] * factor[k];
    products[k] = offset[k] < 0 ? T(0) : product;
  }
}

struct Sizes {
  int64_t items;
  int64_t channels;
  int64_t inside;  // elements of a channel of the input
  int64_t points;  // of an item
  int64_t blocks;  // of points of an item
};

Sizes sizes_of(const TensorBase& input, const TensorBase& grid) {
  Sizes s{input.size(0), input.size(1), 1, 1, 0};
  for (int64_t d = 2; d < input.dim(); ++d) {
    s.inside *= input.size(d);
    s.points *= grid.size(d - 1);
  }
  s.blocks = (s.points + kPoints - 1) / kPoints;
  return s;
}

template <typename T, size_t D>
std::array<Axis<T>, D> axes_of(const TensorBase& input, int64_t padding, bool align_corners) {
  std::array<Axis<T>, D> axes;
  for (size_t d = 0; d < D; ++d) {
    axes[d] = {input.size(static_cast<int64_t>(d) + 2), padding, align_corners};
  }
  return axes;
}

template <typename T, size_t D, typename Index>
void sample(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
            int64_t interpolation, int64_t padding, bool align_corners) {
  const auto axes = axes_of<T, D>(input, padding, align_corners);
  const Sizes s = sizes_of(input, grid);
  const auto* in = input.const_data_ptr<T>();
  const auto* places = grid.const_data_ptr<T>();
  auto* out = output.mutable_data_ptr<T>();
  at::parallel_for(0, s.items * s.blocks, 4, [&](int64_t begin, int64_t end) {
    Block<T, D, Index> block(axes, interpolation);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t item = i / s.blocks;
      const int64_t first = i % s.blocks * kPoints;
      const int64_t count = std::min(kPoints, s.points - first);
      block.template load<false>(places + (item * s.points + first) * static_cast<int64_t>(D),
                                 count);
      for (int64_t c = item * s.channels; c < (item + 1) * s.channels; ++c) {
        const T* channel = in + c * s.inside;
        T sums[kPoints];
        std::copy_n(block.start, kPoints, sums);
        for (size_t tap = 0; tap < block.taps; ++tap) {
          T values[kPoints];
          multiply_taps(channel, block.offset[tap], block.weight[tap], values);
          for (int64_t k = 0; k < kPoints; ++k) sums[k] += values[k];
        }
        std::copy_n(sums, count, out + c * s.points + first);
      }
    }
  });
}

template <typename T, size_t D, typename Index>
void sample_backward(const TensorBase& by_input, const TensorBase& by_grid,
                     const TensorBase& grad_output, const TensorBase& input, const TensorBase& grid,
                     int64_t interpolation, int64_t padding, bool align_corners) {
  const auto axes = axes_of<T, D>(input, padding, align_corners);
  const Sizes s = sizes_of(input, grid);
  const auto* in = input.const_data_ptr<T>();
  const auto* places = grid.const_data_ptr<T>();
  const auto* gy = grad_output.const_data_ptr<T>();
  auto* gx = by_input.defined() ? by_input.mutable_data_ptr<T>() : nullptr;
  auto* gg = by_grid.mutable_data_ptr<T>();
  constexpr auto kAxes = static_cast<int64_t>(D);
  // The gradients of a channel's elements come from many points: an item belongs to one thread.
  at::parallel_for(0, s.items, 1, [&](int64_t begin, int64_t end) {
    Block<T, D, Index> block(axes, interpolation);
    for (int64_t i = begin * s.blocks; i < end * s.blocks; ++i) {
      const int64_t item = i / s.blocks;
      const int64_t first = i % s.blocks * kPoints;
      const int64_t count = std::min(kPoints, s.points - first);
      block.template load<true>(places + (item * s.points + first) * kAxes, count);
      T slopes[D][kPoints] = {};
      for (int64_t c = item * s.channels; c < (item + 1) * s.channels; ++c) {
        T grads[kPoints] = {};
        std::copy_n(gy + c * s.points + first, count, grads);
        for (size_t tap = 0; tap < block.taps; ++tap) {
          const auto& offset = block.offset[tap];
          if (gx != nullptr) {
            T parts[kPoints];
            for (int64_t k = 0; k < kPoints; ++k) parts[k] = grads[k] * block.weight[tap][k];
            T* channel = gx + c * s.inside;
            for (int64_t k = 0; k < count; ++k) {
              if (offset[k] >= 0) channel[offset[k]] += parts[k];
            }
          }
          // The nearest element has the same weight all around.
          if (interpolation == kNearest) continue;
          const T* channel = in + c * s.inside;
          T values[kPoints];
          multiply_taps(channel, offset, grads, values);
          for (size_t d = 0; d < D; ++d) {
            for (int64_t k = 0; k < kPoints; ++k) {
              slopes[d][k] += values[k] * block.slope[tap][d][k];
            }
          }
        }
      }
      T* to = gg + (item * s.points + first) * kAxes;
      for (int64_t k = 0; k < count; ++k) {
        for (size_t d = 0; d < D; ++d)
          to[k * kAxes + static_cast<int64_t>(d)] = slopes[D - 1 - d][k];
      }
    }
  });
}

// Calls f<dimensions of the input, type of the offsets in a channel>(). Offsets of doubles have
// their size.
template <typename T, typename F>
void dispatch_shape(const TensorBase& input, const F& f) {
  int64_t inside = 1;
  for (int64_t d = 2; d < input.dim(); ++d) inside *= input.size(d);
  const bool narrow = sizeof(T) == sizeof(int32_t) && inside <= std::numeric_limits<int32_t>::max();
  const bool image = input.dim() == 4;
  if (image && narrow) return f.template operator()<2, int32_t>();
  if (image) return f.template operator()<2, int64_t>();
  if (narrow) return f.template operator()<3, int32_t>();
  f.template operator()<3, int64_t>();
}

void grid_sampler_kernel(const TensorBase& output, const TensorBase& input, const TensorBase& grid,
                         int64_t interpolation, int64_t padding, bool align_corners) {
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "grid_sampler", [&] {
    dispatch_shape<scalar_t>(input, [&]<size_t D, typename Index>() {
      sample<scalar_t, D, Index>(output, input, grid, interpolation, padding, align_corners);
    });
  });
}

void grid_sampler_backward_kernel(const TensorBase& by_input, const TensorBase& by_grid,
                                  const TensorBase& grad_output, const TensorBase& input,
                                  const TensorBase& grid, int64_t interpolation, int64_t padding,
                                  bool align_corners) {
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "grid_sampler_backward", [&] {
    dispatch_shape<scalar_t>(input, [&]<size_t D, typename Index>() {
      sample_backward<scalar_t, D, Index>(by_input, by_grid, grad_output, input, grid,
                                          interpolation, padding, align_corners);
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(grid_sampler_stub, &CPU_CAPABILITY::grid_sampler_kernel)
REGISTER_DISPATCH(grid_sampler_backward_stub, &CPU_CAPABILITY::grid_sampler_backward_kernel)

}  // namespace at::native
