#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

namespace c10 {

/// A point in a stream of any device: `record` marks it, and other streams (`block`) or the CPU
/// (`synchronize`) wait for it. Owns the backend's event. Not thread-safe.
class C10_API Event final {
 public:
  /// Creates the backend's event at the first `record`.
  explicit Event(DeviceType device_type, EventFlag flag = EventFlag::PYTORCH_DEFAULT)
      : impl_(device_type), flag_(flag) {}
  C10_DISABLE_COPY_AND_ASSIGN(Event);
  ~Event() { impl_.destroyEvent(event_, device_index_); }

  DeviceType device_type() const noexcept { return impl_.type(); }
  /// Whether `record` was called.
  bool was_marked_for_recording() const noexcept { return recorded_; }

  /// Records the event unless that was done before.
  void recordOnce(const Stream& stream) {
    if (!recorded_) record(stream);
  }
  /// Marks the end of the work queued on `stream` so far. Recording again moves the mark. Throws
  /// c10::Error if the stream is of another device type.
  void record(const Stream& stream) {
    TORCH_CHECK(stream.device_type() == device_type(), "Event device type ", device_type(),
                " does not match recording stream's device type ", stream.device_type(), ".");
    impl_.record(&event_, stream, device_index_, flag_);
    recorded_ = true;
    device_index_ = stream.device_index();
  }
  /// Makes work that is queued on `stream` from now on wait for the event. Does not block the CPU.
  void block(const Stream& stream) const {
    if (recorded_) impl_.block(event_, stream);
  }
  /// Whether the work before the event is done; true if it was never recorded.
  bool query() const { return !recorded_ || impl_.queryEvent(event_); }
  /// Blocks the calling thread until the work before the event is done.
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
