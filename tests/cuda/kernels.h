#pragma once

#include <cstddef>

namespace torch_tests {

// Launches a kernel; the CUDA runtime's error.
int launch(float* values);

size_t reduction_bytes(const float* values, float* sum, int count);

}  // namespace torch_tests
