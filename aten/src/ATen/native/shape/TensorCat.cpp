// Joining tensors, reversing and masking triangles: copies into parts of a new tensor.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cat_native.h>
#include <ATen/ops/concat_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack_native.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstring>
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
namespace {

// So many elements are copied sooner than views of their places are made.
constexpr int64_t kFew = at::internal::GRAIN_SIZE;

// Whether the elements are numbers of this type that lie together in memory.
bool is_plain(const Tensor& t, ScalarType dtype) {
  return t.scalar_type() == dtype && t.is_cpu() && t.layout() == kStrided && !t.is_conj() &&
         !t.is_neg() && !t._is_zerotensor() && t.is_contiguous();
}

template <int64_t kBytes>
void copy_parts_of(char* out, int64_t step, const char* in, int64_t count) {
  for (int64_t i = 0; i < count; ++i) std::memcpy(out + i * step, in + i * kBytes, kBytes);
}

// `count` parts of so many bytes, one after the other in `in` and a step apart in `out`.
void copy_parts(char* out, int64_t step, const char* in, int64_t bytes, int64_t count) {
  switch (bytes) {
    case 1:
      return copy_parts_of<1>(out, step, in, count);
    case 2:
      return copy_parts_of<2>(out, step, in, count);
    case 4:
      return copy_parts_of<4>(out, step, in, count);
    case 8:
      return copy_parts_of<8>(out, step, in, count);
    default:
      for (int64_t i = 0; i < count; ++i) {
        std::memcpy(out + i * step, in + i * bytes, static_cast<size_t>(bytes));
      }
  }
}

// Joins tensors side by side, all plain and with `outer` parts. False if something is not plain, or
// too large to be copied by one thread.
bool join(const Tensor& result, TensorList tensors, int64_t outer) {
  if (result.numel() > kFew || outer == 0) return false;
  const ScalarType dtype = result.scalar_type();
  if (!is_plain(result, dtype)) return false;
  for (const Tensor& t : tensors) {
    if (!is_plain(t, dtype)) return false;
  }
  const auto step = static_cast<int64_t>(result.nbytes()) / outer;
  auto* out = static_cast<char*>(result.mutable_data_ptr());
  for (const Tensor& t : tensors) {
    const auto bytes = static_cast<int64_t>(t.nbytes()) / outer;
    if (bytes == 0) continue;
    copy_parts(out, step, static_cast<const char*>(t.const_data_ptr()), bytes, outer);
    out += bytes;
  }
  return true;
}

}  // namespace

TORCH_IMPL_FUNC(cat_out)(TensorList tensors, int64_t dim, const Tensor& result) {
  if (result.numel() == 0) return;
  dim = at::legacy_cat_wrap_dim(dim, tensors);
  int64_t outer = 1;
  for (int64_t d = 0; d < dim; ++d) outer *= result.size(d);
  if (join(result, tensors, outer)) return;
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
  if (!tensors.empty() && tensors[0].numel() > 0 &&
      is_plain(tensors[0], tensors[0].scalar_type())) {
    const int64_t place = at::maybe_wrap_dim(dim, tensors[0].dim() + 1);
    const IntArrayRef sizes = tensors[0].sizes();
    bool joins = tensors[0].numel() * static_cast<int64_t>(tensors.size()) <= kFew;
    for (const Tensor& t : tensors) {
      joins = joins && t.sizes() == sizes && is_plain(t, tensors[0].scalar_type());
    }
    if (joins) {
      std::vector<int64_t> shape = sizes.vec();
      shape.insert(shape.begin() + place, static_cast<int64_t>(tensors.size()));
      int64_t outer = 1;
      for (int64_t d = 0; d < place; ++d) outer *= sizes[static_cast<size_t>(d)];
      const Tensor result = at::empty(shape, tensors[0].options());
      if (join(result, tensors, outer)) return result;
    }
  }
  const std::vector<Tensor> inputs = stack_inputs(tensors, &dim);
  return at::cat(inputs, dim);
}

Tensor& stack_out(TensorList tensors, int64_t dim, Tensor& out) {
  const std::vector<Tensor> inputs = stack_inputs(tensors, &dim);
  return at::cat_out(out, inputs, dim);
}

}  // namespace at::native
