// Taking and writing elements at places that tensors of indices give.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/IndexingUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_index_put_impl.h>
#include <ATen/ops/_index_put_impl_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_add_native.h>
#include <ATen/ops/index_native.h>
#include <ATen/ops/index_put_native.h>
#include <ATen/ops/index_select_backward_native.h>
#include <ATen/ops/index_select_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(index_stub);
DEFINE_DISPATCH(index_put_stub);

// ---- index and index_put_

Tensor& index_out(const Tensor& self, const c10::List<std::optional<Tensor>>& indices,
                  Tensor& result) {
  const AdvancedIndex info = make_advanced_index(self, indices);
  TORCH_CHECK(result.scalar_type() == self.scalar_type(), "index_out: self (", self.scalar_type(),
              ") and result (", result.scalar_type(), ") must have the same scalar type");
  at::assert_no_overlap(result, self);
  resize_output(result, info.src.sizes());
  if (result.numel() == 0) return result;
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .add_output(result)
      .add_const_input(info.src);
  for (const Tensor& index : info.indices) config.add_const_input(index);
  TensorIterator iter = config.build();
  index_stub(iter.device_type(), iter, info.indexed_sizes, info.indexed_strides);
  return result;
}

Tensor index(const Tensor& self, const c10::List<std::optional<Tensor>>& indices) {
  const AdvancedIndex info = make_advanced_index(self, indices);
  if (info.src.numel() == 0) return at::empty(info.src.sizes(), self.options());
  // The iterator allocates the result in the order of the strides of `self`.
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .declare_static_dtype(self.scalar_type())
      .add_owned_output(Tensor())
      .add_const_input(info.src);
  for (const Tensor& index : info.indices) config.add_const_input(index);
  TensorIterator iter = config.build();
  index_stub(iter.device_type(), iter, info.indexed_sizes, info.indexed_strides);
  return iter.output();
}

namespace {

// One number where a single mask is true: it is converted to the tensor's dtype, as masked_fill
// does.
bool is_masked_fill(const c10::List<std::optional<Tensor>>& indices, const Tensor& value) {
  int64_t masks = 0;
  for (const std::optional<Tensor>& index : indices) {
    if (!index.has_value() || !index->defined()) continue;
    if (index->scalar_type() != kBool && index->scalar_type() != kByte) return false;
    ++masks;
  }
  return masks == 1 && value.numel() == 1;
}

}  // namespace

Tensor& _index_put_impl_(Tensor& self, const c10::List<std::optional<Tensor>>& indices,
                         const Tensor& value, bool accumulate, bool unsafe) {
  check_number_of_indices(self, indices);
  if (at::has_internal_overlap(self) == MemOverlap::Yes) {
    TORCH_WARN(
        "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also applies to advanced indexing e.g. tensor[indices] = tensor");
  }
  if (self.scalar_type() != value.scalar_type() && !accumulate && is_masked_fill(indices, value)) {
    return at::_index_put_impl_(self, indices, value.to(self.scalar_type()), accumulate, unsafe);
  }
  const AdvancedIndex info = make_advanced_index(self, indices);
  TORCH_CHECK(is_expandable_to(value.sizes(), info.src.sizes()),
              "shape mismatch: value tensor of shape ", value.sizes(),
              " cannot be broadcast to indexing result of shape ", info.src.sizes());
  TORCH_CHECK(self.scalar_type() == value.scalar_type(),
              "Index put requires the source and destination dtypes match, got ",
              self.scalar_type(), " for the destination and ", value.scalar_type(),
              " for the source.");
  at::assert_no_overlap(self, value);
  for (const std::optional<Tensor>& index : indices) {
    if (index.has_value() && index->defined()) at::assert_no_overlap(self, *index);
  }
  if (info.src.numel() == 0) return self;
  // Overlap by stride 0 is what places in `self` are reached by.
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .add_output(info.src)
      .add_const_input(value);
  for (const Tensor& index : info.indices) config.add_const_input(index);
  TensorIterator iter = config.build();
  index_put_stub(iter.device_type(), iter, info.indexed_sizes, info.indexed_strides, accumulate);
  return self;
}

Tensor& index_put_(Tensor& self, const c10::List<std::optional<Tensor>>& indices,
                   const Tensor& value, bool accumulate) {
  return at::_index_put_impl_(self, indices, value, accumulate, /*unsafe=*/false);
}

Tensor index_put(const Tensor& self, const c10::List<std::optional<Tensor>>& indices,
                 const Tensor& value, bool accumulate) {
  Tensor result = self.clone(MemoryFormat::Preserve);
  return at::_index_put_impl_(result, indices, value, accumulate, /*unsafe=*/false);
}

// ---- index_select and index_add

namespace {

void check_vector_of_indices(const char* name, const Tensor& index) {
  TORCH_CHECK_INDEX(index.dim() <= 1, name, "(): Index is supposed to be a vector");
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, name,
              "(): Expected dtype int32 or int64 for index");
}

// PyTorch raises another exception, with another text, for empty tensors and along dimension 1.
void check_places(const Tensor& places, const Tensor& self, int64_t dim, const Tensor& result) {
  const int64_t size = self.size(dim);
  const bool by_rows =
      self.dim() == 1 || (self.numel() > 0 && (dim != 1 || !result.is_contiguous()));
  TORCH_CHECK(by_rows || size > 0 || places.numel() == 0,
              "index_select(): self indexing axis dim should be positive");
  const int64_t* place = places.const_data_ptr<int64_t>();
  for (int64_t n = 0; n < places.numel(); ++n) {
    const bool inside = place[n] >= 0 && place[n] < size;
    TORCH_CHECK_INDEX(inside || !by_rows, "index out of range in self");
    TORCH_CHECK(inside, "INDICES element is out of DATA bounds, id=", place[n], " axis_dim=", size);
  }
}

}  // namespace

Tensor& index_select_out(const Tensor& self, int64_t dim, const Tensor& index, Tensor& result) {
  check_vector_of_indices("index_select", index);
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "index_select(): self and result must have the same scalar type");
  dim = at::maybe_wrap_dim(dim, self.dim());
  const Tensor places = index.to(kLong).reshape({-1}).contiguous();
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, index);
  if (self.dim() == 0) {
    TORCH_CHECK(places.numel() == 1, "index_select(): Index to scalar can have only 1 value, got ",
                places.numel(), " value(s)");
    resize_output(result, self.sizes());
    result.copy_(self);
    return result;
  }
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes[static_cast<size_t>(dim)] = places.numel();
  resize_output(result, sizes);
  // Kernels of other devices look themselves.
  if (places.is_cpu()) check_places(places, self, dim, result);
  if (result.numel() == 0) return result;
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  shape[static_cast<size_t>(dim)] = places.numel();
  // Rows that lie together are copied whole: to fill those that repeat an element pays.
  const Tensor from = self.is_cpu() && self.stride(-1) == 0 && result.numel() >= self.numel() / 2
                          ? self.contiguous()
                          : self;
  std::vector<int64_t> strides = from.strides().vec();
  strides[static_cast<size_t>(dim)] = 0;
  const int64_t indexed_size = from.size(dim);
  const int64_t indexed_stride = from.stride(dim) * static_cast<int64_t>(from.element_size());
  const Tensor source = from.as_strided(sizes, strides);
  TensorIterator iter = TensorIteratorConfig()
                            .set_check_mem_overlap(false)
                            .check_all_same_dtype(false)
                            .resize_outputs(false)
                            .add_output(result)
                            .add_const_input(source)
                            .add_const_input(places.view(shape).expand(sizes))
                            .build();
  index_stub(iter.device_type(), iter, IntArrayRef(&indexed_size, 1),
             IntArrayRef(&indexed_stride, 1));
  return result;
}

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  Tensor result = at::empty({0}, self.options());
  return native::index_select_out(self, dim, index, result);
}

Tensor index_select_backward(const Tensor& grad, IntArrayRef self_sizes, int64_t dim,
                             const Tensor& index) {
  return grad.new_zeros(self_sizes).index_add_(dim, index, grad, 1);
}

Tensor& index_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                   const Scalar& alpha) {
  check_vector_of_indices("index_add", index);
  TORCH_CHECK(self.scalar_type() == source.scalar_type(), "index_add_(): self (",
              self.scalar_type(), ") and source (", source.scalar_type(),
              ") must have the same scalar type");
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK_INDEX(source.dim() > 0 || index.numel() == 1,
                    "index_add_(): a source without dimensions goes to one index, but got ",
                    index.numel());
  TORCH_CHECK((source.dim() == 0 ? 1 : source.size(dim)) == index.numel(),
              "index_add_(): Number of indices (", index.numel(),
              ") should be equal to source.size(dim): (", source.dim() == 0 ? 1 : source.size(dim),
              "), for dim: ", dim);
  const Tensor target = self.dim() == 0 ? self.view({1}) : self;
  const Tensor values = source.dim() == 0 ? source.view({1}) : source;
  bool same_shape = self.dim() == source.dim();
  for (int64_t d = 0; same_shape && d < values.dim(); ++d) {
    same_shape = d == dim || target.size(d) == values.size(d);
  }
  TORCH_CHECK(
      same_shape,
      "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
      self.sizes(), " source.shape = ", source.sizes());
  at::assert_no_internal_overlap(self);
  at::assert_no_overlap(self, index);
  at::assert_no_overlap(self, source);
  // The kernel reads elements of self's type, whatever the type of alpha.
  const Tensor scaled =
      alpha.equal(1) ? values : values.mul(at::scalar_tensor(alpha, values.options()));
  std::vector<int64_t> shape(static_cast<size_t>(values.dim()), 1);
  shape[static_cast<size_t>(dim)] = index.numel();
  const Tensor places = index.to(kLong).reshape({-1}).view(shape).expand(values.sizes());
  if (values.numel() > 0) {
    scatter_add_stub(target.device().type(), target, dim, places, scaled);
  }
  return self;
}

Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                 const Scalar& alpha) {
  return self.clone(MemoryFormat::Preserve).index_add_(dim, index, source, alpha);
}

Tensor& index_add_out(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha, Tensor& result) {
  if (!result.is_same(self)) {
    resize_output(result, self.sizes());
    result.copy_(self);
  }
  return result.index_add_(dim, index, source, alpha);
}

}  // namespace at::native
