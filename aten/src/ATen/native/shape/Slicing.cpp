// Views of a part of a tensor: select, slice, diagonal, and cuts into many parts.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TensorShape.h>
#include <ATen/ops/chunk_native.h>
#include <ATen/ops/diagonal_native.h>
#include <ATen/ops/narrow_native.h>
#include <ATen/ops/select_backward_native.h>
#include <ATen/ops/select_native.h>
#include <ATen/ops/slice_backward_native.h>
#include <ATen/ops/slice_native.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/split_with_sizes_native.h>
#include <ATen/ops/unbind_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <vector>

namespace at::native {

namespace {

// The quotient rounded up, without the sum that overflows for a large divisor.
int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "select() cannot be applied to a 0-dim tensor.");
  dim = at::maybe_wrap_dim(dim, ndim);
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= index && index < size, "select(): index ", index,
                    " out of range for tensor of size ", self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t offset = self.storage_offset() + index * strides[dim];
  sizes.erase(sizes.begin() + dim);
  strides.erase(strides.begin() + dim);
  return alias_with_sizes_and_strides(self, sizes, strides, offset);
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start,
             std::optional<int64_t> end, int64_t step) {
  TORCH_CHECK_INDEX(self.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(step > 0, "slice step must be positive");
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t size = sizes[dim];
  int64_t begin = start.value_or(0);
  int64_t finish = end.value_or(size);
  if (begin < 0) begin += size;
  if (finish < 0) finish += size;
  begin = std::clamp<int64_t>(begin, 0, size);
  finish = std::clamp<int64_t>(finish, begin, size);
  const int64_t length = finish - begin;
  const int64_t offset = self.storage_offset() + begin * strides[dim];
  sizes[dim] = divide_up(length, step);
  // A stride that does not fit is one that nothing takes: at most one element is left.
  if (__builtin_mul_overflow(strides[dim], step, &strides[dim])) strides[dim] = step;
  return alias_with_sizes_and_strides(self, sizes, strides, offset);
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= start && start <= size,
                    "start out of range (expected to be in range of [", -size, ", ", size,
                    "], but got ", start, ")");
  if (start < 0) start += size;
  TORCH_CHECK(start <= size - length, "start (", start, ") + length (", length,
              ") exceeds dimension size (", size, ").");
  return self.slice(dim, start, start + length, 1);
}

Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  TORCH_CHECK(start.dim() == 0 && c10::isIntegralType(start.scalar_type(), /*includeBool=*/false),
              "start must be an 0-dim integral Tensor.");
  return native::narrow(self, dim, start.item().toLong(), length);
}

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  dim1 = at::maybe_wrap_dim(dim1, self.dim());
  dim2 = at::maybe_wrap_dim(dim2, self.dim());
  TORCH_CHECK(dim1 != dim2, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  int64_t length = 0;
  int64_t storage_offset = self.storage_offset();
  if (offset >= 0) {
    length = std::max<int64_t>(std::min(self.size(dim1), self.size(dim2) - offset), 0);
    if (length > 0) storage_offset += offset * self.stride(dim2);
  } else {
    length = std::max<int64_t>(std::min(self.size(dim1) + offset, self.size(dim2)), 0);
    if (length > 0) storage_offset -= offset * self.stride(dim1);
  }
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t stride = self.stride(dim1) + self.stride(dim2);
  sizes.erase(sizes.begin() + std::max(dim1, dim2));
  strides.erase(strides.begin() + std::max(dim1, dim2));
  sizes.erase(sizes.begin() + std::min(dim1, dim2));
  strides.erase(strides.begin() + std::min(dim1, dim2));
  sizes.push_back(length);
  strides.push_back(stride);
  return alias_with_sizes_and_strides(self, sizes, strides, storage_offset);
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(dim);
  std::vector<Tensor> tensors;
  tensors.reserve(size);
  for (int64_t i = 0; i < size; ++i) tensors.push_back(self.select(dim, i));
  return tensors;
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  TORCH_CHECK(split_size >= 0,
              "split expects split_size be non-negative, but got split_size=", split_size);
  const int64_t size = self.size(dim);
  TORCH_CHECK(split_size > 0 || size == 0,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  const int64_t splits = split_size == 0 ? 1 : std::max<int64_t>(divide_up(size, split_size), 1);
  std::vector<Tensor> result;
  result.reserve(splits);
  for (int64_t i = 0; i < splits; ++i) {
    const int64_t begin = i * split_size;
    result.push_back(self.narrow(dim, begin, std::min(split_size, size - begin)));
  }
  return result;
}

std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim) {
  return self.split_with_sizes(split_size, dim);
}

std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  const int64_t size = self.size(dim);
  std::vector<Tensor> result;
  result.reserve(split_sizes.size());
  int64_t begin = 0;
  for (const int64_t length : split_sizes) {
    TORCH_CHECK(
        length >= 0,
        "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=",
        split_sizes);
    if (length > size - begin) break;
    result.push_back(self.narrow(dim, begin, length));
    begin += length;
  }
  TORCH_CHECK(begin == size && result.size() == split_sizes.size(),
              "split_with_sizes expects split_sizes to sum exactly to ", size,
              " (input tensor's size at dimension ", dim, "), but got split_sizes=", split_sizes);
  return result;
}

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = self.size(dim);
  const int64_t split_size = divide_up(size, chunks);
  if (split_size == 0 && size == 0) {
    return self.split_with_sizes(std::vector<int64_t>(chunks, 0), dim);
  }
  return self.split(split_size, dim);
}

// ---- gradients of parts: zero outside of the part

Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                       int64_t index) {
  Tensor grad_input = at::zeros(input_sizes, grad_output.options());
  grad_input.select(dim, index).copy_(grad_output);
  return grad_input;
}

Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                      int64_t start, int64_t end, int64_t step) {
  Tensor grad_input = at::zeros(input_sizes, grad_output.options());
  grad_input.slice(dim, start, end, step).copy_(grad_output);
  return grad_input;
}

}  // namespace at::native
