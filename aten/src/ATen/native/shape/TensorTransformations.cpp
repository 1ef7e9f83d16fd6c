// Reversing dimensions, and the triangles of matrices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flip_native.h>
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

namespace at::native {

namespace {

// out[i] = in[n - 1 - i]
template <typename opaque_t>
void reverse_run(opaque_t* __restrict out, const opaque_t* __restrict in, int64_t n) {
  if constexpr (sizeof(opaque_t) < 8) {
    // Small elements turn in words of eight bytes.
    constexpr auto kWord = static_cast<int64_t>(8 / sizeof(opaque_t));
    int64_t i = 0;
    for (; i + kWord <= n; i += kWord) {
      uint64_t word = 0;
      std::memcpy(&word, in + n - i - kWord, sizeof(word));
      word = word << 32 | word >> 32;
      if constexpr (sizeof(opaque_t) <= 2) {
        constexpr uint64_t kLow = 0x0000ffff0000ffff;
        word = (word & kLow) << 16 | (word >> 16 & kLow);
      }
      if constexpr (sizeof(opaque_t) == 1) {
        constexpr uint64_t kLow = 0x00ff00ff00ff00ff;
        word = (word & kLow) << 8 | (word >> 8 & kLow);
      }
      std::memcpy(out + i, &word, sizeof(word));
    }
    for (; i < n; ++i) out[i] = in[n - 1 - i];
    return;
  }
  constexpr int64_t kStep = 16;  // A known number of steps, which the compiler makes vectors of.
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    const opaque_t* from = in + n - i - kStep;
    for (int64_t k = 0; k < kStep; ++k) out[i + k] = from[kStep - 1 - k];
  }
  for (; i < n; ++i) out[i] = in[n - 1 - i];
}

// Flips contiguous tensors. The dimensions after the last flipped one move as runs of elements.
template <typename opaque_t>
void flip_rows(opaque_t* out, const opaque_t* in, IntArrayRef sizes,
               const std::bitset<dim_bitset_size>& mask) {
  auto last = static_cast<int64_t>(sizes.size()) - 1;
  int64_t run = 1;
  while (last >= 0 && !mask[static_cast<size_t>(last)]) {
    run *= sizes[static_cast<size_t>(last--)];
  }
  // One element is a run as well: its dimension is turned in one piece.
  const bool reversed = run == 1 && last >= 0;
  const int64_t row = reversed ? sizes[static_cast<size_t>(last--)] : run;
  const int64_t rows = c10::multiply_integers(sizes.slice(0, static_cast<size_t>(last + 1)));
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / row);
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      int64_t from = 0;
      int64_t rest = r;
      int64_t step = 1;
      for (int64_t d = last; d >= 0; --d) {
        const int64_t size = sizes[static_cast<size_t>(d)];
        const int64_t place = rest % size;
        from += (mask[static_cast<size_t>(d)] ? size - 1 - place : place) * step;
        rest /= size;
        step *= size;
      }
      if (reversed) {
        reverse_run(out + r * row, in + from * row, row);
      } else {
        std::copy_n(in + from * row, row, out + r * row);
      }
    }
  });
}

}  // namespace

Tensor flip(const Tensor& self, IntArrayRef dims) {
  auto mask = at::dim_list_to_bitset(dims, self.dim());
  // A dimension that repeats one element stays as it is.
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.stride(d) == 0) mask.reset(static_cast<size_t>(d));
  }
  if (self.is_cpu()) {
    if (!self.is_contiguous() && self.is_non_overlapping_and_dense()) {
      // In the order in which the dimensions lie in memory.
      std::vector<int64_t> order(static_cast<size_t>(self.dim()));
      std::iota(order.begin(), order.end(), int64_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t a, int64_t b) { return self.stride(a) > self.stride(b); });
      const Tensor x = self.permute(order);
      if (x.is_contiguous()) {
        std::vector<int64_t> places(order.size());
        std::vector<int64_t> turned;
        for (size_t d = 0; d < order.size(); ++d) {
          places[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
          if (mask[static_cast<size_t>(order[d])]) turned.push_back(static_cast<int64_t>(d));
        }
        return x.flip(turned).permute(places);
      }
    }
    const Tensor x = self.contiguous();
    Tensor result = at::empty(x.sizes(), x.options());
    if (x.numel() != 0) {
      dispatch_element_size(x.element_size(), [&](auto element) {
        using opaque_t = decltype(element);
        flip_rows(static_cast<opaque_t*>(result.mutable_data_ptr()),
                  static_cast<const opaque_t*>(x.const_data_ptr()), x.sizes(), mask);
      });
    }
    return result.contiguous(self.suggest_memory_format());
  }
  Tensor result = self.clone(MemoryFormat::Preserve);
  if (self.is_meta() || self.numel() == 0) return result;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!mask[static_cast<size_t>(d)] || self.size(d) < 2) continue;
    const int64_t n = self.size(d);
    result = result.index_select(d, at::arange(n - 1, -1, -1, self.options().dtype(kLong)));
  }
  return result;
}

}  // namespace at::native

namespace at::meta {

TORCH_META_FUNC(tril)(const Tensor& self, int64_t k) {
  TORCH_CHECK(self.dim() >= 2, "tril: input tensor must have at least 2 dimensions");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC(triu)(const Tensor& self, int64_t k) {
  TORCH_CHECK(self.dim() >= 2, "triu: input tensor must have at least 2 dimensions");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta

namespace at::native {
namespace {

// Row by row: keeps the columns [begin, end) and clears the others.
template <typename Element, typename Bounds>
void keep_columns_of(const Tensor& from, const Tensor& result, const Bounds& bounds) {
  const int64_t matrix_dim = result.dim() - 2;
  const int64_t rows = result.size(-2);
  const int64_t columns = result.size(-1);
  const int64_t in_step = from.stride(-1);
  const int64_t out_step = result.stride(-1);
  const auto* in = static_cast<const Element*>(from.const_data_ptr());
  auto* out = static_cast<Element*>(result.mutable_data_ptr());
  const bool in_place = in == out;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / columns);
  at::parallel_for(0, result.numel() / columns, grain, [&](int64_t first, int64_t last) {
    for (int64_t line = first; line < last; ++line) {
      const int64_t row = line % rows;
      const auto [begin, end] = bounds(row, columns);
      const Element* source = in + row * from.stride(-2);
      Element* target = out + row * result.stride(-2);
      for (int64_t d = matrix_dim - 1, matrix = line / rows; d >= 0; --d) {
        const int64_t i = matrix % result.size(d);
        matrix /= result.size(d);
        source += i * from.stride(d);
        target += i * result.stride(d);
      }
      if (in_step == 1 && out_step == 1) {
        std::fill(target, target + begin, Element());
        if (!in_place) std::copy(source + begin, source + end, target + begin);
        std::fill(target + end, target + columns, Element());
        continue;
      }
      for (int64_t j = 0; j < columns; ++j) {
        target[j * out_step] = j >= begin && j < end ? source[j * in_step] : Element();
      }
    }
  });
}

template <typename Bounds>
void keep_columns(const Tensor& self, const Tensor& result, const Bounds& bounds) {
  if (result.numel() == 0) return;
  const bool same_type = self.scalar_type() == result.scalar_type();
  if (!same_type) result.copy_(self);
  Tensor from = same_type ? self : result;
  // Elements would be written before they are read.
  if (at::get_overlap_status(from, result) == at::MemOverlapStatus::Partial) from = from.clone();
  dispatch_element_size(result.element_size(), [&](auto element) {
    keep_columns_of<decltype(element)>(from, result, bounds);
  });
}

}  // namespace

TORCH_IMPL_FUNC(tril_cpu)(const Tensor& self, int64_t k, const Tensor& result) {
  keep_columns(self, result, [k](int64_t row, int64_t columns) {
    // The diagonal is at column row + k; compare this way so the sum cannot overflow.
    return std::pair<int64_t, int64_t>(
        0, k >= columns - row - 1 ? columns : std::max<int64_t>(row + k + 1, 0));
  });
}

TORCH_IMPL_FUNC(triu_cpu)(const Tensor& self, int64_t k, const Tensor& result) {
  keep_columns(self, result, [k](int64_t row, int64_t columns) {
    return std::pair<int64_t, int64_t>(k >= columns - row ? columns : std::max<int64_t>(row + k, 0),
                                       columns);
  });
}

}  // namespace at::native
