#pragma once

// The loop under reductions: any set of dimensions of a tensor of any strides, in parallel.
//
// An operation is a type with
//   acc_t                        what is accumulated
//   acc_t identity() const
//   acc_t reduce(acc_t, T) const      takes in one element
//   acc_t combine(acc_t, acc_t) const joins two partial results
//   out_t project(acc_t) const        the result
// It may add, to take in whole vectors of elements that lie together:
//   using vec_t                                   Vectorized<T>, or of what T is converted to
//   static vec_t vec_identity()                   also an element that changes nothing
//   static vec_t vec_combine(vec_t, vec_t)        joins two partial results
//   static vec_t vec_reduce(vec_t, vec_t)         takes in elements; without it vec_combine does
// or to take in many elements that lie together as it likes:
//   acc_t reduce_run(const T*, int64_t n) const
// Each thread owns outputs; when there are too few of them it owns a part of the inputs instead.

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

// The offset of the element of a nest that `index` counts to.
inline int64_t offset_in(const LoopNest& nest, int64_t index) {
  const size_t dims = nest.sizes.size();
  if (dims == 1) return index * nest.strides[0];  // Divisions take longer than a short row.
  int64_t result = 0;
  for (size_t d = dims; d-- > 0;) {
    result += (index % nest.sizes[d]) * nest.strides[d];
    index /= nest.sizes[d];
  }
  return result;
}

template <typename Op>
concept VectorizedReduction = requires { typename Op::vec_t; };

// As many elements as Vec has lanes, converted to what it holds.
template <typename Vec, typename T>
Vec load_elements(const T* data) {
  using V = typename Vec::value_type;
  if constexpr (std::is_same_v<T, V>) {
    return Vec::loadu(data);
  } else if constexpr (std::is_same_v<V, float>) {
    return vec::load_as_float(data);
  } else {
    return vec::load_as_double(data);
  }
}

template <typename Op>
typename Op::vec_t vec_reduce(const typename Op::vec_t& acc, const typename Op::vec_t& elements) {
  if constexpr (requires { Op::vec_reduce(acc, elements); }) {
    return Op::vec_reduce(acc, elements);
  } else {
    return Op::vec_combine(acc, elements);
  }
}

// So many vectors are combined before the result goes to an acc_t: a sum of floats keeps its
// rounding errors small.
constexpr int64_t kVectorRun = 32;

// Independent accumulators, which hide how long an operation takes.
constexpr int64_t kVectorAccumulators = 8;

// The elements of a run that lie together, at least a vector of them. Lane l of the result has
// those whose index is l modulo a divisor of both n and the number of lanes.
template <typename T, typename Op>
typename Op::vec_t reduce_vectors(const T* data, int64_t n) {
  using Vec = typename Op::vec_t;
  using Reg = vec::Register<typename Vec::value_type>;
  constexpr int64_t kLanes = Vec::size();
  constexpr int64_t kStep = kVectorAccumulators * kLanes;
  Vec sum = Op::vec_identity();
  int64_t i = 0;
  if (n >= 2 * kStep) {
    Reg acc[kVectorAccumulators];
#pragma GCC unroll 8
    for (int k = 0; k < kVectorAccumulators; ++k) acc[k] = vec::to_register(sum);
    for (; i + kStep <= n; i += kStep) {
#pragma GCC unroll 8
      for (int k = 0; k < kVectorAccumulators; ++k) {
        acc[k] = vec::to_register(
            vec_reduce<Op>(std::bit_cast<Vec>(acc[k]), load_elements<Vec>(data + i + k * kLanes)));
      }
    }
#pragma GCC unroll 4
    for (int width = kVectorAccumulators / 2; width > 0; width /= 2) {
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) {
        acc[k] = vec::to_register(
            Op::vec_combine(std::bit_cast<Vec>(acc[k]), std::bit_cast<Vec>(acc[k + width])));
      }
    }
    sum = std::bit_cast<Vec>(acc[0]);
  }
  for (; i + kLanes <= n; i += kLanes) sum = vec_reduce<Op>(sum, load_elements<Vec>(data + i));
  if (i < n) {
    // The vector that ends with them, without the lanes that were taken in.
    sum = vec_reduce<Op>(
        sum, Vec::set(load_elements<Vec>(data + n - kLanes), Op::vec_identity(), kLanes - (n - i)));
  }
  return sum;
}

// Combines the lanes whose indices are the same modulo `columns`, a power of 2: lanes 0 to
// `columns` - 1 of the result have them.
template <typename Op, int kWidth = Op::vec_t::size() / 2>
typename Op::vec_t fold_lanes(const typename Op::vec_t& v, int64_t columns) {
  using Vec = typename Op::vec_t;
  if constexpr (kWidth == 0) {
    return v;
  } else {
    if (kWidth < columns) return v;
    const auto swapped = vec::swap_lanes<kWidth>(vec::to_register(v));
    return fold_lanes<Op, kWidth / 2>(Op::vec_combine(v, std::bit_cast<Vec>(swapped)), columns);
  }
}

// Elements that lie together, n of them and at least a vector: acc[c] takes in those whose index is
// c modulo `columns`, which divides n and the number of lanes.
template <typename T, typename Op>
void reduce_together(const T* data, int64_t n, int64_t columns, const Op& op,
                     typename Op::acc_t* acc) {
  using Vec = typename Op::vec_t;
  constexpr int64_t kLanes = Vec::size();
  constexpr int64_t kRun = kVectorRun * kVectorAccumulators * kLanes;
  for (int64_t i = 0; i < n;) {
    const int64_t count = n - i < kRun + kLanes ? n - i : kRun;
    const Vec sum = fold_lanes<Op>(reduce_vectors<T, Op>(data + i, count), columns);
    typename Vec::value_type lanes[kLanes];
    sum.store(lanes);
    for (int64_t c = 0; c < columns; ++c) {
      acc[c] = op.combine(acc[c], static_cast<typename Op::acc_t>(lanes[c]));
    }
    i += count;
  }
}

// The results of `count` outputs that lie together.
template <typename out_t, typename Op>
void project_outputs(out_t* result, const typename Op::acc_t* acc, int64_t count, const Op& op) {
  if constexpr (vec::is_reduced_floating_point_v<out_t>) {
    constexpr int64_t kSome = 64;
    float wide[kSome];
    for (int64_t first = 0; first < count; first += kSome) {
      const int64_t some = std::min(kSome, count - first);
      for (int64_t k = 0; k < some; ++k) wide[k] = static_cast<float>(op.project(acc[first + k]));
      vec::narrow(result + first, wide, some);
    }
  } else {
    for (int64_t k = 0; k < count; ++k) result[k] = static_cast<out_t>(op.project(acc[k]));
  }
}

// The rows of a and b, of kGroup lanes each, halved: rows of a, then of b, whose lanes are combined
// with those half a row behind.
template <typename Op, int kGroup>
typename Op::vec_t halve_rows(const typename Op::vec_t& a, const typename Op::vec_t& b) {
  using Vec = typename Op::vec_t;
  using Reg = vec::Register<typename Vec::value_type>;
  const Reg x = vec::to_register(a);
  const Reg y = vec::to_register(b);
  const auto half = [&]<int kFirst>() {
    return std::bit_cast<Vec>(vec::make_lanes<Reg>([&]<int kLane>() {
      constexpr int kRows = Vec::size() / kGroup;
      constexpr int kRow = kLane / (kGroup / 2);
      constexpr int kFrom = kRow % kRows * kGroup + kFirst + kLane % (kGroup / 2);
      return kRow < kRows ? x[kFrom] : y[kFrom];
    }));
  };
  return Op::vec_combine(half.template operator()<0>(), half.template operator()<kGroup / 2>());
}

// Vectors of kCount rows, each folded to kColumns lanes: one vector of all.
template <typename Op, int kColumns, int kCount = Op::vec_t::size() / kColumns>
typename Op::vec_t fold_rows(const typename Op::vec_t* rows) {
  if constexpr (kCount == 1) {
    return rows[0];
  } else {
    typename Op::vec_t halves[kCount / 2];
#pragma GCC unroll 8
    for (int k = 0; k < kCount / 2; ++k) {
      halves[k] = halve_rows<Op, kColumns * kCount>(rows[2 * k], rows[2 * k + 1]);
    }
    return fold_rows<Op, kColumns, kCount / 2>(halves);
  }
}

// The results of `count` rows of n elements that lie together, at least a vector of them and at
// most a run: result[k * kColumns + c] is that of the elements of row(k) whose index is c modulo
// kColumns, which divides n.
template <int kColumns, typename T, typename out_t, typename Op, typename Row>
void reduce_rows(int64_t count, int64_t n, const Op& op, const Row& row, out_t* result) {
  using Vec = typename Op::vec_t;
  constexpr int kLanes = Vec::size();
  constexpr int kRows = kLanes / kColumns;
  for (int64_t first = 0; first < count; first += kRows) {
    const int64_t some = std::min<int64_t>(kRows, count - first);
    Vec sums[kRows];
    for (int64_t k = 0; k < some; ++k) sums[k] = reduce_vectors<T, Op>(row(first + k), n);
    typename Vec::value_type lanes[kLanes];
    fold_rows<Op, kColumns>(sums).store(lanes);
    typename Op::acc_t acc[kLanes];
    for (int k = 0; k < kLanes; ++k) acc[k] = static_cast<typename Op::acc_t>(lanes[k]);
    project_outputs(result + first * kColumns, acc, some * kColumns, op);
  }
}
template <typename Op>
bool fits_rows(int64_t n) {
  constexpr int64_t kLanes = Op::vec_t::size();
  return n >= kLanes && n <= kVectorRun * kVectorAccumulators * kLanes;
}

// Columns that are added up together: enough that most rows are read from end to end.
constexpr int64_t kColumns = 1024;

// What `count` rows have in B vectors of columns from `k` on, stored at `out`.
template <int B, typename T, typename Op>
void reduce_column_block(const T* const* rows, int64_t count, int64_t k,
                         typename Op::vec_t::value_type* out) {
  using Vec = typename Op::vec_t;
  using Reg = vec::Register<typename Vec::value_type>;
  Reg acc[B];
#pragma GCC unroll 8
  for (int b = 0; b < B; ++b) acc[b] = vec::to_register(Op::vec_identity());
  for (int64_t i = 0; i < count; ++i) {
    const T* row = rows[i] + k;
#pragma GCC unroll 8
    for (int b = 0; b < B; ++b) {
      acc[b] = vec::to_register(
          vec_reduce<Op>(std::bit_cast<Vec>(acc[b]), load_elements<Vec>(row + b * Vec::size())));
    }
  }
#pragma GCC unroll 8
  for (int b = 0; b < B; ++b) std::bit_cast<Vec>(acc[b]).store(out + b * Vec::size());
}

// Columns of `inputs` rows, `row(i)` being the i-th: acc[k] takes in row(i)[k] for all i. There is
// at least a vector of columns.
template <typename T, typename Op, typename Row>
void reduce_columns(typename Op::acc_t* acc, int64_t columns, int64_t inputs, const Op& op,
                    const Row& row) {
  using Vec = typename Op::vec_t;
  using acc_t = typename Op::acc_t;
  constexpr int64_t kLanes = Vec::size();
  const int64_t whole = columns / kLanes * kLanes;
  const int64_t rest = columns - whole;
  typename Vec::value_type run[kColumns + kLanes];
  const T* rows[kVectorRun];
  for (int64_t first = 0; first < inputs; first += kVectorRun) {
    const int64_t count = std::min(kVectorRun, inputs - first);
    for (int64_t i = 0; i < count; ++i) rows[i] = row(first + i);
    int64_t k = 0;
    for (; k + 8 * kLanes <= whole; k += 8 * kLanes) {
      reduce_column_block<8, T, Op>(rows, count, k, run + k);
    }
    for (; k + 2 * kLanes <= whole; k += 2 * kLanes) {
      reduce_column_block<2, T, Op>(rows, count, k, run + k);
    }
    for (; k < whole; k += kLanes) reduce_column_block<1, T, Op>(rows, count, k, run + k);
    // The last columns: a vector that ends with them, whose first lanes were taken in above.
    if (rest != 0) reduce_column_block<1, T, Op>(rows, count, columns - kLanes, run + whole);
    // A known number of steps, which the compiler makes vectors of.
    for (k = 0; k < whole; k += kLanes) {
      for (int l = 0; l < kLanes; ++l) {
        acc[k + l] = op.combine(acc[k + l], static_cast<acc_t>(run[k + l]));
      }
    }
    for (int64_t l = 0; l < rest; ++l) {
      acc[whole + l] =
          op.combine(acc[whole + l], static_cast<acc_t>(run[whole + kLanes - rest + l]));
    }
  }
}

// Whether elements of 16 bits are made floats, many at a time, before they are taken in: `reduce`
// takes floats then.
template <typename T, typename Op>
constexpr bool kWidensElements =
    vec::is_reduced_floating_point_v<T> && std::is_floating_point_v<typename Op::acc_t>;
constexpr int64_t kWidened = 512;

// Elements that are far apart are collected for vectors, if there are so many.
constexpr int64_t kGatheredRow = 64;

// Independent accumulators hide the latency of the operation, keep rounding errors apart, and let
// the compiler make vectors of numbers that lie together.
template <typename T, typename Op>
typename Op::acc_t reduce_row(const T* data, int64_t stride, int64_t n, const Op& op,
                              typename Op::acc_t start) {
  using acc_t = typename Op::acc_t;
  int64_t i = 0;
  if constexpr (VectorizedReduction<Op>) {
    if (stride == 1 && n >= Op::vec_t::size()) {
      reduce_together(data, n, 1, op, &start);
      return start;
    }
  }
  if constexpr (requires { op.reduce_run(data, n); }) {
    if (stride == 1) return op.combine(start, op.reduce_run(data, n));
    T together[kWidened];
    for (; i < n; i += kWidened) {
      const int64_t count = std::min(kWidened, n - i);
      for (int64_t k = 0; k < count; ++k) together[k] = data[(i + k) * stride];
      start = op.combine(start, op.reduce_run(together, count));
    }
    return start;
  }
  if constexpr (VectorizedReduction<Op> || kWidensElements<T, Op>) {
    if (stride != 1 && n >= kGatheredRow) {
      T together[kWidened];
      for (; i < n; i += kWidened) {
        const int64_t count = std::min(kWidened, n - i);
        for (int64_t k = 0; k < count; ++k) together[k] = data[(i + k) * stride];
        start = reduce_row(together, 1, count, op, start);
      }
      return start;
    }
  }
  if constexpr (kWidensElements<T, Op>) {
    if (stride == 1) {
      float wide[kWidened];
      for (; i < n; i += kWidened) {
        const int64_t count = std::min(kWidened, n - i);
        vec::widen(wide, data + i, count);
        start = reduce_row(wide, 1, count, op, start);
      }
      return start;
    }
  }
  if constexpr (std::is_arithmetic_v<acc_t>) {
    constexpr int64_t kLanes = 16;
    if (stride == 1 && n - i >= 2 * kLanes) {
      acc_t lanes[kLanes];
      for (acc_t& lane : lanes) lane = op.identity();
      for (; i + kLanes <= n; i += kLanes) {
        for (int64_t k = 0; k < kLanes; ++k) lanes[k] = op.reduce(lanes[k], data[i + k]);
      }
      for (int64_t width = kLanes / 2; width > 0; width /= 2) {
        for (int64_t k = 0; k < width; ++k) lanes[k] = op.combine(lanes[k], lanes[k + width]);
      }
      start = op.combine(start, lanes[0]);
    }
  }
  acc_t acc[4] = {start, op.identity(), op.identity(), op.identity()};
  for (; i + 4 <= n; i += 4) {
    for (int k = 0; k < 4; ++k) acc[k] = op.reduce(acc[k], data[(i + k) * stride]);
  }
  for (; i < n; ++i) acc[0] = op.reduce(acc[0], data[i * stride]);
  return op.combine(op.combine(acc[0], acc[1]), op.combine(acc[2], acc[3]));
}

// The elements [begin, end) of the nest, from `base` on.
template <typename T, typename Op>
typename Op::acc_t reduce_nest(const T* base, const LoopNest& nest, int64_t begin, int64_t end,
                               const Op& op) {
  auto acc = op.identity();
  const int64_t inner = nest.inner_size();
  if (inner == nest.numel) {
    const int64_t stride = nest.inner_stride();
    return reduce_row(base + begin * stride, stride, end - begin, op, acc);
  }
  for (int64_t i = begin; i < end;) {
    const int64_t count = std::min(inner - i % inner, end - i);
    acc = reduce_row(base + offset_in(nest, i), nest.inner_stride(), count, op, acc);
    i += count;
  }
  return acc;
}

// Rows up to this length, and shorter than a vector, are reduced side by side: each alone takes
// longer to begin and to end than its elements do.
constexpr int64_t kShortRow = 24;

template <typename Op>
bool is_short_row(int64_t n) {
  if constexpr (VectorizedReduction<Op>) {
    if (n >= Op::vec_t::size()) return false;
  }
  return n > 1 && n <= kShortRow;
}

// Whether a row's elements are taken in one by one in the same way wherever they lie.
template <typename T, typename Op>
constexpr bool kReducesSideBySide =
    std::is_arithmetic_v<typename Op::acc_t> && !std::is_same_v<T, bool>;

// The results of rows of n elements, one after the other in memory.
template <typename T, typename out_t, typename Op>
void reduce_short_rows(const T* rows, int64_t count, int64_t n, const Op& op, out_t* result) {
  using acc_t = typename Op::acc_t;
  constexpr int64_t kRows = 64;
  for (int64_t first = 0; first < count; first += kRows) {
    const int64_t some = std::min(kRows, count - first);
    acc_t acc[kRows];
    std::fill_n(acc, kRows, op.identity());
    const auto take_in = [&](const auto* elements) {
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < some; ++k) acc[k] = op.reduce(acc[k], elements[k * n + i]);
      }
    };
    if constexpr (vec::is_reduced_floating_point_v<T>) {
      float wide[kRows * kShortRow];
      vec::widen(wide, rows + first * n, some * n);
      take_in(wide);
    } else {
      take_in(rows + first * n);
    }
    project_outputs(result + first, acc, some, op);
  }
}

constexpr int64_t kFewColumns = 32;

// Rows [begin, end) of few columns, a step apart: acc[c] takes in column c. Several rows are taken
// for a long one, so that vectors are full and sums keep several accumulators. Rows with something
// between them are copied together, many at a time.
template <typename T, typename Op>
void reduce_few_columns(const T* rows, int64_t step, int64_t begin, int64_t end, int64_t columns,
                        const Op& op, typename Op::acc_t* acc) {
  constexpr int64_t kWidth = 256;
  if (step != columns) {
    constexpr int64_t kTogether = 1024;
    T together[kTogether];
    typename Op::acc_t part[kFewColumns];
    std::fill_n(acc, columns, op.identity());
    const int64_t most = kTogether / columns;
    for (int64_t first = begin; first < end; first += most) {
      const int64_t count = std::min(most, end - first);
      const auto copy_rows = [&](auto width) {
        for (int64_t row = 0; row < count; ++row) {
          std::copy_n(rows + (first + row) * step, int64_t{width}, together + row * columns);
        }
      };
      if (columns == 2) {
        copy_rows(std::integral_constant<int64_t, 2>());  // such as the parts of complex numbers
      } else {
        copy_rows(columns);
      }
      reduce_few_columns(together, columns, 0, count, columns, op, part);
      for (int64_t c = 0; c < columns; ++c) acc[c] = op.combine(acc[c], part[c]);
    }
    return;
  }
  constexpr int64_t kLanes = Op::vec_t::size();
  const int64_t elements = (end - begin) * columns;
  if (kLanes % columns == 0 && elements >= kLanes) {
    std::fill_n(acc, columns, op.identity());
    reduce_together(rows + begin * columns, elements, columns, op, acc);
    return;
  }
  typename Op::acc_t wide[kWidth];
  const int64_t together = std::min(kWidth / columns, std::max<int64_t>(1, (end - begin) / 4));
  const int64_t width = together * columns;
  std::fill_n(wide, width, op.identity());
  int64_t done = begin;
  const T* base = rows + begin * columns;
  if (width >= kLanes) {
    const int64_t whole = (end - begin) / together;
    reduce_columns<T>(wide, width, whole, op, [=](int64_t i) { return base + i * width; });
    done += whole * together;
  }
  for (int64_t c = 0; c < columns; ++c) {
    auto sum = wide[c];
    for (int64_t k = 1; k < together; ++k) sum = op.combine(sum, wide[k * columns + c]);
    for (int64_t row = done; row < end; ++row) sum = op.reduce(sum, rows[row * columns + c]);
    acc[c] = sum;
  }
}

template <typename T, typename out_t, typename Op>
void strided_reduce(const TensorBase& out, const TensorBase& self, DimMask mask, const Op& op) {
  using acc_t = typename Op::acc_t;
  constexpr int64_t kBlock = VectorizedReduction<Op> ? kColumns : 64;
  const ReductionLoops loops = reduction_loops(self, mask);
  const LoopNest& kept = loops.kept;
  const LoopNest& reduced = loops.reduced;
  const auto* in = static_cast<const T*>(self.const_data_ptr());
  auto* result = static_cast<out_t*>(out.mutable_data_ptr());
  const int64_t outputs = kept.numel;
  const int64_t inputs = reduced.numel;
  if (outputs == 0) return;

  const int64_t grain =
      std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(inputs, 1));
  if constexpr (VectorizedReduction<Op>) {
    constexpr int64_t kFewRows = 8;
    const int64_t columns = kept.inner_size();
    const int64_t step = reduced.inner_stride();
    if (columns > 1 && columns < kFewColumns && kept.inner_stride() == 1 &&
        reduced.inner_size() == inputs && inputs >= kFewRows &&
        (step == columns || columns < Op::vec_t::size())) {
      if (outputs > columns && step == columns && fits_rows<Op>(inputs * columns)) {
        // Small matrices, such as rows of complex numbers.
        const auto matrices = [&]<int kColumns>() {
          if constexpr (kColumns <= Op::vec_t::size()) {
            at::parallel_for(0, outputs / kColumns, std::max<int64_t>(1, grain / kColumns),
                             [&](int64_t begin, int64_t end) {
                               const auto row = [&](int64_t k) {
                                 return in + offset_in(kept, (begin + k) * kColumns);
                               };
                               reduce_rows<kColumns, T>(end - begin, inputs * kColumns, op, row,
                                                        result + begin * kColumns);
                             });
            return true;
          }
          return false;
        };
        if (columns == 2 && matrices.template operator()<2>()) return;
        if (columns == 4 && matrices.template operator()<4>()) return;
      }
      if (outputs > columns) {
        // A matrix of `columns` columns for every index of the dimensions before these two.
        at::parallel_for(0, outputs / columns, std::max<int64_t>(1, grain / columns),
                         [&](int64_t begin, int64_t end) {
                           acc_t acc[kFewColumns];
                           for (int64_t o = begin; o < end; ++o) {
                             const T* rows = in + offset_in(kept, o * columns);
                             reduce_few_columns(rows, step, 0, inputs, columns, op, acc);
                             project_outputs(result + o * columns, acc, columns, op);
                           }
                         });
        return;
      }
      const int64_t parts = std::max<int64_t>(
          1, std::min<int64_t>(at::get_num_threads(), inputs * outputs / at::internal::GRAIN_SIZE));
      const int64_t size = (inputs + parts - 1) / parts;
      std::vector<acc_t> partial(static_cast<size_t>(parts * outputs), op.identity());
      at::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
          reduce_few_columns(in, step, std::min(inputs, part * size),
                             std::min(inputs, (part + 1) * size), outputs, op,
                             partial.data() + part * outputs);
        }
      });
      for (int64_t part = 1; part < parts; ++part) {
        for (int64_t c = 0; c < outputs; ++c) {
          partial[c] = op.combine(partial[c], partial[part * outputs + c]);
        }
      }
      project_outputs(result, partial.data(), outputs, op);
      return;
    }
  }

  if (outputs < 4 && inputs > at::internal::GRAIN_SIZE && at::get_num_threads() > 1) {
    const int64_t parts = at::get_num_threads();
    const int64_t size = (inputs + parts - 1) / parts;
    for (int64_t o = 0; o < outputs; ++o) {
      const T* base = in + offset_in(kept, o);
      std::vector<acc_t> partial(static_cast<size_t>(parts), op.identity());
      at::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
        for (int64_t p = begin; p < end; ++p) {
          partial[static_cast<size_t>(p)] =
              reduce_nest(base, reduced, p * size, std::min(inputs, (p + 1) * size), op);
        }
      });
      acc_t acc = op.identity();
      for (const acc_t& part : partial) acc = op.combine(acc, part);
      result[o] = static_cast<out_t>(op.project(acc));
    }
    return;
  }

  // When neighbours in memory belong to different outputs, a block of outputs is accumulated
  // together, so that memory is read in order.
  const bool across =
      kept.inner_size() > 1 &&
      (inputs == 1 || loop_distance(kept.inner_stride()) < loop_distance(reduced.inner_stride()));
  if constexpr (kReducesSideBySide<T, Op>) {
    if (is_short_row<Op>(inputs) && reduced.inner_size() == inputs && reduced.inner_stride() == 1 &&
        kept.inner_size() == outputs && kept.inner_stride() == inputs && outputs > 1) {
      at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
        reduce_short_rows(in + begin * inputs, end - begin, inputs, op, result + begin);
      });
      return;
    }
  }
  if constexpr (VectorizedReduction<Op>) {
    if (!across && outputs > 1 && reduced.inner_size() == inputs && reduced.inner_stride() == 1 &&
        fits_rows<Op>(inputs)) {
      at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
        const auto row = [&](int64_t k) { return in + offset_in(kept, begin + k); };
        reduce_rows<1, T>(end - begin, inputs, op, row, result + begin);
      });
      return;
    }
  }
  at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
    if (!across) {
      constexpr int64_t kTogether = 64;
      acc_t acc[kTogether];
      for (int64_t first = begin; first < end; first += kTogether) {
        const int64_t count = std::min(kTogether, end - first);
        for (int64_t k = 0; k < count; ++k) {
          acc[k] = reduce_nest(in + offset_in(kept, first + k), reduced, 0, inputs, op);
        }
        project_outputs(result + first, acc, count, op);
      }
      return;
    }
    const int64_t inner = kept.inner_size();
    const int64_t stride = kept.inner_stride();
    for (int64_t o = begin; o < end;) {
      const int64_t count = std::min({inner - o % inner, end - o, kBlock});
      acc_t acc[kBlock];
      for (int64_t k = 0; k < count; ++k) acc[k] = op.identity();
      const T* base = in + offset_in(kept, o);
      bool done = false;
      if constexpr (VectorizedReduction<Op>) {
        if (stride == 1 && count >= Op::vec_t::size()) {
          reduce_columns<T>(acc, count, inputs, op,
                            [&](int64_t i) { return base + offset_in(reduced, i); });
          done = true;
        }
      }
      for (int64_t i = 0; i < inputs && !done; ++i) {
        const T* row = base + offset_in(reduced, i);
        if constexpr (kWidensElements<T, Op>) {
          if (stride == 1) {
            float wide[kBlock];
            vec::widen(wide, row, count);
            for (int64_t k = 0; k < count; ++k) acc[k] = op.reduce(acc[k], wide[k]);
            continue;
          }
        }
        if (stride == 1) {
          for (int64_t k = 0; k < count; ++k) acc[k] = op.reduce(acc[k], row[k]);
        } else {
          for (int64_t k = 0; k < count; ++k) acc[k] = op.reduce(acc[k], row[k * stride]);
        }
      }
      project_outputs(result + o, acc, count, op);
      o += count;
    }
  });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
