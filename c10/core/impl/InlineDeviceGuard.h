#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>

#include <optional>
#include <utility>

namespace c10::impl {

/// Makes a device current for a scope. `T` does the work: VirtualGuardImpl for any device, a
/// backend's own class where the device is known when compiling.
template <typename T>
class InlineDeviceGuard {
 public:
  explicit InlineDeviceGuard(Device device)
      : impl_(device.type()),
        original_device_(device.has_index() ? impl_.exchangeDevice(device) : impl_.getDevice()),
        current_device_(device.has_index() ? device : original_device_) {}
  /// With an implementation that is not registered, for tests.
  template <typename U>
  InlineDeviceGuard(Device device, const U* impl)
      : impl_(impl),
        original_device_(device.has_index() ? impl_.exchangeDevice(device) : impl_.getDevice()),
        current_device_(device.has_index() ? device : original_device_) {}
  C10_DISABLE_COPY_AND_ASSIGN(InlineDeviceGuard);
  ~InlineDeviceGuard() { impl_.uncheckedSetDevice(original_device_); }

  /// Makes another device of the same type current.
  void set_device(Device device) {
    if (!device.has_index()) return;
    impl_.setDevice(device);
    current_device_ = device;
  }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex index) { set_device(Device(original_device_.type(), index)); }
  Device original_device() const { return original_device_; }
  Device current_device() const { return current_device_; }

 private:
  T impl_;
  Device original_device_;
  Device current_device_;
};

/// A guard that may have no device yet.
template <typename T>
class InlineOptionalDeviceGuard {
 public:
  InlineOptionalDeviceGuard() = default;
  explicit InlineOptionalDeviceGuard(std::optional<Device> device) {
    if (device.has_value()) guard_.emplace(*device);
  }
  C10_DISABLE_COPY_AND_ASSIGN(InlineOptionalDeviceGuard);

  void reset_device(Device device) {
    if (guard_.has_value() && guard_->original_device().type() == device.type()) {
      guard_->set_device(device);
    } else {
      guard_.reset();
      guard_.emplace(device);
    }
  }
  std::optional<Device> original_device() const {
    return guard_.has_value() ? std::make_optional(guard_->original_device()) : std::nullopt;
  }
  std::optional<Device> current_device() const {
    return guard_.has_value() ? std::make_optional(guard_->current_device()) : std::nullopt;
  }
  void reset() { guard_.reset(); }

 private:
  std::optional<InlineDeviceGuard<T>> guard_;
};

}  // namespace c10::impl
