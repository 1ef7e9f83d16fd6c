#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>

#include <atomic>

namespace c10::impl {

DeviceGuardImplInterface::~DeviceGuardImplInterface() = default;

Stream DeviceGuardImplInterface::getDefaultStream(Device device) const {
  return Stream(Stream::DEFAULT, device);
}
void DeviceGuardImplInterface::destroyEvent(void* /*event*/, DeviceIndex) const noexcept {}
void DeviceGuardImplInterface::record(void**, const Stream&, DeviceIndex, EventFlag) const {
  TORCH_CHECK(false, "Backend doesn't support events.");
}
void DeviceGuardImplInterface::block(void*, const Stream&) const {
  TORCH_CHECK(false, "Backend doesn't support events.");
}
bool DeviceGuardImplInterface::queryEvent(void*) const {
  TORCH_CHECK(false, "Backend doesn't support events.");
}
void DeviceGuardImplInterface::synchronizeEvent(void*) const {
  TORCH_CHECK(false, "Backend doesn't support synchronizing events.");
}
bool DeviceGuardImplInterface::queryStream(const Stream&) const {
  TORCH_CHECK(false, "Backend doesn't support querying streams.");
}
void DeviceGuardImplInterface::synchronizeStream(const Stream&) const {
  TORCH_CHECK(false, "Backend doesn't support synchronizing streams.");
}
void DeviceGuardImplInterface::synchronizeDevice(DeviceIndex) const {
  TORCH_CHECK(false, "Backend doesn't support synchronizing all streams on device.");
}
void* DeviceGuardImplInterface::getStreamNativeHandle(Stream) const {
  TORCH_CHECK(false, "Backend doesn't support getting stream native handle.");
}

namespace {

std::atomic<const DeviceGuardImplInterface*>& slot(DeviceType type) {
  static std::atomic<const DeviceGuardImplInterface*> slots[COMPILE_TIME_MAX_DEVICE_TYPES];
  return slots[static_cast<size_t>(type)];
}

// One device, one stream, all work done when it is asked for.
template <DeviceType D>
struct NoOpDeviceGuardImpl final : DeviceGuardImplInterface {
  DeviceType type() const override { return D; }
  Device exchangeDevice(Device) const override { return Device(D, -1); }
  Device getDevice() const override { return Device(D, -1); }
  void setDevice(Device) const override {}
  void uncheckedSetDevice(Device) const noexcept override {}
  Stream getStream(Device) const override { return Stream(Stream::DEFAULT, Device(D, -1)); }
  Stream exchangeStream(Stream) const override { return Stream(Stream::DEFAULT, Device(D, -1)); }
  DeviceIndex deviceCount() const noexcept override { return 1; }
  bool queryStream(const Stream&) const override { return true; }
  void synchronizeStream(const Stream&) const override {}
  void synchronizeDevice(DeviceIndex) const override {}
};

C10_REGISTER_GUARD_IMPL(CPU, NoOpDeviceGuardImpl<DeviceType::CPU>);
C10_REGISTER_GUARD_IMPL(Meta, NoOpDeviceGuardImpl<DeviceType::Meta>);

}  // namespace

void registerDeviceGuardImpl(DeviceType type, const DeviceGuardImplInterface* impl) {
  slot(type) = impl;
}

const DeviceGuardImplInterface* getDeviceGuardImpl(DeviceType type) {
  const DeviceGuardImplInterface* impl = slot(type);
  TORCH_CHECK(impl != nullptr, "PyTorch is not linked with support for ", type, " devices");
  return impl;
}

bool hasDeviceGuardImpl(DeviceType type) { return slot(type) != nullptr; }

}  // namespace c10::impl
