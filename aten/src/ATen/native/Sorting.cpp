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
#include <cstdint>
#include <tuple>
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

void sort_rows_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& input,
                      bool descending) {
  const int64_t n = input.size(-1);
  const int64_t k = values.size(-1);
  const int64_t rows = input.numel() / n;
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, input.scalar_type(), "sorting_kernel", [&] {
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* value_data = values.mutable_data_ptr<scalar_t>();
    auto* index_data = indices.mutable_data_ptr<int64_t>();
    using item_t = std::pair<scalar_t, int64_t>;
    const auto less = [](const item_t& a, const item_t& b) {
      return (a.first == a.first && b.first != b.first) || a.first < b.first;
    };
    const auto sort_items = [k](std::vector<item_t>& items, auto before) {
      if (k == static_cast<int64_t>(items.size())) {
        std::stable_sort(items.begin(), items.end(), before);
        return;
      }
      // Of equals the first, as a stable sort has it.
      std::partial_sort(items.begin(), items.begin() + k, items.end(),
                        [&](const item_t& a, const item_t& b) {
                          return before(a, b) || (!before(b, a) && a.second < b.second);
                        });
    };
    at::parallel_for(0, rows, 1, [&](int64_t begin, int64_t end) {
      std::vector<item_t> items(static_cast<size_t>(n));
      for (int64_t row = begin; row < end; ++row) {
        const scalar_t* line = in + row * n;
        for (int64_t j = 0; j < n; ++j) items[static_cast<size_t>(j)] = {line[j], j};
        if (descending) {
          sort_items(items, [&](const item_t& a, const item_t& b) { return less(b, a); });
        } else {
          sort_items(items, less);
        }
        for (int64_t j = 0; j < k; ++j) {
          value_data[row * k + j] = items[static_cast<size_t>(j)].first;
          index_data[row * k + j] = items[static_cast<size_t>(j)].second;
        }
      }
    });
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
