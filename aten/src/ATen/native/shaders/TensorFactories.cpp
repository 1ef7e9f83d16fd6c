// Tensors of given sizes on a device that shaders run on, and the number in one.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <torch/library.h>

#include <optional>

namespace at::native {
namespace {

TensorOptions options_of(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> memory_format) {
  return TensorOptions()
      .dtype(dtype)
      .layout(layout)
      .device(device.value_or(c10::Device(c10::DeviceType::TORCH_SHADERS_BACKEND)))
      .pinned_memory(pin_memory)
      .memory_format(memory_format);
}

Tensor empty_shader(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format) {
  return Tensor(at::detail::empty_on_device(
      size, options_of(dtype, layout, device, pin_memory, memory_format)));
}

Tensor empty_strided_shader(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                            std::optional<Layout> layout, std::optional<Device> device,
                            std::optional<bool> pin_memory) {
  return Tensor(at::detail::empty_strided_on_device(
      size, stride, options_of(dtype, layout, device, pin_memory, std::nullopt)));
}

Scalar local_scalar_dense_shader(const Tensor& self) {
  return self.to(c10::Device(c10::DeviceType::CPU), self.scalar_type()).item();
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, TORCH_SHADERS_BACKEND, m) {
  m.impl("empty.memory_format", TORCH_FN(empty_shader));
  m.impl("empty_strided", TORCH_FN(empty_strided_shader));
  m.impl("_local_scalar_dense", TORCH_FN(local_scalar_dense_shader));
}

}  // namespace at::native
