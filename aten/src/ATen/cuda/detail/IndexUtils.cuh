#pragma once

// From tensors to TensorInfo.

#include <ATen/core/TensorBase.h>
#include <ATen/cuda/detail/TensorInfo.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::cuda::detail {

/// Whether several elements share memory, as in an expanded tensor.
inline bool maybeOverlappingIndices(const TensorBase& t) {
  for (int64_t d = 0; d < t.dim(); ++d) {
    if (t.size(d) > 1 && t.stride(d) == 0) return true;
  }
  return !t.is_non_overlapping_and_dense() && !t.is_contiguous() && [&] {
    // Overlaps if the elements need more places than there are between the first and the last.
    int64_t places = 1;
    for (int64_t d = 0; d < t.dim(); ++d) places += (t.size(d) - 1) * t.stride(d);
    return t.numel() > places;
  }();
}

/// Whether all places of elements are below 2^31.
inline bool canUse32BitIndexMath(const TensorBase& t,
                                 int64_t max_elem = std::numeric_limits<int32_t>::max()) {
  if (t.numel() >= max_elem) return false;
  if (t.numel() == 0) return max_elem > 0;
  int64_t last = 0;
  for (int64_t d = 0; d < t.dim(); ++d) last += (t.size(d) - 1) * t.stride(d);
  return last < max_elem;
}

template <typename T, typename IndexType>
TensorInfo<T, IndexType> getTensorInfo(const TensorBase& t) {
  using Element = std::remove_const_t<T>;
  IndexType sizes[MAX_TENSORINFO_DIMS];
  IndexType strides[MAX_TENSORINFO_DIMS];
  TORCH_CHECK(t.dim() < MAX_TENSORINFO_DIMS, "CUDA Tensors cannot have more than 25 dimensions");
  for (int64_t d = 0; d < t.dim(); ++d) {
    sizes[d] = static_cast<IndexType>(t.size(d));
    strides[d] = static_cast<IndexType>(t.stride(d));
  }
  T* data;
  if constexpr (std::is_const_v<T>) {
    data = t.const_data_ptr<Element>();
  } else {
    data = t.mutable_data_ptr<Element>();
  }
  return TensorInfo<T, IndexType>(data, static_cast<int>(t.dim()), sizes, strides);
}

}  // namespace at::cuda::detail
