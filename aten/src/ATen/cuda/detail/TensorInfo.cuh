#pragma once

// A tensor as an argument of a kernel: pointer, sizes and strides of at most 25 dimensions.

#include <c10/util/Exception.h>

#include <cstdint>

#define MAX_TENSORINFO_DIMS 25

namespace at::cuda::detail {

/// Sizes and strides count elements of `T`; `IndexType` is that of their numbers.
template <typename T, typename IndexType>
struct TensorInfo {
  TensorInfo() = default;
  TensorInfo(T* p, int dim, const IndexType sz[], const IndexType st[]) : data(p), dims(dim) {
    TORCH_CHECK(dim < MAX_TENSORINFO_DIMS, "CUDA Tensors cannot have more than 25 dimensions");
    for (int i = 0; i < dim; ++i) {
      sizes[i] = sz[i];
      strides[i] = st[i];
    }
  }

  /// The dimension has one element.
  void reduceDim(int dim) {
    TORCH_CHECK(dim < dims && dim >= 0, "expected dim between 0 and dims - 1");
    sizes[dim] = 1;
  }
  /// Merges dimensions that lie one after the other, but `excludeDim`. Returns where that one is
  /// then, or -1.
  int collapseDims(int excludeDim = -1) {
    int kept = 0;
    int excluded = -1;
    for (int d = 0; d < dims; ++d) {
      const bool is_excluded = d == excludeDim;
      if (!is_excluded && sizes[d] == 1) continue;
      const bool merges = !is_excluded && kept > 0 && kept - 1 != excluded &&
                          strides[kept - 1] == strides[d] * sizes[d];
      if (merges) {
        sizes[kept - 1] *= sizes[d];
        strides[kept - 1] = strides[d];
        continue;
      }
      if (is_excluded) excluded = kept;
      sizes[kept] = sizes[d];
      strides[kept] = strides[d];
      ++kept;
    }
    if (kept == 0) {
      sizes[0] = strides[0] = 1;
      kept = 1;
    }
    dims = kept;
    return excluded;
  }
  __host__ __device__ bool isContiguous() const { return dims == 1 && strides[0] == 1; }

  T* data = nullptr;
  IndexType sizes[MAX_TENSORINFO_DIMS];
  IndexType strides[MAX_TENSORINFO_DIMS];
  int dims = 0;
};

/// Where the element of a number lies, as a distance from the first. `Dims` is the tensor's number
/// of dimensions, or -1 if it is known at run time only.
template <typename T, typename IndexType, int Dims>
struct IndexToOffset {
  static __host__ __device__ IndexType get(IndexType linearId,
                                           const TensorInfo<T, IndexType>& info) {
    IndexType offset = 0;
    const int dims = Dims > 0 ? Dims : info.dims;
    for (int i = dims - 1; i > 0; --i) {
      offset += linearId % info.sizes[i] * info.strides[i];
      linearId /= info.sizes[i];
    }
    return offset + linearId * info.strides[0];
  }
};

}  // namespace at::cuda::detail
