#include "c10/cuda/fake_cuda_runtime.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

// Work on a stream is a count: an event remembers how much had been queued when it was recorded.
struct CUstream_st {
  int priority = 0;
  int queued = 0;
  int done = 0;
};
struct CUevent_st {
  CUstream_st* stream = nullptr;
  int at = 0;
};

namespace {

constexpr int kDevices = 2;

int current = 0;
cudaError_t count_error = cudaSuccess;
cudaError_t last_error = cudaSuccess;
size_t capacity = size_t{64} << 20;
size_t used_bytes[kDevices] = {};
int malloc_count = 0;
cudaStream_t captured = nullptr;
cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

std::map<void*, std::pair<int, size_t>>& allocations() {
  static std::map<void*, std::pair<int, size_t>> all;
  return all;
}

std::unordered_map<CUstream_st*, int>& streams() {
  static std::unordered_map<CUstream_st*, int> all;
  return all;
}

CUstream_st default_stream;
CUstream_st* real(cudaStream_t stream) { return stream == nullptr ? &default_stream : stream; }

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

}  // namespace

namespace fake_cuda {

void set_capacity(size_t bytes) { capacity = bytes; }
size_t used() { return used_bytes[current]; }
int mallocs() { return malloc_count; }
void capture(cudaStream_t stream) { captured = stream; }
void finish(cudaStream_t stream) { real(stream)->done = real(stream)->queued; }
void finish() {
  finish(nullptr);
  for (const auto& [stream, device] : streams()) finish(stream);
}
void set_device_count_error(cudaError_t error) { count_error = error; }

}  // namespace fake_cuda

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = count_error == cudaSuccess ? kDevices : 0;
  return remember(count_error);
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= kDevices) return remember(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  fake_cuda::finish();
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 12040;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? 6 : 1;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorNoKernelImageForDevice ? "cudaErrorNoKernelImageForDevice"
                                                  : "cudaErrorFake";
}
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorNoKernelImageForDevice
             ? "no kernel image is available for execution on the device"
             : "fake error";
}

cudaError_t cudaMalloc(void** data, size_t size) {
  if (captured != nullptr && capture_mode != cudaStreamCaptureModeRelaxed) {
    return remember(cudaErrorStreamCaptureUnsupported);
  }
  if (used_bytes[current] + size > capacity) return remember(cudaErrorMemoryAllocation);
  *data = std::malloc(size);
  used_bytes[current] += size;
  allocations()[*data] = {current, size};
  ++malloc_count;
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  const auto found = allocations().find(data);
  if (found == allocations().end()) return remember(cudaErrorInvalidValue);
  used_bytes[found->second.first] -= found->second.second;
  allocations().erase(found);
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
  *total = capacity;
  *free_bytes = capacity - used_bytes[current];
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind,
                            cudaStream_t stream) {
  std::memcpy(to, from, count);
  ++real(stream)->queued;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = 0;
  *highest = -2;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  *stream = new CUstream_st{priority};
  streams()[*stream] = current;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = stream == captured ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return real(stream)->done < real(stream)->queued ? remember(cudaErrorNotReady) : cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  fake_cuda::finish(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  *priority = real(stream)->priority;
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t, unsigned) {
  ++real(stream)->queued;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->stream = real(stream);
  event->at = ++event->stream->queued;
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (event->stream == nullptr || event->stream->done >= event->at) return cudaSuccess;
  return remember(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event->stream != nullptr) fake_cuda::finish(event->stream);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

}  // extern "C"
