#pragma once

// Launching the shaders of this folder. Its sources are compiled once for each backend that runs
// them: TORCH_SHADERS_BACKEND is its dispatch key, `Vulkan` or `MPS`, and TORCH_SHADERS_DEVICE its
// device, `vulkan` or `mps`.

#if !defined(TORCH_SHADERS_BACKEND) || !defined(TORCH_SHADERS_DEVICE)
#error \
    "Depend on //aten/src/ATen/native/shaders:vulkan or :mps, which say what this is compiled for."
#endif

#include <ATen/native/DispatchStub.h>
#include <ATen/shaders/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIteratorBase;

namespace native {

#define REGISTER_SHADER_DISPATCH(name, fn)                                                     \
  static const ::at::native::detail::RegisterDeviceKernel<struct name##_DECLARE_DISPATCH_type> \
      name##_register_shader(name, c10::DeviceType::TORCH_SHADERS_BACKEND, fn);

namespace shaders {

/// "vulkan"
constexpr const char* kDeviceName = C10_STRINGIZE(TORCH_SHADERS_DEVICE);

namespace operations {
#include <ATen/native/shaders/glsl/operations.glsl>
}  // namespace operations

/// The name that a type has in the names of shaders. Throws, with the operator's name, for a type
/// without shaders and for one that the device lacks.
std::string shader_type(c10::ScalarType dtype, const char* op,
                        const at::shaders::ComputeDevice& device);

/// The same for elements that are moved and not looked at.
std::string opaque_type(size_t bytes, const char* op, const at::shaders::ComputeDevice& device);

/// Throws, with the operator's name, unless `dtype` is one of `known`.
void check_type(c10::ScalarType dtype, std::initializer_list<c10::ScalarType> known, const char* op,
                const at::shaders::ComputeDevice& device);

/// A number that a shader of elements of `dtype` takes: two words, a float's bits or those of an
/// integer. Throws for an integer that the type does not hold.
std::array<uint32_t, 2> number_words(const c10::Scalar& value, c10::ScalarType dtype);

/// The bits of a number as an element of `dtype`, of 8 bytes at most; throws as Scalar::to does.
int64_t element_bits(const c10::Scalar& value, c10::ScalarType dtype);

/// A number that a shader reads as 32 bits; throws for what does not fit.
uint32_t narrow(int64_t value);

constexpr uint32_t kGroupSize = 128;

/// Threads for each of `count` elements: as many workgroups as the device allows, whose threads go
/// on in strides.
uint32_t groups_for(int64_t count, const at::shaders::ComputeDevice& device,
                    uint32_t group = kGroupSize);

/// Runs a shader whose arguments are the struct `arguments`, which begins with `uint32_t start[8]`.
/// The size of a workgroup stands before the constants of the shader's source.
template <typename Arguments>
void launch(at::shaders::ComputeDevice& device, std::string name, c10::ArrayRef<uint32_t> constants,
            std::initializer_list<at::shaders::Binding> bindings, const Arguments& arguments,
            std::array<uint32_t, 3> groups, uint32_t group = kGroupSize) {
  static_assert(std::is_trivially_copyable_v<Arguments>);
  at::shaders::Shader shader{std::move(name), {group}};
  shader.constants.insert(shader.constants.end(), constants.begin(), constants.end());
  device.dispatch(shader, c10::ArrayRef<at::shaders::Binding>(bindings.begin(), bindings.size()),
                  &arguments, sizeof(arguments), groups);
}

/// Runs a shader of iteration.glsl for every element of an iterator. Operands in the processor's
/// memory are passed as numbers; `numbers` are those after the operands', in order.
void run_pointwise(TensorIteratorBase& iter, const char* family, c10::ScalarType dtype, int op,
                   const char* name, c10::ArrayRef<c10::Scalar> numbers = {});

/// What a shader takes besides: constants, and words in the places of numbers 5, 6 and 7.
struct Extra {
  std::vector<uint32_t> constants;
  std::array<uint32_t, 6> words{};
};

/// The same where the caller knows the shader's types; `dtype` is that of the numbers, and none
/// says that the shader takes no operand in the processor's memory.
void run_iteration(TensorIteratorBase& iter, const std::string& shader, int op, const char* name,
                   std::optional<c10::ScalarType> dtype = std::nullopt,
                   c10::ArrayRef<c10::Scalar> numbers = {}, const Extra& extra = {});

}  // namespace shaders
}  // namespace native
}  // namespace at
