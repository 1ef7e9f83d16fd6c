#pragma once

// Makes a stream of any device current for a scope, and its device.

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/macros/Macros.h>

#include <optional>

namespace c10 {

/// The stream and the device that were current are so again at the end of the scope.
struct StreamGuard {
  StreamGuard() = delete;
  /// Throws c10::Error if the build has no backend for the stream's device.
  explicit StreamGuard(Stream stream)
      : impl_(stream.device_type()),
        original_device_(impl_.getDevice()),
        current_stream_(stream),
        original_stream_(enter(stream)) {}
  C10_DISABLE_COPY_AND_ASSIGN(StreamGuard);
  ~StreamGuard() { leave(); }

  /// Another stream for the rest of the scope; the first one's state is restored at once.
  void reset_stream(Stream stream) {
    leave();
    impl_ = impl::VirtualGuardImpl(stream.device_type());
    original_device_ = impl_.getDevice();
    current_stream_ = stream;
    original_stream_ = enter(stream);
  }

  /// What was current before the scope, and what is current in it.
  Stream original_stream() const { return original_stream_; }
  Stream current_stream() const { return current_stream_; }
  Device original_device() const { return original_device_; }
  Device current_device() const { return current_stream_.device(); }

 private:
  Stream enter(Stream stream) {
    impl_.setDevice(stream.device());
    return impl_.exchangeStream(stream);
  }
  void leave() {
    impl_.exchangeStream(original_stream_);
    impl_.setDevice(original_device_);
  }

  impl::VirtualGuardImpl impl_;
  Device original_device_;
  Stream current_stream_;
  Stream original_stream_;
};

/// A guard that may have no stream.
struct OptionalStreamGuard {
  OptionalStreamGuard() = default;
  explicit OptionalStreamGuard(Stream stream) { guard_.emplace(stream); }
  explicit OptionalStreamGuard(std::optional<Stream> stream) {
    if (stream) guard_.emplace(*stream);
  }
  C10_DISABLE_COPY_AND_ASSIGN(OptionalStreamGuard);

  /// Another stream for the rest of the scope; the first one for a guard without a stream.
  void reset_stream(Stream stream) {
    if (guard_) {
      guard_->reset_stream(stream);
    } else {
      guard_.emplace(stream);
    }
  }
  /// Ends the guard before its scope ends.
  void reset() { guard_.reset(); }
  /// As StreamGuard's; nullopt for a guard without a stream.
  std::optional<Stream> original_stream() const {
    return guard_ ? std::make_optional(guard_->original_stream()) : std::nullopt;
  }
  std::optional<Stream> current_stream() const {
    return guard_ ? std::make_optional(guard_->current_stream()) : std::nullopt;
  }

 private:
  std::optional<StreamGuard> guard_;
};

}  // namespace c10
