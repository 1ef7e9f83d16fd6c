// Maxima over windows of contiguous planes: of outputs beside each other in vectors.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Pool.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/ScalarType.h>

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
auto ordered(T x) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    const auto bits = std::bit_cast<int16_t>(x);
    constexpr auto kInfinity = std::bit_cast<int16_t>(std::numeric_limits<T>::infinity());
    constexpr int16_t kGreatest = std::numeric_limits<int16_t>::max();
    const auto size = static_cast<int16_t>(bits & kGreatest);
    const auto key = static_cast<int16_t>(bits < 0 ? -size : size);
    return size > kInfinity ? kGreatest : key;
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
    const int64_t first = std::clamp(inner_begin_, begin, end);
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

  void alone(int64_t i, T* y, int64_t* places) const {
    const Window w =
        columns_.empty() ? window(g_, /*adaptive=*/false, 2, i) : columns_[static_cast<size_t>(i)];
    V best = lowest<V>();
    int64_t place = first_line() + w.begin;
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
          const V value = ordered(kPairs ? first_of_pair(in + at + k * 2) : in[at + k * stride]);
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

template <typename T, typename Place>
void max_pool_rows(const PoolGeometry& g, bool adaptive, const T* x, T* y, int64_t* places) {
  const int64_t rows = g.out[0] * g.out[1];
  const int64_t blocks = (g.out[2] + kBlock - 1) / kBlock;
  const int64_t size = std::min(kBlock, g.out[2]) * g.kernel[0] * g.kernel[1] * g.kernel[2];
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, size));
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

void max_pool_kernel(const PoolGeometry& g, bool adaptive, ScalarType dtype, const void* x, void* y,
                     int64_t* places) {
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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(max_pool_stub, &CPU_CAPABILITY::max_pool_kernel)

}  // namespace at::native
