#include <ATen/native/ReduceOpsUtils.h>

#include <ATen/WrapDimUtils.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace at::native {

DimMask make_dim_mask(OptionalIntArrayRef opt_dims, int64_t ndim, bool allow_empty_dims) {
  if (!opt_dims.has_value() || (opt_dims->empty() && !allow_empty_dims)) {
    return ~DimMask();
  }
  return at::dim_list_to_bitset(opt_dims, ndim);
}

std::vector<int64_t> shape_from_dim_mask(const TensorBase& self, DimMask mask, bool keepdim) {
  std::vector<int64_t> shape;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!mask[static_cast<size_t>(d)]) {
      shape.push_back(self.size(d));
    } else if (keepdim) {
      shape.push_back(1);
    }
  }
  return shape;
}

int64_t reduced_numel(const TensorBase& self, DimMask mask) {
  int64_t n = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (mask[static_cast<size_t>(d)]) n *= self.size(d);
  }
  return n;
}

void LoopNest::push(int64_t size, int64_t stride) {
  numel *= size;
  if (size == 1) return;
  if (!sizes.empty() && strides.back() == size * stride) {
    sizes.back() *= size;
    strides.back() = stride;
    return;
  }
  sizes.push_back(size);
  strides.push_back(stride);
}

ReductionLoops reduction_loops(const TensorBase& self, DimMask mask) {
  ReductionLoops loops;
  c10::SmallVector<int64_t, 5> order;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (mask[static_cast<size_t>(d)]) {
      order.push_back(d);
    } else {
      loops.kept.push(self.size(d), self.stride(d));
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return loop_distance(self.stride(a)) > loop_distance(self.stride(b));
  });
  for (const int64_t d : order) loops.reduced.push(self.size(d), self.stride(d));
  for (LoopNest* nest : {&loops.kept, &loops.reduced}) {
    if (!nest->sizes.empty()) continue;
    nest->sizes.push_back(1);
    nest->strides.push_back(0);
  }
  return loops;
}

void zero_numel_check_dims(const TensorBase& self, OptionalIntArrayRef dim, const char* fn_name) {
  if (self.numel() != 0) return;
  TORCH_CHECK(dim.has_value() && !dim->empty(), fn_name,
              ": Expected reduction dim to be specified for input.numel() == 0. ",
              "Specify the reduction dim with the 'dim' argument.");
  for (const int64_t d : *dim) {
    const int64_t wrapped = c10::maybe_wrap_dim(d, self.dim());
    TORCH_CHECK_INDEX(self.dim() == 0 || self.size(wrapped) != 0, fn_name,
                      ": Expected reduction dim ", wrapped, " to have non-zero size.");
  }
}

}  // namespace at::native
