// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <cstring>
#include <utility>
#include <vector>

#include "tools/cuda_emulator/device_memory.h"
#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

bool is_device(cudaMemcpyKind kind, bool target) {
  return kind == cudaMemcpyDeviceToDevice ||
         kind == (target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

// Whether pointers are of the kinds that a call says, and all their bytes are allocated.
bool fits(const void* data, std::size_t bytes, cudaMemcpyKind kind, bool target) {
  if (!is_allocated(data, bytes)) return false;
  return kind == cudaMemcpyDefault || is_device(kind, target) == (place_of(data) == Place::kDevice);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                 cudaStream_t handle) {
  if (bytes == 0) return answer();
  if (!fits(to, bytes, kind, true) || !fits(from, bytes, kind, false))
    return answer(cudaErrorInvalidValue);
  CUstream_st* stream = stream_of(handle);
  const char* const source = static_cast<const char*>(from);
  // What is not pinned is read before the call returns, and written before it does.
  if (place_of(from) == Place::kPageable && stream->capture == nullptr) {
    std::vector<char> staged(source, source + bytes);
    return submit(handle, [to, staged = std::move(staged)] {
      const DeviceAccess access;
      std::memcpy(to, staged.data(), staged.size());
    });
  }
  const cudaError_t error = submit(handle, [to, from, bytes] {
    const DeviceAccess access;
    std::memmove(to, from, bytes);
  });
  if (place_of(to) == Place::kPageable && stream->capture == nullptr) finish(stream);
  return answer(error);
}

}  // namespace
}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  *data = nullptr;
  if (bytes > 0 && (*data = device_allocate(bytes, current_device())) == nullptr)
    return answer(cudaErrorMemoryAllocation);
  return answer();
}
cudaError_t cudaFree(void* data) {
  const Lock lock(lock_of_runtime());
  if (data == nullptr) return answer();
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  finish_all(device_of(data));
  return answer_of_free(device_free(data));
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  *data = host_allocate(bytes);
  return answer(*data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFreeHost(void* data) {
  const Lock lock(lock_of_runtime());
  if (data == nullptr) return answer();
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  for (int device = 0; device < device_count(); ++device) finish_all(device);
  return answer_of_free(host_free(data));
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  const Lock lock(lock_of_runtime());
  *total = device_capacity();
  *free_bytes = *total - device_used(current_device());
  return answer();
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* data) {
  const Lock lock(lock_of_runtime());
  *attributes = {};
  const Place place = place_of(data);
  attributes->type = place == Place::kPageable ? cudaMemoryTypeUnregistered
                     : place == Place::kPinned ? cudaMemoryTypeHost
                                               : cudaMemoryTypeDevice;
  attributes->device = place == Place::kPageable ? -2 : device_of(data);
  if (place != Place::kDevice) attributes->hostPointer = const_cast<void*>(data);
  if (place != Place::kPageable) attributes->devicePointer = const_cast<void*>(data);
  return answer();
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return copy(to, from, bytes, kind, stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  const cudaError_t error = copy(to, from, bytes, kind, nullptr);
  finish(default_stream(current_device()));
  return answer(error);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes,
                                cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  if (bytes == 0) return answer();
  if (place_of(data) == Place::kPageable || !is_allocated(data, bytes))
    return answer(cudaErrorInvalidValue);
  return submit(stream, [data, value, bytes] {
    const DeviceAccess access;
    std::memset(data, value, bytes);
  });
}

}  // extern "C"

#pragma GCC visibility pop
