#pragma once

#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>

namespace c10 {

enum class EventFlag { PYTORCH_DEFAULT, BACKEND_DEFAULT, INVALID };

namespace impl {

/// What a kind of device does when work moves to one of its devices or streams. A backend
/// implements it and registers one object; CPU and Meta have one device and do nothing.
struct C10_API DeviceGuardImplInterface {
  virtual ~DeviceGuardImplInterface();

  virtual DeviceType type() const = 0;
  /// Makes a device current and returns the one that was. The device has an index.
  virtual Device exchangeDevice(Device device) const = 0;
  /// The current device of this thread.
  virtual Device getDevice() const = 0;
  virtual void setDevice(Device device) const = 0;
  /// The same without a throw, for destructors.
  virtual void uncheckedSetDevice(Device device) const noexcept = 0;
  /// The current stream of this thread on a device, and the device's default stream.
  virtual Stream getStream(Device device) const = 0;
  virtual Stream getDefaultStream(Device device) const;
  /// Makes a stream current on its device and returns the one that was. The device stays current.
  virtual Stream exchangeStream(Stream stream) const = 0;
  /// 0 where the driver or the hardware is missing.
  virtual DeviceIndex deviceCount() const noexcept = 0;

  /// Events mark a point in a stream. `*event` is made at the first record. All throw for a backend
  /// that has none.
  virtual void destroyEvent(void* event, DeviceIndex device_index) const noexcept;
  virtual void record(void** event, const Stream& stream, DeviceIndex device_index,
                      EventFlag flag) const;
  virtual void block(void* event, const Stream& stream) const;
  virtual bool queryEvent(void* event) const;
  virtual void synchronizeEvent(void* event) const;

  /// Whether all queued work is done, without blocking; and waits until it is.
  virtual bool queryStream(const Stream& stream) const;
  virtual void synchronizeStream(const Stream& stream) const;
  virtual void synchronizeDevice(DeviceIndex device_index) const;
  /// What the device's own library knows the stream as, such as a cudaStream_t. The stream keeps
  /// it.
  virtual void* getStreamNativeHandle(Stream stream) const;
};

/// Sets the object of a device type. It is never freed.
C10_API void registerDeviceGuardImpl(DeviceType type, const DeviceGuardImplInterface* impl);
/// The object of a device type, borrowed. Throws c10::Error when no backend registered one.
C10_API const DeviceGuardImplInterface* getDeviceGuardImpl(DeviceType type);
C10_API bool hasDeviceGuardImpl(DeviceType type);

struct C10_API DeviceGuardImplRegistrar {
  DeviceGuardImplRegistrar(DeviceType type, const DeviceGuardImplInterface* impl) {
    registerDeviceGuardImpl(type, impl);
  }
};
#define C10_REGISTER_GUARD_IMPL(DevType, DeviceGuardImpl)                           \
  static ::c10::impl::DeviceGuardImplRegistrar C10_ANONYMOUS_VARIABLE(g_##DevType)( \
      ::c10::DeviceType::DevType, new DeviceGuardImpl())

}  // namespace impl
}  // namespace c10
