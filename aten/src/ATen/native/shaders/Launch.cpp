#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/shaders/Launch.h>

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchUnsigned.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace at::native::shaders {
namespace {

using at::shaders::Binding;
using at::shaders::ComputeDevice;

constexpr size_t kMostDims = 16;
constexpr size_t kMostOperands = 5;
constexpr size_t kMostNumbers = 8;

// `Arguments` of iteration.glsl.
struct IterationArguments {
  uint32_t start[8];
  uint32_t count;
  uint32_t size[kMostDims];
  uint32_t stride[kMostOperands * kMostDims];
  uint32_t words[2 * kMostNumbers];
};

std::array<uint32_t, 2> integer_words(int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  return {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)};
}

std::array<uint32_t, 2> float_words(double value) {
  return {std::bit_cast<uint32_t>(static_cast<float>(value)), 0};
}

// The one element of a tensor in the processor's memory, as the processor's loops convert it: an
// integer wraps around.
std::array<uint32_t, 2> operand_words(const c10::Scalar& value, c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Half:
      return float_words(static_cast<c10::Half>(static_cast<float>(value.to<double>())));
    case c10::ScalarType::Byte:
      return integer_words(static_cast<uint8_t>(value.to<int64_t>()));
    case c10::ScalarType::Int:
      return integer_words(static_cast<int32_t>(value.to<int64_t>()));
    default:
      return number_words(value, dtype);
  }
}

[[noreturn]] void refuse(c10::ScalarType dtype, const char* op, const ComputeDevice& device,
                         const char* why) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, op, " has no kernel for ", c10::toString(dtype), " on ",
                              device.name(), why);
}

}  // namespace

std::string shader_type(c10::ScalarType dtype, const char* op, const ComputeDevice& device) {
  switch (dtype) {
    case c10::ScalarType::Float:
      return "float";
    case c10::ScalarType::Int:
      return "int";
    case c10::ScalarType::Half:
      if (!device.capabilities.float16) refuse(dtype, op, device, ": the device has no float16.");
      return "half";
    case c10::ScalarType::Long:
      if (!device.capabilities.int64) refuse(dtype, op, device, ": the device has no int64.");
      return "long";
    case c10::ScalarType::Byte:
    case c10::ScalarType::Bool:
      if (!device.capabilities.int8) refuse(dtype, op, device, ": the device has no int8.");
      return dtype == c10::ScalarType::Byte ? "byte" : "bool";
    default:
      refuse(dtype, op, device,
             "; there are those for float32, float16, int32, int64, uint8 and bool.");
  }
}

std::string opaque_type(size_t bytes, const char* op, const ComputeDevice& device) {
  switch (bytes) {
    case 1:
      return shader_type(c10::ScalarType::Byte, op, device);
    case 2:
      if (!device.capabilities.int16) {
        refuse(c10::ScalarType::Short, op, device, ": the device has no int16.");
      }
      return "short";
    case 4:
      return "int";
    case 8:
      return shader_type(c10::ScalarType::Long, op, device);
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, op, " has no kernel for elements of ", bytes, " bytes on ",
                                  device.name());
  }
}

void check_type(c10::ScalarType dtype, std::initializer_list<c10::ScalarType> known, const char* op,
                const ComputeDevice& device) {
  if (std::find(known.begin(), known.end(), dtype) == known.end()) refuse(dtype, op, device, "");
}

std::array<uint32_t, 2> number_words(const c10::Scalar& value, c10::ScalarType dtype) {
  if (c10::isFloatingType(dtype)) return float_words(value.to<double>());
  switch (dtype) {
    case c10::ScalarType::Bool:
      return integer_words(value.to<bool>() ? 1 : 0);
    case c10::ScalarType::Byte:
      return integer_words(value.to<uint8_t>());
    case c10::ScalarType::Int:
      return integer_words(value.to<int32_t>());
    default:
      return integer_words(value.to<int64_t>());
  }
}

int64_t element_bits(const c10::Scalar& value, c10::ScalarType dtype) {
  int64_t bits = 0;
  AT_DISPATCH_STORED_TYPES(dtype, "fill", [&] {
    const scalar_t element = value.to<scalar_t>();
    TORCH_INTERNAL_ASSERT(sizeof(element) <= sizeof(bits));
    std::memcpy(&bits, &element, std::min(sizeof(element), sizeof(bits)));
  });
  return bits;
}

uint32_t narrow(int64_t value) {
  TORCH_CHECK(value >= 0 && value <= std::numeric_limits<int32_t>::max(), "a kernel on ",
              kDeviceName, " counts to 2^31 - 1, and not to ", value);
  return static_cast<uint32_t>(value);
}

uint32_t groups_for(int64_t count, const ComputeDevice& device, uint32_t group) {
  const int64_t wanted = (count + group - 1) / group;
  return static_cast<uint32_t>(
      std::min<int64_t>(wanted, std::min<uint32_t>(device.capabilities.max_groups[0], 65535)));
}

void run_iteration(TensorIteratorBase& iter, const std::string& shader, int op, const char* name,
                   std::optional<c10::ScalarType> dtype, c10::ArrayRef<c10::Scalar> numbers,
                   const Extra& extra) {
  if (iter.numel() == 0) return;
  const auto operands = static_cast<size_t>(iter.ntensors());
  const auto dims = static_cast<size_t>(iter.ndim());
  ComputeDevice& device = at::shaders::compute_device(iter.device(0).index());
  TORCH_INTERNAL_ASSERT(operands <= kMostOperands && operands + numbers.size() <= kMostNumbers);
  TORCH_CHECK_NOT_IMPLEMENTED(dims <= kMostDims, name, " on ", kDeviceName, " has at most ",
                              kMostDims,
                              " dimensions that cannot be merged, and these tensors have ", dims);
  IterationArguments arguments{};
  arguments.count = narrow(iter.numel());
  std::copy(extra.words.begin(), extra.words.end(), arguments.words + 2 * kMostOperands);
  std::array<Binding, kMostOperands> bindings{};
  uint32_t number_mask = 0;
  bool dense = dims <= 1;
  for (size_t k = 0; k < operands; ++k) {
    const auto arg = static_cast<int64_t>(k);
    const int64_t size = iter.element_size(arg);
    if (iter.is_cpu_scalar(arg)) {
      TORCH_INTERNAL_ASSERT(dtype.has_value(), name, " takes no argument on cpu");
      number_mask |= 1U << k;
      const auto words = operand_words(iter.scalar_at(arg), *dtype);
      std::copy(words.begin(), words.end(), arguments.words + 2 * k);
      continue;
    }
    // Whatever else a shader computes with, it reads or writes this.
    if (size == 1) shader_type(c10::ScalarType::Byte, name, device);
    if (size == 8) shader_type(c10::ScalarType::Long, name, device);
    bindings[k] = {iter.data_ptr(arg), static_cast<size_t>(size)};
    for (size_t d = 0; d < dims; ++d) {
      arguments.stride[k * kMostDims + d] = narrow(iter.strides(arg)[d] / size);
    }
    dense = dense && (iter.numel() == 1 || arguments.stride[k * kMostDims] == 1);
  }
  for (size_t d = 0; d < dims; ++d) arguments.size[d] = narrow(iter.shape()[d]);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto words = number_words(numbers[i], *dtype);
    std::copy(words.begin(), words.end(), arguments.words + 2 * (operands + i));
  }
  const uint32_t rank = dense ? 0 : static_cast<uint32_t>(dims);
  std::vector<uint32_t> constants = {rank, static_cast<uint32_t>(op), number_mask};
  constants.insert(constants.end(), extra.constants.begin(), extra.constants.end());
  launch(device, shader, constants,
         {bindings[0], bindings[1], bindings[2], bindings[3], bindings[4]}, arguments,
         {groups_for(iter.numel(), device), 1, 1});
  // out= of another type.
  iter.cast_outputs();
}

void run_pointwise(TensorIteratorBase& iter, const char* family, c10::ScalarType dtype, int op,
                   const char* name, c10::ArrayRef<c10::Scalar> numbers) {
  const ComputeDevice& device = at::shaders::compute_device(iter.device(0).index());
  const std::string type = shader_type(dtype, name, device);
  // What is computed in float32 takes numbers of it.
  const c10::ScalarType computed = dtype == c10::ScalarType::Half ? c10::ScalarType::Float : dtype;
  run_iteration(iter, std::string(family) + "_" + type, op, name, computed, numbers);
}

}  // namespace at::native::shaders
