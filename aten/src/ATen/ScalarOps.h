#pragma once

// Zero-dimensional tensors from numbers.

#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>

namespace at {
class Tensor;

namespace detail {
// A zero-dimensional CPU tensor of `dtype`, made without the dispatcher.
TORCH_API Tensor scalar_tensor_static(const c10::Scalar& s, ScalarType dtype, c10::Device device);
}  // namespace detail

namespace native {
// A zero-dimensional tensor that stands for a Python number: it takes part in type promotion by
// its category (bool, integer, floating point, complex) alone.
TORCH_API Tensor wrapped_scalar_tensor(const c10::Scalar& scalar,
                                       c10::Device device = c10::Device(c10::DeviceType::CPU));
}  // namespace native
}  // namespace at

namespace c10 {
// A zero-dimensional tensor of the scalar's own type: bool, int64, double or complex<double>.
TORCH_API at::Tensor scalar_to_tensor(const Scalar& s,
                                      const Device device = Device(DeviceType::CPU));
}  // namespace c10

namespace at {
using c10::scalar_to_tensor;
}  // namespace at
