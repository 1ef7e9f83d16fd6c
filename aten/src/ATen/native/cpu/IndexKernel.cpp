// Loops of indexing, gathering, scattering and masked writes. Elements that only move are opaque.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <ATen/native/cpu/ReducedElement.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The offset in bytes that the indices of one element lead to.
class Indexer {
 public:
  Indexer(c10::IntArrayRef sizes, c10::IntArrayRef strides) : sizes_(sizes), strides_(strides) {}

  // Operands from 2 on are indices.
  int64_t get(char** data, const int64_t* strides, int64_t i) const {
    int64_t offset = 0;
    for (size_t j = 0; j < sizes_.size(); ++j) offset += one(data, strides, i, j);
    return offset;
  }

  // Calls `f(i, get(data, strides, i))` for the elements of a loop in order.
  template <typename F>
  void for_each(char** data, const int64_t* strides, int64_t n, const F& f) const {
    if (sizes_.size() == 1) {
      for (int64_t i = 0; i < n; ++i) f(i, one(data, strides, i, 0));
    } else {
      for (int64_t i = 0; i < n; ++i) f(i, get(data, strides, i));
    }
  }

  // Whether all elements of a loop have the same indices.
  bool is_constant(const int64_t* strides) const {
    return std::all_of(strides + 2, strides + 2 + sizes_.size(),
                       [](int64_t stride) { return stride == 0; });
  }

 private:
  C10_ALWAYS_INLINE int64_t one(char** data, const int64_t* strides, int64_t i, size_t j) const {
    const int64_t value = *reinterpret_cast<const int64_t*>(data[2 + j] + i * strides[2 + j]);
    const int64_t size = sizes_[j];
    TORCH_CHECK_INDEX(value >= -size && value < size, "index ", value,
                      " is out of bounds for dimension ", j, " with size ", size);
    return (value < 0 ? value + size : value) * strides_[j];
  }

  c10::IntArrayRef sizes_;
  c10::IntArrayRef strides_;
};

// What two values in one place become.
template <typename T>
C10_ALWAYS_INLINE T accumulated(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else if constexpr (vec::is_reduced_floating_point_v<T>) {
    return vec::to_element<T>(vec::to_float(a) + vec::to_float(b));
  } else {
    return wrapping_add(a, b);
  }
}

// out[k] takes in in[k]; the two do not overlap.
template <typename T>
void accumulate_run(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n) {
  if constexpr (vec::is_reduced_floating_point_v<T>) {
    constexpr int64_t kStep = vec::Vectorized<float>::size();
    int64_t k = 0;
    if (out_stride == 1 && in_stride == 1) {
      for (; k + kStep <= n; k += kStep) {
        vec::store_from_float(out + k, vec::load_as_float(out + k) + vec::load_as_float(in + k));
      }
    }
    for (; k < n; ++k) {
      out[k * out_stride] = accumulated(out[k * out_stride], in[k * in_stride]);
    }
  } else if (out_stride == 1 && in_stride == 1) {
    for (int64_t k = 0; k < n; ++k) out[k] = accumulated(out[k], in[k]);
  } else {
    for (int64_t k = 0; k < n; ++k) {
      out[k * out_stride] = accumulated(out[k * out_stride], in[k * in_stride]);
    }
  }
}

void index_kernel(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  const Indexer indexer(sizes, strides);
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
    iter.for_each([&](char** data, const int64_t* s, int64_t n) {
      if (s[0] == kSize && s[1] == kSize && indexer.is_constant(s)) {
        std::memcpy(data[0], data[1] + indexer.get(data, s, 0), static_cast<size_t>(n * kSize));
        return;
      }
      char* const out = data[0];
      const char* const in = data[1];
      const int64_t out_stride = s[0];
      const int64_t in_stride = s[1];
      indexer.for_each(data, s, n, [=](int64_t i, int64_t offset) {
        *reinterpret_cast<opaque_t*>(out + i * out_stride) =
            *reinterpret_cast<const opaque_t*>(in + i * in_stride + offset);
      });
    });
  });
}

// Several elements may meet in one place: this runs on one thread, in order, so that the last one
// stays (or all are summed).
void index_put_kernel(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                      bool accumulate) {
  const Indexer indexer(sizes, strides);
  const TensorIteratorBase::Range all{0, iter.numel()};
  if (!accumulate) {
    dispatch_element_size(iter.element_size(0), [&](auto element) {
      using opaque_t = decltype(element);
      iter.serial_for_each(
          [&](char** data, const int64_t* s, int64_t n) {
            char* const out = data[0];
            const char* const in = data[1];
            const int64_t out_stride = s[0];
            const int64_t in_stride = s[1];
            constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
            if (out_stride == kSize && (in_stride == kSize || in_stride == 0) &&
                indexer.is_constant(s)) {
              auto* to = reinterpret_cast<opaque_t*>(out + indexer.get(data, s, 0));
              if (in_stride == 0) {
                std::fill_n(to, n, *reinterpret_cast<const opaque_t*>(in));
              } else {
                std::memcpy(to, in, static_cast<size_t>(n * kSize));
              }
              return;
            }
            indexer.for_each(data, s, n, [=](int64_t i, int64_t offset) {
              *reinterpret_cast<opaque_t*>(out + i * out_stride + offset) =
                  *reinterpret_cast<const opaque_t*>(in + i * in_stride);
            });
          },
          all);
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kHalf, kBool, kBFloat16, iter.dtype(0), "index_put", [&] {
    iter.serial_for_each(
        [&](char** data, const int64_t* s, int64_t n) {
          constexpr auto kSize = static_cast<int64_t>(sizeof(scalar_t));
          const auto* in = reinterpret_cast<const scalar_t*>(data[1]);
          if (indexer.is_constant(s) && s[0] != 0 && s[0] % kSize == 0 && s[1] % kSize == 0) {
            auto* out = reinterpret_cast<scalar_t*>(data[0] + indexer.get(data, s, 0));
            accumulate_run(out, s[0] / kSize, in, s[1] / kSize, n);
            return;
          }
          char* const out = data[0];
          const int64_t out_stride = s[0];
          const int64_t in_stride = s[1];
          indexer.for_each(data, s, n, [=](int64_t i, int64_t offset) {
            auto& target = *reinterpret_cast<scalar_t*>(out + i * out_stride + offset);
            target = accumulated(target, *reinterpret_cast<const scalar_t*>(
                                             reinterpret_cast<const char*>(in) + i * in_stride));
          });
        },
        all);
  });
}

void masked_fill_kernel(TensorIterator& iter, const Scalar& value_scalar) {
  alignas(16) char bits[16];
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kBFloat16, kHalf, iter.dtype(0), "masked_fill",
                                         [&] {
                                           const scalar_t value = value_scalar.to<scalar_t>();
                                           std::memcpy(bits, &value, sizeof(value));
                                         });
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    opaque_t value;
    std::memcpy(&value, bits, sizeof(value));
    iter.for_each([bound = value](char** data, const int64_t* s, int64_t n) {
      const opaque_t value = bound;  // No store can change a copy.
      // Any byte but 0 is true.
      if constexpr (sizeof(opaque_t) <= 8) {
        if (s[0] == static_cast<int64_t>(sizeof(opaque_t)) && s[1] == 1) {
          auto* out = reinterpret_cast<opaque_t*>(data[0]);
          const auto* mask = reinterpret_cast<const uint8_t*>(data[1]);
          for (int64_t i = 0; i < n; ++i) out[i] = mask[i] != 0 ? value : out[i];
          return;
        }
      }
      for (int64_t i = 0; i < n; ++i) {
        if (*reinterpret_cast<const uint8_t*>(data[1] + i * s[1]) != 0) {
          *reinterpret_cast<opaque_t*>(data[0] + i * s[0]) = value;
        }
      }
    });
  });
}

// One dimension of the elements of `index`, with the strides of the three tensors along it, in
// elements. `indexed` has none along the dimension that the indices count.
struct Axis {
  int64_t size;
  int64_t index;
  int64_t indexed;
  int64_t parallel;
  bool along;
};

[[noreturn]] void throw_out_of_bounds(int64_t place, int64_t dim, int64_t size) {
  TORCH_CHECK(false, "index ", place, " is out of bounds for dimension ", dim, " with size ", size);
}

// Where places of the indexed dimension are.
struct Places {
  int64_t limit;
  int64_t stride;
  int64_t dim;

  C10_ALWAYS_INLINE int64_t offset(int64_t place) const {
    if (static_cast<uint64_t>(place) >= static_cast<uint64_t>(limit)) {
      throw_out_of_bounds(place, dim, limit);
    }
    return place * stride;
  }
};

// gather and its kin: each element of `index` leads to a place of `indexed`, and to the element of
// `parallel` (source or result) that is at the same place as itself.
class IndexedLines {
 public:
  IndexedLines(const TensorBase& index, const TensorBase& indexed, const TensorBase& parallel,
               int64_t dim)
      : data_(static_cast<const int64_t*>(index.const_data_ptr())),
        places_{indexed.size(dim), indexed.strides()[static_cast<size_t>(dim)], dim} {
    for (int64_t d = 0; d < index.dim(); ++d) {
      if (index.size(d) == 1) continue;
      const Axis axis{index.size(d), index.stride(d), d == dim ? 0 : indexed.stride(d),
                      parallel.stride(d), d == dim};
      if (!axes_.empty() && is_continued(axes_.back(), axis)) {
        axes_.back() = {axes_.back().size * axis.size, axis.index, axis.indexed, axis.parallel,
                        axis.along};
      } else {
        axes_.push_back(axis);
      }
    }
    if (axes_.empty()) axes_.push_back({1, 0, 0, 0, false});
    // The innermost loop walks where elements lie closest.
    const auto closest = std::min_element(
        axes_.rbegin(), axes_.rend(),
        [](const Axis& a, const Axis& b) { return std::abs(a.parallel) < std::abs(b.parallel); });
    std::iter_swap(axes_.rbegin(), closest);
  }

  // Calls `line(places, base, other, axis)` for every line: its places and the offsets where it
  // begins in the other two tensors, and its axis. With `writes` into `indexed` threads share
  // dimensions in which places differ, so that each place has its elements in one order.
  template <typename F>
  void for_each(bool writes, const F& line) const {
    size_t split = axes_.size();
    for (size_t d = 0; d < axes_.size(); ++d) {
      const bool apart = !writes || (!axes_[d].along && axes_[d].indexed != 0);
      if (apart && (split == axes_.size() || axes_[d].size > axes_[split].size)) split = d;
    }
    if (split == axes_.size()) {
      walk(axes_, 0, 0, 0, line);
      return;
    }
    int64_t others = 1;
    for (size_t d = 0; d < axes_.size(); ++d) others *= d == split ? 1 : axes_[d].size;
    const int64_t grain =
        std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(others, 1));
    at::parallel_for(0, axes_[split].size, grain, [&](int64_t begin, int64_t end) {
      c10::SmallVector<Axis, 5> part = axes_;
      part[split].size = end - begin;
      walk(part, begin * axes_[split].index, begin * axes_[split].indexed,
           begin * axes_[split].parallel, line);
    });
  }

  // To be copied: the compiler then knows that no element written changes it.
  const Places& places() const { return places_; }

 private:
  static bool is_continued(const Axis& outer, const Axis& inner) {
    return outer.along == inner.along && outer.index == inner.size * inner.index &&
           outer.indexed == inner.size * inner.indexed &&
           outer.parallel == inner.size * inner.parallel;
  }

  template <typename F>
  void walk(const c10::SmallVector<Axis, 5>& axes, int64_t index, int64_t indexed, int64_t parallel,
            const F& line) const {
    const size_t outer = axes.size() - 1;
    c10::SmallVector<int64_t, 5> counter(outer, 0);
    for (;;) {
      line(data_ + index, indexed, parallel, axes.back());
      size_t d = outer;
      for (; d-- > 0;) {
        index += axes[d].index;
        indexed += axes[d].indexed;
        parallel += axes[d].parallel;
        if (++counter[d] < axes[d].size) break;
        index -= axes[d].size * axes[d].index;
        indexed -= axes[d].size * axes[d].indexed;
        parallel -= axes[d].size * axes[d].parallel;
        counter[d] = 0;
      }
      if (d == static_cast<size_t>(-1)) return;
    }
  }

  const int64_t* data_;
  Places places_;
  c10::SmallVector<Axis, 5> axes_;
};

void gather_kernel(const TensorBase& result, const TensorBase& self, int64_t dim,
                   const TensorBase& index) {
  const IndexedLines lines(index, self, result, dim);
  dispatch_element_size(static_cast<int64_t>(self.element_size()), [&](auto element) {
    using opaque_t = decltype(element);
    const auto* in = static_cast<const opaque_t*>(self.const_data_ptr());
    auto* out = static_cast<opaque_t*>(result.mutable_data_ptr());
    lines.for_each(
        false, [&](const int64_t* places, int64_t base, int64_t other, const Axis& axis) {
          const Places where = lines.places();
          const opaque_t* from = in + base;
          opaque_t* to = out + other;
          if (axis.index == 0 && axis.indexed == 1 && axis.parallel == 1) {
            std::memcpy(to, from + where.offset(*places),
                        static_cast<size_t>(axis.size) * sizeof(opaque_t));
            return;
          }
          for (int64_t k = 0; k < axis.size; ++k) {
            to[k * axis.parallel] = from[k * axis.indexed + where.offset(places[k * axis.index])];
          }
        });
  });
}

void scatter_kernel(const TensorBase& self, int64_t dim, const TensorBase& index,
                    const TensorBase& src) {
  const IndexedLines lines(index, self, src, dim);
  dispatch_element_size(static_cast<int64_t>(self.element_size()), [&](auto element) {
    using opaque_t = decltype(element);
    auto* out = static_cast<opaque_t*>(self.mutable_data_ptr());
    const auto* in = static_cast<const opaque_t*>(src.const_data_ptr());
    lines.for_each(true, [&](const int64_t* places, int64_t base, int64_t other, const Axis& axis) {
      const Places where = lines.places();
      const opaque_t* from = in + other;
      opaque_t* to = out + base;
      if (axis.index == 0 && axis.indexed == 1 && axis.parallel == 1) {
        std::memcpy(to + where.offset(*places), from,
                    static_cast<size_t>(axis.size) * sizeof(opaque_t));
        return;
      }
      for (int64_t k = 0; k < axis.size; ++k) {
        to[k * axis.indexed + where.offset(places[k * axis.index])] = from[k * axis.parallel];
      }
    });
  });
}

// to[places[k]] takes in from[k] in a row of `where.limit` elements of 16 bits, as floats: one
// conversion of the row is faster than two of each element, and rounds once. Returns whether it
// did, which needs a row that is not long beside n.
template <typename T>
bool accumulate_in_row(T* to, const T* from, const int64_t* places, int64_t n,
                       const Places& where) {
  constexpr int64_t kLongest = 4096;
  if (where.stride != 1 || where.limit > std::min(kLongest, 2 * n)) return false;
  float row[kLongest];
  constexpr int64_t kRun = 256;
  float run[kRun];
  vec::widen(row, to, where.limit);
  for (int64_t i = 0; i < n; i += kRun) {
    const int64_t count = std::min(kRun, n - i);
    vec::widen(run, from + i, count);
    for (int64_t k = 0; k < count; ++k) row[where.offset(places[i + k])] += run[k];
  }
  vec::narrow(to, row, where.limit);
  return true;
}

void scatter_add_kernel(const TensorBase& self, int64_t dim, const TensorBase& index,
                        const TensorBase& src) {
  const IndexedLines lines(index, self, src, dim);
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_add", [&] {
        auto* out = static_cast<scalar_t*>(self.mutable_data_ptr());
        const auto* in = static_cast<const scalar_t*>(src.const_data_ptr());
        lines.for_each(
            true, [&](const int64_t* places, int64_t base, int64_t other, const Axis& axis) {
              const Places where = lines.places();
              const scalar_t* from = in + other;
              scalar_t* to = out + base;
              if (axis.index == 0 && !axis.along && axis.indexed != 0) {
                accumulate_run(to + where.offset(*places), axis.indexed, from, axis.parallel,
                               axis.size);
                return;
              }
              if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
                if (axis.along && axis.index == 1 && axis.parallel == 1 &&
                    accumulate_in_row(to, from, places, axis.size, where)) {
                  return;
                }
              }
              for (int64_t k = 0; k < axis.size; ++k) {
                scalar_t& target = to[k * axis.indexed + where.offset(places[k * axis.index])];
                target = accumulated(target, from[k * axis.parallel]);
              }
            });
      });
}

// What a place and a value become: a NaN stays.
template <typename T>
struct Product {
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) {
      return a & b;
    } else {
      return wrapping_mul(a, b);
    }
  }
};
template <typename T, bool kLargest>
struct Extreme {
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) return kLargest ? (a | b) : (a & b);
    return ((kLargest ? a < b : b < a) | (b != b)) ? b : a;
  }
};

// out[k] takes in in[k], as floats where elements have 16 bits.
template <typename T, typename F>
void combine_run(T* out, const T* in, int64_t n, const F& f) {
  for (int64_t k = 0; k < n; ++k) out[k] = f(out[k], in[k]);
}
template <typename T, typename F>
void combine_reduced_run(T* out, const T* in, int64_t n, const F& f) {
  constexpr int64_t kRun = 256;
  float a[kRun];
  float b[kRun];
  for (int64_t i = 0; i < n; i += kRun) {
    const int64_t count = std::min(kRun, n - i);
    vec::widen(a, out + i, count);
    vec::widen(b, in + i, count);
    combine_run(a, b, count, f);
    vec::narrow(out + i, a, count);
  }
}

template <typename T, template <typename> typename F>
void scatter_combine(const TensorBase& self, int64_t dim, const TensorBase& index,
                     const TensorBase& src) {
  using Math = std::conditional_t<vec::is_reduced_floating_point_v<T>, float, T>;
  const F<Math> f;
  const IndexedLines lines(index, self, src, dim);
  auto* out = static_cast<T*>(self.mutable_data_ptr());
  const auto* in = static_cast<const T*>(src.const_data_ptr());
  lines.for_each(true, [&](const int64_t* places, int64_t base, int64_t other, const Axis& axis) {
    const Places where = lines.places();
    const T* from = in + other;
    T* to = out + base;
    if (axis.index == 0 && axis.indexed == 1 && axis.parallel == 1) {
      to += where.offset(*places);
      if constexpr (vec::is_reduced_floating_point_v<T>) {
        combine_reduced_run(to, from, axis.size, f);
      } else {
        combine_run(to, from, axis.size, f);
      }
      return;
    }
    for (int64_t k = 0; k < axis.size; ++k) {
      T& target = to[k * axis.indexed + where.offset(places[k * axis.index])];
      target = vec::to_element<T>(f(vec::to_float(target), vec::to_float(from[k * axis.parallel])));
    }
  });
}

template <typename T>
using Largest = Extreme<T, true>;
template <typename T>
using Smallest = Extreme<T, false>;

void scatter_combine_kernel(const TensorBase& self, int64_t dim, const TensorBase& index,
                            const TensorBase& src, ScatterCombination how) {
  if (how == ScatterCombination::Product) {
    AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
        kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_reduce",
        [&] { scatter_combine<scalar_t, Product>(self, dim, index, src); });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_reduce", [&] {
    if (how == ScatterCombination::Largest) {
      scatter_combine<scalar_t, Largest>(self, dim, index, src);
    } else {
      scatter_combine<scalar_t, Smallest>(self, dim, index, src);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(index_stub, &CPU_CAPABILITY::index_kernel)
REGISTER_DISPATCH(index_put_stub, &CPU_CAPABILITY::index_put_kernel)
REGISTER_DISPATCH(masked_fill_stub, &CPU_CAPABILITY::masked_fill_kernel)
REGISTER_DISPATCH(gather_stub, &CPU_CAPABILITY::gather_kernel)
REGISTER_DISPATCH(scatter_stub, &CPU_CAPABILITY::scatter_kernel)
REGISTER_DISPATCH(scatter_add_stub, &CPU_CAPABILITY::scatter_add_kernel)
REGISTER_DISPATCH(scatter_combine_stub, &CPU_CAPABILITY::scatter_combine_kernel)

}  // namespace at::native
