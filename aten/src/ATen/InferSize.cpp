#include <ATen/InferSize.h>

#include <c10/util/Exception.h>

#include <optional>

namespace at {

c10::DimVector infer_size_dv(c10::IntArrayRef shape, int64_t numel) {
  int64_t known = 1;
  std::optional<size_t> unknown;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] == -1) {
      TORCH_CHECK(!unknown.has_value(), "only one dimension can be inferred");
      unknown = dim;
    } else {
      TORCH_CHECK(shape[dim] >= 0, "invalid shape dimension ", shape[dim], " at index ", dim,
                  " of shape ", shape);
      // What overflows wraps around; the view refuses it.
      __builtin_mul_overflow(known, shape[dim], &known);
    }
  }
  const bool fits = numel == known || (unknown.has_value() && known > 0 && numel % known == 0);
  TORCH_CHECK(fits, "shape '", shape, "' is invalid for input of size ", numel);
  c10::DimVector out(shape.begin(), shape.end());
  if (unknown.has_value()) {
    TORCH_CHECK(known != 0, "cannot reshape tensor of 0 elements into shape ", shape,
                " because the unspecified dimension size -1 can be any value and is ambiguous");
    out[*unknown] = numel / known;
  }
  return out;
}

std::vector<int64_t> infer_size(c10::IntArrayRef shape, int64_t numel) {
  const c10::DimVector out = infer_size_dv(shape, numel);
  return std::vector<int64_t>(out.begin(), out.end());
}

}  // namespace at
