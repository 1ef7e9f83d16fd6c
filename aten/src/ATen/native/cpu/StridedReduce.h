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
//   using vec_t                                   Vectorized<T>, of floats for 16-bit elements
//   static vec_t vec_identity()
//   static vec_t vec_combine(vec_t, vec_t)        takes in elements, or joins two partial results
//   static T vec_lanes(vec_t)                     joins the elements of one vector
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

// Whether vectors of elements need no conversion.
template <typename T, typename Op>
constexpr bool kVectorsOfElements = false;
template <typename T, VectorizedReduction Op>
constexpr bool kVectorsOfElements<T, Op> = std::is_same_v<typename Op::vec_t::value_type, T>;

template <typename Vec, typename T>
Vec load_elements(const T* data) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    return vec::load_as_float(data);
  } else {
    return Vec::loadu(data);
  }
}

// So many vectors are combined before the result goes to an acc_t: a sum of floats keeps its
// rounding errors small.
constexpr int64_t kVectorRun = 32;

// Independent accumulators, which hide how long an operation takes.
constexpr int64_t kVectorAccumulators = 8;

// The elements [0, n) that lie together; n is a multiple of a vector.
template <typename T, typename Op>
typename Op::acc_t reduce_vectors(const T* data, int64_t n, const Op& op,
                                  typename Op::acc_t start) {
  using Vec = typename Op::vec_t;
  constexpr int64_t kStep = kVectorAccumulators * Vec::size();
  using Reg = vec::Register<typename Vec::value_type>;
  auto total = start;
  for (int64_t i = 0; i < n;) {
    Reg acc[kVectorAccumulators];
    const auto take_in = [&](int k, const Vec& v) __attribute__((always_inline)) {
      acc[k] = vec::to_register(Op::vec_combine(std::bit_cast<Vec>(acc[k]), v));
    };
#pragma GCC unroll 8
    for (int k = 0; k < kVectorAccumulators; ++k) acc[k] = vec::to_register(Op::vec_identity());
    const int64_t end = std::min(n, i + kVectorRun * kStep);
    for (; i + kStep <= end; i += kStep) {
#pragma GCC unroll 8
      for (int k = 0; k < kVectorAccumulators; ++k) {
        take_in(k, Vec::loadu(data + i + k * Vec::size()));
      }
    }
#pragma GCC unroll 8
    for (int k = 0; k < kVectorAccumulators; ++k) {
      if (i >= end) break;
      take_in(k, Vec::loadu(data + i));
      i += Vec::size();
    }
#pragma GCC unroll 4
    for (int width = kVectorAccumulators / 2; width > 0; width /= 2) {
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) take_in(k, std::bit_cast<Vec>(acc[k + width]));
    }
    total = op.combine(total,
                       static_cast<typename Op::acc_t>(Op::vec_lanes(std::bit_cast<Vec>(acc[0]))));
  }
  return total;
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
          Op::vec_combine(std::bit_cast<Vec>(acc[b]), load_elements<Vec>(row + b * Vec::size())));
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
  if constexpr (kVectorsOfElements<T, Op>) {
    if (stride == 1 && n >= 4 * Op::vec_t::size()) {
      i = n / Op::vec_t::size() * Op::vec_t::size();
      start = reduce_vectors(data, i, op, start);
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
  if constexpr ((kVectorsOfElements<T, Op> && std::is_same_v<acc_t, T>) || kWidensElements<T, Op>) {
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
    constexpr int64_t kLanes = 32;
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

// Rows up to this length are reduced side by side: each alone takes longer to begin and to end than
// its elements do.
constexpr int64_t kShortRow = 24;

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

// As below, for so few elements that vectors of them are combined at once, and for numbers of
// columns that divide a vector's lanes.
template <typename T, typename Op>
void reduce_small_matrix(const T* data, int64_t rows, int64_t columns, const Op& op,
                         typename Op::acc_t* acc) {
  using Vec = typename Op::vec_t;
  using acc_t = typename Op::acc_t;
  constexpr int64_t kLanes = Vec::size();
  const int64_t elements = rows * columns;
  Vec sum = Op::vec_identity();
  int64_t i = 0;
  for (; i + kLanes <= elements; i += kLanes) {
    sum = Op::vec_combine(sum, load_elements<Vec>(data + i));
  }
  typename Vec::value_type lanes[kLanes];
  sum.store(lanes);
  for (int64_t c = 0; c < columns; ++c) {
    auto total = op.identity();
    for (int64_t l = c; l < kLanes; l += columns) {
      total = op.combine(total, static_cast<acc_t>(lanes[l]));
    }
    for (int64_t k = i + c; k < elements; k += columns) total = op.reduce(total, data[k]);
    acc[c] = total;
  }
}

// Rows [begin, end) of few columns, one after the other in memory: acc[c] takes in column c.
// Several rows are taken for a long one, so that vectors are full and sums keep several
// accumulators.
template <typename T, typename Op>
void reduce_few_columns(const T* rows, int64_t begin, int64_t end, int64_t columns, const Op& op,
                        typename Op::acc_t* acc) {
  constexpr int64_t kWidth = 256;
  constexpr int64_t kLanes = Op::vec_t::size();
  if (kLanes % columns == 0 && (end - begin) * columns <= kVectorRun * kLanes) {
    reduce_small_matrix(rows + begin * columns, end - begin, columns, op, acc);
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
    constexpr int64_t kFewColumns = 32;
    constexpr int64_t kFewRows = 8;
    const int64_t columns = kept.inner_size();
    if (columns > 1 && columns < kFewColumns && kept.inner_stride() == 1 &&
        reduced.inner_size() == inputs && reduced.inner_stride() == columns && inputs >= kFewRows) {
      if (outputs > columns) {
        // Many such matrices.
        at::parallel_for(0, outputs / columns, std::max<int64_t>(1, grain / columns),
                         [&](int64_t begin, int64_t end) {
                           acc_t acc[kFewColumns];
                           for (int64_t o = begin; o < end; ++o) {
                             const T* rows = in + offset_in(kept, o * columns);
                             reduce_few_columns(rows, 0, inputs, columns, op, acc);
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
          reduce_few_columns(in, std::min(inputs, part * size), std::min(inputs, (part + 1) * size),
                             outputs, op, partial.data() + part * outputs);
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
    if (inputs > 1 && inputs <= kShortRow && reduced.inner_size() == inputs &&
        reduced.inner_stride() == 1 && kept.inner_size() == outputs &&
        kept.inner_stride() == inputs && outputs > 1) {
      at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
        reduce_short_rows(in + begin * inputs, end - begin, inputs, op, result + begin);
      });
      return;
    }
  }
  at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
    if (!across) {
      for (int64_t o = begin; o < end; ++o) {
        result[o] = static_cast<out_t>(
            op.project(reduce_nest(in + offset_in(kept, o), reduced, 0, inputs, op)));
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
