// Upsampling in one, two and three dimensions: each output element is a weighted sum of the
// elements around a place in the input, and the weights are products of one weight for each
// dimension.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/AxisSampling.h>
#include <ATen/native/Copy.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/UpSample.h>
#include <ATen/ops/_upsample_nearest_exact1d.h>
#include <ATen/ops/_upsample_nearest_exact1d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact1d_native.h>
#include <ATen/ops/_upsample_nearest_exact2d.h>
#include <ATen/ops/_upsample_nearest_exact2d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact2d_native.h>
#include <ATen/ops/_upsample_nearest_exact3d.h>
#include <ATen/ops/_upsample_nearest_exact3d_backward_native.h>
#include <ATen/ops/_upsample_nearest_exact3d_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/upsample_bicubic2d.h>
#include <ATen/ops/upsample_bicubic2d_backward_native.h>
#include <ATen/ops/upsample_bicubic2d_native.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/upsample_bilinear2d_backward_native.h>
#include <ATen/ops/upsample_bilinear2d_native.h>
#include <ATen/ops/upsample_linear1d.h>
#include <ATen/ops/upsample_linear1d_backward_native.h>
#include <ATen/ops/upsample_linear1d_native.h>
#include <ATen/ops/upsample_nearest1d.h>
#include <ATen/ops/upsample_nearest1d_backward_native.h>
#include <ATen/ops/upsample_nearest1d_native.h>
#include <ATen/ops/upsample_nearest2d.h>
#include <ATen/ops/upsample_nearest2d_backward_native.h>
#include <ATen/ops/upsample_nearest2d_native.h>
#include <ATen/ops/upsample_nearest3d.h>
#include <ATen/ops/upsample_nearest3d_backward_native.h>
#include <ATen/ops/upsample_nearest3d_native.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <ATen/ops/upsample_trilinear3d_backward_native.h>
#include <ATen/ops/upsample_trilinear3d_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native {
namespace {

using upsampling::check_sizes;
using upsampling::factor;
using upsampling::Filter;
using upsampling::place_scale;
using upsampling::wanted_size;

using Scales = std::array<std::optional<double>, 3>;

// The input elements that one output position reads along one dimension.
struct Taps {
  int count = 1;
  std::vector<int64_t> index;  // `count` for each position
  std::vector<double> weight;
};

// Keys' kernel with a = -0.75 (Keys, 1981), at distance x.
template <typename Real>
Real cubic_weight(Real x) {
  constexpr Real a = Real(-0.75);
  x = std::abs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

// Places are computed in the precision that values are.
template <typename Real>
Taps make_taps(int64_t in, int64_t out, Filter filter, bool align_corners,
               std::optional<double> scale_factor) {
  const Real scale = place_scale<Real>(in, out, align_corners, scale_factor);
  Taps taps;
  taps.count = filter == Filter::Linear ? 2 : filter == Filter::Cubic ? 4 : 1;
  for (int64_t i = 0; i < out; ++i) {
    const auto at = static_cast<Real>(i);
    if (filter == Filter::Nearest || filter == Filter::NearestExact) {
      const Real place = filter == Filter::Nearest ? at * scale : (at + Real(0.5)) * scale;
      taps.index.push_back(std::min(static_cast<int64_t>(std::floor(place)), in - 1));
      taps.weight.push_back(1);
      continue;
    }
    Real place = align_corners ? at * scale : (at + Real(0.5)) * scale - Real(0.5);
    if (filter == Filter::Linear) {
      place = std::max(place, Real(0));
      const auto low = std::min(static_cast<int64_t>(place), in - 1);
      const Real part = std::clamp(place - static_cast<Real>(low), Real(0), Real(1));
      taps.index.push_back(low);
      taps.index.push_back(std::min(low + 1, in - 1));
      taps.weight.push_back(static_cast<double>(Real(1) - part));
      taps.weight.push_back(static_cast<double>(part));
      continue;
    }
    const Real floor = std::floor(place);
    const Real part = place - floor;
    for (int64_t tap = -1; tap < 3; ++tap) {
      taps.index.push_back(std::clamp<int64_t>(static_cast<int64_t>(floor) + tap, 0, in - 1));
      taps.weight.push_back(static_cast<double>(cubic_weight(part - static_cast<Real>(tap))));
    }
  }
  return taps;
}

struct Problem {
  int64_t planes = 1;
  std::array<int64_t, 3> in = {1, 1, 1};
  std::array<int64_t, 3> out = {1, 1, 1};
  std::array<Taps, 3> taps;
  std::vector<int64_t> out_sizes;
};

std::vector<int64_t> result_sizes(IntArrayRef input_size, IntArrayRef output_size, int64_t dims) {
  check_sizes(input_size, output_size, dims);
  std::vector<int64_t> sizes = {input_size[0], input_size[1]};
  sizes.insert(sizes.end(), output_size.begin(), output_size.end());
  return sizes;
}

Problem make_problem(IntArrayRef input_size, IntArrayRef output_size, int64_t dims, Filter filter,
                     bool align_corners, const Scales& scales, bool wide) {
  Problem p;
  p.out_sizes = result_sizes(input_size, output_size, dims);
  p.planes = input_size[0] * input_size[1];
  for (int64_t d = 0; d < dims; ++d) {
    const auto from = static_cast<size_t>(d);
    const auto to = static_cast<size_t>(d + 3 - dims);
    p.in[to] = input_size[from + 2];
    p.out[to] = output_size[from];
  }
  for (size_t d = 0; d < 3; ++d) {
    if (static_cast<int64_t>(d) < 3 - dims) {
      p.taps[d].index = {0};
      p.taps[d].weight = {1};
      continue;
    }
    auto scale = scales[d - static_cast<size_t>(3 - dims)];
    // Images of two dimensions are repeated exactly when their size stays or doubles, whatever the
    // factor was before its product was rounded.
    if (filter == Filter::Nearest && dims == 2 &&
        (p.out[d] == p.in[d] || p.out[d] == 2 * p.in[d])) {
      scale = std::nullopt;
    }
    p.taps[d] = wide ? make_taps<double>(p.in[d], p.out[d], filter, align_corners, scale)
                     : make_taps<float>(p.in[d], p.out[d], filter, align_corners, scale);
  }
  return p;
}

// Calls f(output row, input row, weight) for each pair of rows of one plane.
template <typename F>
void for_each_row(const Problem& p, const F& f) {
  for (int64_t d = 0; d < p.out[0]; ++d) {
    for (int64_t h = 0; h < p.out[1]; ++h) {
      for (int td = 0; td < p.taps[0].count; ++td) {
        const auto id = static_cast<size_t>(d * p.taps[0].count + td);
        for (int th = 0; th < p.taps[1].count; ++th) {
          const auto ih = static_cast<size_t>(h * p.taps[1].count + th);
          f(d * p.out[1] + h, p.taps[0].index[id] * p.in[1] + p.taps[1].index[ih],
            p.taps[0].weight[id] * p.taps[1].weight[ih]);
        }
      }
    }
  }
}

constexpr int64_t kGrain = 32768;  // elements that are worth a thread

// Elements of 16 bits as floats, converted by vectors; others are what they are.
template <typename T>
const at::opmath_type<T>* widened(const T* in, int64_t n, std::vector<at::opmath_type<T>>& buffer) {
  if constexpr (std::is_same_v<T, at::opmath_type<T>>) {
    return in;
  } else {
    if (static_cast<int64_t>(buffer.size()) < n) buffer.resize(static_cast<size_t>(n));
    widen_stub(DeviceType::CPU, buffer.data(), in, n, c10::CppTypeToScalarType<T>::value);
    return buffer.data();
  }
}
template <typename T>
void narrowed(T* out, const at::opmath_type<T>* in, int64_t n) {
  if constexpr (std::is_same_v<T, at::opmath_type<T>>) {
    std::copy_n(in, n, out);
  } else {
    narrow_stub(DeviceType::CPU, out, in, n, c10::CppTypeToScalarType<T>::value);
  }
}

// Rows too short for loops along them: each element adds up what it reads.
constexpr int64_t kShortRow = 16;

template <typename Math>
struct ShortRows {
  explicit ShortRows(const Problem& p)
      : taps(int64_t{p.taps[0].count} * p.taps[1].count),
        columns(p.taps[2].index),
        weights(p.taps[2].weight.begin(), p.taps[2].weight.end()) {
    for_each_row(p, [&](int64_t /*row*/, int64_t from, double weight) {
      rows.push_back(from * p.in[2]);
      row_weights.push_back(static_cast<Math>(weight));
    });
  }

  int64_t taps;               // rows of the input for each row of the output
  std::vector<int64_t> rows;  // where they begin
  std::vector<Math> row_weights;
  std::vector<int64_t> columns;
  std::vector<Math> weights;
};

// Calls f(first, last, how many of them together) for planes, in parallel.
template <typename F>
void for_each_block(const Problem& p, int64_t taps, const F& f) {
  const int64_t size = p.in[0] * p.in[1] * p.in[2] + p.out[0] * p.out[1] * p.out[2] * taps;
  const int64_t block = std::max<int64_t>(1, 4096 / size);
  const int64_t blocks = (p.planes + block - 1) / block;
  const int64_t grain = std::max<int64_t>(1, kGrain / (size * block));
  at::parallel_for(0, blocks, grain, [&](int64_t begin, int64_t end) {
    const int64_t last = std::min(p.planes, end * block);
    f(begin * block, last, block);
  });
}

template <int kCount, typename T>
void sample_short_rows(const Problem& p, const T* x, T* y) {
  using Math = at::opmath_type<T>;
  const ShortRows<Math> table(p);
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const int64_t width = p.out[2];
  for_each_block(p, table.taps * kCount, [&](int64_t first, int64_t last, int64_t block) {
    std::vector<Math> buffer;
    std::vector<Math> sums(static_cast<size_t>(block * rows * width));
    for (int64_t plane = first; plane < last; plane += block) {
      const int64_t count = std::min(block, last - plane);
      const Math* in = widened(x + plane * in_size, count * in_size, buffer);
      Math* out = sums.data();
      for (int64_t k = 0; k < count; ++k, in += in_size) {
        const int64_t* from = table.rows.data();
        const Math* row_weight = table.row_weights.data();
        for (int64_t row = 0; row < rows; ++row, from += table.taps, row_weight += table.taps) {
          const int64_t* column = table.columns.data();
          const Math* weight = table.weights.data();
          for (int64_t w = 0; w < width; ++w, column += kCount, weight += kCount) {
            Math sum(0);
            for (int64_t tap = 0; tap < table.taps; ++tap) {
              Math line(0);
              for (int t = 0; t < kCount; ++t) line += weight[t] * in[from[tap] + column[t]];
              sum += row_weight[tap] * line;
            }
            *out++ = sum;
          }
        }
      }
      narrowed(y + plane * rows * width, sums.data(), count * rows * width);
    }
  });
}

template <int kCount, typename T>
void scatter_short_rows(const Problem& p, const T* gy, T* gx) {
  using Math = at::opmath_type<T>;
  const ShortRows<Math> table(p);
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const int64_t width = p.out[2];
  for_each_block(p, table.taps * kCount, [&](int64_t first, int64_t last, int64_t block) {
    std::vector<Math> buffer;
    std::vector<Math> sums(static_cast<size_t>(block * in_size));
    for (int64_t plane = first; plane < last; plane += block) {
      const int64_t count = std::min(block, last - plane);
      const Math* out = widened(gy + plane * rows * width, count * rows * width, buffer);
      std::fill(sums.begin(), sums.end(), Math(0));
      Math* in = sums.data();
      for (int64_t k = 0; k < count; ++k, in += in_size) {
        const int64_t* from = table.rows.data();
        const Math* row_weight = table.row_weights.data();
        for (int64_t row = 0; row < rows; ++row, from += table.taps, row_weight += table.taps) {
          const int64_t* column = table.columns.data();
          const Math* weight = table.weights.data();
          for (int64_t w = 0; w < width; ++w, column += kCount, weight += kCount) {
            const Math grad = *out++;
            for (int64_t tap = 0; tap < table.taps; ++tap) {
              const Math part = row_weight[tap] * grad;
              for (int t = 0; t < kCount; ++t) in[from[tap] + column[t]] += weight[t] * part;
            }
          }
        }
      }
      narrowed(gx + plane * in_size, sums.data(), count * in_size);
    }
  });
}

// A row of the input sampled along it: kCount weighted elements for each of `width`.
template <int kCount, typename Math>
void sample_line(Math* line, const Math* source, const int64_t* index, const Math* weight,
                 int64_t width) {
  for (int64_t w = 0; w < width; ++w, index += kCount, weight += kCount) {
    Math sum(0);
    for (int t = 0; t < kCount; ++t) sum += weight[t] * source[index[t]];
    line[w] = sum;
  }
}

template <typename T>
void sample(const Problem& p, const T* x, T* y) {
  using Math = at::opmath_type<T>;
  const Taps& columns = p.taps[2];
  const std::vector<Math> weights(columns.weight.begin(), columns.weight.end());
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const int count = columns.count;
  const bool copies = count == 1;
  const int64_t taps = int64_t{p.taps[0].count} * p.taps[1].count;
  const int64_t width = p.out[2];
  if (width < kShortRow && count == 2) return sample_short_rows<2>(p, x, y);
  if (width < kShortRow && count == 4) return sample_short_rows<4>(p, x, y);
  // Input rows that were sampled along the last dimension: output rows side by side share them.
  const int64_t slots = 2 * taps;
  at::parallel_for(0, p.planes, 1, [&](int64_t first, int64_t last) {
    std::vector<Math> sums(static_cast<size_t>(width));
    std::vector<Math> lines(static_cast<size_t>(slots * width));
    std::vector<int64_t> held(static_cast<size_t>(slots));
    std::vector<Math> buffer;
    for (int64_t plane = first; plane < last; ++plane) {
      std::fill(held.begin(), held.end(), int64_t{-1});
      T* out = y + plane * rows * p.out[2];
      if (copies) {
        for_each_row(p, [&](int64_t row, int64_t from, double /*weight*/) {
          const T* source = x + plane * in_size + from * p.in[2];
          for (int64_t w = 0; w < p.out[2]; ++w) {
            out[row * p.out[2] + w] = source[columns.index[static_cast<size_t>(w)]];
          }
        });
        continue;
      }
      const Math* in = widened(x + plane * in_size, in_size, buffer);
      int64_t taps_left = 0;
      const auto line_of = [&](int64_t from) -> const Math* {
        const int64_t slot = from % slots;
        Math* line = lines.data() + slot * width;
        if (held[static_cast<size_t>(slot)] == from) return line;
        held[static_cast<size_t>(slot)] = from;
        const Math* source = in + from * p.in[2];
        if (count == 2) {
          sample_line<2>(line, source, columns.index.data(), weights.data(), width);
        } else {
          sample_line<4>(line, source, columns.index.data(), weights.data(), width);
        }
        return line;
      };
      for_each_row(p, [&](int64_t row, int64_t from, double weight) {
        if (taps == 1) {  // Its weight is 1.
          narrowed(out + row * width, line_of(from), width);
          return;
        }
        if (taps_left == 0) {
          std::fill(sums.begin(), sums.end(), Math(0));
          taps_left = taps;
        }
        const auto row_weight = static_cast<Math>(weight);
        const Math* line = line_of(from);
        Math* to = sums.data();
        for (int64_t w = 0; w < width; ++w) to[w] += row_weight * line[w];
        if (--taps_left == 0) narrowed(out + row * width, sums.data(), width);
      });
    }
  });
}

// Channels that are added up together: a known number, which the compiler makes vectors of.
constexpr int64_t kChannels = 16;

// to[k] += weight * from[k]
template <typename Math>
void add_channels(Math* to, const Math* from, Math weight, int64_t channels) {
  int64_t c = 0;
  for (; c + kChannels <= channels; c += kChannels) {
    for (int64_t k = 0; k < kChannels; ++k) to[c + k] += weight * from[c + k];
  }
  for (; c < channels; ++c) to[c] += weight * from[c];
}

// Calls f(place of the input, weight) for everything that one place of the output reads.
template <typename F>
void for_each_tap(const Problem& p, int64_t d, int64_t h, int64_t w, const F& f) {
  const Taps& depth = p.taps[0];
  const Taps& rows = p.taps[1];
  const Taps& columns = p.taps[2];
  const auto range = [](const Taps& taps, int64_t i) {
    const auto count = static_cast<size_t>(taps.count);
    return std::pair(static_cast<size_t>(i) * count, static_cast<size_t>(i + 1) * count);
  };
  const auto [d_begin, d_end] = range(depth, d);
  const auto [h_begin, h_end] = range(rows, h);
  const auto [w_begin, w_end] = range(columns, w);
  for (size_t id = d_begin; id < d_end; ++id) {
    for (size_t ih = h_begin; ih < h_end; ++ih) {
      const int64_t row = (depth.index[id] * p.in[1] + rows.index[ih]) * p.in[2];
      const double weight = depth.weight[id] * rows.weight[ih];
      for (size_t iw = w_begin; iw < w_end; ++iw) {
        f(row + columns.index[iw], weight * columns.weight[iw]);
      }
    }
  }
}

// As above where the channels of a place lie together.
template <typename T>
void sample_channels_last(const Problem& p, int64_t channels, const T* x, T* y) {
  using Math = at::opmath_type<T>;
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const bool copies = p.taps[2].count == 1;
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, p.out[2] * channels));
  at::parallel_for(0, p.planes / channels * rows, grain, [&](int64_t first, int64_t last) {
    std::vector<Math> sums(static_cast<size_t>(channels));
    std::vector<Math> buffer;
    for (int64_t line = first; line < last; ++line) {
      const T* in = x + line / rows * in_size * channels;
      T* out = y + line * p.out[2] * channels;
      for (int64_t w = 0; w < p.out[2]; ++w, out += channels) {
        if (copies) {
          for_each_tap(p, line % rows / p.out[1], line % p.out[1], w,
                       [&](int64_t place, double /*weight*/) {
                         std::copy_n(in + place * channels, channels, out);
                       });
          continue;
        }
        std::fill(sums.begin(), sums.end(), Math(0));
        for_each_tap(p, line % rows / p.out[1], line % p.out[1], w,
                     [&](int64_t place, double weight) {
                       const Math* read = widened(in + place * channels, channels, buffer);
                       add_channels(sums.data(), read, static_cast<Math>(weight), channels);
                     });
        narrowed(out, sums.data(), channels);
      }
    }
  });
}

template <typename T>
void scatter_channels_last(const Problem& p, int64_t channels, const T* gy, T* gx) {
  using Math = at::opmath_type<T>;
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2] * channels;
  at::parallel_for(0, p.planes / channels, 1, [&](int64_t first, int64_t last) {
    std::vector<Math> sums(static_cast<size_t>(in_size));
    std::vector<Math> buffer;
    const int64_t lines = p.out[0] * p.out[1];
    const int64_t line_size = p.out[2] * channels;
    for (int64_t image = first; image < last; ++image) {
      std::fill(sums.begin(), sums.end(), Math(0));
      for (int64_t line = 0; line < lines; ++line) {
        const Math* out = widened(gy + (image * lines + line) * line_size, line_size, buffer);
        for (int64_t w = 0; w < p.out[2]; ++w, out += channels) {
          for_each_tap(p, line / p.out[1], line % p.out[1], w, [&](int64_t place, double weight) {
            add_channels(sums.data() + place * channels, out, static_cast<Math>(weight), channels);
          });
        }
      }
      narrowed(gx + image * in_size, sums.data(), in_size);
    }
  });
}

// Which positions of the output read each element of an axis: those of element i, with their
// weights, lie from first[i] to first[i + 1].
template <typename Weight>
struct Readers {
  std::vector<int64_t> first;
  std::vector<int64_t> position;
  std::vector<Weight> weight;
};

template <typename Weight>
Readers<Weight> make_readers(const Taps& taps, int64_t in) {
  Readers<Weight> readers;
  readers.first.resize(static_cast<size_t>(in + 1));
  for (const int64_t i : taps.index) ++readers.first[static_cast<size_t>(i + 1)];
  std::partial_sum(readers.first.begin(), readers.first.end(), readers.first.begin());
  readers.position.resize(taps.index.size());
  readers.weight.resize(taps.index.size());
  std::vector<int64_t> next = readers.first;
  for (size_t tap = 0; tap < taps.index.size(); ++tap) {
    const auto k = static_cast<size_t>(next[static_cast<size_t>(taps.index[tap])]++);
    readers.position[k] = static_cast<int64_t>(tap) / taps.count;
    readers.weight[k] = static_cast<Weight>(taps.weight[tap]);
  }
  return readers;
}

// Of a filter that copies: the positions that read an element lie together.
template <typename T>
void scatter_copies(const Problem& p, const T* gy, T* gx) {
  using Math = at::opmath_type<T>;
  const std::vector<int64_t> first_of = make_readers<Math>(p.taps[2], p.in[2]).first;
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const int64_t width = p.out[2];
  bool same = width == p.in[2];  // Whether every element is read once.
  for (size_t i = 0; i < first_of.size(); ++i) same &= first_of[i] == static_cast<int64_t>(i);
  const int64_t grain = std::max<int64_t>(1, kGrain / (in_size + rows * width));
  at::parallel_for(0, p.planes, grain, [&](int64_t begin, int64_t end) {
    std::vector<Math> widened_sums(std::is_same_v<T, Math> ? 0 : static_cast<size_t>(in_size));
    std::vector<Math> buffer;
    for (int64_t plane = begin; plane < end; ++plane) {
      Math* sums = widened_sums.data();
      if constexpr (std::is_same_v<T, Math>) sums = gx + plane * in_size;
      std::fill_n(sums, in_size, Math(0));
      const Math* out = widened(gy + plane * rows * width, rows * width, buffer);
      for_each_row(p, [&](int64_t row, int64_t from, double /*weight*/) {
        const Math* line = out + row * width;
        Math* target = sums + from * p.in[2];
        if (same) {
          for (int64_t i = 0; i < width; ++i) target[i] += line[i];
          return;
        }
        int64_t k = 0;
        for (int64_t i = 0; i < p.in[2]; ++i) {
          Math sum(0);
          for (const int64_t last = first_of[static_cast<size_t>(i + 1)]; k < last; ++k) {
            sum += line[k];
          }
          target[i] += sum;
        }
      });
      if constexpr (!std::is_same_v<T, Math>) narrowed(gx + plane * in_size, sums, in_size);
    }
  });
}

template <typename T>
void scatter(const Problem& p, const T* gy, T* gx) {
  using Math = at::opmath_type<T>;
  if (p.taps[0].count == 1 && p.taps[1].count == 1 && p.taps[2].count == 1) {
    scatter_copies(p, gy, gx);
    return;
  }
  const Readers<Math> columns = make_readers<Math>(p.taps[2], p.in[2]);
  const int64_t in_size = p.in[0] * p.in[1] * p.in[2];
  const int64_t rows = p.out[0] * p.out[1];
  const int64_t width = p.out[2];
  if (width < kShortRow && p.in[2] < kShortRow) {
    const int count = p.taps[2].count;
    if (count == 2) return scatter_short_rows<2>(p, gy, gx);
    return scatter_short_rows<4>(p, gy, gx);
  }
  // Sums of output rows for the input rows that they read: output rows side by side read the same.
  const int64_t slots = 2 * int64_t{p.taps[0].count} * p.taps[1].count;
  at::parallel_for(0, p.planes, 1, [&](int64_t first, int64_t last) {
    std::vector<Math> sums(static_cast<size_t>(in_size));
    std::vector<Math> lines(static_cast<size_t>(slots * width));
    std::vector<int64_t> held(static_cast<size_t>(slots), -1);
    std::vector<Math> buffer;
    for (int64_t plane = first; plane < last; ++plane) {
      std::fill(sums.begin(), sums.end(), Math(0));
      const Math* out = widened(gy + plane * rows * width, rows * width, buffer);
      // Adds a line to the input row that it is for, and empties it.
      const auto finish = [&](int64_t slot) {
        int64_t& row = held[static_cast<size_t>(slot)];
        if (row < 0) return;
        Math* line = lines.data() + slot * width;
        Math* target = sums.data() + row * p.in[2];
        const int64_t* position = columns.position.data();
        const Math* weight = columns.weight.data();
        for (int64_t i = 0; i < p.in[2]; ++i) {
          Math sum(0);
          const int64_t count =
              columns.first[static_cast<size_t>(i + 1)] - columns.first[static_cast<size_t>(i)];
          for (int64_t k = 0; k < count; ++k) sum += *weight++ * line[*position++];
          target[i] += sum;
        }
        std::fill_n(line, width, Math(0));
        row = -1;
      };
      for_each_row(p, [&](int64_t row, int64_t from, double weight) {
        const int64_t slot = from % slots;
        if (held[static_cast<size_t>(slot)] != from) {
          finish(slot);
          held[static_cast<size_t>(slot)] = from;
        }
        add_channels(lines.data() + slot * width, out + row * width, static_cast<Math>(weight),
                     width);
      });
      for (int64_t slot = 0; slot < slots; ++slot) finish(slot);
      narrowed(gx + plane * in_size, sums.data(), in_size);
    }
  });
}

// Samples one axis after the other, for devices without the loops above. Sums of 16-bit types are
// floats.
Tensor sample_by_axes(const Problem& p, const Tensor& self, int64_t dims) {
  const bool copies = p.taps[2].count == 1;
  Tensor x = !copies && self.element_size() < 4 ? self.to(kFloat) : self;
  for (int64_t d = 0; d < dims; ++d) {
    const Taps& taps = p.taps[static_cast<size_t>(3 - dims + d)];
    x = sample_axis(x, d + 2, taps.count, taps.index,
                    copies ? ArrayRef<double>() : ArrayRef<double>(taps.weight));
  }
  return x.to(self.scalar_type());
}
Tensor scatter_by_axes(const Problem& p, const Tensor& grad, int64_t dims) {
  const bool copies = p.taps[2].count == 1;
  Tensor x = grad.element_size() < 4 ? grad.to(kFloat) : grad;
  for (int64_t d = 0; d < dims; ++d) {
    const auto at = static_cast<size_t>(3 - dims + d);
    const Taps& taps = p.taps[at];
    x = scatter_axis(x, d + 2, p.in[at], taps.count, taps.index,
                     copies ? ArrayRef<double>() : ArrayRef<double>(taps.weight));
  }
  return x.to(grad.scalar_type());
}

// The elements that a filter copies, one by one.
Tensor copy_by_index(const Problem& p, const Tensor& self, int64_t dims) {
  c10::List<std::optional<Tensor>> places;
  places.push_back(std::nullopt);
  places.push_back(std::nullopt);
  for (int64_t d = 0; d < dims; ++d) {
    const std::vector<int64_t>& index = p.taps[static_cast<size_t>(3 - dims + d)].index;
    std::vector<int64_t> shape(static_cast<size_t>(dims), 1);
    shape[static_cast<size_t>(d)] = static_cast<int64_t>(index.size());
    const Tensor place = at::empty(shape, self.options().dtype(kLong));
    std::copy(index.begin(), index.end(), place.mutable_data_ptr<int64_t>());
    places.push_back(place);
  }
  return self.index(places);
}

// The memory format that the loops take. Channels last pays only for many channels.
MemoryFormat loop_format(const Tensor& x) {
  return x.size(1) < 16 ? MemoryFormat::Contiguous : x.suggest_memory_format();
}

Tensor upsample(const char* name, const Tensor& self, IntArrayRef output_size, int64_t dims,
                Filter filter, bool align_corners, const Scales& scales) {
  if (self.is_meta()) {
    return at::empty(result_sizes(self.sizes(), output_size, dims), self.options(),
                     self.suggest_memory_format());
  }
  if (self.is_cpu() && self.scalar_type() == kByte && dims == 2 &&
      (filter == Filter::Linear || filter == Filter::Cubic)) {
    return upsampling::resample(self, output_size, filter, align_corners, {scales[0], scales[1]},
                                /*antialias=*/false);
  }
  const Problem p = make_problem(self.sizes(), output_size, dims, filter, align_corners, scales,
                                 self.scalar_type() == kDouble);
  if (!self.is_cpu()) return sample_by_axes(p, self, dims);
  const auto format = loop_format(self);
  const bool copies = p.taps[2].count == 1;
  const int64_t wanted = p.planes * p.out[0] * p.out[1] * p.out[2];
  if (copies && wanted > 0 && wanted < self.numel() / 8 && !self.is_contiguous(format)) {
    // Few of the elements are read: no copy of all.
    return copy_by_index(p, self, dims).contiguous(self.suggest_memory_format());
  }
  const Tensor x = self.contiguous(format);
  Tensor y = at::empty(p.out_sizes, x.options(), format);
  if (y.numel() == 0) return y;
  const auto run = [&](const auto* from, auto* to) {
    if (format == MemoryFormat::Contiguous) {
      sample(p, from, to);
    } else {
      sample_channels_last(p, self.size(1), from, to);
    }
  };
  if (filter == Filter::Nearest || filter == Filter::NearestExact) {
    AT_DISPATCH_FLOATING_TYPES_AND3(kByte, kBFloat16, kHalf, x.scalar_type(), name, [&] {
      run(x.const_data_ptr<scalar_t>(), y.mutable_data_ptr<scalar_t>());
    });
  } else {
    AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, x.scalar_type(), name, [&] {
      run(x.const_data_ptr<scalar_t>(), y.mutable_data_ptr<scalar_t>());
    });
  }
  return y.contiguous(self.suggest_memory_format());
}

Tensor upsample_backward(const char* name, const Tensor& grad_output, IntArrayRef output_size,
                         IntArrayRef input_size, int64_t dims, Filter filter, bool align_corners,
                         const Scales& scales) {
  const std::vector<int64_t> out_sizes = result_sizes(input_size, output_size, dims);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(out_sizes),
              "Expected grad_output to have the same shape as output; output.size() = ",
              IntArrayRef(out_sizes), " but got grad_output.size() = ", grad_output.sizes());
  if (grad_output.is_meta()) {
    return at::empty(input_size, grad_output.options(), grad_output.suggest_memory_format());
  }
  const Problem p = make_problem(input_size, output_size, dims, filter, align_corners, scales,
                                 grad_output.scalar_type() == kDouble);
  if (!grad_output.is_cpu()) return scatter_by_axes(p, grad_output, dims);
  const auto format = loop_format(grad_output);
  const Tensor gy = grad_output.contiguous(format);
  Tensor gx = at::empty(input_size, gy.options(), format);
  if (gx.numel() == 0) return gx;
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, gy.scalar_type(), name, [&] {
    const auto* from = gy.const_data_ptr<scalar_t>();
    auto* to = gx.mutable_data_ptr<scalar_t>();
    if (format == MemoryFormat::Contiguous) {
      scatter(p, from, to);
    } else {
      scatter_channels_last(p, input_size[1], from, to);
    }
  });
  return gx.contiguous(grad_output.suggest_memory_format());
}

}  // namespace

// One block of functions for each operator; `corners` is its align_corners, or nothing.
#define TORCH_UPSAMPLE_SCALES_1 std::optional<double> s0
#define TORCH_UPSAMPLE_SCALES_2 std::optional<double> s0, std::optional<double> s1
#define TORCH_UPSAMPLE_SCALES_3 \
  std::optional<double> s0, std::optional<double> s1, std::optional<double> s2
#define TORCH_UPSAMPLE_FACTORS_1 factor(scale_factors, 0)
#define TORCH_UPSAMPLE_FACTORS_2 factor(scale_factors, 0), factor(scale_factors, 1)
#define TORCH_UPSAMPLE_FACTORS_3 \
  factor(scale_factors, 0), factor(scale_factors, 1), factor(scale_factors, 2)

#define TORCH_UPSAMPLE_NEAREST(name, dims, filter, ...)                                            \
  Tensor name(const Tensor& self, IntArrayRef output_size, TORCH_UPSAMPLE_SCALES_##dims) {         \
    return upsample(#name, self, output_size, dims, filter, false, {__VA_ARGS__});                 \
  }                                                                                                \
  Tensor& name##_out(const Tensor& self, IntArrayRef output_size, TORCH_UPSAMPLE_SCALES_##dims,    \
                     Tensor& out) {                                                                \
    return write_out(out, upsample(#name, self, output_size, dims, filter, false, {__VA_ARGS__})); \
  }                                                                                                \
  Tensor name##_backward(const Tensor& grad_output, IntArrayRef output_size,                       \
                         IntArrayRef input_size, TORCH_UPSAMPLE_SCALES_##dims) {                   \
    return upsample_backward(#name "_backward", grad_output, output_size, input_size, dims,        \
                             filter, false, {__VA_ARGS__});                                        \
  }                                                                                                \
  Tensor name(const Tensor& input, OptionalIntArrayRef output_size,                                \
              std::optional<ArrayRef<double>> scale_factors) {                                     \
    return at::name(input, wanted_size(input, output_size, scale_factors),                         \
                    TORCH_UPSAMPLE_FACTORS_##dims);                                                \
  }

#define TORCH_UPSAMPLE_SMOOTH(name, dims, filter, ...)                                        \
  Tensor name(const Tensor& self, IntArrayRef output_size, bool align_corners,                \
              TORCH_UPSAMPLE_SCALES_##dims) {                                                 \
    return upsample(#name, self, output_size, dims, filter, align_corners, {__VA_ARGS__});    \
  }                                                                                           \
  Tensor& name##_out(const Tensor& self, IntArrayRef output_size, bool align_corners,         \
                     TORCH_UPSAMPLE_SCALES_##dims, Tensor& out) {                             \
    return write_out(                                                                         \
        out, upsample(#name, self, output_size, dims, filter, align_corners, {__VA_ARGS__})); \
  }                                                                                           \
  Tensor name##_backward(const Tensor& grad_output, IntArrayRef output_size,                  \
                         IntArrayRef input_size, bool align_corners,                          \
                         TORCH_UPSAMPLE_SCALES_##dims) {                                      \
    return upsample_backward(#name "_backward", grad_output, output_size, input_size, dims,   \
                             filter, align_corners, {__VA_ARGS__});                           \
  }                                                                                           \
  Tensor name(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,       \
              std::optional<ArrayRef<double>> scale_factors) {                                \
    return at::name(input, wanted_size(input, output_size, scale_factors), align_corners,     \
                    TORCH_UPSAMPLE_FACTORS_##dims);                                           \
  }

TORCH_UPSAMPLE_NEAREST(upsample_nearest1d, 1, Filter::Nearest, s0)
TORCH_UPSAMPLE_NEAREST(_upsample_nearest_exact1d, 1, Filter::NearestExact, s0)
TORCH_UPSAMPLE_NEAREST(upsample_nearest2d, 2, Filter::Nearest, s0, s1)
TORCH_UPSAMPLE_NEAREST(_upsample_nearest_exact2d, 2, Filter::NearestExact, s0, s1)
TORCH_UPSAMPLE_NEAREST(upsample_nearest3d, 3, Filter::Nearest, s0, s1, s2)
TORCH_UPSAMPLE_NEAREST(_upsample_nearest_exact3d, 3, Filter::NearestExact, s0, s1, s2)
TORCH_UPSAMPLE_SMOOTH(upsample_linear1d, 1, Filter::Linear, s0)
TORCH_UPSAMPLE_SMOOTH(upsample_bilinear2d, 2, Filter::Linear, s0, s1)
TORCH_UPSAMPLE_SMOOTH(upsample_trilinear3d, 3, Filter::Linear, s0, s1, s2)
TORCH_UPSAMPLE_SMOOTH(upsample_bicubic2d, 2, Filter::Cubic, s0, s1)

}  // namespace at::native
