#pragma once

// Tensors over memory of the caller's.

#include <ATen/FromBlob.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace at {

/// A tensor over `data`, which must outlive it unless there is a `deleter`: that is called with
/// `data` when the last tensor over it is gone. Float on the CPU unless `options` say otherwise.
/// `target_device` says where the memory is; `strides` and `storage_offset` count elements. Throws
/// c10::Error for negative sizes, strides and offsets, sizes that overflow, and a null pointer
/// where there are elements; the deleter is not called then.
inline Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset,
                        const std::function<void(void*)>& deleter,
                        const TensorOptions& options = {},
                        std::optional<Device> target_device = std::nullopt) {
  return Tensor(
      detail::from_blob(data, sizes, strides, storage_offset, deleter, options, target_device));
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
  return Tensor(detail::from_blob(data, sizes, std::nullopt, 0, deleter, options, target_device));
}

inline Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {}) {
  return from_blob(data, sizes, std::function<void(void*)>(), options);
}

/// The same, argument by argument: `at::for_blob(data, sizes).strides(s).make_tensor()`. Lists are
/// borrowed until then.
class TensorMaker {
 public:
  using ContextDeleter = void (*)(void*);

  TensorMaker& strides(OptionalIntArrayRef value) noexcept {
    strides_ = value;
    return *this;
  }
  TensorMaker& storage_offset(std::optional<int64_t> value) noexcept {
    storage_offset_ = value.value_or(0);
    return *this;
  }
  TensorMaker& deleter(std::function<void(void*)> value) noexcept {
    deleter_ = std::move(value);
    return *this;
  }
  /// `deleter` is called with `value` instead of the data.
  TensorMaker& context(void* value, ContextDeleter deleter = nullptr) noexcept {
    context_ = std::unique_ptr<void, ContextDeleter>(value, deleter ? deleter : [](void*) {});
    return *this;
  }
  TensorMaker& target_device(std::optional<Device> value) noexcept {
    device_ = value;
    return *this;
  }
  TensorMaker& options(TensorOptions value) noexcept {
    options_ = value;
    return *this;
  }

  Tensor make_tensor() {
    TORCH_CHECK_VALUE(!deleter_ || !context_,
                      "The deleter and context arguments are mutually exclusive.");
    std::function<void(void*)> deleter = deleter_;
    if (context_) {
      deleter = [context = context_.get(), release = context_.get_deleter()](void*) {
        release(context);
      };
    }
    Tensor tensor(
        detail::from_blob(data_, sizes_, strides_, storage_offset_, deleter, options_, device_));
    (void)context_.release();
    return tensor;
  }

 private:
  friend TensorMaker for_blob(void* data, IntArrayRef sizes) noexcept;
  TensorMaker(void* data, IntArrayRef sizes) noexcept : data_(data), sizes_(sizes) {}

  void* data_;
  IntArrayRef sizes_;
  OptionalIntArrayRef strides_;
  int64_t storage_offset_ = 0;
  std::function<void(void*)> deleter_;
  std::unique_ptr<void, ContextDeleter> context_{nullptr, [](void*) {}};
  std::optional<Device> device_;
  TensorOptions options_;
};

inline TensorMaker for_blob(void* data, IntArrayRef sizes) noexcept {
  return TensorMaker(data, sizes);
}

}  // namespace at
