// Views with the dimensions in another order, or with more or fewer of size one.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TensorShape.h>
#include <ATen/ops/alias_native.h>
#include <ATen/ops/mT_native.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/movedim_native.h>
#include <ATen/ops/numpy_T_native.h>
#include <ATen/ops/permute_native.h>
#include <ATen/ops/squeeze_native.h>
#include <ATen/ops/t_native.h>
#include <ATen/ops/transpose_native.h>
#include <ATen/ops/unsqueeze_native.h>
#include <ATen/ops/view_native.h>
#include <c10/util/Exception.h>

#include <numeric>
#include <vector>

namespace at::native {

namespace {

std::vector<int64_t> wrapped_dims(IntArrayRef dims, int64_t ndim) {
  std::vector<int64_t> result = dims.vec();
  for (int64_t& dim : result) dim = c10::maybe_wrap_dim(dim, ndim);
  return result;
}

}  // namespace

// ---- order of dimensions

Tensor permute(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(
      ndim == static_cast<int64_t>(dims.size()),
      "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ",
      ndim, " is not equal to len(dims) = ", dims.size());
  std::vector<int64_t> sizes(ndim);
  std::vector<int64_t> strides(ndim);
  std::vector<bool> seen(ndim);
  for (int64_t i = 0; i < ndim; ++i) {
    const int64_t d = at::maybe_wrap_dim(dims[i], ndim);
    TORCH_CHECK(!seen[d], "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes[i] = self.size(d);
    strides[i] = self.stride(d);
  }
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = at::maybe_wrap_dim(dim0, self.dim());
  dim1 = at::maybe_wrap_dim(dim1, self.dim());
  if (dim0 == dim1) return native::alias(self);
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  std::swap(sizes[dim0], sizes[dim1]);
  std::swap(strides[dim0], strides[dim1]);
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  const Tensor view = native::transpose(self, dim0, dim1);
  return self.as_strided_(view.sizes(), view.strides());
}

namespace {
void check_t(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() <= 2, name, " expects a tensor with <= 2 dimensions, but self is ",
              self.dim(), "D");
}
}  // namespace

Tensor t(const Tensor& self) {
  check_t(self, "t()");
  return native::transpose(self, 0, self.dim() < 2 ? 0 : 1);
}

Tensor& t_(Tensor& self) {
  check_t(self, "t_()");
  return self.transpose_(0, self.dim() < 2 ? 0 : 1);
}

Tensor numpy_T(const Tensor& self) {
  const int64_t n = self.dim();
  if (n != 2 && n != 0) {
    TORCH_WARN_ONCE(
        "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw an error in a future release. Consider `x.mT` to transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.");
  }
  std::vector<int64_t> dims(n);
  std::iota(dims.rbegin(), dims.rend(), int64_t{0});
  return self.permute(dims);
}

Tensor mT(const Tensor& self) {
  if (self.dim() == 0) {
    TORCH_WARN_ONCE(
        "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.");
    return self;
  }
  TORCH_CHECK(self.dim() >= 2,
              "tensor.mT is only supported on matrices or batches of matrices. "
              "Got ",
              self.dim(), "-D tensor.");
  return self.transpose(-2, -1);
}

Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  TORCH_CHECK(source.size() == destination.size(),
              "movedim: Invalid source or destination dims: source (", source,
              " dims) should contain the same number of dims as destination (", destination,
              " dims)");
  const int64_t ndim = self.dim();
  const std::vector<int64_t> from = wrapped_dims(source, ndim);
  const std::vector<int64_t> to = wrapped_dims(destination, ndim);
  if (ndim == 0) return self.alias();
  std::vector<int64_t> order(ndim, -1);
  std::vector<bool> taken(ndim);
  for (size_t i = 0; i < from.size(); ++i) {
    TORCH_CHECK(!taken[from[i]], "movedim: repeated dim in `source` (", source, ")");
    TORCH_CHECK(order[to[i]] == -1, "movedim: repeated dim in `destination` (", destination, ")");
    taken[from[i]] = true;
    order[to[i]] = from[i];
  }
  int64_t next = 0;
  for (int64_t& dim : order) {
    if (dim != -1) continue;
    while (taken[next]) ++next;
    dim = next++;
  }
  return self.permute(order);
}

Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return at::movedim(self, IntArrayRef{source}, IntArrayRef{destination});
}

// ---- dimensions of size one

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim() + 1);
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t stride = dim >= self.dim() ? 1 : sizes[dim] * strides[dim];
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, stride);
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  const Tensor view = native::unsqueeze(self, dim);
  return self.as_strided_(view.sizes(), view.strides());
}

namespace {

// Without the dimensions of size 1 that `drop` selects.
template <typename Predicate>
Tensor squeeze_if(const Tensor& self, Predicate drop) {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 1 && drop(d)) continue;
    sizes.push_back(self.size(d));
    strides.push_back(self.stride(d));
  }
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& adopt_geometry(Tensor& self, const Tensor& view) {
  return self.as_strided_(view.sizes(), view.strides());
}

}  // namespace

Tensor squeeze(const Tensor& self) {
  return squeeze_if(self, [](int64_t) { return true; });
}

Tensor squeeze(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  return squeeze_if(self, [=](int64_t d) { return d == dim; });
}

Tensor squeeze(const Tensor& self, IntArrayRef dim) {
  const auto mask = at::dim_list_to_bitset(dim, self.dim());
  return squeeze_if(self, [&](int64_t d) { return mask[static_cast<size_t>(d)]; });
}

Tensor& squeeze_(Tensor& self) { return adopt_geometry(self, native::squeeze(self)); }
Tensor& squeeze_(Tensor& self, int64_t dim) {
  return adopt_geometry(self, native::squeeze(self, dim));
}
Tensor& squeeze_(Tensor& self, IntArrayRef dim) {
  return adopt_geometry(self, native::squeeze(self, dim));
}

}  // namespace at::native
