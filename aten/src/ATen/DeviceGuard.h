#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace at {

// The device of a tensor, for a guard; none when it is undefined.
inline std::optional<c10::Device> device_of(const TensorBase& t) {
  return t.defined() ? std::make_optional(t.device()) : std::nullopt;
}

// The device of the first tensor; nullopt if there is none.
template <typename T>
std::optional<c10::Device> device_of(c10::ArrayRef<T> tensors) {
  return tensors.empty() ? std::nullopt : device_of(tensors.front());
}

}  // namespace at
