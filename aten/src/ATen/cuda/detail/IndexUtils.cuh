#pragma once

// From tensors to TensorInfo.

#include <ATen/core/TensorBase.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>
#include <ATen/cuda/detail/TensorInfo.cuh>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace at::cuda::detail {

/// Whether several elements may share memory: always true if some do, as in an expanded tensor.
/// Also true for some tensors whose dimensions interlock without sharing.
inline bool maybeOverlappingIndices(IntArrayRef sizes, IntArrayRef strides) {
  c10::SmallVector<std::pair<int64_t, int64_t>, 8> dims;  // stride and size
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return false;
    if (sizes[d] > 1) dims.emplace_back(strides[d], sizes[d]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t last = 0;  // the largest offset in the dimensions before
  for (const auto& [stride, size] : dims) {
    if (stride <= last) return true;
    last += (size - 1) * stride;
  }
  return false;
}
inline bool maybeOverlappingIndices(const TensorBase& t) {
  return maybeOverlappingIndices(t.sizes(), t.strides());
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
