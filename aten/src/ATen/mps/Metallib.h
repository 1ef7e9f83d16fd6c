#pragma once

// The compiled shaders of aten/src/ATen/native/shaders/glsl, as Metal's compiler makes them of the
// same SPIR-V that Vulkan runs.

#include <cstddef>

namespace at::mps {

extern const unsigned char kMetallib[];
extern const size_t kMetallibSize;

}  // namespace at::mps
