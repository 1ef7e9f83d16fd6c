// Sorting along a dimension, and the largest elements.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Sorting.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/argsort_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sort_native.h>
#include <ATen/ops/topk_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::meta {

TORCH_META_FUNC2(sort, stable)
(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending) {
  TORCH_CHECK(!self.is_complex(), "Sort does not support complex dtypes on CPU");
  at::maybe_wrap_dim(dim, self.dim());
  set_output_raw_strided(0, self.sizes(), {}, self.options());
  set_output_raw_strided(1, self.sizes(), {}, self.options().dtype(kLong));
}

TORCH_META_FUNC(topk)
(const Tensor& self, int64_t k, int64_t dim_, bool largest, bool sorted) {
  const int64_t dim = at::maybe_wrap_dim(dim_, self.dim());
  TORCH_CHECK(!self.is_complex(), "topk does not support complex dtypes on CPU");
  TORCH_CHECK(k >= 0 && k <= (self.dim() > 0 ? self.size(dim) : 1),
              "selected index k out of range");
  std::vector<int64_t> sizes = self.sizes().vec();
  if (!sizes.empty()) sizes[static_cast<size_t>(dim)] = k;
  set_output_raw_strided(0, sizes, {}, self.options());
  set_output_raw_strided(1, sizes, {}, self.options().dtype(kLong));
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(sort_rows_stub);

namespace {

// The bits of a number as an unsigned one, which is ordered as the numbers are: NaN is the largest,
// and both zeros are equal.
template <typename T>
auto sort_key(T x) {
  using Bits =
      std::conditional_t<sizeof(T) == 8, uint64_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t,
                                            std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
  constexpr Bits kSign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  if constexpr (std::is_same_v<T, bool>) {
    return static_cast<Bits>(x);
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<Bits>(static_cast<Bits>(x) ^ (std::is_signed_v<T> ? kSign : Bits(0)));
  } else {
    const auto value = static_cast<at::opmath_type<T>>(x);
    if (value != value) return static_cast<Bits>(~Bits(0));
    const Bits bits = value == 0 ? Bits(0) : std::bit_cast<Bits>(x);
    return static_cast<Bits>((bits & kSign) != 0 ? ~bits : bits | kSign);
  }
}

// Items are all different: of equal keys the first element comes first.
template <typename Key, typename Index>
struct SortItem {
  Key key;
  Index index;
  bool operator<(const SortItem& other) const {
    return key < other.key || (key == other.key && index < other.index);
  }
};

// By one byte of the key after another, the least first (Knuth, "The Art of Computer Programming",
// volume 3, 5.2.5); `spare` is as long as `items`. Bytes in which all keys agree are left out.
template <typename Item>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare) {
  constexpr size_t kBytes = sizeof(Item::key);
  std::array<std::array<size_t, 256>, kBytes> counts{};
  const auto digit = [](const Item& item, size_t byte) {
    return static_cast<size_t>(item.key >> (8 * byte)) & 255;
  };
  for (const Item& item : items) {
    for (size_t byte = 0; byte < kBytes; ++byte) ++counts[byte][digit(item, byte)];
  }
  for (size_t byte = 0; byte < kBytes; ++byte) {
    auto& places = counts[byte];
    if (places[digit(items.front(), byte)] == items.size()) continue;
    size_t place = 0;
    for (size_t& count : places) place += std::exchange(count, place);
    for (const Item& item : items) spare[places[digit(item, byte)]++] = item;
    items.swap(spare);
  }
}

// The first k of the items, in order. A heap holds them where they are few.
template <typename Item>
void sort_first(std::vector<Item>& items, std::vector<Item>& spare, size_t k) {
  constexpr size_t kFew = 64;
  if (k * kFew <= items.size()) {
    const auto end = items.begin() + static_cast<int64_t>(k);
    std::make_heap(items.begin(), end);
    for (auto item = end; item != items.end(); ++item) {
      if (!(*item < items.front())) continue;
      std::pop_heap(items.begin(), end);
      *(end - 1) = *item;
      std::push_heap(items.begin(), end);
    }
    std::sort_heap(items.begin(), end);
  } else if (items.size() < 96 * sizeof(Item::key)) {
    std::sort(items.begin(), items.end());
  } else {
    spare.resize(items.size());
    radix_sort(items, spare);
  }
}

template <typename scalar_t, typename Index>
void sort_rows(scalar_t* values, int64_t* indices, const scalar_t* in, int64_t rows, int64_t n,
               int64_t k, bool descending) {
  using Key = decltype(sort_key(scalar_t()));
  const Key flipped = descending ? static_cast<Key>(~Key(0)) : Key(0);
  const int64_t grain = std::max<int64_t>(1, 1024 / n);
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    std::vector<SortItem<Key, Index>> items(static_cast<size_t>(n));
    std::vector<SortItem<Key, Index>> spare;
    for (int64_t row = begin; row < end; ++row) {
      const scalar_t* line = in + row * n;
      for (int64_t j = 0; j < n; ++j) {
        items[static_cast<size_t>(j)] = {static_cast<Key>(sort_key(line[j]) ^ flipped),
                                         static_cast<Index>(j)};
      }
      sort_first(items, spare, static_cast<size_t>(k));
      for (int64_t j = 0; j < k; ++j) {
        const auto index = static_cast<int64_t>(items[static_cast<size_t>(j)].index);
        values[row * k + j] = line[index];
        indices[row * k + j] = index;
      }
    }
  });
}

void sort_rows_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& input,
                      bool descending) {
  const int64_t n = input.size(-1);
  const int64_t k = values.size(-1);
  const int64_t rows = input.numel() / n;
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, input.scalar_type(), "sorting_kernel", [&] {
    const auto run = [&](auto index) {
      sort_rows<scalar_t, decltype(index)>(
          values.mutable_data_ptr<scalar_t>(), indices.mutable_data_ptr<int64_t>(),
          input.const_data_ptr<scalar_t>(), rows, n, k, descending);
    };
    if (n <= std::numeric_limits<uint32_t>::max()) {
      run(uint32_t());
    } else {
      run(int64_t());
    }
  });
}

// The first `k` of every line along `dim`.
void sort_lines(const Tensor& self, int64_t dim, int64_t k, bool descending, const Tensor& values,
                const Tensor& indices) {
  if (self.dim() == 0) {
    if (values.numel() == 0) return;
    values.copy_(self);
    indices.fill_(0);
    return;
  }
  if (values.numel() == 0) return;
  // Lines become rows.
  const Tensor input = self.movedim(dim, -1).contiguous();
  std::vector<int64_t> shape = input.sizes().vec();
  shape.back() = k;
  const Tensor v = at::empty(shape, self.options());
  const Tensor i = at::empty(shape, self.options().dtype(kLong));
  sort_rows_stub(self.device().type(), v, i, input, descending);
  values.copy_(v.movedim(-1, dim));
  indices.copy_(i.movedim(-1, dim));
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(sort_rows_stub, &sort_rows_kernel)

TORCH_IMPL_FUNC(sort_stable_out)
(const Tensor& self, std::optional<bool> stable, int64_t dim, bool descending, const Tensor& values,
 const Tensor& indices) {
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  sort_lines(self, d, self.dim() == 0 ? 1 : self.size(d), descending, values, indices);
}

std::tuple<Tensor&, Tensor&> sort_out(const Tensor& self, int64_t dim, bool descending,
                                      Tensor& values, Tensor& indices) {
  return at::sort_out(values, indices, self, /*stable=*/false, dim, descending);
}

std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim, bool descending) {
  return at::sort(self, /*stable=*/false, dim, descending);
}

Tensor argsort(const Tensor& self, int64_t dim, bool descending) {
  return std::get<1>(at::sort(self, dim, descending));
}

TORCH_IMPL_FUNC(topk_out)
(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted, const Tensor& values,
 const Tensor& indices) {
  sort_lines(self, at::maybe_wrap_dim(dim, self.dim()), k, largest, values, indices);
}

}  // namespace at::native
