// Triangles of matrices, for devices without kernels of their own.

// The kernels have the name of the first backend that ran them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tril_native.h>
#include <ATen/ops/triu_native.h>
#include <c10/core/ScalarType.h>

namespace at::native {
namespace {

// How far each place of the matrices is to the right of the diagonal.
Tensor distances(const Tensor& self) {
  const auto options = self.options().dtype(kLong);
  return at::arange(self.size(-1), options).sub(at::arange(self.size(-2), options).unsqueeze(1));
}

}  // namespace

TORCH_IMPL_FUNC(tril_cuda)(const Tensor& self, int64_t k, const Tensor& result) {
  result.copy_(self.masked_fill(distances(self).gt(k), 0));
}

TORCH_IMPL_FUNC(triu_cuda)(const Tensor& self, int64_t k, const Tensor& result) {
  result.copy_(self.masked_fill(distances(self).lt(k), 0));
}

}  // namespace at::native
