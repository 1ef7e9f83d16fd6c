#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/macros/Export.h>

#include <bitset>
#include <cstdint>
#include <vector>

namespace at {

using c10::maybe_wrap_dim;

constexpr size_t dim_bitset_size = 64;

// Negative dimensions count from the end. Throws IndexError out of range; a zero-dimensional
// tensor has dimensions 0 and -1.
inline int64_t maybe_wrap_dim(int64_t dim, const TensorBase& tensor) {
  return c10::maybe_wrap_dim(dim, tensor.dim());
}
// Wraps in place.
TORCH_API void maybe_wrap_dims(std::vector<int64_t>& dims, int64_t dim_post_expr,
                               bool wrap_scalars = true);
TORCH_API void maybe_wrap_dims_n(int64_t* dims, int64_t ndims, int64_t dim_post_expr,
                                 bool wrap_scalars = true);

// The dimensions as a set; throws when one appears twice or there are more than 64.
TORCH_API std::bitset<dim_bitset_size> dim_list_to_bitset(OptionalIntArrayRef opt_dims,
                                                          int64_t ndims);

// The dimension for cat: old code passes empty one-dimensional tensors, which are passed over.
TORCH_API int64_t legacy_cat_wrap_dim(int64_t dim, TensorList tensors);

}  // namespace at
