#include <torch/csrc/jit/serialization/storage_types.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>

namespace torch::jit {
namespace {

struct TypeNames {
  c10::ScalarType type;
  std::string_view dtype;
  std::string_view storage;
};

constexpr auto kTypes = std::to_array<TypeNames>({
    {c10::ScalarType::Byte, "uint8", "ByteStorage"},
    {c10::ScalarType::Char, "int8", "CharStorage"},
    {c10::ScalarType::Short, "int16", "ShortStorage"},
    {c10::ScalarType::Int, "int32", "IntStorage"},
    {c10::ScalarType::Long, "int64", "LongStorage"},
    {c10::ScalarType::Half, "float16", "HalfStorage"},
    {c10::ScalarType::Float, "float32", "FloatStorage"},
    {c10::ScalarType::Double, "float64", "DoubleStorage"},
    {c10::ScalarType::ComplexFloat, "complex64", "ComplexFloatStorage"},
    {c10::ScalarType::ComplexDouble, "complex128", "ComplexDoubleStorage"},
    {c10::ScalarType::Bool, "bool", "BoolStorage"},
    {c10::ScalarType::BFloat16, "bfloat16", "BFloat16Storage"},
    {c10::ScalarType::UInt16, "uint16", ""},
    {c10::ScalarType::UInt32, "uint32", ""},
    {c10::ScalarType::UInt64, "uint64", ""},
});

const TypeNames& names_of(c10::ScalarType type) {
  const auto* found = std::ranges::find(kTypes, type, &TypeNames::type);
  TORCH_CHECK(found != kTypes.end(), "a file of torch.save has no name for element type ", type);
  return *found;
}

std::optional<c10::ScalarType> type_named(std::string_view TypeNames::* kind,
                                          std::string_view name) {
  const auto* found = std::ranges::find(kTypes, name, kind);
  if (name.empty() || found == kTypes.end()) return std::nullopt;
  return found->type;
}

}  // namespace

std::string_view storage_name(c10::ScalarType type) { return names_of(type).storage; }
std::string_view dtype_name(c10::ScalarType type) { return names_of(type).dtype; }
std::optional<c10::ScalarType> type_of_storage(std::string_view name) {
  return type_named(&TypeNames::storage, name);
}
std::optional<c10::ScalarType> type_of_dtype(std::string_view name) {
  return type_named(&TypeNames::dtype, name);
}

at::Tensor tensor_over(const c10::Storage& storage, c10::ScalarType type, int64_t offset,
                       c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  const auto negative = [](int64_t value) { return value < 0; };
  TORCH_CHECK(sizes.size() == strides.size() && offset >= 0 &&
                  std::ranges::none_of(sizes, negative) && std::ranges::none_of(strides, negative),
              "setStorage: sizes ", sizes, ", strides ", strides, " and storage offset ", offset,
              " are those of no tensor");
  at::native::checkInBoundsForStorage(sizes, strides, offset, c10::elementSize(type), storage);
  at::Tensor tensor = at::empty({0}, at::TensorOptions(type).device(storage.device()));
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(storage);
  impl->set_sizes_and_strides(sizes, strides, offset);
  return tensor;
}

c10::Storage on_device(const c10::Storage& storage, c10::Device device) {
  if (storage.device() == device) return storage;
  const auto size = static_cast<int64_t>(storage.nbytes());
  return tensor_over(storage, c10::kByte, 0, {size}, {1}).to(device).storage();
}

}  // namespace torch::jit
