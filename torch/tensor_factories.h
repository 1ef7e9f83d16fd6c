#pragma once

// Tensors from values and from memory of the caller's.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch {

/// A tensor over `data`, which it does not own: the memory must outlive it. Float unless `options`
/// say otherwise. `strides` count elements.
inline at::Tensor from_blob(void* data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            const at::TensorOptions& options = {}) {
  TORCH_CHECK(sizes.size() == strides.size(), "from_blob: ", sizes.size(), " sizes and ",
              strides.size(), " strides");
  at::Tensor tensor = at::empty({0}, options);
  size_t last = 0;
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    TORCH_CHECK(sizes[i] >= 0 && strides[i] >= 0,
                "from_blob: sizes and strides cannot be negative");
    empty |= sizes[i] == 0;
    last += static_cast<size_t>(std::max<int64_t>(sizes[i] - 1, 0) * strides[i]);
  }
  const size_t bytes = empty ? 0 : (last + 1) * static_cast<size_t>(tensor.element_size());
  at::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(c10::Storage(c10::Storage::use_byte_size_t(), bytes,
                                            c10::DataPtr(data, tensor.device()), nullptr, false));
  impl->set_sizes_and_strides(sizes, strides);
  return tensor;
}

/// The same, contiguous.
inline at::Tensor from_blob(void* data, at::IntArrayRef sizes,
                            const at::TensorOptions& options = {}) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return from_blob(data, sizes, strides, options);
}

/// A one-dimensional CPU tensor of these values, of their dtype.
template <typename T>
at::Tensor tensor(at::ArrayRef<T> values) {
  at::Tensor result = at::empty({static_cast<int64_t>(values.size())},
                                at::TensorOptions(c10::CppTypeToScalarType<T>::value));
  std::copy(values.begin(), values.end(), result.template mutable_data_ptr<T>());
  return result;
}
template <typename T>
at::Tensor tensor(std::initializer_list<T> values) {
  return tensor(at::ArrayRef<T>(values.begin(), values.size()));
}
template <typename T>
at::Tensor tensor(const std::vector<T>& values) {
  return tensor(at::ArrayRef<T>(values));
}

}  // namespace torch
