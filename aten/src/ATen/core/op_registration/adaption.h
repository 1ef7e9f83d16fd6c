#pragma once

// What the registrations of a backend with several devices check before a kernel runs.

#include <ATen/core/List.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace at {
class Tensor;
}  // namespace at

namespace c10::impl {

// The first device that an argument has becomes the common one; an argument of another throws.
// Numbers on the CPU, which have no dimensions, may meet any.
TORCH_API void check_and_update_common_device(std::optional<Device>& common_device,
                                              const at::TensorBase& tensor, const char* method,
                                              const char* argument);
TORCH_API void check_and_update_common_device(std::optional<Device>& common_device,
                                              const std::optional<at::Tensor>& tensor,
                                              const char* method, const char* argument);
TORCH_API void check_and_update_common_device(std::optional<Device>& common_device,
                                              ArrayRef<at::Tensor> tensors, const char* method,
                                              const char* argument);
// Indices may be on the CPU; they are moved.
TORCH_API void check_and_update_common_device(std::optional<Device>& common_device,
                                              const List<std::optional<at::Tensor>>& indices,
                                              const char* method, const char* argument);

}  // namespace c10::impl
