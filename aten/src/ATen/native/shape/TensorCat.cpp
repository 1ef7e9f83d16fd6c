// Joining tensors, reversing and masking triangles: copies into parts of a new tensor.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cat_native.h>
#include <ATen/ops/concat_native.h>
#include <ATen/ops/stack_native.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <vector>

namespace at::native {
namespace {

// Empty one-dimensional tensors are passed over, whatever the others look like.
bool should_skip(const Tensor& t) { return t.dim() == 1 && t.size(0) == 0; }

void check_cat_shape_except_dim(const Tensor& first, const Tensor& second, int64_t dim,
                                size_t index) {
  TORCH_CHECK(first.dim() == second.dim(), "Tensors must have same number of dimensions: got ",
              first.dim(), " and ", second.dim());
  for (int64_t d = 0; d < first.dim(); ++d) {
    if (d == dim) continue;
    TORCH_CHECK(first.size(d) == second.size(d), "Sizes of tensors must match except in dimension ",
                dim, ". Expected size ", first.size(d), " but got size ", second.size(d),
                " for tensor number ", index, " in the list.");
  }
}

// The memory format that all inputs share, or the contiguous one.
MemoryFormat cat_format(TensorList tensors) {
  const MemoryFormat format = tensors[0].suggest_memory_format();
  for (const Tensor& t : tensors) {
    const MemoryFormat other = t.suggest_memory_format();
    if (other == MemoryFormat::Contiguous || other != format) return MemoryFormat::Contiguous;
  }
  return format;
}

}  // namespace
}  // namespace at::native

namespace at::meta {

TORCH_META_FUNC(cat)(TensorList tensors, int64_t dim) {
  TORCH_CHECK_VALUE(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  for (size_t i = 0; i < tensors.size(); ++i) {
    TORCH_CHECK(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i,
                ") cannot be concatenated");
  }
  dim = at::legacy_cat_wrap_dim(dim, tensors);
  const Tensor& out = maybe_get_output();
  const ScalarType dtype = out.defined() ? out.scalar_type() : native::result_type(tensors);
  size_t valid = tensors.size();
  int64_t size_at_dim = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (native::should_skip(tensors[i])) continue;
    if (valid == tensors.size()) valid = i;
    native::check_cat_shape_except_dim(tensors[valid], tensors[i], dim, i);
    size_at_dim += tensors[i].size(dim);
  }
  std::vector<int64_t> sizes = {0};
  if (valid < tensors.size()) {
    sizes = tensors[valid].sizes().vec();
    sizes[dim] = size_at_dim;
  }
  const Tensor& example = tensors[valid < tensors.size() ? valid : 0];
  set_output_raw_strided(0, sizes, {},
                         example.options().dtype(dtype).memory_format(native::cat_format(tensors)));
  if (out.defined()) {
    const ScalarType common = native::result_type(tensors);
    TORCH_CHECK_TYPE(c10::canCast(common, out.scalar_type()),
                     "torch.cat(): input types can't be cast to the desired output type ",
                     out.scalar_type());
    for (const Tensor& t : tensors) at::assert_no_overlap(out, t);
  }
}

}  // namespace at::meta

namespace at::native {

TORCH_IMPL_FUNC(cat_out)(TensorList tensors, int64_t dim, const Tensor& result) {
  if (result.numel() == 0) return;
  dim = at::legacy_cat_wrap_dim(dim, tensors);
  int64_t offset = 0;
  for (const Tensor& t : tensors) {
    if (should_skip(t)) continue;
    const int64_t size = t.size(dim);
    result.narrow(dim, offset, size).copy_(t);
    offset += size;
  }
}

Tensor concat(TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }

namespace {

// Every tensor with a new dimension `dim`, ready to be joined.
std::vector<Tensor> stack_inputs(TensorList tensors, int64_t* dim) {
  TORCH_CHECK(!tensors.empty(), "stack expects a non-empty TensorList");
  *dim = at::maybe_wrap_dim(*dim, tensors[0].dim() + 1);
  std::vector<Tensor> inputs;
  inputs.reserve(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    TORCH_CHECK(tensors[i].sizes() == tensors[0].sizes(),
                "stack expects each tensor to be equal size, but got ", tensors[0].sizes(),
                " at entry 0 and ", tensors[i].sizes(), " at entry ", i);
    inputs.push_back(tensors[i].unsqueeze(*dim));
  }
  return inputs;
}

}  // namespace

Tensor stack(TensorList tensors, int64_t dim) {
  const std::vector<Tensor> inputs = stack_inputs(tensors, &dim);
  return at::cat(inputs, dim);
}

Tensor& stack_out(TensorList tensors, int64_t dim, Tensor& out) {
  const std::vector<Tensor> inputs = stack_inputs(tensors, &dim);
  return at::cat_out(out, inputs, dim);
}

}  // namespace at::native
