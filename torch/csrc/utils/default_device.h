#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Export.h>

#include <optional>

namespace torch::utils {

/// The device on which this thread's factories make tensors when they are given none:
/// `torch.set_default_device`, or the innermost `with torch.device(...)`.
TORCH_PYTHON_API std::optional<c10::Device> default_device();
void set_default_device(std::optional<c10::Device> device);
/// `with`: every push has its pop.
void push_default_device(c10::Device device);
void pop_default_device();

}  // namespace torch::utils
