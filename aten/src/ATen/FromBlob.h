#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace at::detail {

// A tensor over memory of the caller's; ATen/ops/from_blob.h is the interface. Without strides it
// is contiguous. The deleter is called with `data` when the last tensor over it is gone, and never
// if this throws: c10::Error for a negative size, stride or offset, for a number of elements or
// bytes that int64 cannot hold, and for no memory where there are elements.
TORCH_API TensorBase from_blob(void* data, IntArrayRef sizes, OptionalIntArrayRef strides,
                               int64_t storage_offset, const std::function<void(void*)>& deleter,
                               const TensorOptions& options,
                               std::optional<Device> target_device = std::nullopt);

}  // namespace at::detail
