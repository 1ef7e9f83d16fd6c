// Sorting along a dimension, the largest elements, and order statistics.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/Sorting.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/argsort_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/kthvalue.h>
#include <ATen/ops/kthvalue_native.h>
#include <ATen/ops/median.h>
#include <ATen/ops/median_native.h>
#include <ATen/ops/mode_native.h>
#include <ATen/ops/msort.h>
#include <ATen/ops/msort_native.h>
#include <ATen/ops/nanmedian.h>
#include <ATen/ops/nanmedian_native.h>
#include <ATen/ops/nanquantile.h>
#include <ATen/ops/nanquantile_native.h>
#include <ATen/ops/quantile.h>
#include <ATen/ops/quantile_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/sort_native.h>
#include <ATen/ops/topk_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
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

// Ties are broken by position, so that no two items are equal.
template <typename Key, typename Index>
struct SortItem {
  Key key;
  Index index;
  bool operator<(const SortItem& other) const {
    if constexpr (sizeof(Key) <= 4 && sizeof(Index) == 4) {
      return both() < other.both();  // One comparison is faster to guess than two.
    } else {
      return key < other.key || (key == other.key && index < other.index);
    }
  }
  uint64_t both() const { return uint64_t{key} << 32 | static_cast<uint32_t>(index); }
};

// Radix sort by bytes of the key, the least significant first (Knuth, "The Art of Computer
// Programming", volume 3, 5.2.5). `spare` is as long as `items`. `varying` has a bit for each byte
// in which the keys differ; the other bytes are skipped.
template <typename Item>
void radix_sort(std::vector<Item>& items, std::vector<Item>& spare, unsigned varying) {
  const auto digit = [](const Item& item, size_t byte) {
    return static_cast<size_t>(item.key >> (8 * byte)) & 255;
  };
  for (size_t byte = 0; byte < sizeof(Item::key); ++byte) {
    if ((varying >> byte & 1) == 0) continue;
    std::array<uint32_t, 256> places{};
    for (const Item& item : items) ++places[digit(item, byte)];
    uint32_t place = 0;
    for (uint32_t& count : places) place += std::exchange(count, place);
    for (const Item& item : items) spare[places[digit(item, byte)]++] = item;
    items.swap(spare);
  }
}

// One bit for each byte in which the keys differ.
template <typename Item>
unsigned varying_bytes(const std::vector<Item>& items) {
  decltype(Item::key) bits = 0;
  for (const Item& item : items) bits |= item.key ^ items.front().key;
  unsigned result = 0;
  for (size_t byte = 0; byte < sizeof(Item::key); ++byte) {
    if ((static_cast<uint64_t>(bits) >> (8 * byte) & 255) != 0) result |= 1u << byte;
  }
  return result;
}

// Sorts the k smallest items to the front, with a heap if k is small.
template <typename Item>
void sort_first(std::vector<Item>& items, std::vector<Item>& spare, size_t k) {
  constexpr size_t kFew = 8;
  constexpr size_t kRadixPass = 96;  // Items for which a pass over them is worth its counters.
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
    return;
  }
  const unsigned varying = items.size() < kRadixPass ? ~0u : varying_bytes(items);
  const auto passes = static_cast<size_t>(std::popcount(varying));
  if (items.size() < kRadixPass * passes || items.size() > std::numeric_limits<uint32_t>::max()) {
    std::sort(items.begin(), items.end());
  } else {
    spare.resize(items.size());
    radix_sort(items, spare, varying);
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
    const auto key = [&](scalar_t x) { return static_cast<Key>(sort_key(x) ^ flipped); };
    for (int64_t row = begin; row < end; ++row) {
      const scalar_t* line = in + row * n;
      if (std::is_sorted(line, line + n, [&](scalar_t a, scalar_t b) { return key(a) < key(b); })) {
        std::copy_n(line, k, values + row * k);
        std::iota(indices + row * k, indices + (row + 1) * k, int64_t(0));
        continue;
      }
      for (int64_t j = 0; j < n; ++j) {
        items[static_cast<size_t>(j)] = {key(line[j]), static_cast<Index>(j)};
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
  const auto run = [&]<typename scalar_t>(scalar_t, auto index) {
    sort_rows<scalar_t, decltype(index)>(values.mutable_data_ptr<scalar_t>(),
                                         indices.mutable_data_ptr<int64_t>(),
                                         input.const_data_ptr<scalar_t>(), rows, n, k, descending);
  };
  AT_DISPATCH_ORDERED_TYPES(input.scalar_type(), "sort", [&] {
    if (n <= std::numeric_limits<uint32_t>::max()) {
      run(scalar_t(), uint32_t());
    } else {
      run(scalar_t(), int64_t());
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
  if (self.stride(dim) == 0) {  // Each line repeats one element.
    values.copy_(self.narrow(dim, 0, k));
    std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
    shape[static_cast<size_t>(dim)] = k;
    indices.copy_(at::arange(k, indices.options()).view(shape).expand(indices.sizes()));
    return;
  }
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

Tensor msort(const Tensor& self) { return std::get<0>(self.sort(0, /*descending=*/false)); }

Tensor& msort_out(const Tensor& self, Tensor& values) { return write_out(values, at::msort(self)); }

Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending) {
  return std::get<1>(at::sort(self, std::make_optional(stable), dim, descending));
}

Tensor& argsort_out(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out) {
  return write_to_out(at::argsort(self, stable, dim, descending), out);
}

// ---- median, k-th value, mode and quantiles

namespace {

template <typename T>
bool is_nan(T x) {
  return x != x;
}

std::vector<int64_t> reduced_shape(const Tensor& self, int64_t dim, bool keepdim) {
  std::vector<int64_t> shape = self.sizes().vec();
  if (self.dim() == 0) return shape;
  if (keepdim) {
    shape[static_cast<size_t>(dim)] = 1;
  } else {
    shape.erase(shape.begin() + dim);
  }
  return shape;
}

// Calls `choose(line, n)`, which gives the place of an element, for every line along `dim`, and
// writes these elements and places.
template <typename scalar_t, typename Choose>
void choose_along(const Tensor& self, int64_t dim, Tensor& values, Tensor& indices,
                  Choose&& choose) {
  const Tensor lines = self.movedim(dim, -1).contiguous();
  const int64_t n = lines.size(-1);
  const int64_t rows = lines.numel() / std::max<int64_t>(n, 1);
  const auto* data = lines.const_data_ptr<scalar_t>();
  const Tensor v = at::empty({rows}, values.options());
  const Tensor i = at::empty({rows}, indices.options());
  auto* value = v.mutable_data_ptr<scalar_t>();
  auto* index = i.mutable_data_ptr<int64_t>();
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const scalar_t* line = data + row * n;
      index[row] = choose(line, n);
      value[row] = line[index[row]];
    }
  });
  values.copy_(v.view(values.sizes()));
  indices.copy_(i.view(indices.sizes()));
}

// The keys of a line with their places: integers are faster to compare than numbers that may be NaN
// or have 16 bits.
template <typename Index, typename scalar_t>
auto items_of(const scalar_t* line, int64_t n) {
  using Item = SortItem<decltype(sort_key(scalar_t())), Index>;
  std::vector<Item> items(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    items[static_cast<size_t>(i)] = {sort_key(line[i]), static_cast<Index>(i)};
  }
  return items;
}

// Calls f with a number of the type that places of a line of so many elements fit into.
template <typename F>
int64_t with_index_type(int64_t n, const F& f) {
  return n <= std::numeric_limits<int32_t>::max() ? f(int32_t{}) : f(int64_t{});
}

// The place of the k-th smallest element (from 0).
template <typename scalar_t>
int64_t place_of_kth(const scalar_t* line, int64_t n, int64_t k) {
  return with_index_type(n, [&](auto index) -> int64_t {
    auto items = items_of<decltype(index)>(line, n);
    std::nth_element(items.begin(), items.begin() + k, items.end());
    return items[static_cast<size_t>(k)].index;
  });
}

// The last place of the most frequent element, of several the smallest.
template <typename scalar_t>
int64_t place_of_mode(const scalar_t* line, int64_t n) {
  return with_index_type(n, [&](auto index) -> int64_t {
    auto items = items_of<decltype(index)>(line, n);
    decltype(items) spare;
    sort_first(items, spare, items.size());
    int64_t best = 0;
    size_t longest = 0;
    for (size_t begin = 0; begin < items.size();) {
      size_t end = begin + 1;
      const auto key = items[begin].key;
      // A NaN is equal to no other.
      if (!is_nan(line[items[begin].index])) {
        while (end < items.size() && items[end].key == key) ++end;
      }
      if (end - begin > longest) {
        longest = end - begin;
        best = items[end - 1].index;
      }
      begin = end;
    }
    return best;
  });
}

// Checks and resizes the outputs. Returns false if there is no line to choose from.
bool resize_selection(const char* name, const Tensor& self, int64_t dim, bool keepdim,
                      Tensor& values, Tensor& indices) {
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), name,
              "(): Expected out tensor to have dtype ", self.scalar_type(), ", but got ",
              values.scalar_type(), " instead");
  TORCH_CHECK(indices.scalar_type() == kLong, name,
              "(): Expected out tensor to have dtype Long, but got ", indices.scalar_type(),
              " instead");
  at::assert_no_overlap(values, self);
  zero_numel_check_dims(self, IntArrayRef(&dim, 1), (std::string(name) + "()").c_str());
  const std::vector<int64_t> shape = reduced_shape(self, dim, keepdim);
  resize_output(values, shape);
  resize_output(indices, shape);
  if (self.dim() > 0) return self.numel() > 0;
  values.copy_(self);
  indices.zero_();
  return false;
}

// ---- median

std::tuple<Tensor&, Tensor&> median_along(const Tensor& self, int64_t dim_in, bool keepdim,
                                          Tensor& values, Tensor& indices, bool ignore_nan) {
  const char* name = ignore_nan ? "nanmedian" : "median";
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  if (!resize_selection(name, self, dim, keepdim, values, indices)) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "median_out", [&] {
    choose_along<scalar_t>(self, dim, values, indices,
                           [ignore_nan](const scalar_t* line, int64_t n) {
                             int64_t nans = 0;
                             int64_t first_nan = -1;
                             for (int64_t i = n - 1; i >= 0; --i) {
                               if (is_nan(line[i])) {
                                 ++nans;
                                 first_nan = i;
                               }
                             }
                             if (nans > 0 && (!ignore_nan || nans == n)) return first_nan;
                             return place_of_kth(line, n, (n - nans - 1) / 2);
                           });
  });
  return {values, indices};
}

Tensor median_of_all(const Tensor& self, bool ignore_nan) {
  if (self.numel() == 0) {
    return at::empty({}, self.options()).fill_(std::numeric_limits<double>::quiet_NaN());
  }
  const Tensor data = self.contiguous();
  Tensor result = at::empty({}, self.options());
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "median_cpu", [&] {
    const auto* first = data.const_data_ptr<scalar_t>();
    const auto* last = first + data.numel();
    if constexpr (std::is_integral_v<scalar_t>) {
      std::vector<scalar_t> copy(first, last);
      const auto middle = copy.begin() + (data.numel() - 1) / 2;
      std::nth_element(copy.begin(), middle, copy.end());
      *result.mutable_data_ptr<scalar_t>() = *middle;
      return;
    }
    std::vector<decltype(sort_key(scalar_t()))> keys;
    keys.reserve(static_cast<size_t>(data.numel()));
    for (const auto* x = first; x != last; ++x) {
      if (!is_nan(*x)) keys.push_back(sort_key(*x));
    }
    auto* const found = result.mutable_data_ptr<scalar_t>();
    const bool has_nan = static_cast<int64_t>(keys.size()) < data.numel();
    if (has_nan && (!ignore_nan || keys.empty())) {
      *found = std::numeric_limits<scalar_t>::quiet_NaN();
      return;
    }
    const auto middle = keys.begin() + static_cast<int64_t>((keys.size() - 1) / 2);
    std::nth_element(keys.begin(), middle, keys.end());
    *found = *std::find_if(first, last, [&](scalar_t x) { return sort_key(x) == *middle; });
  });
  return result;
}

std::tuple<Tensor, Tensor> empty_selection(const Tensor& self) {
  return {at::empty({0}, self.options()), at::empty({0}, self.options().dtype(kLong))};
}

}  // namespace

std::tuple<Tensor&, Tensor&> median_out_cpu(const Tensor& self, int64_t dim, bool keepdim,
                                            Tensor& values, Tensor& indices) {
  return median_along(self, dim, keepdim, values, indices, /*ignore_nan=*/false);
}

std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::median_out(values, indices, self, dim, keepdim);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> nanmedian_out_cpu(const Tensor& self, int64_t dim, bool keepdim,
                                               Tensor& values, Tensor& indices) {
  return median_along(self, dim, keepdim, values, indices, /*ignore_nan=*/true);
}

std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::nanmedian_out(values, indices, self, dim, keepdim);
  return {values, indices};
}

Tensor median_cpu(const Tensor& self) { return median_of_all(self, /*ignore_nan=*/false); }

Tensor nanmedian_cpu(const Tensor& self) { return median_of_all(self, /*ignore_nan=*/true); }

// ---- kthvalue

std::tuple<Tensor&, Tensor&> kthvalue_out_cpu(const Tensor& self, int64_t k, int64_t dim_in,
                                              bool keepdim, Tensor& values, Tensor& indices) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  const int64_t size = self.dim() > 0 ? self.size(dim) : 1;
  const bool any = resize_selection("kthvalue", self, dim, keepdim, values, indices);
  TORCH_CHECK(k >= 1 && k <= size, "kthvalue(): selected number k out of range for dimension ",
              dim);
  if (!any) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "kthvalue_cpu", [&] {
    choose_along<scalar_t>(self, dim, values, indices, [k](const scalar_t* line, int64_t n) {
      return place_of_kth(line, n, k - 1);
    });
  });
  return {values, indices};
}

std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::kthvalue_out(values, indices, self, k, dim, keepdim);
  return {values, indices};
}

// ---- mode: the most frequent element, the smallest if there are several, and its last position

std::tuple<Tensor&, Tensor&> mode_out(const Tensor& self, int64_t dim_in, bool keepdim,
                                      Tensor& values, Tensor& indices) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  if (!resize_selection("mode", self, dim, keepdim, values, indices)) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "mode", [&] {
    choose_along<scalar_t>(self, dim, values, indices, &place_of_mode<scalar_t>);
  });
  return {values, indices};
}

std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  native::mode_out(self, dim, keepdim, values, indices);
  return {values, indices};
}

// ---- quantiles, made of operators so that they can be differentiated

namespace {

Tensor quantile_impl(const char* name, const Tensor& self, const Tensor& q,
                     std::optional<int64_t> opt_dim, bool keepdim,
                     const std::string_view interpolation, bool ignore_nan) {
  TORCH_CHECK(self.numel() > 0, name, "() input tensor must be non-empty");
  TORCH_CHECK(q.dim() <= 1, name, "() q must be a scalar or 1D tensor");
  TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kDouble, name,
              "() input tensor must be either float or double dtype");
  TORCH_CHECK(self.scalar_type() == q.scalar_type(), name,
              "() q tensor must be same dtype as the input tensor");
  TORCH_CHECK(self.device() == q.device(), name,
              "() q tensor must be on the same device as the input tensor");
  TORCH_CHECK(
      interpolation == "linear" || interpolation == "lower" || interpolation == "higher" ||
          interpolation == "midpoint" || interpolation == "nearest",
      name, "() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ",
      interpolation);
  TORCH_CHECK(q.numel() == 0 || at::ge(q, 0).logical_and(q.le(1)).all().item().toBool(), name,
              "() q values must be in the range [0, 1]");
  const int64_t dim = at::maybe_wrap_dim(opt_dim.value_or(0), self.dim());
  // Lines become rows.
  const bool flat = !opt_dim.has_value() || self.dim() == 0;
  const Tensor lines = flat ? self.reshape({1, -1}) : self.movedim(dim, -1);
  const Tensor sorted = std::get<0>(lines.sort(-1, false));
  const int64_t n = sorted.size(-1);
  // q as the last dimension.
  const Tensor q_row = q.reshape({-1});
  std::vector<int64_t> rank_shape = sorted.sizes().vec();
  rank_shape.back() = q_row.numel();
  Tensor ranks;
  if (ignore_nan) {
    const Tensor count =
        sorted.isnan().logical_not().sum({-1}, /*keepdim=*/true).to(q.scalar_type());
    ranks = (count - 1).clamp_min(0) * q_row;
  } else {
    ranks = (q_row * static_cast<double>(n - 1)).expand(rank_shape);
    // A NaN anywhere is the result: its rank is the last, where NaN sorts to.
    const Tensor has_nan = sorted.isnan().any(-1, /*keepdim=*/true).expand(rank_shape);
    ranks = ranks.masked_fill(has_nan, static_cast<double>(n - 1));
  }
  if (interpolation == "lower") {
    ranks = ranks.floor();
  } else if (interpolation == "higher") {
    ranks = ranks.ceil();
  } else if (interpolation == "nearest") {
    ranks = ranks.round();
  }
  const Tensor below = ranks.floor().to(kLong);
  Tensor values = sorted.gather(-1, below);
  if (interpolation == "linear" || interpolation == "midpoint") {
    const Tensor weight =
        interpolation == "midpoint" ? at::full_like(ranks, 0.5) : ranks - ranks.floor();
    const Tensor above = ranks.ceil().to(kLong);
    values = values.lerp(sorted.gather(-1, above), weight);
  }
  // q comes first, and the reduced dimension goes, or stays with size 1.
  if (flat) {
    std::vector<int64_t> shape;
    if (q.dim() == 1) shape.push_back(q.numel());
    if (keepdim) shape.insert(shape.end(), static_cast<size_t>(self.dim()), 1);
    return values.reshape(shape);
  }
  values = values.movedim(-1, 0);
  if (keepdim) values = values.unsqueeze(dim + 1);
  return q.dim() == 0 ? values.squeeze(0) : values;
}

Tensor one_quantile(const Tensor& self, double q) {
  TORCH_CHECK(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return at::scalar_tensor(q, self.options());
}

}  // namespace

Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                const std::string_view interpolation) {
  return quantile_impl("quantile", self, q, dim, keepdim, interpolation, false);
}

Tensor quantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                const std::string_view interpolation) {
  return at::quantile(self, one_quantile(self, q), dim, keepdim, interpolation);
}

Tensor& quantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                     const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::quantile(self, q, dim, keepdim, interpolation));
}

Tensor& quantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                     const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::quantile(self, q, dim, keepdim, interpolation));
}

Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   const std::string_view interpolation) {
  return quantile_impl("nanquantile", self, q, dim, keepdim, interpolation, true);
}

Tensor nanquantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                   const std::string_view interpolation) {
  return at::nanquantile(self, one_quantile(self, q), dim, keepdim, interpolation);
}

Tensor& nanquantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim,
                        bool keepdim, const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation));
}

Tensor& nanquantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                        const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation));
}

}  // namespace at::native
