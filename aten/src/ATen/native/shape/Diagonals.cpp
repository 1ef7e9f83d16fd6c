// Diagonals of matrices, matrices from diagonals, and the indices of triangles.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/diag.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/diag_embed_native.h>
#include <ATen/ops/diag_native.h>
#include <ATen/ops/diagflat_native.h>
#include <ATen/ops/diagonal_copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fill_diagonal_native.h>
#include <ATen/ops/linalg_diagonal_native.h>
#include <ATen/ops/trace_native.h>
#include <ATen/ops/tril_indices_native.h>
#include <ATen/ops/triu_indices_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace at::native {

Tensor diag(const Tensor& self, int64_t offset) {
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ",
              self.dim(), "D");
  return self.dim() == 1 ? at::diag_embed(self, offset) : at::diagonal_copy(self, offset);
}

Tensor& diag_out(const Tensor& self, int64_t offset, Tensor& out) {
  return write_out(out, at::diag(self, offset));
}

Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t ndim = self.dim() + 1;
  const int64_t first = at::maybe_wrap_dim(dim1, ndim);
  const int64_t second = at::maybe_wrap_dim(dim2, ndim);
  TORCH_CHECK(first != second, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const int64_t size = std::abs(offset) + self.size(-1);
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes.pop_back();
  sizes.insert(sizes.begin() + std::min(first, second), size);
  sizes.insert(sizes.begin() + std::max(first, second), size);
  Tensor result = at::zeros(sizes, self.options());
  result.diagonal(offset, first, second).copy_(self);
  return result;
}

Tensor diagflat(const Tensor& self, int64_t offset) {
  return self.contiguous().view(-1).diag(offset);
}

Tensor trace(const Tensor& self) {
  TORCH_CHECK(self.dim() == 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  return self.diagonal().sum();
}

Tensor linalg_diagonal(const Tensor& A, int64_t offset, int64_t dim1, int64_t dim2) {
  return A.diagonal(offset, dim1, dim2);
}

// ---- indices of triangles: a row of rows, and one of columns

namespace {

// The columns [begin, end) of every row, row by row.
template <typename Bounds>
Tensor triangle_indices(int64_t rows, Bounds bounds, ScalarType dtype,
                        const TensorOptions& options) {
  int64_t count = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const auto [begin, end] = bounds(row);
    count += std::max<int64_t>(end - begin, 0);
  }
  Tensor result = at::empty({2, count}, options.dtype(kLong));
  auto* out = result.mutable_data_ptr<int64_t>();
  int64_t place = 0;
  for (int64_t row = 0; row < rows; ++row) {
    const auto [begin, end] = bounds(row);
    for (int64_t column = begin; column < end; ++column, ++place) {
      out[place] = row;
      out[count + place] = column;
    }
  }
  return result.to(dtype);
}

void check_triangle(int64_t row, int64_t col) {
  TORCH_CHECK(row >= 0, "row must be non-negative, got", row);
  TORCH_CHECK(col >= 0, "col must be non-negative, got", col);
  int64_t elements = 0;
  TORCH_CHECK(!__builtin_mul_overflow(row, col, &elements) && elements < int64_t{1} << 48,
              "a triangle of ", row, " rows and ", col,
              " columns has more indices than memory has");
}

TensorOptions index_options(std::optional<Layout> layout, std::optional<Device> device,
                            std::optional<bool> pin_memory) {
  return TensorOptions().layout(layout).device(device).pinned_memory(pin_memory);
}

}  // namespace

Tensor tril_indices_cpu(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<bool> pin_memory) {
  check_triangle(row, col);
  return triangle_indices(
      row,
      [&](int64_t r) {
        return std::pair<int64_t, int64_t>(0, std::clamp<int64_t>(r + offset + 1, 0, col));
      },
      dtype.value_or(kLong), index_options(layout, device, pin_memory));
}

Tensor triu_indices_cpu(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<bool> pin_memory) {
  check_triangle(row, col);
  return triangle_indices(
      row,
      [&](int64_t r) {
        return std::pair<int64_t, int64_t>(std::clamp<int64_t>(r + offset, 0, col), col);
      },
      dtype.value_or(kLong), index_options(layout, device, pin_memory));
}

// Elements whose indices are all equal; with `wrap`, of a tall matrix, every (columns + 1)-th
// element counted by rows, as NumPy's fill_diagonal has it.
Tensor& fill_diagonal_(Tensor& self, const Scalar& fill_value, bool wrap) {
  TORCH_CHECK(self.dim() >= 2, "dimensions must larger than 1");
  if (self.dim() == 2) {
    const int64_t rows = self.size(0);
    const int64_t step = self.size(1) + 1;
    for (int64_t row = 0; row < rows; row += step) {
      self.slice(0, row).diagonal().fill_(fill_value);
      if (!wrap) break;
    }
    return self;
  }
  int64_t stride = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    TORCH_CHECK(self.size(d) == self.size(0), "all dimensions of input must be of equal length");
    stride += self.stride(d);
  }
  self.as_strided({self.size(0)}, {stride}, self.storage_offset()).fill_(fill_value);
  return self;
}

}  // namespace at::native
