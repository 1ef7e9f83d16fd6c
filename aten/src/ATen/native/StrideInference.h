#pragma once

// Strides of a result that follow those of an input.

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <vector>

namespace at::native {

// Dense strides for `sizes` whose order of dimensions is that of `strides`.
std::vector<int64_t> infer_dense_strides(c10::IntArrayRef sizes, c10::IntArrayRef strides);

// The strides that show a tensor of `oldshape` and `oldstride` as `newshape` without a copy, or an
// empty vector with `possible` false when there are none.
std::vector<int64_t> compute_view_strides(c10::IntArrayRef oldshape, c10::IntArrayRef oldstride,
                                          c10::IntArrayRef newshape, bool* possible);

}  // namespace at::native
