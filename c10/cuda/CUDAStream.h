#pragma once

#include <c10/core/Device.h>
#include <c10/core/Stream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <cstdint>
#include <iosfwd>

namespace c10::cuda {

/// A c10::Stream of a GPU. This is a value that owns nothing: streams are never destroyed.
class C10_CUDA_API CUDAStream {
 public:
  enum Unchecked { UNCHECKED };

  /// Throws c10::Error if the stream is not of a CUDA device.
  explicit CUDAStream(Stream stream) : stream_(stream) {
    TORCH_CHECK(stream.device_type() == DeviceType::CUDA,
                "expected a stream of a CUDA device, got one of ", stream.device_type());
  }
  explicit CUDAStream(Unchecked, Stream stream) : stream_(stream) {}

  bool operator==(const CUDAStream& other) const noexcept = default;
  /// The handle of the CUDA runtime; 0 for the default stream.
  cudaStream_t stream() const;
  operator cudaStream_t() const { return stream(); }  // NOLINT: as PyTorch's
  operator Stream() const { return stream_; }         // NOLINT: as PyTorch's

  DeviceType device_type() const { return DeviceType::CUDA; }
  DeviceIndex device_index() const { return stream_.device_index(); }
  Device device() const { return stream_.device(); }
  StreamId id() const { return stream_.id(); }
  Stream unwrap() const { return stream_; }

  /// Whether all work that was queued so far is done. Does not block.
  bool query() const;
  /// Blocks the calling thread until all work that was queued so far is done.
  void synchronize() const;
  /// The priority: 0 is the lowest, negative numbers are served first.
  int priority() const;

 private:
  Stream stream_;
};

/// The next stream of a device's pool, in turn: two calls may return the same stream. Device -1 is
/// the current one.
C10_CUDA_API CUDAStream getStreamFromPool(bool isHighPriority = false, DeviceIndex device = -1);
/// The same by priority: 0 is normal, negative is high. What the GPU lacks is clamped.
C10_CUDA_API CUDAStream getStreamFromPool(int priority, DeviceIndex device = -1);
/// A stream that other code made. It is not owned and must outlive all use.
C10_CUDA_API CUDAStream getStreamFromExternal(cudaStream_t ext_stream, DeviceIndex device_index);
/// The default stream of a device.
C10_CUDA_API CUDAStream getDefaultCUDAStream(DeviceIndex device_index = -1);
/// The current stream of this thread on a device: kernels are launched on it.
C10_CUDA_API CUDAStream getCurrentCUDAStream(DeviceIndex device_index = -1);
/// Makes a stream the current one of its device in this thread. The current device stays.
C10_CUDA_API void setCurrentCUDAStream(CUDAStream stream);

C10_CUDA_API std::ostream& operator<<(std::ostream& stream, const CUDAStream& s);

}  // namespace c10::cuda

template <>
struct std::hash<c10::cuda::CUDAStream> {
  size_t operator()(c10::cuda::CUDAStream s) const noexcept { return s.unwrap().hash(); }
};
