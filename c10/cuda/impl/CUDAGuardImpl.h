#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

namespace c10::cuda::impl {

/// What guards, streams and events of any device do on a GPU.
struct C10_CUDA_API CUDAGuardImpl final : c10::impl::DeviceGuardImplInterface {
  CUDAGuardImpl() = default;
  explicit CUDAGuardImpl(DeviceType type) { TORCH_INTERNAL_ASSERT(type == DeviceType::CUDA); }

  DeviceType type() const override { return DeviceType::CUDA; }
  Device exchangeDevice(Device device) const override;
  Device getDevice() const override;
  void setDevice(Device device) const override;
  void uncheckedSetDevice(Device device) const noexcept override;
  Stream getStream(Device device) const override;
  Stream getDefaultStream(Device device) const override;
  Stream exchangeStream(Stream stream) const override;
  DeviceIndex deviceCount() const noexcept override;

  void destroyEvent(void* event, DeviceIndex device_index) const noexcept override;
  void record(void** event, const Stream& stream, DeviceIndex device_index,
              EventFlag flag) const override;
  void block(void* event, const Stream& stream) const override;
  bool queryEvent(void* event) const override;
  void synchronizeEvent(void* event) const override;

  bool queryStream(const Stream& stream) const override;
  void synchronizeStream(const Stream& stream) const override;
  void synchronizeDevice(DeviceIndex device_index) const override;
  void* getStreamNativeHandle(Stream stream) const override;
};

}  // namespace c10::cuda::impl
