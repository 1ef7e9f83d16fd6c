// Copies of what views show, and tensors with a view replaced.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/alias_copy_native.h>
#include <ATen/ops/as_strided_copy_native.h>
#include <ATen/ops/as_strided_scatter_native.h>
#include <ATen/ops/detach_copy_native.h>
#include <ATen/ops/diagonal_backward_native.h>
#include <ATen/ops/diagonal_copy_native.h>
#include <ATen/ops/diagonal_scatter_native.h>
#include <ATen/ops/expand_copy_native.h>
#include <ATen/ops/narrow_copy_native.h>
#include <ATen/ops/permute_copy_native.h>
#include <ATen/ops/select_copy_native.h>
#include <ATen/ops/select_scatter_native.h>
#include <ATen/ops/slice_copy_native.h>
#include <ATen/ops/slice_scatter_native.h>
#include <ATen/ops/squeeze_copy_native.h>
#include <ATen/ops/t_copy_native.h>
#include <ATen/ops/transpose_copy_native.h>
#include <ATen/ops/unsqueeze_copy_native.h>
#include <ATen/ops/view_copy_native.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <optional>

namespace at::native {

// ---- copies

namespace {
Tensor copy(const Tensor& view) { return view.clone(MemoryFormat::Contiguous); }
}  // namespace

Tensor alias_copy(const Tensor& self) { return copy(self); }

Tensor& alias_copy_out(const Tensor& self, Tensor& out) {
  return write_out(out, native::alias_copy(self));
}

Tensor as_strided_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                       std::optional<int64_t> storage_offset) {
  return copy(self.as_strided(size, stride, storage_offset));
}

Tensor& as_strided_copy_out(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                            std::optional<int64_t> storage_offset, Tensor& out) {
  return write_out(out, native::as_strided_copy(self, size, stride, storage_offset));
}

Tensor detach_copy(const Tensor& self) { return copy(self.detach()); }

Tensor& detach_copy_out(const Tensor& self, Tensor& out) {
  return write_out(out, native::detach_copy(self));
}

Tensor diagonal_copy(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return copy(self.diagonal(offset, dim1, dim2));
}

Tensor& diagonal_copy_out(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2,
                          Tensor& out) {
  return write_out(out, native::diagonal_copy(self, offset, dim1, dim2));
}

Tensor expand_copy(const Tensor& self, IntArrayRef size, bool implicit) {
  return copy(self.expand(size, implicit));
}

Tensor& expand_copy_out(const Tensor& self, IntArrayRef size, bool implicit, Tensor& out) {
  return write_out(out, native::expand_copy(self, size, implicit));
}

Tensor narrow_copy(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return copy(self.narrow(dim, start, length));
}

Tensor& narrow_copy_out(const Tensor& self, int64_t dim, int64_t start, int64_t length,
                        Tensor& out) {
  return write_out(out, self.narrow(dim, start, length));
}

Tensor permute_copy(const Tensor& self, IntArrayRef dims) { return copy(self.permute(dims)); }

Tensor& permute_copy_out(const Tensor& self, IntArrayRef dims, Tensor& out) {
  return write_out(out, native::permute_copy(self, dims));
}

Tensor select_copy(const Tensor& self, int64_t dim, int64_t index) {
  return copy(self.select(dim, index));
}

Tensor& select_copy_out(const Tensor& self, int64_t dim, int64_t index, Tensor& out) {
  return write_out(out, native::select_copy(self, dim, index));
}

Tensor slice_copy(const Tensor& self, int64_t dim, std::optional<int64_t> start,
                  std::optional<int64_t> end, int64_t step) {
  return copy(self.slice(dim, start, end, step));
}

Tensor& slice_copy_out(const Tensor& self, int64_t dim, std::optional<int64_t> start,
                       std::optional<int64_t> end, int64_t step, Tensor& out) {
  return write_out(out, native::slice_copy(self, dim, start, end, step));
}

Tensor squeeze_copy(const Tensor& self) { return copy(self.squeeze()); }

Tensor& squeeze_copy_out(const Tensor& self, Tensor& out) {
  return write_out(out, native::squeeze_copy(self));
}

Tensor squeeze_copy(const Tensor& self, int64_t dim) { return copy(self.squeeze(dim)); }

Tensor& squeeze_copy_out(const Tensor& self, int64_t dim, Tensor& out) {
  return write_out(out, native::squeeze_copy(self, dim));
}

Tensor squeeze_copy(const Tensor& self, IntArrayRef dim) { return copy(self.squeeze(dim)); }

Tensor& squeeze_copy_out(const Tensor& self, IntArrayRef dim, Tensor& out) {
  return write_out(out, native::squeeze_copy(self, dim));
}

Tensor t_copy(const Tensor& self) { return copy(self.t()); }

Tensor& t_copy_out(const Tensor& self, Tensor& out) { return write_out(out, native::t_copy(self)); }

Tensor transpose_copy(const Tensor& self, int64_t dim0, int64_t dim1) {
  return copy(self.transpose(dim0, dim1));
}

Tensor& transpose_copy_out(const Tensor& self, int64_t dim0, int64_t dim1, Tensor& out) {
  return write_out(out, native::transpose_copy(self, dim0, dim1));
}

Tensor unsqueeze_copy(const Tensor& self, int64_t dim) { return copy(self.unsqueeze(dim)); }

Tensor& unsqueeze_copy_out(const Tensor& self, int64_t dim, Tensor& out) {
  return write_out(out, native::unsqueeze_copy(self, dim));
}

Tensor view_copy(const Tensor& self, IntArrayRef size) { return copy(self.view(size)); }

Tensor& view_copy_out(const Tensor& self, IntArrayRef size, Tensor& out) {
  return write_out(out, native::view_copy(self, size));
}

Tensor view_copy(const Tensor& self, ScalarType dtype) { return copy(self.view(dtype)); }

Tensor& view_copy_out(const Tensor& self, ScalarType dtype, Tensor& out) {
  return write_out(out, native::view_copy(self, dtype));
}

// ---- a copy of `self` in which a view is `src`

namespace {

Tensor replaced(Tensor result, const Tensor& view, const Tensor& src) {
  TORCH_CHECK(view.sizes() == src.sizes(),
              "expected src to have a size equal to the slice of self. "
              "src size = ",
              src.sizes(), ", slice size = ", view.sizes());
  view.copy_(src);
  return result;
}

}  // namespace

Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size,
                          IntArrayRef stride, std::optional<int64_t> storage_offset) {
  Tensor result = self.clone();
  return replaced(result, result.as_strided(size, stride, storage_offset), src);
}

Tensor& as_strided_scatter_out(const Tensor& self, const Tensor& src, IntArrayRef size,
                               IntArrayRef stride, std::optional<int64_t> storage_offset,
                               Tensor& out) {
  return write_out(out, native::as_strided_scatter(self, src, size, stride, storage_offset));
}

Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1,
                        int64_t dim2) {
  Tensor result = self.clone();
  return replaced(result, result.diagonal(offset, dim1, dim2), src);
}

Tensor& diagonal_scatter_out(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1,
                             int64_t dim2, Tensor& out) {
  return write_out(out, native::diagonal_scatter(self, src, offset, dim1, dim2));
}

Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  Tensor result = self.clone();
  return replaced(result, result.select(dim, index), src);
}

Tensor& select_scatter_out(const Tensor& self, const Tensor& src, int64_t dim, int64_t index,
                           Tensor& out) {
  return write_out(out, native::select_scatter(self, src, dim, index));
}

Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim,
                     std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  Tensor result = self.clone();
  return replaced(result, result.slice(dim, start, end, step), src);
}

Tensor& slice_scatter_out(const Tensor& self, const Tensor& src, int64_t dim,
                          std::optional<int64_t> start, std::optional<int64_t> end, int64_t step,
                          Tensor& out) {
  return write_out(out, native::slice_scatter(self, src, dim, start, end, step));
}

Tensor diagonal_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t offset,
                         int64_t dim1, int64_t dim2) {
  Tensor result = at::zeros(input_sizes, grad_output.options());
  result.diagonal(offset, dim1, dim2).copy_(grad_output);
  return result;
}

}  // namespace at::native
