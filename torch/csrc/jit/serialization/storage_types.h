#pragma once

// How the files of torch.save name element types and devices.

#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace torch::jit {

// "FloatStorage"; empty for types that came later: a file names their dtype.
std::string_view storage_name(c10::ScalarType type);
std::optional<c10::ScalarType> type_of_storage(std::string_view name);
// "float32".
std::string_view dtype_name(c10::ScalarType type);
std::optional<c10::ScalarType> type_of_dtype(std::string_view name);

// A tensor over a storage. Throws c10::Error if it would reach outside.
at::Tensor tensor_over(const c10::Storage& storage, c10::ScalarType type, int64_t offset,
                       c10::IntArrayRef sizes, c10::IntArrayRef strides);
// The storage, or a copy of its bytes on another device.
c10::Storage on_device(const c10::Storage& storage, c10::Device device);
inline c10::Storage on_cpu(const c10::Storage& storage) {
  return on_device(storage, c10::Device(c10::kCPU));
}

}  // namespace torch::jit
