#pragma once

// C++ values as StableIValue, the 64 bits that stand for an argument or a result of an operator,
// and back: torch::stable::detail::from(value) and to<T>(bits). c/shim.h says what the bits are.

#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/generator.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/DeviceType.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

HIDDEN_NAMESPACE_BEGIN(torch, stable, detail)

using torch::headeronly::HeaderOnlyArrayRef;
using torch::headeronly::MemoryFormat;

template <typename T>
StableIValue from(const T& value);
template <typename T>
T to(StableIValue bits);

// One type, in both directions. A type without a specialization is none of an operator's.
template <typename T>
struct Conversion;

// Whatever its width: a schema's int has 64 bits.
template <std::integral T>
struct Conversion<T> {
  static StableIValue from(T value) {
    return static_cast<StableIValue>(static_cast<int64_t>(value));
  }
  static T to(StableIValue bits) {
    if constexpr (std::is_same_v<T, bool>) {
      return (bits & 0xff) != 0;
    } else {
      const T value = static_cast<T>(bits);
      STD_TORCH_CHECK(from(value) == bits, "the number ", static_cast<int64_t>(bits),
                      " does not fit into ", 8 * sizeof(T), " bits");
      return value;
    }
  }
};

template <>
struct Conversion<double> {
  static StableIValue from(double value) { return std::bit_cast<StableIValue>(value); }
  static double to(StableIValue bits) { return std::bit_cast<double>(bits); }
};

// The numbers of these are those of the C interface.
template <typename T>
  requires std::is_same_v<T, ScalarType> || std::is_same_v<T, DeviceType> ||
           std::is_same_v<T, Layout> || std::is_same_v<T, MemoryFormat>
struct Conversion<T> {
  static StableIValue from(T value) {
    return static_cast<StableIValue>(static_cast<int64_t>(value));
  }
  static T to(StableIValue bits) { return static_cast<T>(bits); }
};

// A handle that changes hands.
template <typename T>
struct Conversion<T*> {
  static_assert(!std::is_same_v<std::remove_const_t<T>, char>,
                "a text is a std::string or a std::string_view here");
  static StableIValue from(T* value) { return reinterpret_cast<StableIValue>(value); }
  static T* to(StableIValue bits) { return reinterpret_cast<T*>(bits); }
};

template <>
struct Conversion<std::nullptr_t> {
  static StableIValue from(std::nullptr_t) { return 0; }
};

template <>
struct Conversion<std::nullopt_t> {
  static StableIValue from(std::nullopt_t) { return 0; }
};

template <typename T>
struct Conversion<std::optional<T>> {
  static StableIValue from(const std::optional<T>& value) {
    if (!value.has_value()) return 0;
    const StableIValue bits = detail::from(*value);
    StableIValue* memory = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_new_stable_ivalue(&memory));
    *memory = bits;
    return detail::from(memory);
  }
  static std::optional<T> to(StableIValue bits) {
    if (bits == 0) return std::nullopt;
    auto* memory = detail::to<StableIValue*>(bits);
    const StableIValue value = *memory;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_delete_stable_ivalue(memory));
    return detail::to<T>(value);
  }
};

template <>
struct Conversion<Tensor> {
  static StableIValue from(const Tensor& value) {
    AtenTensorHandle handle = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_new_tensor_handle(value.get(), &handle));
    return detail::from(handle);
  }
  static Tensor to(StableIValue bits) { return Tensor(detail::to<AtenTensorHandle>(bits)); }
};

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
template <>
struct Conversion<Generator> {
  static StableIValue from(const Generator& value) {
    AtenGeneratorHandle handle = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_new_generator_handle(value.get(), &handle));
    return detail::from(handle);
  }
  static Generator to(StableIValue bits) {
    return Generator(detail::to<AtenGeneratorHandle>(bits));
  }
};
#endif

template <>
struct Conversion<Device> {
  static StableIValue from(const Device& value) {
    return detail::from(value.type()) << 32 | static_cast<uint32_t>(value.index());
  }
  static Device to(StableIValue bits) {
    return Device(static_cast<DeviceType>(bits >> 32),
                  static_cast<DeviceIndex>(static_cast<uint32_t>(bits)));
  }
};

template <>
struct Conversion<std::string_view> {
  static StableIValue from(std::string_view value) {
    StringHandle handle = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_new_string_handle(value.data(), value.size(), &handle));
    return detail::from(handle);
  }
};

template <>
struct Conversion<std::string> {
  static StableIValue from(const std::string& value) {
    return detail::from(std::string_view(value));
  }
  static std::string to(StableIValue bits) {
    auto handle = detail::to<StringHandle>(bits);
    const std::unique_ptr<StringOpaque, decltype(&torch_delete_string)> owner(handle,
                                                                              torch_delete_string);
    size_t size = 0;
    const char* data = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_string_length(handle, &size));
    STABLE_TORCH_ERROR_CODE_CHECK(torch_string_c_str(handle, &data));
    return std::string(data, size);
  }
};

using ListOwner = std::unique_ptr<StableListOpaque, decltype(&torch_delete_list)>;

template <typename Elements>
StableIValue list_from(const Elements& elements) {
  StableListHandle handle = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_new_list_reserve_size(elements.size(), &handle));
  ListOwner owner(handle, torch_delete_list);
  for (const auto& element : elements) {
    using T = typename Elements::value_type;
    STABLE_TORCH_ERROR_CODE_CHECK(
        torch_list_push_back(handle, detail::from(static_cast<const T&>(element))));
  }
  return detail::from(owner.release());
}

template <typename T>
struct Conversion<HeaderOnlyArrayRef<T>> {
  static StableIValue from(const HeaderOnlyArrayRef<T>& value) { return list_from(value); }
};

template <typename T>
struct Conversion<std::vector<T>> {
  static StableIValue from(const std::vector<T>& value) { return list_from(value); }
  static std::vector<T> to(StableIValue bits) {
    auto handle = detail::to<StableListHandle>(bits);
    const ListOwner owner(handle, torch_delete_list);
    size_t size = 0;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_list_size(handle, &size));
    std::vector<T> result;
    result.reserve(size);
    for (size_t i = 0; i < size; ++i) {
      StableIValue element;
      STABLE_TORCH_ERROR_CODE_CHECK(torch_list_get_item(handle, i, &element));
      result.push_back(detail::to<T>(element));
    }
    return result;
  }
};

/// The bits of a value; what they refer to belongs to whoever takes them.
template <typename T>
StableIValue from(const T& value) {
  static_assert(!std::is_same_v<T, float>, "a schema's float is a C++ double");
  static_assert(
      requires { Conversion<T>::from(value); }, "the stable ABI has no form for this type");
  return Conversion<T>::from(value);
}

/// The value of bits, which are used up.
template <typename T>
T to(StableIValue bits) {
  static_assert(!std::is_same_v<T, float>, "a schema's float is a C++ double");
  static_assert(requires { Conversion<T>::to(bits); }, "the stable ABI has no form for this type");
  return Conversion<T>::to(bits);
}

HIDDEN_NAMESPACE_END(torch, stable, detail)
