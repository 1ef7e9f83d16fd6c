#pragma once

// Tensors of values.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace at {

/// A one-dimensional tensor of these values, of their dtype on the CPU unless `options` say
/// otherwise. For nested lists and PyTorch's default dtypes: `torch::tensor`.
template <typename T>
Tensor tensor(ArrayRef<T> values, const TensorOptions& options = {}) {
  Tensor result =
      at::empty({static_cast<int64_t>(values.size())}, c10::CppTypeToScalarType<T>::value);
  std::copy(values.begin(), values.end(), result.template mutable_data_ptr<T>());
  const TensorOptions wanted = result.options().merge_in(options);
  return result.to(wanted.device(), c10::typeMetaToScalarType(wanted.dtype()));
}

template <typename T>
Tensor tensor(std::initializer_list<T> values, const TensorOptions& options = {}) {
  return tensor(ArrayRef<T>(values.begin(), values.size()), options);
}

template <typename T>
Tensor tensor(const std::vector<T>& values, const TensorOptions& options = {}) {
  if constexpr (std::is_same_v<T, bool>) {
    const std::vector<uint8_t> bytes(values.begin(), values.end());
    return tensor(ArrayRef<uint8_t>(bytes)).to(kBool).to(options.device());
  } else {
    return tensor(ArrayRef<T>(values), options);
  }
}

template <typename T>
  requires(std::is_arithmetic_v<T> || c10::is_complex<T>::value || std::is_same_v<T, c10::Half> ||
           std::is_same_v<T, c10::BFloat16>)
Tensor tensor(T value, const TensorOptions& options = {}) {
  return tensor(ArrayRef<T>(value), options).squeeze(0);
}

}  // namespace at
