// The number in a tensor of one element: waits for the GPU.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>

namespace at::native {

Scalar _local_scalar_dense_cuda(const Tensor& self) {
  return self.to(c10::Device(c10::DeviceType::CPU), self.scalar_type()).item();
}

}  // namespace at::native
