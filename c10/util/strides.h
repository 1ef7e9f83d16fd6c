#pragma once

// Strides of a contiguous tensor.

#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>

#include <algorithm>
#include <cstdint>

namespace c10 {

/// {3, 1} for sizes {2, 3}; a size of 0 counts as 1.
inline DimVector contiguous_strides(const IntArrayRef sizes) {
  DimVector strides(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 1;) {
    strides[d - 1] = strides[d] * std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

}  // namespace c10
