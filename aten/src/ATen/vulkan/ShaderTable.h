#pragma once

// The compiled shaders of aten/src/ATen/native/shaders/glsl, which tools/rules/shaders.bzl writes
// down as C++.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace at::vulkan {

struct ShaderBinary {
  const char* name;
  const uint32_t* code;
  size_t words;
};

extern const ShaderBinary kShaders[];
extern const size_t kShaderCount;

const ShaderBinary& shader_binary(std::string_view name);

}  // namespace at::vulkan
