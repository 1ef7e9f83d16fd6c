#include <c10/core/Contiguity.h>
#include <c10/util/DimVector.h>

#include <algorithm>
#include <initializer_list>

namespace c10 {
namespace {

// True when, in this order from the fastest dimension, each stride is the extent of what is inside.
bool dense_in_order(IntArrayRef sizes, IntArrayRef strides, std::initializer_list<size_t> order) {
  int64_t expected = 1;
  for (const size_t d : order) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

}  // namespace

bool _compute_contiguous(IntArrayRef sizes, IntArrayRef strides, int64_t numel) {
  if (numel == 0) return true;
  int64_t expected = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) continue;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

bool _compute_channels_last_contiguous_2d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 4 && dense_in_order(sizes, strides, {1, 3, 2, 0});
}

bool _compute_channels_last_contiguous_3d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 5 && dense_in_order(sizes, strides, {1, 4, 3, 2, 0});
}

bool _compute_non_overlapping_and_dense(IntArrayRef sizes, IntArrayRef strides) {
  if (sizes.size() == 1) return sizes[0] < 2 || strides[0] == 1;
  SmallVector<size_t, kDimVectorStaticSize> order(sizes.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = d;
  // Dimensions that do not move (size 0 or 1) go last; the others by stride.
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (sizes[a] < 2) return false;
    if (sizes[b] < 2) return true;
    return strides[a] < strides[b];
  });
  int64_t expected = 1;
  for (const size_t d : order) {
    if (sizes[d] < 2) return true;
    if (strides[d] != expected) return false;
    expected *= sizes[d];
  }
  return true;
}

}  // namespace c10
