// Tensors of given sizes on a GPU.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_strided_native.h>
#include <ATen/ops/eye_native.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/linspace_native.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/logspace_native.h>
#include <ATen/ops/tril_indices.h>
#include <ATen/ops/tril_indices_native.h>
#include <ATen/ops/triu_indices.h>
#include <ATen/ops/triu_indices_native.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>

#include <optional>

namespace at::native {
namespace {

constexpr c10::DeviceType kHost = c10::DeviceType::CPU;

TensorOptions options_of(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory,
                         std::optional<MemoryFormat> memory_format) {
  return TensorOptions()
      .dtype(dtype)
      .layout(layout)
      .device(device.value_or(c10::Device(c10::DeviceType::CUDA)))
      .pinned_memory(pin_memory)
      .memory_format(memory_format);
}

Tensor& write_out(Tensor& result, const Tensor& value) {
  result.resize_(value.sizes());
  return result.copy_(value);
}

}  // namespace

Tensor empty_cuda(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  return Tensor(at::detail::empty_on_device(
      size, options_of(dtype, layout, device, pin_memory, memory_format)));
}

Tensor empty_strided_cuda(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                          std::optional<Layout> layout, std::optional<Device> device,
                          std::optional<bool> pin_memory) {
  return Tensor(at::detail::empty_strided_on_device(
      size, stride, options_of(dtype, layout, device, pin_memory, std::nullopt)));
}

Tensor& eye_out_cuda(int64_t n, int64_t m, Tensor& result) {
  TORCH_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  TORCH_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  result.resize_({n, m});
  result.zero_();
  result.diagonal().fill_(1);
  return result;
}

Tensor& eye_out_cuda(int64_t n, Tensor& result) { return native::eye_out_cuda(n, n, result); }

// A few numbers each, made on the host.

Tensor& linspace_out_cuda(const Scalar& start, const Scalar& end, int64_t steps, Tensor& result) {
  return write_out(result, at::linspace(start, end, steps, result.options().device(kHost)));
}

Tensor& logspace_out_cuda(const Scalar& start, const Scalar& end, int64_t steps, double base,
                          Tensor& result) {
  return write_out(result, at::logspace(start, end, steps, base, result.options().device(kHost)));
}

Tensor tril_indices_cuda(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                         std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory) {
  const Tensor host =
      at::tril_indices(row, col, offset, TensorOptions().dtype(dtype).device(kHost));
  return host.to(device.value_or(c10::Device(c10::DeviceType::CUDA)), host.scalar_type());
}

Tensor triu_indices_cuda(int64_t row, int64_t col, int64_t offset, std::optional<ScalarType> dtype,
                         std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory) {
  const Tensor host =
      at::triu_indices(row, col, offset, TensorOptions().dtype(dtype).device(kHost));
  return host.to(device.value_or(c10::Device(c10::DeviceType::CUDA)), host.scalar_type());
}

}  // namespace at::native
