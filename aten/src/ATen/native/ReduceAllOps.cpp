// The largest and the smallest element of a whole tensor.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/max_native.h>
#include <ATen/ops/min_native.h>
#include <c10/util/Exception.h>

namespace at::native {

Tensor max(const Tensor& self) {
  TORCH_CHECK(
      self.numel() > 0,
      "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  return at::amax(self, IntArrayRef{}, /*keepdim=*/false);
}

Tensor min(const Tensor& self) {
  TORCH_CHECK(
      self.numel() > 0,
      "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  return at::amin(self, IntArrayRef{}, /*keepdim=*/false);
}

}  // namespace at::native
