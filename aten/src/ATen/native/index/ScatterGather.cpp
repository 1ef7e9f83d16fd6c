// Taking and writing elements at one index for each element.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/MemoryOverlap.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gather_backward_native.h>
#include <ATen/ops/gather_native.h>
#include <ATen/ops/scatter_add_native.h>
#include <ATen/ops/scatter_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::meta {
namespace {

int64_t size_or_one(const Tensor& t, int64_t dim) { return t.dim() == 0 ? 1 : t.size(dim); }

int64_t dim_or_one(const Tensor& t) { return t.dim() == 0 ? 1 : t.dim(); }

void check_index_dtype(const char* name, const Tensor& index) {
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, name,
              "(): Expected dtype int32/int64 for index");
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

// What is read is not written meanwhile.
void check_scatter_memory(const Tensor& output, const Tensor& index, const Tensor* src) {
  if (!output.defined()) return;
  at::assert_no_internal_overlap(output);
  at::assert_no_overlap(output, index);
  if (src != nullptr) at::assert_no_overlap(output, *src);
}

}  // namespace

TORCH_META_FUNC(gather)
(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  const int64_t wrapped_dim = at::maybe_wrap_dim(dim, self.dim());
  const bool given = maybe_get_output().defined();
  set_output_raw_strided(0, index.sizes(), {}, self.options());
  if (given) {
    // A result that was resized may overlap where it did not before.
    const Tensor& result = maybe_get_output();
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
}

#define CREATE_SCATTER_META(name, src_pointer)                      \
  const int64_t wrapped_dim = at::maybe_wrap_dim(dim, self.dim());  \
  if (index.numel() != 0) check_index_dtype(name, index);           \
  scatter_shape_check(name, self, wrapped_dim, index, src_pointer); \
  const Tensor& output = maybe_get_output(0);                       \
  check_scatter_memory(output, index, src_pointer);                 \
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

DEFINE_DISPATCH(gather_stub);
DEFINE_DISPATCH(scatter_stub);
DEFINE_DISPATCH(scatter_add_stub);
DEFINE_DISPATCH(scatter_combine_stub);

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
  return grad.new_zeros(self.sizes()).scatter_add_(dim, index, grad);
}

}  // namespace at::native
