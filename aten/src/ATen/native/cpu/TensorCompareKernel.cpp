// Loops of clamping, where, and extreme values along a dimension.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorCompare.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/PointwiseFormulas.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/ReducedElement.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

void clamp_kernel(TensorIteratorBase& iter) {
  if (c10::isFloatingType(iter.common_dtype())) {
    ternary_float_kernel<Cost::kHigh>(
        iter, "clamp_cpu", pointwise::Clamp(),
        [](auto a, auto low, auto high) { return vec::minimum(vec::maximum(a, low), high); });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "clamp_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t low, scalar_t high) -> scalar_t {
      return pointwise::Clamp()(a, low, high);
    });
  });
}

void clamp_scalar_kernel(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double low = min.to<double>();
    const double high = max.to<double>();
    unary_float_kernel(iter, "clamp_scalar_cpu", unary::ClampTo<double>{low, high}, [=](auto a) {
      using T = typename decltype(a)::value_type;
      return vec::clamp(a, decltype(a)(T(low)), decltype(a)(T(high)));
    });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_scalar_cpu", [&] {
    const unary::ClampTo<scalar_t> op{min.to<scalar_t>(), max.to<scalar_t>()};
    cpu_kernel(iter, [op](scalar_t a) -> scalar_t { return op(a); });
  });
}

void clamp_min_scalar_kernel(TensorIteratorBase& iter, const Scalar& min) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double low = min.to<double>();
    unary_float_kernel(iter, "clamp_min_scalar_cpu", unary::ClampFrom<double>{low}, [=](auto a) {
      using T = typename decltype(a)::value_type;
      return vec::clamp_min(a, decltype(a)(T(low)));
    });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_min_scalar_cpu", [&] {
    const unary::ClampFrom<scalar_t> op{min.to<scalar_t>()};
    cpu_kernel(iter, [op](scalar_t a) -> scalar_t { return op(a); });
  });
}

void clamp_max_scalar_kernel(TensorIteratorBase& iter, const Scalar& max) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double high = max.to<double>();
    unary_float_kernel(iter, "clamp_max_scalar_cpu", unary::ClampUntil<double>{high}, [=](auto a) {
      using T = typename decltype(a)::value_type;
      return vec::clamp_max(a, decltype(a)(T(high)));
    });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_max_scalar_cpu", [&] {
    const unary::ClampUntil<scalar_t> op{max.to<scalar_t>()};
    cpu_kernel(iter, [op](scalar_t a) -> scalar_t { return op(a); });
  });
}

void where_kernel_impl(TensorIterator& iter) {
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    native::for_each_element(iter, [](char** data, const int64_t* strides, int64_t n) {
      // Both elements are read, so that nothing waits for a guess about the condition, which is any
      // byte but 0.
      constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
      if constexpr (kSize <= 8) {
        if (strides[0] == kSize && strides[1] == 1 && (strides[2] == kSize || strides[2] == 0) &&
            (strides[3] == kSize || strides[3] == 0)) {
          auto* const out = reinterpret_cast<opaque_t*>(data[0]);
          const auto* const mask = reinterpret_cast<const uint8_t*>(data[1]);
          const auto* const a = reinterpret_cast<const opaque_t*>(data[2]);
          const auto* const b = reinterpret_cast<const opaque_t*>(data[3]);
          const opaque_t x = *a;
          const opaque_t y = *b;
          const auto choose = [=](auto first, auto second) {
            for (int64_t i = 0; i < n; ++i) {
              const opaque_t then = first(i);
              const opaque_t otherwise = second(i);
              out[i] = mask[i] != 0 ? then : otherwise;
            }
          };
          const auto dense_a = [a](int64_t i) { return a[i]; };
          const auto dense_b = [b](int64_t i) { return b[i]; };
          const auto fixed_a = [x](int64_t) { return x; };
          const auto fixed_b = [y](int64_t) { return y; };
          if (strides[2] != 0) {
            strides[3] != 0 ? choose(dense_a, dense_b) : choose(dense_a, fixed_b);
          } else {
            strides[3] != 0 ? choose(fixed_a, dense_b) : choose(fixed_a, fixed_b);
          }
          return;
        }
      }
      for (int64_t i = 0; i < n; ++i) {
        const auto a = *reinterpret_cast<const opaque_t*>(data[2] + i * strides[2]);
        const auto b = *reinterpret_cast<const opaque_t*>(data[3] + i * strides[3]);
        const bool condition = *reinterpret_cast<const uint8_t*>(data[1] + i * strides[1]) != 0;
        *reinterpret_cast<opaque_t*>(data[0] + i * strides[0]) = condition ? a : b;
      }
    });
  });
}

// Whether x is the extreme of a row whose elements before it have the extreme `best`: a NaN is more
// extreme than any number, and the first place wins.
template <typename scalar_t, typename Better>
bool takes_over(scalar_t x, scalar_t best, Better better) {
  return (best == best) & (better(x, best) | !(x == x));
}

// The lanes of a vector, half with half, until each is what `combine` makes of all.
template <int kWidth, typename Reg, typename F>
Reg combine_lanes(const Reg& v, const F& combine) {
  if constexpr (kWidth == 0) {
    return v;
  } else {
    return combine_lanes<kWidth / 2>(combine(v, vec::swap_lanes<kWidth>(v)), combine);
  }
}

// The extreme of elements that lie together, at least a vector of them, or NaN if one is.
template <typename scalar_t, typename Better>
scalar_t extreme_value(const scalar_t* row, int64_t n, Better better) {
  using Reg = vec::Register<scalar_t>;
  constexpr int64_t kLanes = vec::kLanesOf<Reg>;
  const auto load = [](const scalar_t* p) {
    Reg v;
    std::memcpy(&v, p, sizeof(v));
    return v;
  };
  const auto more_extreme = [&](const Reg& a, const Reg& b) { return better(b, a) ? b : a; };
  Reg best = load(row);
  auto nan = best != best;
  for (int64_t i = kLanes; i < n; i += kLanes) {
    const Reg x = load(row + std::min(i, n - kLanes));
    best = more_extreme(best, x);
    nan |= x != x;
  }
  nan = combine_lanes<kLanes / 2>(nan, [](const auto& a, const auto& b) { return a | b; });
  if (nan[0] != 0) return std::numeric_limits<scalar_t>::quiet_NaN();
  return combine_lanes<kLanes / 2>(best, more_extreme)[0];
}

// Returns the place of the extreme of a row.
template <typename scalar_t, typename Better>
int64_t extreme_of_row(const scalar_t* row, int64_t n, int64_t stride, Better better) {
  if constexpr (!std::is_same_v<scalar_t, bool>) {
    if (stride == 1 && n >= vec::kLanesOf<vec::Register<scalar_t>>) {
      const scalar_t best = extreme_value(row, n, better);
      int64_t place = 0;
      while (best == best ? row[place] != best : row[place] == row[place]) ++place;
      return place;
    }
  }
  scalar_t best = row[0];
  int64_t place = 0;
  for (int64_t i = 1; i < n; ++i) {
    const scalar_t x = row[i * stride];
    const bool take = takes_over(x, best, better);
    best = take ? x : best;
    place = take ? i : place;
  }
  return place;
}

// Row i beside the extremes of the rows before it.
template <typename scalar_t, typename Better>
void take_extremes(const scalar_t* row, int64_t i, int64_t count, scalar_t* values,
                   int64_t* indices, Better better) {
  for (int64_t k = 0; k < count; ++k) {
    const scalar_t best = values[k];
    const scalar_t x = row[k];
    const bool take = takes_over(x, best, better);
    values[k] = take ? x : best;
    indices[k] = take ? i : indices[k];
  }
}

// The extremes of `count` columns that lie side by side.
template <typename scalar_t, typename Better>
void extremes_of_columns(const scalar_t* rows, int64_t n, int64_t stride, int64_t count,
                         scalar_t* values, int64_t* indices, Better better) {
  std::copy(rows, rows + count, values);
  std::fill(indices, indices + count, 0);
  for (int64_t i = 1; i < n; ++i) {
    take_extremes(rows + i * stride, i, count, values, indices, better);
  }
}

// As above; elements of 16 bits are compared as floats.
template <typename scalar_t, typename Better>
void extremes_of_reduced_columns(const scalar_t* rows, int64_t n, int64_t stride, int64_t count,
                                 scalar_t* values, int64_t* indices, Better better) {
  constexpr int64_t kColumns = 512;
  float best[kColumns];
  float row[kColumns];
  for (int64_t first = 0; first < count; first += kColumns) {
    const int64_t columns = std::min(kColumns, count - first);
    int64_t* places = indices + first;
    vec::widen(best, rows + first, columns);
    std::fill(places, places + columns, 0);
    for (int64_t i = 1; i < n; ++i) {
      vec::widen(row, rows + first + i * stride, columns);
      take_extremes(row, i, columns, best, places, better);
    }
    vec::narrow(values + first, best, columns);
  }
}

// Walks the offsets of a tensor's rows along one dimension, in the order of the outputs.
class RowOffsets {
 public:
  RowOffsets(const TensorBase& self, int64_t dim, int64_t out) {
    for (int64_t d = self.dim() - 1; d >= 0; --d) {
      if (d == dim) continue;
      const int64_t size = self.size(d);
      digits_.push_back({size, self.stride(d), out % size});
      offset_ += out % size * self.stride(d);
      out /= size;
    }
  }

  int64_t offset() const { return offset_; }

  // Goes on by `count` outputs, which do not go beyond the end of the last dimension.
  void advance(int64_t count) {
    for (Digit& digit : digits_) {
      digit.at += count;
      offset_ += count * digit.stride;
      if (digit.at < digit.size) return;
      digit.at = 0;
      offset_ -= digit.size * digit.stride;
      count = 1;
    }
  }

 private:
  struct Digit {
    int64_t size;
    int64_t stride;
    int64_t at;
  };
  c10::SmallVector<Digit, 8> digits_;
  int64_t offset_ = 0;
};

// The extremes of the outputs [begin, end) over `n` elements from `base` on, which is as self's
// memory; `values` and `indices` begin with the first of these outputs.
template <typename scalar_t, typename Better>
void extremes_of_outputs(const TensorBase& self, int64_t dim, const scalar_t* base, int64_t n,
                         int64_t begin, int64_t end, scalar_t* values, int64_t* indices,
                         Better better) {
  const int64_t stride = self.stride(dim);
  const int64_t last = self.dim() - 1;
  // Outputs that lie together in memory are found together, row after row.
  const bool columns = stride > 1 && dim != last && self.stride(last) == 1;
  const int64_t together = columns ? self.size(last) : 1;
  constexpr bool kReduced = vec::is_reduced_floating_point_v<scalar_t>;
  std::vector<float> wide(kReduced && together == 1 ? static_cast<size_t>(n) : 0);
  RowOffsets rows(self, dim, begin);
  for (int64_t out = begin; out < end;) {
    const int64_t count = std::min(together - out % together, end - out);
    const scalar_t* row = base + rows.offset();
    scalar_t* value = values + (out - begin);
    int64_t* index = indices + (out - begin);
    if constexpr (kReduced) {
      if (together > 1) {
        extremes_of_reduced_columns(row, n, stride, count, value, index, better);
      } else {
        if (stride == 1) {
          vec::widen(wide.data(), row, n);
        } else {
          for (int64_t i = 0; i < n; ++i) wide[i] = vec::to_float(row[i * stride]);
        }
        *index = extreme_of_row(wide.data(), n, 1, better);
        *value = row[*index * stride];
      }
    } else if (count > 1) {
      extremes_of_columns(row, n, stride, count, value, index, better);
    } else {
      *index = extreme_of_row(row, n, stride, better);
      *value = row[*index * stride];
    }
    rows.advance(count);
    out += count;
  }
}

template <typename scalar_t, typename Better>
void minmax_along_dim(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                      int64_t dim, Better better) {
  const int64_t n = self.size(dim);
  const int64_t stride = self.stride(dim);
  const auto* base = self.const_data_ptr<scalar_t>();
  auto* value_data = values.mutable_data_ptr<scalar_t>();
  auto* index_data = indices.mutable_data_ptr<int64_t>();
  const int64_t outputs = values.numel();
  constexpr int64_t kFewOutputs = 64;
  const int64_t parts =
      outputs > kFewOutputs || at::in_parallel_region()
          ? 1
          : std::min<int64_t>(at::get_num_threads(), n * outputs / at::internal::GRAIN_SIZE);
  if (parts < 2) {
    const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
    at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
      extremes_of_outputs(self, dim, base, n, begin, end, value_data + begin, index_data + begin,
                          better);
    });
    return;
  }
  // Long rows of few outputs: each thread takes a part of the rows, in memory of its own.
  std::vector<std::vector<int64_t>> places(parts);
  const int64_t length = (n + parts - 1) / parts;
  at::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    for (int64_t part = first; part < last; ++part) {
      const int64_t start = part * length;
      const int64_t size = std::min(length, n - start);
      if (size <= 0) continue;
      std::vector<int64_t> part_places(outputs);
      const auto part_values = std::make_unique<scalar_t[]>(outputs);
      extremes_of_outputs(self, dim, base + start * stride, size, 0, outputs, part_values.get(),
                          part_places.data(), better);
      for (int64_t& place : part_places) place += start;
      places[part] = std::move(part_places);
    }
  });
  RowOffsets rows(self, dim, 0);
  for (int64_t out = 0; out < outputs; ++out, rows.advance(1)) {
    const scalar_t* row = base + rows.offset();
    int64_t place = places[0][out];
    for (int64_t part = 1; part < parts && !places[part].empty(); ++part) {
      const int64_t other = places[part][out];
      if (takes_over(row[other * stride], row[place * stride], better)) place = other;
    }
    index_data[out] = place;
    value_data[out] = row[place * stride];
  }
}

void max_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "max_cpu", [&] {
    minmax_along_dim<scalar_t>(values, indices, self, dim, [](auto a, auto b) { return b < a; });
  });
}

void min_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "min_cpu", [&] {
    minmax_along_dim<scalar_t>(values, indices, self, dim, [](auto a, auto b) { return a < b; });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(clamp_stub, &CPU_CAPABILITY::clamp_kernel)
REGISTER_DISPATCH(clamp_scalar_stub, &CPU_CAPABILITY::clamp_scalar_kernel)
REGISTER_DISPATCH(clamp_min_scalar_stub, &CPU_CAPABILITY::clamp_min_scalar_kernel)
REGISTER_DISPATCH(clamp_max_scalar_stub, &CPU_CAPABILITY::clamp_max_scalar_kernel)
REGISTER_DISPATCH(where_kernel, &CPU_CAPABILITY::where_kernel_impl)
REGISTER_DISPATCH(max_stub, &CPU_CAPABILITY::max_kernel)
REGISTER_DISPATCH(min_stub, &CPU_CAPABILITY::min_kernel)

}  // namespace at::native
