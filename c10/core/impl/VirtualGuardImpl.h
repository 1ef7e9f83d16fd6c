#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/macros/Macros.h>

namespace c10::impl {

/// The guard implementation of a device type that is known at run time.
class C10_API VirtualGuardImpl final {
 public:
  explicit VirtualGuardImpl(DeviceType device_type) : impl_(getDeviceGuardImpl(device_type)) {}
  /// For tests: an object that is not registered.
  explicit VirtualGuardImpl(const DeviceGuardImplInterface* impl) : impl_(impl) {}

  DeviceType type() const { return impl_->type(); }
  Device exchangeDevice(Device device) const { return impl_->exchangeDevice(device); }
  Device getDevice() const { return impl_->getDevice(); }
  void setDevice(Device device) const { impl_->setDevice(device); }
  void uncheckedSetDevice(Device device) const noexcept { impl_->uncheckedSetDevice(device); }
  Stream getStream(Device device) const { return impl_->getStream(device); }
  Stream getDefaultStream(Device device) const { return impl_->getDefaultStream(device); }
  Stream exchangeStream(Stream stream) const { return impl_->exchangeStream(stream); }
  DeviceIndex deviceCount() const noexcept { return impl_->deviceCount(); }
  void record(void** event, const Stream& stream, DeviceIndex device_index, EventFlag flag) const {
    impl_->record(event, stream, device_index, flag);
  }
  void block(void* event, const Stream& stream) const { impl_->block(event, stream); }
  bool queryEvent(void* event) const { return impl_->queryEvent(event); }
  void synchronizeEvent(void* event) const { impl_->synchronizeEvent(event); }
  void destroyEvent(void* event, DeviceIndex device_index) const noexcept {
    impl_->destroyEvent(event, device_index);
  }
  bool queryStream(const Stream& stream) const { return impl_->queryStream(stream); }
  void synchronizeStream(const Stream& stream) const { impl_->synchronizeStream(stream); }
  void synchronizeDevice(DeviceIndex device_index) const { impl_->synchronizeDevice(device_index); }
  void* getStreamNativeHandle(Stream stream) const { return impl_->getStreamNativeHandle(stream); }

 private:
  const DeviceGuardImplInterface* impl_;
};

}  // namespace c10::impl
