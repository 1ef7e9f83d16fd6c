// Taking and writing elements at places that tensors of indices or masks give.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/IndexingUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/native/ScalarConversion.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/_index_put_impl.h>
#include <ATen/ops/_index_put_impl_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/gather_backward_native.h>
#include <ATen/ops/gather_native.h>
#include <ATen/ops/index_add_native.h>
#include <ATen/ops/index_native.h>
#include <ATen/ops/index_put_native.h>
#include <ATen/ops/index_select_backward_native.h>
#include <ATen/ops/index_select_native.h>
#include <ATen/ops/masked_fill_native.h>
#include <ATen/ops/masked_scatter_native.h>
#include <ATen/ops/masked_select_backward_native.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>
#include <ATen/ops/nonzero_numpy_native.h>
#include <ATen/ops/one_hot_native.h>
#include <ATen/ops/scatter_add_native.h>
#include <ATen/ops/scatter_native.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(index_stub);
DEFINE_DISPATCH(index_put_stub);
DEFINE_DISPATCH(masked_fill_stub);
DEFINE_DISPATCH(gather_stub);
DEFINE_DISPATCH(scatter_stub);
DEFINE_DISPATCH(scatter_add_stub);
DEFINE_DISPATCH(nonzero_stub);

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
  Tensor result = at::empty({0}, self.options());
  return native::index_out(self, indices, result);
}

Tensor& _index_put_impl_(Tensor& self, const c10::List<std::optional<Tensor>>& indices,
                         const Tensor& value, bool accumulate, bool unsafe) {
  TORCH_CHECK_INDEX(static_cast<int64_t>(indices.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ",
                    indices.size(), ")");
  if (at::has_internal_overlap(self) == MemOverlap::Yes) {
    TORCH_WARN(
        "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before "
        "performing this operation. This also applies to advanced indexing e.g. tensor[indices] = "
        "tensor");
  }
  TORCH_CHECK(self.scalar_type() == value.scalar_type(),
              "Index put requires the source and destination dtypes match, got ",
              self.scalar_type(), " for the destination and ", value.scalar_type(),
              " for the source.");
  const AdvancedIndex info = make_advanced_index(self, indices);
  TORCH_CHECK(is_expandable_to(value.sizes(), info.src.sizes()),
              "shape mismatch: value tensor of "
              "shape ",
              value.sizes(), " cannot be broadcast to indexing result of shape ", info.src.sizes());
  if (info.src.numel() == 0) return self;
  // Overlap by stride 0 is what places in `self` are reached by.
  TensorIteratorConfig config;
  config.set_check_mem_overlap(false)
      .check_all_same_dtype(false)
      .resize_outputs(false)
      .add_output(info.src)
      .add_const_input(value.is_alias_of(self) ? value.clone() : value);
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
  if (result.numel() == 0) return result;
  if (places.is_cpu()) {  // kernels of other devices look themselves
    const int64_t* place = places.const_data_ptr<int64_t>();
    for (int64_t n = 0; n < places.numel(); ++n) {
      TORCH_CHECK_INDEX(place[n] >= 0 && place[n] < self.size(dim), "index out of range in self");
    }
  }
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  shape[static_cast<size_t>(dim)] = places.numel();
  std::vector<int64_t> strides = self.strides().vec();
  strides[static_cast<size_t>(dim)] = 0;
  const int64_t indexed_size = self.size(dim);
  const int64_t indexed_stride = self.stride(dim) * static_cast<int64_t>(self.element_size());
  const Tensor source = self.as_strided(sizes, strides);
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
  return at::zeros(self_sizes, grad.options()).index_add(dim, index, grad, 1);
}

Tensor& index_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                   const Scalar& alpha) {
  check_vector_of_indices("index_add", index);
  TORCH_CHECK(self.scalar_type() == source.scalar_type(), "index_add_(): self (",
              self.scalar_type(), ") and source (", source.scalar_type(),
              ") must have the same scalar type");
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK((source.dim() == 0 ? 1 : source.size(dim)) == index.numel(),
              "index_add_(): Number of indices (", index.numel(),
              ") should be equal to source.size(dim): (", source.dim() == 0 ? 1 : source.size(dim),
              "), for dim: ", dim);
  const Tensor target = self.dim() == 0 ? self.view({1}) : self;
  const Tensor values = source.dim() == 0 ? source.view({1}) : source;
  bool same_shape = self.dim() == source.dim() || (self.dim() <= 1 && source.dim() <= 1);
  for (int64_t d = 0; same_shape && d < values.dim(); ++d) {
    same_shape = d == dim || target.size(d) == values.size(d);
  }
  TORCH_CHECK(same_shape,
              "source tensor shape must match self tensor shape, excluding the specified "
              "dimension. Got self.shape = ",
              self.sizes(), " source.shape = ", source.sizes());
  const Tensor scaled = alpha.equal(1) ? values : values.mul(alpha);
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

// ---- gather and scatter

namespace at::meta {
namespace {

int64_t size_or_one(const Tensor& t, int64_t dim) { return t.dim() == 0 ? 1 : t.size(dim); }

int64_t dim_or_one(const Tensor& t) { return t.dim() == 0 ? 1 : t.dim(); }

void check_index_dtype(const char* name, const Tensor& index) {
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, name,
              "(): Expected dtype int64 for index");
}

void scatter_shape_check(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                         const Tensor* src) {
  if (index.numel() == 0) return;
  TORCH_CHECK(dim_or_one(self) == dim_or_one(index),
              "Index tensor must have the same number of dimensions as self tensor");
  bool fits = true;
  for (int64_t d = 0; d < dim_or_one(self); ++d) {
    const int64_t size = size_or_one(index, d);
    if (d != dim && size > size_or_one(self, d)) fits = false;
    if (src != nullptr && size > size_or_one(*src, d)) fits = false;
  }
  if (src != nullptr) {
    TORCH_CHECK(dim_or_one(index) == dim_or_one(*src),
                "Index tensor must have the same number of dimensions as src tensor");
    TORCH_CHECK(fits, "Expected index ", index.sizes(), " to be no larger than self ", self.sizes(),
                " apart from dimension ", dim, " and to be no larger size than src ", src->sizes());
  } else {
    TORCH_CHECK(fits, "Expected index ", index.sizes(), " to be no larger than self ", self.sizes(),
                " apart from dimension ", dim);
  }
}

}  // namespace

TORCH_META_FUNC(gather)
(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  const int64_t wrapped_dim = at::maybe_wrap_dim(dim, self.dim());
  const Tensor& result = maybe_get_output();
  if (result.defined()) {
    at::assert_no_internal_overlap(result);
    at::assert_no_overlap(result, self);
    at::assert_no_partial_overlap(result, index);
  }
  if (index.numel() != 0) {
    check_index_dtype("gather", index);
    TORCH_CHECK(dim_or_one(self) == dim_or_one(index),
                "Index tensor must have the same number of dimensions as input tensor");
    for (int64_t d = 0; d < dim_or_one(self); ++d) {
      TORCH_CHECK(d == wrapped_dim || size_or_one(index, d) <= size_or_one(self, d),
                  "Size does not match at dimension ", d, " expected index ", index.sizes(),
                  " to be no larger than self ", self.sizes(), " apart from dimension ",
                  wrapped_dim);
    }
  }
  set_output_raw_strided(0, index.sizes(), {}, self.options());
}

#define CREATE_SCATTER_META(name, src_pointer)                      \
  const int64_t wrapped_dim = at::maybe_wrap_dim(dim, self.dim());  \
  if (index.numel() != 0) check_index_dtype(name, index);           \
  scatter_shape_check(name, self, wrapped_dim, index, src_pointer); \
  const Tensor& output = maybe_get_output(0);                       \
  if (output.defined()) at::assert_no_internal_overlap(output);     \
  set_output_raw_strided(0, self.sizes(), {}, self.options());

TORCH_META_FUNC2(scatter, src)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  TORCH_CHECK(self.scalar_type() == src.scalar_type(),
              "scatter(): Expected self.dtype to be equal to src.dtype");
  CREATE_SCATTER_META("scatter", &src)
}

TORCH_META_FUNC2(scatter, value)
(const Tensor& self, int64_t dim, const Tensor& index,
 const Scalar& value){CREATE_SCATTER_META("scatter", nullptr)}

TORCH_META_FUNC(scatter_add)(const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& src) {
  TORCH_CHECK(self.scalar_type() == src.scalar_type(),
              "scatter(): Expected self.dtype to be equal to src.dtype");
  CREATE_SCATTER_META("scatter_add", &src)
}

}  // namespace at::meta

namespace at::native {
namespace {

// The kernels need at least one dimension, and int64 indices.
Tensor at_least_1d(const Tensor& t) { return t.dim() == 0 ? t.view({1}) : t; }

template <typename Stub>
void scatter_into(Stub& stub, const Tensor& self, int64_t dim, const Tensor& index,
                  const Tensor& src, const Tensor& result) {
  const int64_t wrapped_dim = at::maybe_wrap_dim(dim, self.dim());
  if (!result.is_same(self)) result.copy_(self);
  if (index.numel() == 0) return;
  stub(result.device().type(), at_least_1d(result), wrapped_dim, at_least_1d(index.to(kLong)), src);
}

}  // namespace

TORCH_IMPL_FUNC(gather_out)
(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, const Tensor& result) {
  if (index.numel() == 0) return;
  gather_stub(result.device().type(), at_least_1d(result), at_least_1d(self),
              at::maybe_wrap_dim(dim, self.dim()), at_least_1d(index.to(kLong)));
}

TORCH_IMPL_FUNC(scatter_src_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  scatter_into(scatter_stub, self, dim, index, at_least_1d(src), out);
}

TORCH_IMPL_FUNC(scatter_value_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, const Tensor& out) {
  const Tensor src = at::empty({}, out.options()).fill_(value).expand(at_least_1d(index).sizes());
  scatter_into(scatter_stub, self, dim, index, src, out);
}

TORCH_IMPL_FUNC(scatter_add)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, const Tensor& out) {
  scatter_into(scatter_add_stub, self, dim, index, at_least_1d(src), out);
}

Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index,
                       bool sparse_grad) {
  TORCH_CHECK(!sparse_grad, "gather: no kernel for sparse gradients");
  return at::zeros(self.sizes(), grad.options()).scatter_add(dim, index, grad);
}

// ---- masks

namespace {

void check_mask(const Tensor& mask) {
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_fill_ only supports boolean masks, but got mask with dtype ",
              mask.scalar_type());
}

}  // namespace

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  check_mask(mask);
  check_convert(value, self.scalar_type());
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)
                  .check_all_same_dtype(false)
                  .resize_outputs(false)
                  .add_output(self)
                  .add_const_input(mask)
                  .build();
  masked_fill_stub(iter.device_type(), iter, value);
  return self;
}

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0,
              "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
              value.dim(), " dimension(s).");
  return native::masked_fill_(self, mask, value.item());
}

namespace {

template <typename Value>
Tensor masked_fill_impl(const Tensor& self, const Tensor& mask, const Value& value) {
  const auto [broadcast_mask, broadcast_self] = expand_outplace(mask, self);
  Tensor result = broadcast_self.clone(MemoryFormat::Contiguous);
  result.masked_fill_(mask, value);
  return result;
}

}  // namespace

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  return masked_fill_impl(self, mask, value);
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_impl(self, mask, value);
}

Tensor& masked_select_out(const Tensor& self, const Tensor& mask, Tensor& result) {
  TORCH_CHECK(mask.scalar_type() == kByte || mask.scalar_type() == kBool,
              "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "masked_select(): self and result must have the same scalar type");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, mask);
  const auto [m, s] = expand_outplace(mask.to(kBool), self);
  const Tensor selected = s.reshape({-1}).index_select(0, m.reshape({-1}).nonzero().reshape({-1}));
  resize_output(result, selected.sizes());
  result.copy_(selected);
  return result;
}

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  Tensor result = at::empty({0}, self.options());
  return native::masked_select_out(self, mask, result);
}

Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  const Tensor result = at::zeros_like(input.expand(at::infer_size(input.sizes(), mask.sizes())),
                                       MemoryFormat::Contiguous);
  return result.masked_scatter(mask, grad);
}

Tensor& masked_scatter_(Tensor& self, const Tensor& mask, const Tensor& source) {
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "masked_scatter_: expected self and source to have same dtypes but got ",
              self.scalar_type(), " and ", source.scalar_type());
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_scatter_ only supports boolean masks, but got mask with dtype ",
              mask.scalar_type());
  const Tensor m = expand_inplace(self, mask, "masked_scatter_");
  const Tensor places = m.reshape({-1}).nonzero().reshape({-1});
  TORCH_CHECK(source.numel() >= places.numel(),
              "masked_scatter: expected self and source to have same number of elements, got "
              "fewer elements in source than ones in mask");
  Tensor flat =
      self.is_contiguous() ? self.view({-1}) : self.clone(MemoryFormat::Contiguous).view({-1});
  flat.scatter_(0, places, source.reshape({-1}).narrow(0, 0, places.numel()));
  if (!self.is_contiguous()) self.copy_(flat.view(self.sizes()));
  return self;
}

Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const auto [m, s] = expand_outplace(mask, self);
  return s.clone(MemoryFormat::Contiguous).masked_scatter_(m, source);
}

// ---- nonzero

namespace {

void nonzero_kernel(const TensorBase& truth, c10::function_ref<TensorBase(int64_t)> allocate) {
  // Any byte but 0 is true.
  const auto* data = static_cast<const uint8_t*>(truth.const_data_ptr());
  const int64_t numel = truth.numel();
  const int64_t ndim = truth.dim();
  int64_t count = 0;
  for (int64_t i = 0; i < numel; ++i) count += data[i] != 0 ? 1 : 0;
  const TensorBase places = allocate(count);
  auto* out = places.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < numel; ++i) {
    if (data[i] == 0) continue;
    int64_t rest = i;
    for (int64_t d = ndim - 1; d >= 0; --d) {
      out[d] = rest % truth.size(d);
      rest /= truth.size(d);
    }
    out += ndim;
  }
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(nonzero_stub, &nonzero_kernel)

Tensor& nonzero_out(const Tensor& self, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero: Expected out tensor to have scalar type "
              "Long but got ",
              result.scalar_type());
  Tensor places;
  nonzero_stub(self.device().type(), self.to(kBool).contiguous(), [&](int64_t count) -> TensorBase {
    places = at::empty({count, self.dim()}, result.options());
    return places;
  });
  resize_output(result, places.sizes());
  result.copy_(places);
  return result;
}

Tensor nonzero(const Tensor& self) {
  Tensor rows = at::empty({0}, self.options().dtype(kLong));
  native::nonzero_out(self, rows);
  // Each dimension's indices lie together, as in PyTorch: `unbind(1)` gives contiguous ones.
  Tensor result = at::empty_strided(rows.sizes(), {1, rows.size(0)}, rows.options());
  return result.copy_(rows);
}

std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  if (self.dim() == 0) return self.unsqueeze(0).nonzero().unbind(1);
  return self.nonzero().unbind(1);
}

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  TORCH_CHECK(self.scalar_type() == kLong,
              "one_hot is only applicable to index tensor of type "
              "LongTensor.");
  std::vector<int64_t> shape = self.sizes().vec();
  if (self.numel() == 0) {
    TORCH_CHECK(num_classes > 0, "Can not infer total number of classes from empty tensor.");
    shape.push_back(num_classes);
    return at::empty(shape, self.options());
  }
  TORCH_CHECK(self.min().item().toLong() >= 0, "Class values must be non-negative.");
  const int64_t largest = self.max().item().toLong();
  if (num_classes == -1) {
    num_classes = largest + 1;
  } else {
    TORCH_CHECK(num_classes > largest, "Class values must be smaller than num_classes.");
  }
  shape.push_back(num_classes);
  Tensor result = at::zeros(shape, self.options());
  result.scatter_(-1, self.unsqueeze(-1), 1);
  return result;
}

}  // namespace at::native
