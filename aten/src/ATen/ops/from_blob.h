#pragma once

// Tensors over memory of the caller's.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace at {

namespace detail {

// Memory that a function of the caller's gives back.
struct Blob {
  void* data;
  std::function<void(void*)> deleter;
  static void release(void* blob) {
    const std::unique_ptr<Blob> self(static_cast<Blob*>(blob));
    self->deleter(self->data);
  }
};

}  // namespace detail

/// A tensor over `data`, which must outlive it unless there is a `deleter`: that is called with
/// `data` when the last tensor over it is gone. Float on the CPU unless `options` say otherwise.
/// `target_device` says where the memory is; `strides` and `storage_offset` count elements. Throws
/// c10::Error for negative sizes, strides and offsets.
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                        const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        std::optional<Device> target_device = std::nullopt) {
  TORCH_CHECK(sizes.size() == strides.size(), "from_blob: ", sizes.size(), " sizes and ",
              strides.size(), " strides");
  TORCH_CHECK(storage_offset >= 0, "from_blob: the offset cannot be negative");
  TORCH_CHECK(!options.requires_grad(),
              "at::from_blob makes no tensor that requires grad; call torch::from_blob");
  Tensor tensor = at::empty({0}, target_device ? options.device(*target_device) : options);
  int64_t last = storage_offset;
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    TORCH_CHECK(sizes[i] >= 0 && strides[i] >= 0,
                "from_blob: sizes and strides cannot be negative");
    empty |= sizes[i] == 0;
    last += std::max<int64_t>(sizes[i] - 1, 0) * strides[i];
  }
  const size_t bytes = empty ? 0 : static_cast<size_t>((last + 1) * tensor.element_size());
  c10::DataPtr memory = deleter ? c10::DataPtr(data, new detail::Blob{data, deleter},
                                               &detail::Blob::release, tensor.device())
                                : c10::DataPtr(data, tensor.device());
  TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(
      c10::Storage(c10::Storage::use_byte_size_t(), bytes, std::move(memory), nullptr, false));
  impl->set_storage_offset(storage_offset);
  impl->set_sizes_and_strides(sizes, strides);
  return tensor;
}

inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                        const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        std::optional<Device> target_device = std::nullopt) {
  return from_blob(data, sizes, strides, 0, deleter, options, target_device);
}

inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides,
                        const TensorOptions& options = {}) {
  return from_blob(data, sizes, strides, 0, nullptr, options);
}

/// The same, contiguous.
inline Tensor from_blob(void* data, IntArrayRef sizes, const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        std::optional<Device> target_device = std::nullopt) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return from_blob(data, sizes, strides, 0, deleter, options, target_device);
}

inline Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {}) {
  return from_blob(data, sizes, std::function<void(void*)>(), options);
}

}  // namespace at
