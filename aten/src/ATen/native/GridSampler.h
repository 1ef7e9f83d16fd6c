#pragma once

// The elements that a sample interpolates, with their weights and derivatives. The formulas take
// scalars, or tensors for derivatives of higher order.

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

  Slope<T> place(T x) const {
    return {unnormalize(x, size, align_corners), unnormalize_slope<T>(size, align_corners)};
  }

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

// An element that a sample is made of: its offset in a channel, its weight, and the derivatives of
// the weight by the coordinates.
template <typename T, size_t D>
struct Tap {
  int64_t offset;
  T weight;
  std::array<T, D> slopes;
};

template <typename T, size_t D>
struct Sampler {
  std::array<Axis<T>, D> axes;  // as the input has them; coordinates come in the opposite order
  int64_t interpolation;

  // Whether a point that is not finite makes the sample not a number: where neighbours are mixed,
  // and its coordinates are not brought into the input beforehand.
  bool undefined_at(const T* point) const {
    const bool mixes =
        interpolation == kBicubic || (interpolation != kNearest && axes[0].padding == kZeros);
    bool finite = true;
    for (size_t d = 0; d < D; ++d) finite = finite && std::isfinite(point[d]);
    return mixes && !finite;
  }

  // The taps of one point that lie inside, with slopes if `kSlopes`; returns how many.
  template <bool kSlopes>
  size_t taps(const T* point, std::array<Tap<T, D>, 16>& found) const {
    size_t count = 0;
    if (interpolation == kBicubic) {
      if constexpr (D == 2) cubic<kSlopes>(point, found, count);
      return count;
    }
    std::array<Slope<T>, D> x;
    std::array<int64_t, D> first;
    for (size_t d = 0; d < D; ++d) {
      x[d] = axes[d].padded(axes[d].place(point[D - 1 - d]));
      first[d] = static_cast<int64_t>(interpolation == kNearest ? std::nearbyint(x[d].value)
                                                                : std::floor(x[d].value));
    }
    if (interpolation == kNearest) {
      std::array<Slope<T>, D> weights;
      weights.fill({T(1), T(0)});
      add<kSlopes>(first, weights, found, count);
      return count;
    }
    for (size_t corner = 0; corner < size_t{1} << D; ++corner) {
      std::array<int64_t, D> place;
      std::array<Slope<T>, D> weights;
      for (size_t d = 0; d < D; ++d) {
        const bool upper = (corner >> (D - 1 - d) & 1) != 0;
        const T rest = x[d].value - static_cast<T>(first[d]);
        place[d] = first[d] + (upper ? 1 : 0);
        weights[d] = upper ? Slope<T>{rest, x[d].slope} : Slope<T>{1 - rest, -x[d].slope};
      }
      add<kSlopes>(place, weights, found, count);
    }
    return count;
  }

 private:
  template <bool kSlopes>
  void cubic(const T* point, std::array<Tap<T, D>, 16>& found, size_t& count) const {
    std::array<std::array<Slope<T>, 4>, D> weights;
    std::array<T, D> floors;
    for (size_t d = 0; d < D; ++d) {
      const Slope<T> x = axes[d].place(point[D - 1 - d]);
      floors[d] = std::floor(x.value);
      weights[d] = cubic_weights<T>(x.value - floors[d]);
      for (Slope<T>& weight : weights[d]) weight.slope *= x.slope;
    }
    for (size_t i = 0; i < 4; ++i) {
      for (size_t j = 0; j < 4; ++j) {
        const auto at = [&](size_t d, size_t step) {
          const Slope<T> x{floors[d] + static_cast<T>(step) - 1, 0};
          return static_cast<int64_t>(axes[d].padded(x).value);
        };
        add<kSlopes>({at(0, i), at(1, j)}, {weights[0][i], weights[1][j]}, found, count);
      }
    }
  }

  // The element at a place, if there is one: its weight is the product of those of the axes.
  template <bool kSlopes>
  void add(const std::array<int64_t, D>& place, const std::array<Slope<T>, D>& weights,
           std::array<Tap<T, D>, 16>& found, size_t& count) const {
    int64_t offset = 0;
    for (size_t d = 0; d < D; ++d) {
      if (place[d] < 0 || place[d] >= axes[d].size) return;
      offset = offset * axes[d].size + place[d];
    }
    Tap<T, D>& tap = found[count++];
    tap.offset = offset;
    tap.weight = 1;
    for (size_t d = 0; d < D; ++d) tap.weight *= weights[d].value;
    if constexpr (kSlopes) {
      tap.slopes.fill(1);
      for (size_t d = 0; d < D; ++d) {
        for (size_t by = 0; by < D; ++by) {
          tap.slopes[by] *= by == d ? weights[d].slope : weights[d].value;
        }
      }
    }
  }
};

}  // namespace at::native::grid
