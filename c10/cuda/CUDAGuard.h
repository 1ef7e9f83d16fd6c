#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/InlineDeviceGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/impl/CUDAGuardImpl.h>
#include <c10/util/Exception.h>

#include <optional>

namespace c10::cuda {

/// Makes a GPU current for a scope and restores the previous one at its end. Kernels and
/// allocations in the scope use that GPU.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device_index) : guard_(Device(DeviceType::CUDA, device_index)) {}
  /// Throws c10::Error if `device` is not a CUDA device.
  explicit CUDAGuard(Device device) : guard_(checked(device)) {}

  void set_device(Device device) { guard_.set_device(checked(device)); }
  void set_index(DeviceIndex device_index) { guard_.set_index(device_index); }
  Device original_device() const { return guard_.original_device(); }
  Device current_device() const { return guard_.current_device(); }

 private:
  static Device checked(Device device) {
    TORCH_CHECK(device.is_cuda(), "Expected a CUDA device, but got ", device);
    return device;
  }
  c10::impl::InlineDeviceGuard<impl::CUDAGuardImpl> guard_;
};

/// The same for an optional GPU; nullopt changes nothing.
using OptionalCUDAGuard = c10::impl::InlineOptionalDeviceGuard<impl::CUDAGuardImpl>;

/// Makes a stream and its GPU current for a scope and restores the previous ones at its end.
///
///   c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool());
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(Stream stream)
      : guard_(CUDAStream(stream).device()),
        original_(getCurrentCUDAStream(stream.device_index())) {
    setCurrentCUDAStream(CUDAStream(stream));
  }
  C10_DISABLE_COPY_AND_ASSIGN(CUDAStreamGuard);
  ~CUDAStreamGuard() { setCurrentCUDAStream(original_); }

  CUDAStream original_stream() const { return original_; }

 private:
  CUDAGuard guard_;
  CUDAStream original_;
};

}  // namespace c10::cuda
