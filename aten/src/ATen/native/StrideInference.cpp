#include <ATen/native/StrideInference.h>

#include <algorithm>
#include <numeric>

namespace at::native {

std::vector<int64_t> infer_dense_strides(c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  std::vector<int64_t> order(ndim);
  std::iota(order.rbegin(), order.rend(), int64_t{0});  // innermost first
  // Insertion keeps the order of dimensions that do not compare (broadcast ones, or equal).
  const auto precedes = [&](int64_t a, int64_t b) {
    if (strides[a] == 0 || strides[b] == 0) return 0;
    if (strides[a] != strides[b]) return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  for (int64_t i = 1; i < ndim; ++i) {
    int64_t dim1 = i;
    for (int64_t dim0 = i - 1; dim0 >= 0; --dim0) {
      const int comparison = precedes(order[dim0], order[dim1]);
      if (comparison > 0) {
        std::swap(order[dim0], order[dim1]);
        dim1 = dim0;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  std::vector<int64_t> result(ndim);
  int64_t stride = 1;
  for (const int64_t dim : order) {
    result[dim] = stride;
    stride *= std::max<int64_t>(sizes[dim], 1);
  }
  return result;
}

std::vector<int64_t> compute_view_strides(c10::IntArrayRef oldshape, c10::IntArrayRef oldstride,
                                          c10::IntArrayRef newshape, bool* possible) {
  *possible = true;
  if (oldshape.empty()) return std::vector<int64_t>(newshape.size(), 1);
  int64_t numel = 1;
  for (const int64_t size : oldshape) numel *= size;
  if (numel == 0 && oldshape == newshape) return oldstride.vec();

  std::vector<int64_t> newstride(newshape.size());
  if (numel == 0) {
    for (int64_t d = static_cast<int64_t>(newshape.size()) - 1; d >= 0; --d) {
      newstride[d] = d == static_cast<int64_t>(newshape.size()) - 1
                         ? 1
                         : std::max<int64_t>(newshape[d + 1], 1) * newstride[d + 1];
    }
    return newstride;
  }

  // The old dimensions fall into chunks that are contiguous within themselves; each must be made
  // of whole new dimensions.
  auto view_d = static_cast<int64_t>(newshape.size()) - 1;
  int64_t chunk_base_stride = oldstride.back();
  int64_t tensor_numel = 1;
  int64_t view_numel = 1;
  for (int64_t d = static_cast<int64_t>(oldshape.size()) - 1; d >= 0; --d) {
    tensor_numel *= oldshape[d];
    if (d == 0 || (oldshape[d - 1] != 1 && oldstride[d - 1] != tensor_numel * chunk_base_stride)) {
      while (view_d >= 0 && (view_numel < tensor_numel || newshape[view_d] == 1)) {
        newstride[view_d] = view_numel * chunk_base_stride;
        view_numel *= newshape[view_d];
        --view_d;
      }
      if (view_numel != tensor_numel) {
        *possible = false;
        return {};
      }
      if (d > 0) {
        chunk_base_stride = oldstride[d - 1];
        tensor_numel = 1;
        view_numel = 1;
      }
    }
  }
  *possible = view_d == -1;
  if (!*possible) newstride.clear();
  return newstride;
}

}  // namespace at::native
