// Maxima over windows: of outputs beside each other in vectors, those of a row where planes are
// contiguous, those of a place where its channels lie together. The gradients of both.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Pool.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// First and last element (exclusive) of a window, and the step between its elements.
struct Window {
  int64_t begin;
  int64_t end;
  int64_t step;

  // Between the elements of a dilated window there may be the whole input.
  bool empty() const { return begin >= end; }
};

Window window(const PoolGeometry& g, bool adaptive, size_t d, int64_t i) {
  if (adaptive) {
    return {adaptive_begin(i, g.out[d], g.in[d]), adaptive_end(i, g.out[d], g.in[d]), 1};
  }
  Window w{i * g.stride[d] - g.padding[d], 0, g.dilation[d]};
  w.end = std::min(w.begin + (g.kernel[d] - 1) * w.step + 1, g.in[d]);
  if (w.begin < 0) w.begin += (-w.begin + w.step - 1) / w.step * w.step;
  return w;
}

// Numbers in the order of the elements, which vectors compare: integers for elements of 16 bits. +0
// and -0 are the same, and each NaN is the greatest.
template <typename T>
auto ordered(const T& x) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    // GCC makes vectors of a member, and none of a copied structure.
    const auto bits = static_cast<int16_t>(x.x);
    constexpr auto kInfinity = std::bit_cast<int16_t>(std::numeric_limits<T>::infinity());
    constexpr int16_t kGreatest = std::numeric_limits<int16_t>::max();
    // Without branches, which vectors have not.
    const auto size = static_cast<int16_t>(bits & kGreatest);
    const auto sign = static_cast<int16_t>(bits >> 15);
    const auto nan = static_cast<int16_t>(-static_cast<int16_t>(size > kInfinity));
    const auto key = static_cast<int16_t>((size ^ sign) - sign);
    return static_cast<int16_t>((key & ~nan) | (kGreatest & nan));
  } else {
    return x;
  }
}
template <typename T, typename V>
bool is_nan(V key) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    return key == std::numeric_limits<V>::max();
  } else {
    return key != key;
  }
}

template <typename T>
constexpr T lowest() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::lowest();
  } else {
    return -std::numeric_limits<T>::infinity();
  }
}

// Outputs that are compared together: a known number, which the compiler makes vectors of.
constexpr int64_t kTogether = 32;
// Outputs of a row that one thread takes at least.
constexpr int64_t kBlock = 4096;
constexpr int64_t kGrain = 32768;  // elements that are worth a thread

// The maximum of each window of a row of outputs, and its place in the volume; NaN counts as the
// greatest. `Place` holds each place of a volume.
template <typename T, typename Place>
class Row {
 public:
  using V = decltype(ordered(T()));

  // `columns` has the windows of adaptive pooling along the row, else nothing.
  Row(const PoolGeometry& g, const std::vector<Window>& columns, const T* in, Window depth,
      Window height)
      : g_(g), columns_(columns), in_(in), depth_(depth), height_(height) {
    if (!columns.empty()) return;
    // The outputs whose windows lie inside the row.
    const int64_t width = (g.kernel[2] - 1) * g.dilation[2] + 1;
    const int64_t last = g.in[2] + g.padding[2] - width;  // where the last of them may begin
    inner_begin_ = (g.padding[2] + g.stride[2] - 1) / g.stride[2];
    inner_end_ = last < 0 ? 0 : last / g.stride[2] + 1;
  }

  // Outputs [begin, end) of the row.
  void operator()(int64_t begin, int64_t end, T* y, int64_t* places) const {
    if (depth_.empty() || height_.empty()) {
      for (int64_t i = begin; i < end; ++i) none(i, y, places);
      return;
    }
    // Long windows are vectors of their own.
    const bool apart = g_.dilation[2] == 1 && g_.kernel[2] >= 2 * kTogether;
    const int64_t first = apart ? end : std::clamp(inner_begin_, begin, end);
    const int64_t last = std::clamp(inner_end_, first, end);
    for (int64_t i = begin; i < first; ++i) alone(i, y, places);
    switch (g_.stride[2]) {
      case 1:
        together<1>(first, last, y, places);
        break;
      case 2:
        together<2>(first, last, y, places);
        break;
      default:
        together<0>(first, last, y, places);
    }
    for (int64_t i = last; i < end; ++i) alone(i, y, places);
  }

 private:
  // Calls f(place of the first element of a window's line) for its lines.
  template <typename F>
  void for_each_line(const F& f) const {
    for (int64_t d = depth_.begin; d < depth_.end; d += depth_.step) {
      for (int64_t h = height_.begin; h < height_.end; h += height_.step) {
        f((d * g_.in[1] + h) * g_.in[2]);
      }
    }
  }
  int64_t first_line() const { return (depth_.begin * g_.in[1] + height_.begin) * g_.in[2]; }

  Window column(int64_t i) const {
    return columns_.empty() ? window(g_, /*adaptive=*/false, 2, i)
                            : columns_[static_cast<size_t>(i)];
  }

  // A window without elements.
  void none(int64_t i, T* y, int64_t* places) const {
    y[i] = lowest<T>();
    places[i] = first_line() + column(i).begin;
  }

  void alone(int64_t i, T* y, int64_t* places) const {
    const Window w = column(i);
    if (w.empty()) {
      none(i, y, places);
      return;
    }
    V best = lowest<V>();
    int64_t place = first_line() + w.begin;
    if (w.step == 1 && w.end - w.begin >= 2 * kTogether) {
      place = of_long(w);
      y[i] = in_[place];
      places[i] = place;
      return;
    }
    for_each_line([&](int64_t line) {
      for (int64_t k = w.begin; k < w.end; k += w.step) {
        const V value = ordered(in_[line + k]);
        if (value > best || is_nan<T>(value)) {
          best = value;
          place = line + k;
        }
      }
    });
    y[i] = in_[place];
    places[i] = place;
  }

  // The place of the maximum of a long window: kTogether lanes, each with a maximum of its own.
  int64_t of_long(Window w) const {
    V best[kTogether];
    Place place[kTogether];
    std::fill_n(best, kTogether, lowest<V>());
    std::fill_n(place, kTogether, static_cast<Place>(first_line() + w.begin));
    const auto take = [&](int64_t at, int64_t count) {
      for (int64_t k = 0; k < count; ++k) {
        const V value = ordered(in_[at + k]);
        const bool better = (value > best[k]) | is_nan<T>(value);
        best[k] = better ? value : best[k];
        place[k] = better ? static_cast<Place>(at + k) : place[k];
      }
    };
    for_each_line([&](int64_t line) {
      int64_t k = w.begin;
      for (; k + kTogether <= w.end; k += kTogether) take(line + k, kTogether);
      take(line + k, w.end - k);
    });
    int64_t found = 0;
    for (int64_t k = 1; k < kTogether; ++k) {
      const bool nan = is_nan<T>(best[k]);
      if (nan != is_nan<T>(best[found])) {
        if (nan) found = k;
      } else if (nan ? place[k] > place[found]
                     : best[k] > best[found] ||
                           (best[k] == best[found] && place[k] < place[found])) {
        found = k;
      }
    }
    return place[found];
  }

  // Outputs whose windows lie inside the row. `kStride` is the step between them, or 0.
  template <int64_t kStride>
  void together(int64_t begin, int64_t end, T* y, int64_t* places) const {
    int64_t i = begin;
    // All but the last of these read every second element by pairs.
    for (; i + kTogether < end; i += kTogether) {
      block<kStride, /*kPairs=*/kStride == 2>(i, std::integral_constant<int64_t, kTogether>(), y,
                                              places);
    }
    if (i < end) block<kStride, /*kPairs=*/false>(i, end - i, y, places);
  }

  // `count` outputs from `i`, at most kTogether.
  template <int64_t kStride, bool kPairs, typename Count>
  void block(int64_t i, Count count, T* y, int64_t* places) const {
    const int64_t stride = kStride == 0 ? g_.stride[2] : kStride;
    const T* in = in_ + i * stride - g_.padding[2];
    V best[kTogether];
    Place place[kTogether];  // beside that of the output
    std::fill_n(best, kTogether, lowest<V>());
    std::fill_n(place, kTogether, static_cast<Place>(first_line()));
    for_each_line([&](int64_t line) {
      for (int64_t at = line; at < line + g_.kernel[2] * g_.dilation[2]; at += g_.dilation[2]) {
        for (int64_t k = 0; k < count; ++k) {
          const V value = key_at<kPairs>(in + at + k * (kPairs ? 2 : stride));
          const bool better = (value > best[k]) | is_nan<T>(value);
          best[k] = better ? value : best[k];
          place[k] = better ? static_cast<Place>(at) : place[k];
        }
      }
    });
    for (int64_t k = 0; k < count; ++k) y[i + k] = in[place[k] + k * stride];
    const int64_t shift = i * stride - g_.padding[2];
    for (int64_t k = 0; k < count; ++k) places[i + k] = place[k] + shift + k * stride;
  }

  template <bool kPairs>
  static V key_at(const T* p) {
    if constexpr (kPairs) {
      return ordered(first_of_pair(p));
    } else {
      return ordered(*p);
    }
  }

  // The first of two elements, of which both are read: the compiler makes vectors of whole words.
  static T first_of_pair(const T* pair) {
    using Half = std::conditional_t<sizeof(T) == 1, uint8_t,
                                    std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;
    using Word = std::conditional_t<sizeof(T) == 1, uint16_t,
                                    std::conditional_t<sizeof(T) == 2, uint32_t, uint64_t>>;
    if constexpr (sizeof(T) > 4 || std::endian::native != std::endian::little) {
      return *pair;
    } else {
      Word word;
      std::memcpy(&word, pair, sizeof(word));
      return std::bit_cast<T>(static_cast<Half>(word));
    }
  }

  const PoolGeometry& g_;
  const std::vector<Window>& columns_;
  const T* in_;
  Window depth_;
  Window height_;
  int64_t inner_begin_ = 0;
  int64_t inner_end_ = 0;
};

// The elements of a window; of adaptive ones about as many.
int64_t window_size(const PoolGeometry& g, bool adaptive) {
  int64_t size = 1;
  for (size_t d = 0; d < 3; ++d) {
    size *= adaptive ? (g.in[d] + g.out[d] - 1) / g.out[d] : g.kernel[d];
  }
  return size;
}

// The grain of parallel_for for tasks of `outputs` outputs each.
int64_t grain_of(const PoolGeometry& g, bool adaptive, int64_t outputs) {
  return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, outputs * window_size(g, adaptive)));
}

// Adaptive windows that are all of one size are those of a pooling with that size and step.
bool make_fixed(PoolGeometry& g) {
  for (size_t d = 0; d < 3; ++d) {
    if (g.in[d] % g.out[d] != 0) return false;
  }
  for (size_t d = 0; d < 3; ++d) {
    g.kernel[d] = g.stride[d] = g.in[d] / g.out[d];
    g.padding[d] = 0;
    g.dilation[d] = 1;
  }
  return true;
}

template <typename T, typename Place>
void max_pool_rows(const PoolGeometry& g, bool adaptive, const T* x, T* y, int64_t* places) {
  const int64_t rows = g.out[0] * g.out[1];
  const int64_t blocks = (g.out[2] + kBlock - 1) / kBlock;
  const int64_t grain = grain_of(g, adaptive, std::min(kBlock, g.out[2]));
  std::vector<Window> columns;
  for (int64_t i = 0; adaptive && i < g.out[2]; ++i) columns.push_back(window(g, adaptive, 2, i));
  at::parallel_for(0, g.planes * rows * blocks, grain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t line = i / blocks;
      const int64_t begin = i % blocks * kBlock;
      const Row<T, Place> row(g, columns, x + line / rows * g.in_size(),
                              window(g, adaptive, 0, line % rows / g.out[1]),
                              window(g, adaptive, 1, line % g.out[1]));
      row(begin, std::min(begin + kBlock, g.out[2]), y + line * g.out[2], places + line * g.out[2]);
    }
  });
}

void max_pool_kernel(const PoolGeometry& geometry, bool adaptive, ScalarType dtype, const void* x,
                     void* y, int64_t* places) {
  PoolGeometry g = geometry;
  if (adaptive && make_fixed(g)) adaptive = false;
  AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, dtype, "max_pool", [&] {
    const auto* in = static_cast<const scalar_t*>(x);
    auto* out = static_cast<scalar_t*>(y);
    if (sizeof(scalar_t) < 8 && g.in_size() <= std::numeric_limits<int32_t>::max()) {
      max_pool_rows<scalar_t, int32_t>(g, adaptive, in, out, places);
    } else {
      max_pool_rows<scalar_t, int64_t>(g, adaptive, in, out, places);
    }
  });
}

// ---- channels that lie together

// The maxima of `count` channels over one window, whose places are given in their order. `Number`
// counts the elements of a window: as wide as what is compared, so that vectors of both have as
// many lanes.
template <typename T, typename Number, typename Count>
void max_of_channels(const T* in, int64_t channels, const std::vector<int64_t>& window, Count count,
                     T* y, int64_t* places) {
  using V = decltype(ordered(T()));
  constexpr bool kReduced = vec::is_reduced_floating_point_v<T>;
  using Bits = std::conditional_t<kReduced, int16_t, T>;
  V best[kTogether];
  Bits value[kTogether];  // that of `best`, where an order does not say it
  Number number[kTogether];
  std::fill_n(best, kTogether, lowest<V>());
  std::fill_n(value, kTogether, std::bit_cast<Bits>(lowest<T>()));
  std::fill_n(number, kTogether, Number(0));
  for (size_t e = 0; e < window.size(); ++e) {
    const T* from = in + window[e] * channels;
    for (int64_t k = 0; k < count; ++k) {
      const V key = ordered(from[k]);
      const bool better = (key > best[k]) | is_nan<T>(key);
      best[k] = better ? key : best[k];
      if constexpr (kReduced) value[k] = better ? static_cast<Bits>(from[k].x) : value[k];
      number[k] = better ? static_cast<Number>(e) : number[k];
    }
  }
  for (int64_t k = 0; k < count; ++k) {
    if constexpr (kReduced) {
      y[k].x = static_cast<uint16_t>(value[k]);
    } else {
      y[k] = best[k];
    }
  }
  for (int64_t k = 0; k < count; ++k) places[k] = window[static_cast<size_t>(number[k])];
}

template <typename T, typename Number>
void max_pool_places(const PoolGeometry& g, bool adaptive, int64_t channels, const T* x, T* y,
                     int64_t* places) {
  const int64_t rows = g.out[0] * g.out[1];
  const int64_t grain = grain_of(g, adaptive, g.out[2] * channels);
  at::parallel_for(0, g.planes / channels * rows, grain, [&](int64_t first, int64_t last) {
    std::vector<int64_t> elements;
    for (int64_t line = first; line < last; ++line) {
      const T* in = x + line / rows * channels * g.in_size();
      const Window depth = window(g, adaptive, 0, line % rows / g.out[1]);
      const Window height = window(g, adaptive, 1, line % g.out[1]);
      for (int64_t w = 0; w < g.out[2]; ++w) {
        const Window width = window(g, adaptive, 2, w);
        elements.clear();
        for (int64_t d = depth.begin; d < depth.end; d += depth.step) {
          for (int64_t h = height.begin; h < height.end; h += height.step) {
            for (int64_t k = width.begin; k < width.end; k += width.step) {
              elements.push_back((d * g.in[1] + h) * g.in[2] + k);
            }
          }
        }
        const int64_t o = (line * g.out[2] + w) * channels;
        if (elements.empty()) {
          const int64_t start = (depth.begin * g.in[1] + height.begin) * g.in[2] + width.begin;
          std::fill_n(y + o, channels, lowest<T>());
          std::fill_n(places + o, channels, start);
          continue;
        }
        if (channels < kTogether) {
          max_of_channels<T, Number>(in, channels, elements, channels, y + o, places + o);
          continue;
        }
        for (int64_t c = 0; c < channels; c += kTogether) {
          // The last channels are compared again where they do not fill a block.
          const int64_t from = std::min(c, channels - kTogether);
          max_of_channels<T, Number>(in + from, channels, elements,
                                     std::integral_constant<int64_t, kTogether>(), y + o + from,
                                     places + o + from);
        }
      }
    }
  });
}

void max_pool_channels_last_kernel(const PoolGeometry& g, bool adaptive, int64_t channels,
                                   ScalarType dtype, const void* x, void* y, int64_t* places) {
  AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, dtype, "max_pool", [&] {
    const auto* in = static_cast<const scalar_t*>(x);
    auto* out = static_cast<scalar_t*>(y);
    // One more along each dimension: adaptive windows differ.
    int64_t most = 1;
    for (size_t d = 0; d < 3; ++d) most *= adaptive ? g.in[d] / g.out[d] + 2 : g.kernel[d];
    if constexpr (sizeof(scalar_t) == 2) {
      if (most <= std::numeric_limits<uint16_t>::max()) {
        max_pool_places<scalar_t, uint16_t>(g, adaptive, channels, in, out, places);
        return;
      }
    }
    if (sizeof(scalar_t) < 8 && most <= std::numeric_limits<uint32_t>::max()) {
      max_pool_places<scalar_t, uint32_t>(g, adaptive, channels, in, out, places);
    } else {
      max_pool_places<scalar_t, uint64_t>(g, adaptive, channels, in, out, places);
    }
  });
}

// ---- gradients

template <typename T>
void max_pool_gradient(const MaxPoolGradient& pool, const T* gy, const int64_t* places, T* gx) {
  // Threads take channels of a volume, so that no two of them add to one element.
  constexpr int64_t kChannels = 64;
  const int64_t blocks = (pool.channels + kChannels - 1) / kChannels;
  const int64_t size = pool.out_size * std::min(kChannels, pool.channels);
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, size));
  at::parallel_for(0, pool.volumes * blocks, grain, [&](int64_t first, int64_t last) {
    for (int64_t task = first; task < last; ++task) {
      const int64_t volume = task / blocks;
      const int64_t from = task % blocks * kChannels;
      const int64_t count = std::min(kChannels, pool.channels - from);
      T* to = gx + volume * pool.in_size * pool.channels + from;
      for (int64_t o = 0; o < pool.out_size; ++o) {
        const int64_t at = (volume * pool.out_size + o) * pool.channels + from;
        for (int64_t c = 0; c < count; ++c) {
          const int64_t place = places[at + c];
          TORCH_CHECK_INDEX(place >= 0 && place < pool.in_size, pool.name, ": index ", place,
                            " is out of bounds for a volume of ", pool.in_size, " elements");
          to[place * pool.channels + c] += gy[at + c];
        }
      }
    }
  });
}

// Elements of 16 bits of volumes of one channel: sums of floats, rounded once.
template <typename T>
void max_pool_gradient_of_floats(const MaxPoolGradient& pool, const T* gy, const int64_t* places,
                                 T* gx) {
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, pool.out_size));
  at::parallel_for(0, pool.volumes, grain, [&](int64_t first, int64_t last) {
    std::vector<float> grads(static_cast<size_t>(pool.out_size));
    std::vector<float> sums(static_cast<size_t>(pool.in_size));
    const MaxPoolGradient one{pool.name, 1, 1, pool.in_size, pool.out_size};
    for (int64_t volume = first; volume < last; ++volume) {
      vec::widen(grads.data(), gy + volume * pool.out_size, pool.out_size);
      std::fill(sums.begin(), sums.end(), 0.0f);
      max_pool_gradient(one, grads.data(), places + volume * pool.out_size, sums.data());
      vec::narrow(gx + volume * pool.in_size, sums.data(), pool.in_size);
    }
  });
}

void max_pool_backward_kernel(const MaxPoolGradient& pool, ScalarType dtype, const void* gy,
                              const int64_t* indices, void* gx) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, dtype, "max_pool_backward", [&] {
    const auto* from = static_cast<const scalar_t*>(gy);
    auto* to = static_cast<scalar_t*>(gx);
    if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
      max_pool_gradient_of_floats(pool, from, indices, to);
    } else {
      max_pool_gradient(pool, from, indices, to);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(max_pool_stub, &CPU_CAPABILITY::max_pool_kernel)
REGISTER_DISPATCH(max_pool_channels_last_stub, &CPU_CAPABILITY::max_pool_channels_last_kernel)
REGISTER_DISPATCH(max_pool_backward_stub, &CPU_CAPABILITY::max_pool_backward_kernel)

}  // namespace at::native
