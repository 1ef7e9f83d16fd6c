#include <ATen/Dispatch.h>

#include <c10/util/Exception.h>

namespace at::detail {

void throw_dtype_not_implemented(const char* name, c10::ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', name, "\" not implemented for '", c10::toString(dtype),
                              "'");
}

}  // namespace at::detail
