#include <ATen/WrapDimUtils.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

namespace at {

void maybe_wrap_dims_n(int64_t* dims, int64_t ndims, int64_t dim_post_expr, bool wrap_scalars) {
  for (int64_t i = 0; i < ndims; ++i) {
    dims[i] = c10::maybe_wrap_dim(dims[i], dim_post_expr, wrap_scalars);
  }
}

void maybe_wrap_dims(std::vector<int64_t>& dims, int64_t dim_post_expr, bool wrap_scalars) {
  maybe_wrap_dims_n(dims.data(), static_cast<int64_t>(dims.size()), dim_post_expr, wrap_scalars);
}

std::bitset<dim_bitset_size> dim_list_to_bitset(OptionalIntArrayRef opt_dims, int64_t ndims) {
  TORCH_CHECK(ndims <= static_cast<int64_t>(dim_bitset_size), "only tensors with up to ",
              dim_bitset_size, " dims are supported");
  std::bitset<dim_bitset_size> seen;
  if (!opt_dims.has_value()) {
    for (int64_t dim = 0; dim < ndims; ++dim) seen[static_cast<size_t>(dim)] = true;
    return seen;
  }
  for (const int64_t d : *opt_dims) {
    const auto dim = static_cast<size_t>(c10::maybe_wrap_dim(d, ndims));
    TORCH_CHECK(!seen[dim], "dim ", dim, " appears multiple times in the list of dims");
    seen[dim] = true;
  }
  return seen;
}

int64_t legacy_cat_wrap_dim(int64_t dim, TensorList tensors) {
  for (const Tensor& tensor : tensors) {
    if (tensor.dim() == 1 && tensor.size(0) == 0) continue;
    return c10::maybe_wrap_dim(dim, tensor.dim());
  }
  return dim;
}

}  // namespace at
