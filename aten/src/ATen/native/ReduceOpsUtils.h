#pragma once

// Which dimensions a reduction takes, and the shape it leaves.

#include <ATen/core/TensorBase.h>

#include <bitset>
#include <cstdint>
#include <vector>

namespace at::native {

using DimMask = std::bitset<64>;

// The dimensions of `opt_dims`, all of them when there is no list or (unless `allow_empty_dims`)
// when it is empty. Throws for a dimension out of range or given twice.
DimMask make_dim_mask(OptionalIntArrayRef opt_dims, int64_t ndim, bool allow_empty_dims = false);

// The sizes of `self` with the reduced dimensions removed, or of size 1 with `keepdim`.
std::vector<int64_t> shape_from_dim_mask(const TensorBase& self, DimMask mask, bool keepdim);

// The number of elements that each output combines.
int64_t reduced_numel(const TensorBase& self, DimMask mask);

// Throws IndexError when a reduced dimension is empty, for reductions without a neutral element.
void zero_numel_check_dims(const TensorBase& self, OptionalIntArrayRef dim, const char* fn_name);

}  // namespace at::native
