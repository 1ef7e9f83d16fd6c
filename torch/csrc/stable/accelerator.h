#pragma once

// The current device and streams of the accelerator, whichever the build has.

#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/macros/Macros.h>

#include <cstdint>
#include <memory>

HIDDEN_NAMESPACE_BEGIN(torch, stable, accelerator)

using DeviceIndex = int32_t;
using StreamId = int64_t;

/// Makes a device current for a scope. Throws std::runtime_error in a build without an accelerator.
class DeviceGuard {
 public:
  explicit DeviceGuard() = delete;
  explicit DeviceGuard(DeviceIndex device_index) {
    DeviceGuardHandle guard = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_create_device_guard(device_index, &guard));
    guard_.reset(guard);
  }
  void set_index(DeviceIndex device_index) {
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_device_guard_set_index(guard_.get(), device_index));
  }

 private:
  struct Delete {
    void operator()(DeviceGuardHandle guard) const { aoti_torch_delete_device_guard(guard); }
  };
  std::unique_ptr<DeviceGuardOpaque, Delete> guard_;
};

/// A stream, by its number.
class Stream {
 public:
  explicit Stream() = delete;
  /// Takes the handle over.
  explicit Stream(StreamHandle stream) : stream_(stream, aoti_torch_delete_stream) {}
  StreamId id() const {
    StreamId id;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_stream_id(stream_.get(), &id));
    return id;
  }
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
  /// What the accelerator's own library knows the stream as, such as a cudaStream_t; borrowed.
  void* nativeHandle() const {
    void* handle = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_stream_native_handle(stream_.get(), &handle));
    return handle;
  }
#endif

 private:
  std::shared_ptr<StreamOpaque> stream_;
};

inline Stream getCurrentStream(DeviceIndex device_index) {
  StreamHandle stream = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_stream(device_index, &stream));
  return Stream(stream);
}

inline DeviceIndex getCurrentDeviceIndex() {
  DeviceIndex device_index;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_device_index(&device_index));
  return device_index;
}

HIDDEN_NAMESPACE_END(torch, stable, accelerator)
