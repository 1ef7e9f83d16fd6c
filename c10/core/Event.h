#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

namespace c10 {

/// A point in a stream of a device that is known at run time: record it there, wait for it here.
class C10_API Event final {
 public:
  explicit Event(DeviceType device_type, EventFlag flag = EventFlag::PYTORCH_DEFAULT)
      : impl_(device_type), flag_(flag) {}
  C10_DISABLE_COPY_AND_ASSIGN(Event);
  ~Event() { impl_.destroyEvent(event_, device_index_); }

  DeviceType device_type() const noexcept { return impl_.type(); }
  bool was_marked_for_recording() const noexcept { return recorded_; }

  void recordOnce(const Stream& stream) {
    if (!recorded_) record(stream);
  }
  void record(const Stream& stream) {
    TORCH_CHECK(stream.device_type() == device_type(), "Event device type ", device_type(),
                " does not match recording stream's device type ", stream.device_type(), ".");
    impl_.record(&event_, stream, device_index_, flag_);
    recorded_ = true;
    device_index_ = stream.device_index();
  }
  /// Work of `stream` queued from now on waits for the event.
  void block(const Stream& stream) const {
    if (recorded_) impl_.block(event_, stream);
  }
  bool query() const { return !recorded_ || impl_.queryEvent(event_); }
  void synchronize() const {
    if (recorded_) impl_.synchronizeEvent(event_);
  }

 private:
  impl::VirtualGuardImpl impl_;
  EventFlag flag_;
  void* event_ = nullptr;
  DeviceIndex device_index_ = -1;
  bool recorded_ = false;
};

}  // namespace c10
