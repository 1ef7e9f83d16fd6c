// Convolutions and their gradients without columns of the input.
//
// A band of rows is copied into a frame of zeros, with the elements that are a stride apart side by
// side. There, each element of the kernel is a shift: the inputs of neighbouring outputs are
// neighbours. All three products are sums over i of a[a_offsets[i] + lane] * b[row + b_offsets[i]],
// of a block of lanes and rows whose sums stay in registers:
//
//                   lanes              rows              i
//   forward         output positions   output channels   input channels, kernel elements
//   backward_input  input positions    input channels    output channels, kernel elements
//   backward_weight output channels    kernel elements   output positions
//
// With stride s, the inputs of backward_input fall into s classes in each dimension: those of one
// class read the same elements of the kernel, so each class is a convolution of stride 1.
//
// (Georganas et al., "Anatomy of High-Performance Deep Learning Convolutions on SIMD
// Architectures", 2018, block registers likewise.)

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/DirectConv.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// Sums in registers: kVectors vectors of kRows rows. The rest of the registers holds a row's
// factor and kVectors vectors.
constexpr int64_t kVectors = 3;
#if defined(CPU_CAPABILITY_AVX512) || defined(__aarch64__)
constexpr int64_t kRows = 8;
#else
constexpr int64_t kRows = 4;
#endif

// Products that are added in registers before the sums go to memory: their operands stay in the
// first cache, and the rounding errors of shorter sums are smaller.
constexpr int64_t kProducts = 256;
// Bytes of a band, which stays in the second cache while all outputs read it, and of the sums of a
// part of a weight's gradient, which stay there while all outputs are added to them.
constexpr int64_t kBandBytes = 256 * 1024;
// Multiply-adds that are worth a thread.
constexpr int64_t kThreadWork = 128 * 1024;

template <typename T>
constexpr int64_t kLanes = Vectorized<T>::size();
template <typename T>
constexpr int64_t kTile = kVectors * kLanes<T>;

// What follows a buffer, so that whole vectors can be read and written at its end.
template <typename T>
constexpr int64_t kSlack = kTile<T>;

template <typename T>
struct Block {
  int64_t products;
  const T* a;
  const int64_t* a_offsets;
  const T* b;
  const int64_t* b_offsets;
  const int64_t* b_rows;
  const T* initial;  // one number for each row, or null to add to the sums
  T* sums;           // rows of kTile
};

template <typename T, int64_t kCount, int64_t kHeight>
void multiply(const Block<T>& block) {
  using Vec = Vectorized<T>;
  Vec sums[kHeight][kCount];
  const T* rows[kHeight];
#pragma GCC unroll 8
  for (int64_t r = 0; r < kHeight; ++r) rows[r] = block.b + block.b_rows[r];
  const int64_t* a_offsets = block.a_offsets;
  const int64_t* b_offsets = block.b_offsets;
  for (int64_t i = 0; i < block.products; ++i) {
    const T* a = block.a + a_offsets[i];
    const int64_t at = b_offsets[i];
    Vec vectors[kCount];
#pragma GCC unroll 3
    for (int64_t v = 0; v < kCount; ++v) vectors[v] = Vec::loadu(a + v * kLanes<T>);
#pragma GCC unroll 8
    for (int64_t r = 0; r < kHeight; ++r) {
      const Vec factor(rows[r][at]);
#pragma GCC unroll 3
      for (int64_t v = 0; v < kCount; ++v) {
        sums[r][v] = vec::fmadd(vectors[v], factor, sums[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int64_t r = 0; r < kHeight; ++r) {
#pragma GCC unroll 3
    for (int64_t v = 0; v < kCount; ++v) {
      T* to = block.sums + r * kTile<T> + v * kLanes<T>;
      const Vec before = block.initial != nullptr ? Vec(block.initial[r]) : Vec::loadu(to);
      (before + sums[r][v]).store(to);
    }
  }
}

template <typename T>
void multiply(int64_t vectors, int64_t rows, const Block<T>& block) {
  using Function = void (*)(const Block<T>&);
  static constexpr auto kFunctions = []<size_t... I>(std::index_sequence<I...> /*all*/) {
    return std::array<Function, sizeof...(I)>{&multiply<T, I / kRows + 1, I % kRows + 1>...};
  }(std::make_index_sequence<static_cast<size_t>(kVectors * kRows)>());
  kFunctions[static_cast<size_t>((vectors - 1) * kRows + rows - 1)](block);
}

// `total` in the fewest parts of at most `most`, which differ by at most one.
struct Parts {
  int64_t total;
  int64_t count;
  Parts(int64_t total_size, int64_t most)
      : total(total_size), count(std::max<int64_t>(1, at::divup(total_size, most))) {}
  int64_t begin(int64_t part) const { return total * part / count; }
  int64_t size(int64_t part) const { return begin(part + 1) - begin(part); }
  int64_t most() const { return at::divup(total, count); }
};

// One dimension: output `a` reads the elements stride * a + shift of the source, a shift for each
// element of the kernel that counts.
struct Axis {
  int64_t outputs = 0;
  int64_t stride = 1;
  int64_t source = 0;
  std::vector<int64_t> shifts;
  std::vector<int64_t> kernel;  // the element of each shift
  int64_t first = 0;            // where output 0 is stored,
  int64_t step = 1;             // and how far from it the next one
  int64_t stored = 0;           // the size of what they are stored in

  // Of the frame: the class of elements that a shift reads, and where the class's first one is for
  // output 0.
  int64_t low = 0;
  std::vector<int64_t> residues;
  std::vector<int64_t> class_of;
  std::vector<int64_t> advance;
  int64_t most_advance = 0;

  // Call it once, when the shifts are known.
  void lay_out() {
    if (shifts.empty()) return;
    low = *std::min_element(shifts.begin(), shifts.end());
    for (const int64_t shift : shifts) {
      const int64_t residue = (shift - low) % stride;
      auto found = std::find(residues.begin(), residues.end(), residue);
      if (found == residues.end()) found = residues.insert(residues.end(), residue);
      class_of.push_back(found - residues.begin());
      advance.push_back((shift - low) / stride);
      most_advance = std::max(most_advance, advance.back());
    }
  }
  int64_t classes() const { return static_cast<int64_t>(residues.size()); }
  int64_t taps() const { return static_cast<int64_t>(shifts.size()); }
};

using Axes = std::array<Axis, 3>;

Axes forward_axes(const ConvGeometry& g) {
  Axes axes;
  for (size_t d = 0; d < 3; ++d) {
    Axis& axis = axes[d];
    axis.outputs = axis.stored = g.out[d];
    axis.stride = g.stride[d];
    axis.source = g.in[d];
    for (int64_t k = 0; k < g.kernel[d]; ++k) {
      axis.shifts.push_back(k * g.dilation[d] - g.padding[d]);
      axis.kernel.push_back(k);
    }
    axis.lay_out();
  }
  return axes;
}

// The inputs i with i + padding = stride * q + residue: they read the outputs q - k * dilation /
// stride of the kernel elements k that have the same residue.
Axis backward_axis(const ConvGeometry& g, size_t d, int64_t residue) {
  Axis axis;
  const int64_t stride = g.stride[d];
  const int64_t q = std::max<int64_t>(0, at::divup(g.padding[d] - residue, stride));
  axis.first = stride * q + residue - g.padding[d];
  axis.step = stride;
  axis.stored = g.in[d];
  axis.source = g.out[d];
  axis.outputs = axis.first < g.in[d] ? at::divup(g.in[d] - axis.first, stride) : 0;
  for (int64_t k = 0; k < g.kernel[d]; ++k) {
    if (k * g.dilation[d] % stride != residue) continue;
    axis.shifts.push_back(q - (k * g.dilation[d] - residue) / stride);
    axis.kernel.push_back(k);
  }
  axis.lay_out();
  return axis;
}

// Memory of the allocator, which keeps what is freed for the next call; not initialised.
template <typename T>
class Buffer {
 public:
  explicit Buffer(int64_t size)
      : memory_(c10::GetDefaultCPUAllocator()->allocate(static_cast<size_t>(size + kSlack<T>) *
                                                        sizeof(T))),
        data_(static_cast<T*>(memory_.mutable_get())) {}
  T* data() const { return data_; }

 private:
  c10::DataPtr memory_;
  T* data_;
};

// Copies vectors; what is read and written beyond the end must be the caller's.
template <typename T>
void copy_whole(T* to, const T* from, int64_t count) {
  for (int64_t i = 0; i < count; i += kLanes<T>) {
    Vectorized<T>::loadu(from + i).store(to + i);
  }
}

// In pieces of a vector, of four elements and of one; the last piece of a size reaches back over
// what is copied already.
template <typename T>
void copy_exact(T* to, const T* from, int64_t count) {
  if (count >= kLanes<T>) {
    for (int64_t i = 0; i < count; i += kLanes<T>) {
      const int64_t at = std::min(i, count - kLanes<T>);
      Vectorized<T>::loadu(from + at).store(to + at);
    }
  } else if (count >= 4) {
    for (int64_t i = 0; i < count; i += 4) {
      const int64_t at = std::min<int64_t>(i, count - 4);
      std::memcpy(to + at, from + at, 4 * sizeof(T));
    }
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

// to[j * to_stride + i] = from[i * from_stride + j], four of which are written at once.
template <typename T>
void transpose(T* to, int64_t to_stride, const T* from, int64_t from_stride, int64_t rows,
               int64_t columns) {
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    const T* p = from + i * from_stride;
    for (int64_t j = 0; j < columns; ++j, ++p) {
      const T four[4] = {p[0], p[from_stride], p[2 * from_stride], p[3 * from_stride]};
      std::copy(four, four + 4, to + j * to_stride + i);
    }
  }
  for (; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) to[j * to_stride + i] = from[i * from_stride + j];
  }
}

// Some rows of one unit, or all rows of several; a unit is a slice of an image along the first
// dimension of the outputs.
struct Band {
  int64_t unit;
  int64_t units;
  int64_t row;
  int64_t rows;
};

// The frame of a band: (channels, elements of the kernel's first dimension, classes of rows,
// classes of columns, units, rows, columns).
template <typename T>
class Frame {
 public:
  Frame(const Axes& axes, int64_t channels, const Band& largest)
      : axes_(axes), channels_(channels), width_(width(axes)), data_(channels * plane(largest)) {}

  static int64_t width(const Axes& axes) { return axes[2].outputs + axes[2].most_advance; }
  // The elements of one row of one unit in all classes of all channels.
  static int64_t row_size(const Axes& axes, int64_t channels) {
    return channels * axes[0].taps() * axes[1].classes() * axes[2].classes() * width(axes);
  }

  int64_t height(const Band& band) const { return band.rows + axes_[1].most_advance; }
  int64_t grid(const Band& band) const { return band.units * height(band) * width_; }
  // The elements of one channel.
  int64_t plane(const Band& band) const {
    return axes_[0].taps() * axes_[1].classes() * axes_[2].classes() * grid(band);
  }
  // Where an output is in the grid.
  int64_t position(const Band& band, int64_t unit, int64_t row, int64_t column) const {
    return (unit * height(band) + row) * width_ + column;
  }
  const T* data() const { return data_.data(); }

  // Where each element of the kernel begins to read a channel.
  std::vector<int64_t> offsets(const Band& band) const {
    std::vector<int64_t> offsets;
    const int64_t size = grid(band);
    for (int64_t i = 0; i < axes_[0].taps(); ++i) {
      for (size_t j = 0; j < axes_[1].shifts.size(); ++j) {
        for (size_t k = 0; k < axes_[2].shifts.size(); ++k) {
          const int64_t rows = i * axes_[1].classes() + axes_[1].class_of[j];
          const int64_t columns = rows * axes_[2].classes() + axes_[2].class_of[k];
          offsets.push_back(columns * size + axes_[1].advance[j] * width_ + axes_[2].advance[k]);
        }
      }
    }
    return offsets;
  }

  // `source` is the first channel of the first image. Rows are written in the order of memory, so
  // that vectors may reach beyond the end of one.
  void fill(const Band& band, const T* source, int64_t image_stride) {
    T* to = data_.data();
    const int64_t slice_size = axes_[1].source * axes_[2].source;
    std::vector<Columns> classes;
    for (const int64_t residue : axes_[2].residues) classes.push_back(columns(residue));
    for (int64_t c = 0; c < channels_; ++c) {
      const T* channel = source + c * axes_[0].source * slice_size;
      for (const int64_t shift : axes_[0].shifts) {
        for (const int64_t row_residue : axes_[1].residues) {
          for (const Columns& kept : classes) {
            for (int64_t u = band.unit; u < band.unit + band.units; ++u) {
              const int64_t z = u % axes_[0].outputs * axes_[0].stride + shift;
              const bool has_slice = z >= 0 && z < axes_[0].source;
              const int64_t slice = u / axes_[0].outputs * image_stride + z * slice_size;
              int64_t h = axes_[1].low + row_residue + band.row * axes_[1].stride;
              for (int64_t r = 0; r < height(band); ++r) {
                const bool has_row = has_slice && h >= 0 && h < axes_[1].source;
                fill_row(has_row ? channel + slice + h * axes_[2].source : nullptr, kept, to);
                to += width_;
                h += axes_[1].stride;
              }
            }
          }
        }
      }
    }
  }

 private:
  // A class of the columns: first, first + stride ...; those in [begin, end) are in the source.
  struct Columns {
    int64_t first;
    int64_t begin;
    int64_t end;
  };
  Columns columns(int64_t residue) const {
    const Axis& axis = axes_[2];
    const int64_t first = axis.low + residue;
    const int64_t begin = std::min(width_, first >= 0 ? 0 : at::divup(-first, axis.stride));
    const int64_t left = std::max<int64_t>(0, axis.source - first);
    return {first, begin, std::max(begin, std::min(width_, at::divup(left, axis.stride)))};
  }

  // Zeros where there are no elements.
  void fill_row(const T* row, const Columns& kept, T* to) const {
    const int64_t stride = axes_[2].stride;
    const int64_t begin = row == nullptr ? 0 : kept.begin;
    const int64_t end = row == nullptr ? 0 : kept.end;
    for (int64_t i = 0; i < begin; ++i) to[i] = T(0);
    if (begin < end && stride == 1) {
      copy_exact(to + begin, row + kept.first + begin, end - begin);
    } else {
      // Four are written at once.
      int64_t i = begin;
      for (; i + 4 <= end; i += 4) {
        const T* from = row + kept.first + i * stride;
        const T four[4] = {from[0], from[stride], from[2 * stride], from[3 * stride]};
        std::copy(four, four + 4, to + i);
      }
      for (; i < end; ++i) to[i] = row[kept.first + i * stride];
    }
    for (int64_t i = end; i < width_; i += kLanes<T>) Vectorized<T>(T(0)).store(to + i);
  }

  const Axes& axes_;
  int64_t channels_;
  int64_t width_;
  Buffer<T> data_;
};

// Bands of the outputs of all images whose frames have at most kBandBytes, if a row's has; at least
// `wanted` of them, if there are as many units and rows.
class Bands {
 public:
  Bands(const Axes& axes, int64_t batch, int64_t row_bytes, int64_t wanted)
      : units_(batch * axes[0].outputs), rows_(axes[1].outputs) {
    const int64_t fit = kBandBytes / std::max<int64_t>(1, row_bytes);
    const int64_t extra = axes[1].most_advance;
    if (rows_ + extra > fit || units_ < wanted) {
      const int64_t parts = std::max(at::divup(rows_, std::max<int64_t>(1, fit - extra)),
                                     std::min(rows_, at::divup(wanted, units_)));
      rows_each_ = at::divup(rows_, parts);
    } else {
      rows_each_ = rows_;
      units_each_ = std::min(fit / (rows_ + extra), units_ / wanted);
      units_each_ = at::divup(units_, at::divup(units_, units_each_));
    }
  }
  int64_t count() const { return at::divup(units_, units_each_) * row_parts(); }
  Band largest() const { return {0, units_each_, 0, rows_each_}; }
  Band at(int64_t index) const {
    const int64_t unit = index / row_parts() * units_each_;
    const int64_t row = index % row_parts() * rows_each_;
    return {unit, std::min(units_each_, units_ - unit), row, std::min(rows_each_, rows_ - row)};
  }

 private:
  int64_t row_parts() const { return at::divup(rows_, rows_each_); }

  int64_t units_;
  int64_t rows_;
  int64_t units_each_ = 1;
  int64_t rows_each_ = 1;
};

// Neighbouring outputs of one row, and where they are.
struct Run {
  int64_t lane;
  int64_t length;
  int64_t from;  // in the grid of the frame
  int64_t to;    // in the first channel of the first image
};

// Finds the runs of `count` outputs of a band from the first one on. They are numbered one after
// another, or by their positions in the grid, where lanes between rows are of no output.
template <typename T>
class Runs {
 public:
  Runs(const Axes& axes, const Frame<T>& frame, const Band& band, int64_t image_stride,
       bool by_grid)
      : axes_(axes), frame_(frame), band_(band), image_stride_(image_stride), by_grid_(by_grid) {}

  int64_t total() const {
    if (!by_grid_) return band_.units * band_.rows * axes_[2].outputs;
    return frame_.position(band_, band_.units - 1, band_.rows - 1, axes_[2].outputs);
  }

  void find(int64_t first, int64_t count, std::vector<Run>& runs) const {
    runs.clear();
    const int64_t row_size = by_grid_ ? frame_.position(band_, 0, 1, 0) : axes_[2].outputs;
    const int64_t rows = by_grid_ ? frame_.height(band_) : band_.rows;
    int64_t row = first / row_size;
    int64_t column = first % row_size;
    for (int64_t lane = 0; lane < count;) {
      const int64_t r = row % rows;
      const int64_t length = std::min(count - lane, axes_[2].outputs - column);
      if (r < band_.rows && length > 0) {
        const int64_t unit = band_.unit + row / rows;
        const int64_t slice = at(axes_[0], unit % axes_[0].outputs);
        const int64_t line = slice * axes_[1].stored + at(axes_[1], band_.row + r);
        runs.push_back({lane, length, frame_.position(band_, row / rows, r, column),
                        unit / axes_[0].outputs * image_stride_ + line * axes_[2].stored +
                            at(axes_[2], column)});
      }
      lane += row_size - column;
      column = 0;
      ++row;
    }
  }

 private:
  static int64_t at(const Axis& axis, int64_t output) { return axis.first + output * axis.step; }

  const Axes& axes_;
  const Frame<T>& frame_;
  Band band_;
  int64_t image_stride_;
  bool by_grid_;
};

// Outputs that are sums over channels and elements of the kernel.
template <typename T>
struct Convolution {
  const Axes& axes;
  int64_t batch;
  int64_t groups;
  int64_t channels;  // of one group, as the rest
  int64_t outputs;
  const T* source;
  const T* w;
  int64_t w_group;
  int64_t w_channel;
  int64_t w_output;
  std::vector<int64_t> w_taps;
  const T* bias;
  T* result;

  int64_t source_size() const { return axes[0].source * axes[1].source * axes[2].source; }
  int64_t stored_size() const { return axes[0].stored * axes[1].stored * axes[2].stored; }
};

// One thread's part of it.
template <typename T>
class Convolver {
 public:
  Convolver(const Convolution<T>& c, const Bands& bands)
      : c_(c),
        bands_(bands),
        frame_(c.axes, c.channels, bands.largest()),
        taps_(static_cast<int64_t>(c.w_taps.size())),
        chunks_(c.channels, std::max<int64_t>(1, kProducts / taps_)),
        sums_(c.outputs * kTile<T>),
        panel_(chunks_.most() * taps_ * kTile<T>) {
    for (int64_t channel = 0; channel < chunks_.most(); ++channel) {
      for (const int64_t tap : c.w_taps) w_offsets_.push_back(channel * c.w_channel + tap);
    }
    for (int64_t r = 0; r < kRows; ++r) w_rows_.push_back(r * c.w_output);
    for (int64_t i = 0; i < chunks_.most() * taps_; ++i) panel_offsets_.push_back(i * kTile<T>);
  }

  // Outputs [begin, end) of a group in a band.
  void operator()(int64_t group, int64_t index, int64_t begin, int64_t end) {
    const Band band = bands_.at(index);
    const std::pair<int64_t, int64_t> filled(group, index);
    if (filled_ != filled) {
      filled_ = filled;
      frame_.fill(band, c_.source + group * c_.channels * c_.source_size(),
                  c_.groups * c_.channels * c_.source_size());
      const std::vector<int64_t> taps = frame_.offsets(band);
      frame_offsets_.clear();
      for (int64_t channel = 0; channel < chunks_.most(); ++channel) {
        for (const int64_t tap : taps) frame_offsets_.push_back(channel * frame_.plane(band) + tap);
      }
    }
    const bool copies = copies_windows(band, end - begin);
    const Runs<T> all(c_.axes, frame_, band, c_.groups * c_.outputs * c_.stored_size(), !copies);
    const Parts tiles(at::divup(all.total(), kLanes<T>), kVectors);
    for (int64_t tile = 0; tile < tiles.count; ++tile) {
      const int64_t first = tiles.begin(tile) * kLanes<T>;
      all.find(first, std::min(tiles.size(tile) * kLanes<T>, all.total() - first), runs_);
      for (int64_t chunk = 0; chunk < chunks_.count; ++chunk) {
        add_chunk(group, band, begin, end, tiles.size(tile), first, chunk, copies);
      }
      store(group, begin, end);
    }
  }

 private:
  // Vectors of the grid include positions between rows, of no output; copies of the windows do not.
  // A core multiplies two vectors at a time and stores one.
  bool copies_windows(const Band& band, int64_t outputs) const {
    const Runs<T> grid(c_.axes, frame_, band, 0, true);
    const int64_t exact = band.units * band.rows * c_.axes[2].outputs;
    const int64_t saved = at::divup(grid.total(), kLanes<T>) - at::divup(exact, kLanes<T>);
    const int64_t stores = band.units * band.rows * at::divup(c_.axes[2].outputs, kLanes<T>);
    return saved * outputs > 2 * stores;
  }

  void add_chunk(int64_t group, const Band& band, int64_t begin, int64_t end, int64_t vectors,
                 int64_t first, int64_t chunk, bool copies) {
    const int64_t channel = chunks_.begin(chunk);
    const T* frame = frame_.data() + channel * frame_.plane(band);
    const int64_t products = chunks_.size(chunk) * taps_;
    if (copies) {
      for (int64_t i = 0; i < products; ++i) {
        const T* from = frame + frame_offsets_[static_cast<size_t>(i)];
        T* to = panel_.data() + i * kTile<T>;
        for (const Run& run : runs_) copy_whole(to + run.lane, from + run.from, run.length);
      }
    }
    static constexpr std::array<T, static_cast<size_t>(kRows)> kZeros{};
    const T* w = c_.w + group * c_.w_group + channel * c_.w_channel;
    const T* bias = c_.bias == nullptr ? nullptr : c_.bias + group * c_.outputs;
    const Parts blocks(end - begin, kRows);
    for (int64_t b = 0; b < blocks.count; ++b) {
      const int64_t output = begin + blocks.begin(b);
      const T* initial = bias == nullptr ? kZeros.data() : bias + output;
      multiply<T>(vectors, blocks.size(b),
                  {products, copies ? panel_.data() : frame + first,
                   copies ? panel_offsets_.data() : frame_offsets_.data(), w + output * c_.w_output,
                   w_offsets_.data(), w_rows_.data(), chunk == 0 ? initial : nullptr,
                   sums_.data() + (output - begin) * kTile<T>});
    }
  }

  void store(int64_t group, int64_t begin, int64_t end) const {
    const int64_t step = c_.axes[2].step;
    for (int64_t output = begin; output < end; ++output) {
      T* result = c_.result + (group * c_.outputs + output) * c_.stored_size();
      const T* sums = sums_.data() + (output - begin) * kTile<T>;
      for (const Run& run : runs_) {
        if (step == 1) {
          copy_exact(result + run.to, sums + run.lane, run.length);
        } else {
          T* to = result + run.to;
          for (int64_t i = 0; i < run.length; ++i) to[i * step] = sums[run.lane + i];
        }
      }
    }
  }

  const Convolution<T>& c_;
  const Bands& bands_;
  Frame<T> frame_;
  int64_t taps_;
  Parts chunks_;  // of channels
  Buffer<T> sums_;
  Buffer<T> panel_;
  std::vector<int64_t> w_offsets_;
  std::vector<int64_t> w_rows_;
  std::vector<int64_t> panel_offsets_;
  std::vector<int64_t> frame_offsets_;
  std::pair<int64_t, int64_t> filled_{-1, -1};  // group and band of the frame
  std::vector<Run> runs_;
};

int64_t grain_of(int64_t work, int64_t tasks) {
  return std::max<int64_t>(1, kThreadWork * tasks / std::max<int64_t>(1, work));
}

template <typename T>
void convolve(const Convolution<T>& c) {
  const int64_t threads = at::get_num_threads();
  const Bands bands(c.axes, c.batch,
                    Frame<T>::row_size(c.axes, c.channels) * static_cast<int64_t>(sizeof(T)),
                    std::max<int64_t>(1, at::divup(threads, c.groups)));
  // Channels of the outputs are divided where the bands would leave threads without work.
  const int64_t pairs = c.groups * bands.count();
  const int64_t wanted = pairs < 4 * threads ? threads / std::gcd(threads, pairs) : 1;
  const Parts parts(c.outputs, at::divup(c.outputs, std::min(wanted, at::divup(c.outputs, kRows))));
  const int64_t tasks = pairs * parts.count;
  const int64_t outputs = c.axes[0].outputs * c.axes[1].outputs * c.axes[2].outputs;
  const int64_t work =
      c.batch * c.groups * c.outputs * c.channels * outputs * static_cast<int64_t>(c.w_taps.size());
  at::parallel_for(0, tasks, grain_of(work, tasks), [&](int64_t first, int64_t last) {
    Convolver<T> convolver(c, bands);
    for (int64_t task = first; task < last; ++task) {
      const int64_t pair = task / parts.count;
      const int64_t begin = parts.begin(task % parts.count);
      convolver(pair / bands.count(), pair % bands.count(), begin,
                begin + parts.size(task % parts.count));
    }
  });
}

// Where the elements of the kernel that the axes name are in the weight.
std::vector<int64_t> weight_taps(const Axes& axes, const ConvGeometry& g) {
  std::vector<int64_t> taps;
  for (const int64_t i : axes[0].kernel) {
    for (const int64_t j : axes[1].kernel) {
      for (const int64_t k : axes[2].kernel) {
        taps.push_back((i * g.kernel[1] + j) * g.kernel[2] + k);
      }
    }
  }
  return taps;
}

template <typename T>
void forward(const ConvGeometry& g, const T* x, const T* w, const T* bias, T* y) {
  const Axes axes = forward_axes(g);
  const int64_t kernel = g.kernel_size();
  convolve<T>({axes, g.batch, g.groups, g.in_channels, g.out_channels, x, w,
               g.out_channels * g.in_channels * kernel, kernel, g.in_channels * kernel,
               weight_taps(axes, g), bias, y});
}

template <typename T>
void backward_input(const ConvGeometry& g, const T* y, const T* w, T* x) {
  std::array<std::vector<Axis>, 3> classes;
  bool all = true;
  for (size_t d = 0; d < 3; ++d) {
    for (int64_t residue = 0; residue < g.stride[d]; ++residue) {
      Axis axis = backward_axis(g, d, residue);
      if (axis.outputs == 0) continue;
      all = all && axis.taps() > 0;
      if (axis.taps() > 0) classes[d].push_back(std::move(axis));
    }
  }
  if (!all) std::fill_n(x, g.batch * g.groups * g.in_channels * g.in_size(), T(0));
  const int64_t kernel = g.kernel_size();
  for (const Axis& first : classes[0]) {
    for (const Axis& second : classes[1]) {
      for (const Axis& third : classes[2]) {
        const Axes axes = {first, second, third};
        convolve<T>({axes, g.batch, g.groups, g.out_channels, g.in_channels, y, w,
                     g.out_channels * g.in_channels * kernel, g.in_channels * kernel, kernel,
                     weight_taps(axes, g), nullptr, x});
      }
    }
  }
}

// The gradient of the weight: sums over the outputs of a part of the bands, for some channels of
// the input of one group.
template <typename T>
class WeightGradient {
 public:
  WeightGradient(const ConvGeometry& g, const Axes& axes, const Bands& bands, int64_t channels)
      : g_(g),
        axes_(axes),
        bands_(bands),
        tiles_(at::divup(g.out_channels, kLanes<T>), kVectors),
        channels_(channels),
        frame_(axes, channels, bands.largest()),
        panel_(tiles_.count * kPositions * kTile<T>) {
    std::fill_n(panel_.data(), tiles_.count * kPositions * kTile<T>, T(0));
    for (int64_t i = 0; i < kPositions; ++i) panel_offsets_.push_back(i * kTile<T>);
  }

  // The numbers that sums of this many channels take: (tiles, channels, kernel, lanes).
  static int64_t sums_size(const ConvGeometry& g, int64_t channels) {
    return Parts(at::divup(g.out_channels, kLanes<T>), kVectors).count * channels *
           g.kernel_size() * kTile<T>;
  }

  void add(const T* x, const T* y, int64_t group, int64_t first_channel, int64_t first_band,
           int64_t last_band, T* sums) {
    static constexpr std::array<T, static_cast<size_t>(kRows)> kZeros{};
    const int64_t rows = channels_ * g_.kernel_size();
    const T* source = x + (group * g_.in_channels + first_channel) * g_.in_size();
    const T* outputs = y + group * g_.out_channels * g_.out_size();
    for (int64_t index = first_band; index < last_band; ++index) {
      const Band band = bands_.at(index);
      frame_.fill(band, source, g_.groups * g_.in_channels * g_.in_size());
      const std::vector<int64_t> taps = frame_.offsets(band);
      row_offsets_.clear();
      for (int64_t c = 0; c < channels_; ++c) {
        for (const int64_t tap : taps) row_offsets_.push_back(c * frame_.plane(band) + tap);
      }
      const Runs<T> all(axes_, frame_, band, g_.groups * g_.out_channels * g_.out_size(), false);
      const Parts chunks(all.total(), kPositions);
      for (int64_t chunk = 0; chunk < chunks.count; ++chunk) {
        all.find(chunks.begin(chunk), chunks.size(chunk), runs_);
        read_outputs(outputs);
        const Parts blocks(rows, kRows);
        for (int64_t tile = 0; tile < tiles_.count; ++tile) {
          for (int64_t b = 0; b < blocks.count; ++b) {
            const int64_t row = blocks.begin(b);
            multiply<T>(
                tiles_.size(tile), blocks.size(b),
                {chunks.size(chunk), panel_.data() + tile * kPositions * kTile<T>,
                 panel_offsets_.data(), frame_.data(), positions_.data(), row_offsets_.data() + row,
                 index == first_band && chunk == 0 ? kZeros.data() : nullptr,
                 sums + (tile * rows + row) * kTile<T>});
          }
        }
      }
    }
  }

  void store(const T* sums, int64_t group, int64_t first_channel, T* w) const {
    const int64_t kernel = g_.kernel_size();
    const int64_t rows = channels_ * kernel;
    for (int64_t tile = 0; tile < tiles_.count; ++tile) {
      const int64_t first = tiles_.begin(tile) * kLanes<T>;
      const int64_t lanes = std::min(tiles_.size(tile) * kLanes<T>, g_.out_channels - first);
      T* to = w + ((group * g_.out_channels + first) * g_.in_channels + first_channel) * kernel;
      // Not all lanes at once: their places in w may all share a few lines of the first cache.
      for (int64_t lane = 0; lane < lanes; lane += kLanes<T>) {
        transpose(to + lane * g_.in_channels * kernel, g_.in_channels * kernel,
                  sums + tile * rows * kTile<T> + lane, kTile<T>, rows,
                  std::min(kLanes<T>, lanes - lane));
      }
    }
  }

 private:
  // Outputs that are added up in registers.
  static constexpr int64_t kPositions = kProducts / 2;

  // The gradients of the outputs of the runs: (tiles, outputs, channels).
  void read_outputs(const T* outputs) {
    positions_.clear();
    for (const Run& run : runs_) {
      for (int64_t i = 0; i < run.length; ++i) positions_.push_back(run.from + i);
      for (int64_t tile = 0; tile < tiles_.count; ++tile) {
        const int64_t first = tiles_.begin(tile) * kLanes<T>;
        const int64_t lanes = std::min(tiles_.size(tile) * kLanes<T>, g_.out_channels - first);
        transpose(panel_.data() + (tile * kPositions + run.lane) * kTile<T>, kTile<T>,
                  outputs + first * g_.out_size() + run.to, g_.out_size(), lanes, run.length);
      }
    }
  }

  const ConvGeometry& g_;
  const Axes& axes_;
  const Bands& bands_;
  Parts tiles_;  // of vectors of output channels
  int64_t channels_;
  Frame<T> frame_;
  Buffer<T> panel_;
  std::vector<int64_t> panel_offsets_;
  std::vector<int64_t> row_offsets_;
  std::vector<int64_t> positions_;
  std::vector<Run> runs_;
};

template <typename T>
void backward_weight(const ConvGeometry& g, const T* y, const T* x, T* w) {
  const Axes axes = forward_axes(g);
  const int64_t work =
      g.batch * g.groups * g.out_channels * g.in_channels * g.kernel_size() * g.out_size();
  const int64_t threads = work < kThreadWork ? 1 : at::get_num_threads();
  const int64_t wanted = at::divup(threads, g.groups);
  // Threads divide the outputs if that costs few additions of their sums, else the channels.
  const bool divides_outputs = g.batch * g.out_size() / wanted >= kProducts / 4;
  const int64_t bytes = WeightGradient<T>::sums_size(g, 1) * static_cast<int64_t>(sizeof(T));
  const Parts parts(g.in_channels,
                    std::min(std::max<int64_t>(1, kBandBytes / bytes),
                             divides_outputs ? g.in_channels : at::divup(g.in_channels, wanted)));
  const int64_t row_bytes =
      Frame<T>::row_size(axes, parts.most()) * static_cast<int64_t>(sizeof(T));
  const Bands bands(axes, g.batch, row_bytes, divides_outputs ? wanted : 1);
  const int64_t shares = divides_outputs ? std::min(wanted, bands.count()) : 1;
  const int64_t size = WeightGradient<T>::sums_size(g, parts.most());
  const int64_t results = g.groups * parts.count;
  const int64_t grain = grain_of(work, results * shares);
  const Buffer<T> partial(shares > 1 ? results * shares * size : 0);
  at::parallel_for(0, results * shares, grain, [&](int64_t first, int64_t last) {
    const Buffer<T> own(shares > 1 ? 0 : size);
    for (int64_t task = first; task < last; ++task) {
      const int64_t part = task / shares % parts.count;
      const int64_t group = task / shares / parts.count;
      const int64_t share = task % shares;
      WeightGradient<T> gradient(g, axes, bands, parts.size(part));
      T* sums = shares > 1 ? partial.data() + task * size : own.data();
      gradient.add(x, y, group, parts.begin(part), bands.count() * share / shares,
                   bands.count() * (share + 1) / shares, sums);
      if (shares == 1) gradient.store(sums, group, parts.begin(part), w);
    }
  });
  if (shares == 1) return;
  at::parallel_for(0, results, 1, [&](int64_t first, int64_t last) {
    for (int64_t result = first; result < last; ++result) {
      T* sums = partial.data() + result * shares * size;
      for (int64_t i = size; i < shares * size; ++i) sums[i % size] += sums[i];
      const int64_t part = result % parts.count;
      const WeightGradient<T> gradient(g, axes, bands, parts.size(part));
      gradient.store(sums, result / parts.count, parts.begin(part), w);
    }
  });
}

void direct_conv_forward_kernel(const ConvGeometry& g, c10::ScalarType dtype, const void* x,
                                const void* w, const void* bias, void* y) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "convolution", [&] {
    forward(g, static_cast<const scalar_t*>(x), static_cast<const scalar_t*>(w),
            static_cast<const scalar_t*>(bias), static_cast<scalar_t*>(y));
  });
}

void direct_conv_backward_input_kernel(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                                       const void* w, void* x) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "convolution_backward", [&] {
    backward_input(g, static_cast<const scalar_t*>(y), static_cast<const scalar_t*>(w),
                   static_cast<scalar_t*>(x));
  });
}

void direct_conv_backward_weight_kernel(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                                        const void* x, void* w) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "convolution_backward", [&] {
    backward_weight(g, static_cast<const scalar_t*>(y), static_cast<const scalar_t*>(x),
                    static_cast<scalar_t*>(w));
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(direct_conv_forward_stub, &CPU_CAPABILITY::direct_conv_forward_kernel)
REGISTER_DISPATCH(direct_conv_backward_input_stub,
                  &CPU_CAPABILITY::direct_conv_backward_input_kernel)
REGISTER_DISPATCH(direct_conv_backward_weight_stub,
                  &CPU_CAPABILITY::direct_conv_backward_weight_kernel)

}  // namespace at::native
