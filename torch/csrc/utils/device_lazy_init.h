#pragma once

#include <c10/core/Device.h>

namespace torch::utils {

/// For a device that a Python program names: an AssertionError that says so if it is a GPU and this
/// build has no CUDA, and what torch.cuda.init raises if there is no GPU.
void maybe_initialize_device(c10::Device device);

}  // namespace torch::utils
