// Reversing dimensions, and the triangles of matrices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/flip_native.h>
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>
#include <ATen/ops/zeros_like.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace at::native {

Tensor flip(const Tensor& self, IntArrayRef dims) {
  const auto mask = at::dim_list_to_bitset(dims, self.dim());
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
template <typename Bounds>
void keep_columns(const Tensor& self, const Tensor& result, Bounds bounds) {
  if (!result.is_same(self)) result.copy_(self);
  if (result.numel() == 0) return;
  const int64_t rows = result.size(-2);
  const int64_t columns = result.size(-1);
  for (int64_t row = 0; row < rows; ++row) {
    const auto [begin, end] = bounds(row, columns);
    Tensor line = result.select(-2, row);
    if (begin > 0) line.narrow(-1, 0, begin).zero_();
    if (end < columns) line.narrow(-1, end, columns - end).zero_();
  }
}

}  // namespace

TORCH_IMPL_FUNC(tril_cpu)(const Tensor& self, int64_t k, const Tensor& result) {
  keep_columns(self, result, [k](int64_t row, int64_t columns) {
    // Of the columns, `row` is where the diagonal is; row + k may not fit.
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
