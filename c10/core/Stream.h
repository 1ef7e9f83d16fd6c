#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace c10 {

/// A stream's number on its device. Its meaning is private to the device's backend.
using StreamId = int64_t;

/// A queue of work on a device. Work of one stream runs in order; streams run concurrently. This is
/// a value that names a stream and owns nothing.
class C10_API Stream final {
 public:
  enum Unsafe { UNSAFE };
  enum Default { DEFAULT };

  /// Names a stream by its number. Backends call this; the number is not checked.
  explicit Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
  /// The device's default stream, which has number 0 on every device.
  explicit Stream(Default, Device device) : device_(device), id_(0) {}

  bool operator==(const Stream& other) const noexcept = default;
  Device device() const noexcept { return device_; }
  DeviceType device_type() const noexcept { return device_.type(); }
  DeviceIndex device_index() const noexcept { return device_.index(); }
  StreamId id() const noexcept { return id_; }

  /// Whether all work that was queued so far is done. Does not block.
  bool query() const;
  /// Blocks the calling thread until all work that was queued so far is done.
  void synchronize() const;
  /// Of the device and the number; equal streams have equal hashes.
  size_t hash() const noexcept {
    return static_cast<size_t>(static_cast<uint8_t>(device_type())) << 56 |
           static_cast<size_t>(static_cast<uint8_t>(device_index())) << 48 |
           (static_cast<size_t>(id_) & ((size_t{1} << 48) - 1));
  }

 private:
  Device device_;
  StreamId id_;
};

C10_API std::ostream& operator<<(std::ostream& stream, const Stream& s);

}  // namespace c10

template <>
struct std::hash<c10::Stream> {
  size_t operator()(c10::Stream s) const noexcept { return s.hash(); }
};
