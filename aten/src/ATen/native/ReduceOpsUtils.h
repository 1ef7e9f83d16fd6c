#pragma once

// Which dimensions a reduction takes, and the shape it leaves.

#include <ATen/core/TensorBase.h>
#include <c10/macros/Export.h>
#include <c10/util/SmallVector.h>

#include <bitset>
#include <cstdint>
#include <limits>
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

// Nested loops over elements, outermost first, with neighbours merged where one loop can do both.
struct TORCH_API LoopNest {
  c10::SmallVector<int64_t, 5> sizes;
  c10::SmallVector<int64_t, 5> strides;  // in elements
  int64_t numel = 1;

  // Adds a loop inside the others.
  void push(int64_t size, int64_t stride);
  int64_t inner_size() const { return sizes.back(); }
  int64_t inner_stride() const { return strides.back(); }
};

// How far apart neighbours are, to choose the order of loops by. Elements that are all one are the
// farthest: vectors run along the other dimensions.
inline int64_t loop_distance(int64_t stride) {
  return stride == 0 ? std::numeric_limits<int64_t>::max() : stride;
}

// The loops of a reduction, each of at least one dimension.
struct ReductionLoops {
  // Over the outputs, in row-major order.
  LoopNest kept;
  // Over the elements of an output, in the order of their strides: memory is read from end to end
  // where it can be. A single dimension keeps its order.
  LoopNest reduced;
};
TORCH_API ReductionLoops reduction_loops(const TensorBase& self, DimMask mask);

// Throws IndexError when a reduced dimension is empty, for reductions without a neutral element.
void zero_numel_check_dims(const TensorBase& self, OptionalIntArrayRef dim, const char* fn_name);

}  // namespace at::native
