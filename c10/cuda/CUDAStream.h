#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <iosfwd>

namespace c10::cuda {

/// A stream of a GPU: a c10::Stream whose device is known to be one. Streams are never destroyed;
/// those of the pool are handed out in turn.
class C10_CUDA_API CUDAStream {
 public:
  enum Unchecked { UNCHECKED };

  /// Throws unless the stream is a GPU's.
  explicit CUDAStream(Stream stream) : stream_(stream) {
    TORCH_CHECK(stream.device_type() == DeviceType::CUDA,
                "expected a stream of a CUDA device, got one of ", stream.device_type());
  }
  explicit CUDAStream(Unchecked, Stream stream) : stream_(stream) {}

  bool operator==(const CUDAStream& other) const noexcept = default;
  /// The runtime's handle.
  cudaStream_t stream() const;
  operator cudaStream_t() const { return stream(); }  // NOLINT: as PyTorch's
  operator Stream() const { return stream_; }         // NOLINT: as PyTorch's

  DeviceType device_type() const { return DeviceType::CUDA; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }
  Stream unwrap() const { return stream_; }

  /// Has all its work been done?
  bool query() const;
  /// Waits until it has.
  void synchronize() const;
  /// 0 is the lowest; smaller numbers go first.
  int priority() const;

 private:
  Stream stream_;
};

/// The next stream of a device's pool (-1: the current device), of high or normal priority.
C10_CUDA_API CUDAStream getStreamFromPool(bool isHighPriority = false, DeviceIndex device = -1);
/// The same by priority: 0 is normal, -1 and less high, as far as the GPU has priorities.
C10_CUDA_API CUDAStream getStreamFromPool(int priority, DeviceIndex device = -1);
/// A stream that somebody else made and keeps.
C10_CUDA_API CUDAStream getStreamFromExternal(cudaStream_t ext_stream, DeviceIndex device_index);
/// The stream on which work runs when nobody chose another.
C10_CUDA_API CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1);
/// The stream of this thread for a device.
C10_CUDA_API CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1);
C10_CUDA_API void setCurrentCUDAStream(CUDAStream stream);

C10_CUDA_API std::ostream& operator<<(std::ostream& stream, const CUDAStream& s);

}  // namespace c10::cuda

template <>
struct std::hash<c10::cuda::CUDAStream> {
  size_t operator()(c10::cuda::CUDAStream s) const noexcept { return s.unwrap().hash(); }
};
