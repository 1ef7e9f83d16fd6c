// Views: the same elements under another shape. None of these copies, except reshape when it must.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/InferSize.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/StrideInference.h>
#include <ATen/native/TensorShape.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/_unsafe_view_native.h>
#include <ATen/ops/alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/detach_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand_as_native.h>
#include <ATen/ops/expand_native.h>
#include <ATen/ops/flatten_native.h>
#include <ATen/ops/lift_fresh_native.h>
#include <ATen/ops/ravel_native.h>
#include <ATen/ops/repeat_native.h>
#include <ATen/ops/reshape_as_native.h>
#include <ATen/ops/reshape_native.h>
#include <ATen/ops/sum_to_size_native.h>
#include <ATen/ops/unflatten_native.h>
#include <ATen/ops/view_as_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <vector>

namespace at::native {

Tensor alias_with_sizes_and_strides(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                                    int64_t storage_offset) {
  Tensor result(c10::make_intrusive<TensorImpl, c10::UndefinedTensorImpl>(
      TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(), self.dtype()));
  TensorImpl* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(storage_offset);
  impl->set_sizes_and_strides(sizes, strides);
  return result;
}

Tensor alias_with_sizes_and_strides(const Tensor& self, IntArrayRef sizes, IntArrayRef strides) {
  return alias_with_sizes_and_strides(self, sizes, strides, self.storage_offset());
}

// ---- aliases

Tensor alias(const Tensor& self) {
  return alias_with_sizes_and_strides(self, self.sizes(), self.strides());
}

Tensor detach(const Tensor& self) { return native::alias(self); }

Tensor& detach_(Tensor& self) { return self; }

Tensor lift_fresh(const Tensor& self) { return self; }

namespace {

void check_as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, int64_t offset) {
  TORCH_CHECK(size.size() == stride.size(), "mismatch in length of strides and shape");
  TORCH_CHECK(offset >= 0, "Tensor: invalid storage offset ", offset);
  for (const int64_t value : stride) {
    TORCH_CHECK(
        value >= 0,
        "as_strided: Negative strides are not supported at the moment, got strides: ", stride);
  }
  checkInBoundsForStorage(size, stride, offset, self.dtype().itemsize(), self.storage());
}

}  // namespace

Tensor as_strided_tensorimpl(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                             std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  check_as_strided(self, size, stride, offset);
  return alias_with_sizes_and_strides(self, size, stride, offset);
}

Tensor& as_strided_(Tensor& self, IntArrayRef size, IntArrayRef stride,
                    std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  check_as_strided(self, size, stride, offset);
  self.unsafeGetTensorImpl()->set_sizes_and_strides(size, stride, offset);
  return self;
}

// ---- view and reshape

Tensor view(const Tensor& self, IntArrayRef size) {
  const std::vector<int64_t> shape = at::infer_size(size, self.numel());
  bool possible = false;
  const std::vector<int64_t> strides =
      compute_view_strides(self.sizes(), self.strides(), shape, &possible);
  TORCH_CHECK(
      possible,
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  return alias_with_sizes_and_strides(self, shape, strides);
}

// The bytes as another type. Between sizes of element the last dimension grows or shrinks.
Tensor view_dtype(const Tensor& self, ScalarType dtype) {
  if (self.scalar_type() == dtype) return native::alias(self);
  TORCH_CHECK(
      !self.is_conj(),
      "torch.Tensor.view is not supported for conjugate view tensors when converting to a different dtype.");
  TORCH_CHECK(
      !self.is_neg(),
      "torch.Tensor.view is not supported for tensors with negative bit set when converting to a different dtype.");
  const auto from = static_cast<int64_t>(self.element_size());
  const auto to = static_cast<int64_t>(c10::elementSize(dtype));
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  int64_t offset = self.storage_offset();
  if (from != to) {
    TORCH_CHECK(self.dim() != 0, "self.dim() cannot be 0 to view ", self.scalar_type(), " as ",
                dtype, " (different element sizes)");
    TORCH_CHECK(self.stride(-1) == 1, "self.stride(-1) must be 1 to view ", self.scalar_type(),
                " as ", dtype, " (different element sizes), but got ", self.stride(-1));
    if (from > to) {
      const int64_t ratio = from / to;
      for (size_t i = 0; i + 1 < strides.size(); ++i) strides[i] *= ratio;
      sizes.back() *= ratio;
      offset *= ratio;
    } else {
      const int64_t ratio = to / from;
      TORCH_CHECK(sizes.back() % ratio == 0, "self.size(-1) must be divisible by ", ratio,
                  " to view ", self.scalar_type(), " as ", dtype,
                  " (different element sizes), but got ", sizes.back());
      TORCH_CHECK(offset % ratio == 0, "self.storage_offset() must be divisible by ", ratio,
                  " to view ", self.scalar_type(), " as ", dtype,
                  " (different element sizes), but got ", offset);
      for (size_t i = 0; i + 1 < strides.size(); ++i) {
        TORCH_CHECK(strides[i] % ratio == 0, "self.stride(", i, ") must be divisible by ", ratio,
                    " to view ", self.scalar_type(), " as ", dtype,
                    " (different element sizes), but got ", strides[i]);
        strides[i] /= ratio;
      }
      sizes.back() /= ratio;
      offset /= ratio;
    }
  }
  Tensor result(c10::make_intrusive<TensorImpl, c10::UndefinedTensorImpl>(
      TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(),
      c10::scalarTypeToTypeMeta(dtype)));
  TensorImpl* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(offset);
  impl->set_sizes_and_strides(sizes, strides);
  return result;
}

Tensor view_as(const Tensor& self, const Tensor& other) { return self.view(other.sizes()); }

Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { return self.view(size); }

Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return alias_with_sizes_and_strides(self, size, stride);
}

Tensor reshape(const Tensor& self, IntArrayRef shape) {
  const std::vector<int64_t> size = at::infer_size(shape, self.numel());
  bool possible = false;
  compute_view_strides(self.sizes(), self.strides(), size, &possible);
  if (possible) return self.view(size);
  return at::_unsafe_view(self.clone(MemoryFormat::Contiguous), size);
}

Tensor reshape_as(const Tensor& self, const Tensor& other) { return self.reshape(other.sizes()); }

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  start_dim = at::maybe_wrap_dim(start_dim, self.dim());
  end_dim = at::maybe_wrap_dim(end_dim, self.dim());
  TORCH_CHECK(start_dim <= end_dim,
              "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return self.reshape({1});
  if (start_dim == end_dim) return self;
  std::vector<int64_t> shape;
  int64_t flat = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d >= start_dim && d <= end_dim) flat *= self.size(d);
    if (d < start_dim || d > end_dim) shape.push_back(self.size(d));
    if (d == end_dim) shape.push_back(flat);
  }
  return self.reshape(shape);
}

Tensor ravel(const Tensor& self) { return self.contiguous().view({-1}); }

Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(!sizes.empty(), "unflatten: sizes must be non-empty");
  const std::vector<int64_t> inner = at::infer_size(sizes, self.size(dim));
  std::vector<int64_t> shape = self.sizes().vec();
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, inner.begin(), inner.end());
  return self.view(shape);
}

// ---- expand

Tensor expand(const Tensor& self, IntArrayRef size, bool implicit) {
  TORCH_CHECK(size.size() >= static_cast<size_t>(self.dim()), "expand(", self.toString(), "{",
              self.sizes(), "}, size=", size, "): the number of sizes provided (", size.size(),
              ") ", "must be greater or equal to the number of dimensions in the tensor (",
              self.dim(), ")");
  const auto geometry = inferExpandGeometry_dimvector(self.sizes(), self.strides(), size);
  return alias_with_sizes_and_strides(self, geometry.sizes, geometry.strides);
}

Tensor expand_as(const Tensor& self, const Tensor& other) { return self.expand(other.sizes()); }

Tensor sum_to_size(const Tensor& self, IntArrayRef size) {
  TORCH_CHECK(is_expandable_to(size, self.sizes()), "size {", size, "} is not expandable to size {",
              self.sizes(), "}.");
  return sum_to(self, size);
}

Tensor repeat(const Tensor& self, IntArrayRef repeats) {
  TORCH_CHECK(
      repeats.size() >= static_cast<size_t>(self.dim()),
      "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  const auto added = static_cast<int64_t>(repeats.size()) - self.dim();
  std::vector<int64_t> target(repeats.size());
  // Each dimension becomes (repeats, size): the copy broadcasts over the first of the two.
  std::vector<int64_t> split;
  std::vector<int64_t> source;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const auto d = static_cast<int64_t>(i);
    const int64_t size = d < added ? 1 : self.size(d - added);
    TORCH_CHECK(repeats[i] >= 0, "repeat: negative number of repetitions ", repeats[i],
                " of dimension ", d, " in repeats ", repeats);
    TORCH_CHECK(!__builtin_mul_overflow(repeats[i], size, &target[i]), "repeat: size ", size,
                " of dimension ", d, " times ", repeats[i], " overflows, in repeats ", repeats);
    split.push_back(repeats[i]);
    split.push_back(size);
    source.push_back(1);
    source.push_back(size);
  }
  Tensor result = at::empty(target, self.options());
  if (result.numel() > 0) result.view(split).copy_(self.reshape(source));
  return result;
}

}  // namespace at::native
