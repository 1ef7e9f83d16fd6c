#pragma once

// Formulas of the elements that a sample interpolates, of their weights and derivatives, for
// scalars, or for tensors in derivatives of higher order. Kernels on contiguous tensors.

#include <ATen/core/TensorBase.h>
#include <ATen/native/DispatchStub.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at::native::grid {

enum Interpolation : int64_t { kBilinear, kNearest, kBicubic };
enum Padding : int64_t { kZeros, kBorder, kReflection };

// The type of a formula's constants: V, or double if V is a tensor.
template <typename V>
using Number = std::conditional_t<std::is_floating_point_v<V>, V, double>;

// Maps [-1, 1] to element positions. -1 and 1 are the centres of the outermost elements if
// align_corners, otherwise their outer edges.
template <typename V>
V unnormalize(const V& x, int64_t size, bool align_corners) {
  const auto n = static_cast<Number<V>>(size);
  if (align_corners) return (x + 1) / 2 * (n - 1);
  return ((x + 1) * n - 1) / 2;
}
// Its derivative, the same for all x.
template <typename V>
Number<V> unnormalize_slope(int64_t size, bool align_corners) {
  return static_cast<Number<V>>(align_corners ? size - 1 : size) / 2;
}

// Keys' kernel with A = -0.75 (IEEE Transactions on Acoustics 29, 1981): the weight of an element
// at a distance of up to 1, and from 1 to 2, with its first and second derivative by the distance.
template <typename V>
struct CubicWeight {
  static constexpr auto A = static_cast<Number<V>>(-0.75);

  static V near(const V& x) { return ((A + 2) * x - (A + 3)) * x * x + 1; }
  static V near_slope(const V& x) { return (3 * (A + 2) * x - 2 * (A + 3)) * x; }
  static V near_curvature(const V& x) { return 6 * (A + 2) * x - 2 * (A + 3); }
  static V far(const V& x) { return ((A * x - 5 * A) * x + 8 * A) * x - 4 * A; }
  static V far_slope(const V& x) { return (3 * A * x - 10 * A) * x + 8 * A; }
  static V far_curvature(const V& x) { return 6 * A * x - 10 * A; }
};

// A value, and its derivative by what it was made from.
template <typename T>
struct Slope {
  T value;
  T slope;
};

// One spatial dimension of the input.
template <typename T>
struct Axis {
  int64_t size;
  int64_t padding;
  bool align_corners;

  // Into the input, as the padding says; a place that is no number is one outside.
  Slope<T> padded(Slope<T> x) const {
    if (padding == kReflection) x = reflected(x);
    if (padding != kZeros) {
      const T last = static_cast<T>(size - 1);
      if (!(x.value > 0)) {
        x = {0, 0};
      } else if (x.value >= last) {
        x = {last, 0};
      }
    }
    return std::isfinite(x.value) && std::abs(x.value) < T(1e9) ? x : Slope<T>{-100, 0};
  }

 private:
  // Between the middles of the outermost elements, or between their edges.
  Slope<T> reflected(Slope<T> x) const {
    const T low = align_corners ? T(0) : T(-0.5);
    const T span = static_cast<T>(align_corners ? size - 1 : size);
    if (span == 0) return {0, 0};
    T distance = x.value - low;
    T slope = x.slope;
    if (distance < 0) {
      distance = -distance;
      slope = -slope;
    }
    if (distance < span) return {distance + low, slope};
    if (distance < 2 * span) return {span - (distance - span) + low, -slope};
    const T rest = std::fmod(distance, span);
    const bool even = std::fmod(std::floor(distance / span), T(2)) == 0;
    return even ? Slope<T>{rest + low, slope} : Slope<T>{span - rest + low, -slope};
  }
};

// The weights of the four neighbours of a position that is t after the second one.
template <typename T>
std::array<Slope<T>, 4> cubic_weights(T t) {
  using W = CubicWeight<T>;
  return {Slope<T>{W::far(t + 1), W::far_slope(t + 1)}, Slope<T>{W::near(t), W::near_slope(t)},
          Slope<T>{W::near(1 - t), -W::near_slope(1 - t)},
          Slope<T>{W::far(2 - t), -W::far_slope(2 - t)}};
}

}  // namespace at::native::grid

namespace at::native {

// Samples of `input` at the points of `grid`. `padding` and `interpolation` are numbers of the
// enumerations above.
using grid_sampler_fn = void (*)(const TensorBase& output, const TensorBase& input,
                                 const TensorBase& grid, int64_t interpolation, int64_t padding,
                                 bool align_corners);
DECLARE_DISPATCH(grid_sampler_fn, grid_sampler_stub)

// Adds the gradient of the input to `by_input`, if it is defined, and writes that of the grid.
using grid_sampler_backward_fn = void (*)(const TensorBase& by_input, const TensorBase& by_grid,
                                          const TensorBase& grad_output, const TensorBase& input,
                                          const TensorBase& grid, int64_t interpolation,
                                          int64_t padding, bool align_corners);
DECLARE_DISPATCH(grid_sampler_backward_fn, grid_sampler_backward_stub)

}  // namespace at::native
