#include <ATen/native/ReduceOpsUtils.h>

#include <ATen/WrapDimUtils.h>
#include <c10/util/Exception.h>

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
