#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>

// How strides relate to sizes, computed once when a tensor's geometry changes.

namespace c10 {

/// Row-major without holes. Dimensions of size 1 may have any stride; an empty tensor is
/// contiguous.
C10_API bool _compute_contiguous(IntArrayRef sizes, IntArrayRef strides, int64_t numel);
/// Without holes, the channels (dimension 1) varying fastest, for N, C, H, W and N, C, D, H, W.
C10_API bool _compute_channels_last_contiguous_2d(IntArrayRef sizes, IntArrayRef strides);
C10_API bool _compute_channels_last_contiguous_3d(IntArrayRef sizes, IntArrayRef strides);
/// Some order of the dimensions is row-major without holes: each element has one place.
C10_API bool _compute_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides);

}  // namespace c10
