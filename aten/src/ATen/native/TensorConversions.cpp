// Conversions of type, device and memory format.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/_to_copy.h>
#include <ATen/ops/_to_copy_native.h>
#include <ATen/ops/clone_native.h>
#include <ATen/ops/contiguous_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/to_native.h>
#include <ATen/ops/type_as_native.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

namespace at::native {

namespace {

// Whether `to` may return its argument.
bool to_will_alias(const Tensor& self, std::optional<ScalarType> dtype,
                   std::optional<Layout> layout, std::optional<Device> device, bool copy,
                   std::optional<MemoryFormat> memory_format) {
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  return (!dtype.has_value() || self.scalar_type() == *dtype) &&
         (!layout.has_value() || self.layout() == *layout) &&
         (!device.has_value() || self.device() == *device) && !copy &&
         (format == MemoryFormat::Preserve || self.suggest_memory_format() == format);
}

// Adds the index of the current device to a device without one, such as "cuda".
std::optional<Device> with_index(std::optional<Device> device) {
  if (!device.has_value() || device->is_cpu() || device->is_meta() || device->has_index() ||
      !c10::impl::hasDeviceGuardImpl(device->type())) {
    return device;
  }
  return c10::impl::getDeviceGuardImpl(device->type())->getDevice();
}

Tensor to_impl(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
               bool copy, std::optional<MemoryFormat> memory_format) {
  device = with_index(device);
  if (to_will_alias(self, dtype, layout, device, copy, memory_format)) return self;
  return at::_to_copy(self, dtype, layout, device, pin_memory, non_blocking, memory_format);
}

}  // namespace

Tensor _to_copy(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
                std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(
      !layout.has_value() || self.layout() == *layout,
      "to(options) doesn't support converting to a different layout, but got self.layout being ",
      self.layout(), " and options.layout set as ", *layout);
  const TensorOptions options = self.options().merge_in(
      TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory));
  Tensor result = at::empty_like(self, options, memory_format.value_or(MemoryFormat::Preserve));
  result.copy_(self, non_blocking);
  return result;
}

Tensor to(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
          std::optional<Device> device, std::optional<bool> pin_memory, bool non_blocking,
          bool copy, std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, layout, device, pin_memory, non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, Device device, ScalarType dtype, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, std::nullopt, device, std::nullopt, non_blocking, copy,
                 memory_format);
}

Tensor to(const Tensor& self, ScalarType dtype, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, dtype, std::nullopt, std::nullopt, std::nullopt, non_blocking, copy,
                 memory_format);
}

Tensor to(const Tensor& self, const Tensor& other, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return to_impl(self, other.scalar_type(), other.layout(), other.device(), std::nullopt,
                 non_blocking, copy, memory_format);
}

Tensor type_as(const Tensor& self, const Tensor& other) { return self.to(other.options()); }

Tensor clone(const Tensor& self, std::optional<MemoryFormat> memory_format) {
  Tensor result =
      at::empty_like(self, self.options(), memory_format.value_or(MemoryFormat::Preserve));
  result.copy_(self);
  return result;
}

Tensor contiguous(const Tensor& self, MemoryFormat memory_format) {
  if (self.is_contiguous(memory_format)) return self;
  TORCH_CHECK(memory_format != MemoryFormat::Preserve,
              "preserve memory format is unsupported by the contiguous operator");
  return self.clone(memory_format);
}

}  // namespace at::native
