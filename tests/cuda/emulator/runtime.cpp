// The functions of CUDA's runtime that the tree calls, for one emulated GPU. The semantics are those of NVIDIA's "CUDA
// Runtime API" reference.

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/cuda/emulator/device_code.h"
#include "tests/cuda/emulator/device_memory.h"
#include "tests/cuda/emulator/ptx.h"
#include "tests/cuda/emulator/streams.h"

namespace emulator {
namespace {

// Those of an A100, but for the number of multiprocessors: kernels that make their grid by it loop.
constexpr int kMultiprocessors = 4;
constexpr int kThreadsPerMultiprocessor = 2048;
constexpr int kThreadsPerBlock = 1024;
constexpr int kBlocksPerMultiprocessor = 32;
constexpr int kRegisters = 65536;
constexpr int kSharedPerBlock = 48 * 1024;
constexpr int kSharedPerBlockOptin = 163 * 1024;
constexpr int kSharedPerMultiprocessor = 164 * 1024;
constexpr int kHighestPriority = -5;

// One thing at a time. Work of a stream runs with it held.
std::recursive_mutex& lock_of_runtime() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}
using Lock = std::lock_guard<std::recursive_mutex>;

thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;
// Of a kernel that failed: every later call fails, as on a GPU. EMULATED_CUDA_RECOVER=1 lets the next ones pass.
cudaError_t failed = cudaSuccess;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string(value) == "1";
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

// The result of a call: its own error, or that of a kernel that failed before.
cudaError_t answer(cudaError_t error = cudaSuccess) {
  if (failed == cudaSuccess) return remember(error);
  const cudaError_t result = failed;
  static const bool recover = is_set("EMULATED_CUDA_RECOVER");
  if (recover) failed = cudaSuccess;
  return remember(result);
}

// The same for what destructors call: they have nobody to tell, and the next call fails too.
cudaError_t answer_of_free(bool found) {
  if (failed != cudaSuccess) return remember(failed);
  return remember(found ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t error_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::kAssert:
      return cudaErrorAssert;
    case Error::Kind::kAddress:
      return cudaErrorIllegalAddress;
    case Error::Kind::kMisaligned:
      return cudaErrorMisalignedAddress;
    case Error::Kind::kLaunch:
      return cudaErrorInvalidConfiguration;
    case Error::Kind::kDeadlock:
      return cudaErrorLaunchTimeout;
    case Error::Kind::kSyntax:
      return cudaErrorInvalidPtx;
    default:
      return cudaErrorLaunchFailure;
  }
}

void report(const Error& error) { std::fprintf(stderr, "%s\n", error.what()); }

// A kernel and all that it was called with, for now or for every replay.
class Call {
 public:
  Call(const Kernel* kernel, const Launch& launch) : kernel_(kernel), launch_(launch) {
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const auto* bytes = static_cast<const char*>(launch.arguments[i]);
      arguments_.emplace_back(bytes, bytes + kernel->parameters[i].bytes);
    }
  }

  void operator()() {
    if (failed != cudaSuccess) return;
    std::vector<void*> pointers;
    pointers.reserve(arguments_.size());
    for (auto& argument : arguments_) pointers.push_back(argument.data());
    launch_.arguments = pointers.data();
    try {
      const DeviceAccess access;
      run(*kernel_, launch_);
    } catch (const Error& error) {
      report(error);
      failed = error_of(error.kind());
    }
  }

 private:
  const Kernel* kernel_;
  Launch launch_;
  std::vector<std::vector<char>> arguments_;
};

// Queues work; waits for it where CUDA_LAUNCH_BLOCKING=1 says so.
cudaError_t submit(cudaStream_t handle, Work work) {
  CUstream_st* stream = stream_of(handle);
  const cudaError_t error = enqueue(stream, std::move(work));
  static const bool blocking = is_set("CUDA_LAUNCH_BLOCKING");
  if (blocking && error == cudaSuccess && stream->capture == nullptr) finish(stream);
  return answer(error);
}

cudaError_t launch(HostKernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream) {
  if (kernel == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  try {
    if (!load(kernel)) return answer(cudaErrorNoKernelImageForDevice);
  } catch (const Error& error) {
    report(error);
    return answer(cudaErrorInvalidPtx);
  }
  const Kernel& code = *kernel->kernel;
  const auto threads = std::size_t{block.x} * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || grid.x > 0x7fffffff || grid.y > 0xffff ||
      grid.z > 0xffff || block.x > 1024 || block.y > 1024 || block.z > 64 || threads > kThreadsPerBlock) {
    return answer(cudaErrorInvalidConfiguration);
  }
  // The GPU hands out registers to warps, in eights for each thread.
  const auto registers = static_cast<std::size_t>((kernel->registers + 7) / 8 * 8) * ((threads + 31) / 32 * 32);
  if (threads > static_cast<std::size_t>(code.max_threads) || registers > kRegisters) {
    std::fprintf(stderr, "%s: %zu threads of %d registers in a block, at most %d threads\n", kernel->name.c_str(),
                 threads, kernel->registers, code.max_threads);
    return answer(cudaErrorLaunchOutOfResources);
  }
  if (shared > kernel->dynamic_shared_limit || shared + code.shared_bytes > kSharedPerBlockOptin ||
      (kernel->dynamic_shared_limit <= kSharedPerBlock && shared + code.shared_bytes > kSharedPerBlock)) {
    return answer(cudaErrorInvalidValue);
  }
  Launch how;
  how.grid = {grid.x, grid.y, grid.z};
  how.block = {block.x, block.y, block.z};
  how.dynamic_shared_bytes = shared;
  how.arguments = arguments;
  return submit(stream, Call(&code, how));
}

bool is_device(cudaMemcpyKind kind, bool target) {
  return kind == cudaMemcpyDeviceToDevice ||
         kind == (target ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
}

// Whether pointers are of the kinds that a call says, and all their bytes are allocated.
bool fits(const void* data, std::size_t bytes, cudaMemcpyKind kind, bool target) {
  if (!is_allocated(data, bytes)) return false;
  return kind == cudaMemcpyDefault || is_device(kind, target) == (place_of(data) == Place::kDevice);
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
  if (bytes == 0) return answer();
  if (!fits(to, bytes, kind, true) || !fits(from, bytes, kind, false)) return answer(cudaErrorInvalidValue);
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

void initialise() {
  static const bool once = [] {
    set_find_allocation(&find_allocation);
    return true;
  }();
  static_cast<void>(once);
}

struct Name {
  cudaError_t error;
  const char* name;
  const char* text;
};
#define NAMED(error, text) \
  { error, #error, text }
constexpr Name kNames[] = {
    NAMED(cudaSuccess, "no error"),
    NAMED(cudaErrorInvalidValue, "invalid argument"),
    NAMED(cudaErrorMemoryAllocation, "out of memory"),
    NAMED(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    NAMED(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    NAMED(cudaErrorInvalidDevice, "invalid device ordinal"),
    NAMED(cudaErrorInvalidDeviceFunction, "invalid device function"),
    NAMED(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    NAMED(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    NAMED(cudaErrorNotReady, "device not ready"),
    NAMED(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    NAMED(cudaErrorMisalignedAddress, "misaligned address"),
    NAMED(cudaErrorAssert, "device-side assert triggered"),
    NAMED(cudaErrorLaunchFailure, "unspecified launch failure"),
    NAMED(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    NAMED(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    NAMED(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    NAMED(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    NAMED(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    NAMED(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    NAMED(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    NAMED(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    NAMED(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    NAMED(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    NAMED(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream"),
};
#undef NAMED

const Name* name_of(cudaError_t error) {
  for (const Name& name : kNames) {
    if (name.error == error) return &name;
  }
  return nullptr;
}

// The launch that a `<<<...>>>` describes, until the kernel's stub takes it.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

}  // namespace
}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

// Registration, before main().

void** __cudaRegisterFatBinary(void* wrapper) {
  const Lock lock(lock_of_runtime());
  return reinterpret_cast<void**>(add_binary(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** binary, const char* host_function, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  const Lock lock(lock_of_runtime());
  add_kernel(reinterpret_cast<FatBinary*>(binary), host_function, name);
}
// No function that the tree calls names a variable.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

// Launches.

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return answer(cudaErrorInvalidConfiguration);
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  configurations.pop_back();
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const Lock lock(lock_of_runtime());
  *kernel = reinterpret_cast<cudaKernel_t>(kernel_of(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return launch(reinterpret_cast<HostKernel*>(kernel), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return launch(kernel_of(function), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function, void** arguments) {
  const Lock lock(lock_of_runtime());
  return launch(kernel_of(function), how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes, how->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  if (!load(kernel)) return answer(cudaErrorNoKernelImageForDevice);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->kernel->shared_bytes;
  attributes->constSizeBytes = kernel->kernel->constant_bytes;
  attributes->localSizeBytes = kernel->kernel->local_bytes;
  attributes->maxThreadsPerBlock = kernel->kernel->max_threads;
  attributes->numRegs = kernel->registers;
  attributes->ptxVersion = attributes->binaryVersion = 80;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared_limit);
  return answer();
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  if (!load(kernel)) return answer(cudaErrorNoKernelImageForDevice);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return answer();
  if (value < 0 || static_cast<std::size_t>(value) + kernel->kernel->shared_bytes > kSharedPerBlockOptin) {
    return answer(cudaErrorInvalidValue);
  }
  kernel->dynamic_shared_limit = static_cast<std::size_t>(value);
  return answer();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t shared, unsigned) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (kernel == nullptr) return answer(cudaErrorInvalidDeviceFunction);
  if (!load(kernel)) return answer(cudaErrorNoKernelImageForDevice);
  if (threads <= 0) return answer(cudaErrorInvalidValue);
  *blocks = std::min(kBlocksPerMultiprocessor, kThreadsPerMultiprocessor / threads);
  if (kernel->registers > 0) *blocks = std::min(*blocks, kRegisters / (kernel->registers * threads));
  const std::size_t bytes = shared + kernel->kernel->shared_bytes;
  if (bytes > 0) *blocks = std::min(*blocks, static_cast<int>(kSharedPerMultiprocessor / bytes));
  return answer();
}

// Errors.

cudaError_t cudaGetLastError() { return std::exchange(last_error, failed); }
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t error) {
  const Name* name = name_of(error);
  return name == nullptr ? "cudaErrorUnknown" : name->name;
}
const char* cudaGetErrorString(cudaError_t error) {
  const Name* name = name_of(error);
  return name == nullptr ? "unknown error" : name->text;
}

// Devices.

cudaError_t cudaGetDeviceCount(int* count) {
  initialise();
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  *count = visible != nullptr && *visible == '\0' ? 0 : 1;
  return remember(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return remember(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceSynchronize() {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(cudaStreamCaptureModeGlobal)) return answer(error);
  finish_all();
  return answer();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return remember(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device != 0) return remember(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "Emulated GPU");
  properties->major = 8;
  properties->minor = 0;
  properties->totalGlobalMem = device_capacity();
  properties->multiProcessorCount = kMultiprocessors;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = kThreadsPerBlock;
  properties->maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  properties->maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  properties->sharedMemPerBlock = kSharedPerBlock;
  properties->sharedMemPerBlockOptin = kSharedPerBlockOptin;
  properties->sharedMemPerMultiprocessor = kSharedPerMultiprocessor;
  properties->regsPerBlock = properties->regsPerMultiprocessor = kRegisters;
  properties->unifiedAddressing = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return remember(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = 8;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = kMultiprocessors;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = kThreadsPerMultiprocessor;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = kSharedPerBlock;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = kSharedPerBlockOptin;
      return cudaSuccess;
    case cudaDevAttrMaxGridDimX:
      *value = 0x7fffffff;
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = 32;
      return cudaSuccess;
    case cudaDevAttrUnifiedAddressing:
      *value = 1;
      return cudaSuccess;
    default:
      std::fprintf(stderr, "the emulated GPU has no attribute %d\n", static_cast<int>(attribute));
      return remember(cudaErrorInvalidValue);
  }
}

// Memory.

cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  *data = nullptr;
  if (bytes > 0 && (*data = device_allocate(bytes)) == nullptr) return answer(cudaErrorMemoryAllocation);
  return answer();
}
cudaError_t cudaFree(void* data) {
  const Lock lock(lock_of_runtime());
  if (data == nullptr) return answer();
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  finish_all();
  return answer_of_free(device_free(data));
}
cudaError_t cudaHostAlloc(void** data, std::size_t bytes, unsigned) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  *data = host_allocate(bytes);
  return answer(*data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
cudaError_t cudaFreeHost(void* data) {
  const Lock lock(lock_of_runtime());
  if (data == nullptr) return answer();
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  finish_all();
  return answer_of_free(host_free(data));
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  const Lock lock(lock_of_runtime());
  *total = device_capacity();
  *free_bytes = *total - device_used();
  return answer();
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* data) {
  const Lock lock(lock_of_runtime());
  *attributes = {};
  const Place place = place_of(data);
  attributes->type = place == Place::kPageable ? cudaMemoryTypeUnregistered
                     : place == Place::kPinned ? cudaMemoryTypeHost
                                               : cudaMemoryTypeDevice;
  attributes->device = place == Place::kPageable ? -2 : 0;
  if (place != Place::kDevice) attributes->hostPointer = const_cast<void*>(data);
  if (place != Place::kPageable) attributes->devicePointer = const_cast<void*>(data);
  return answer();
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return copy(to, from, bytes, kind, stream);
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  const cudaError_t error = copy(to, from, bytes, kind, nullptr);
  finish(default_stream());
  return answer(error);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return copy(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
cudaError_t cudaMemsetAsync(void* data, int value, std::size_t bytes, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  if (bytes == 0) return answer();
  if (place_of(data) == Place::kPageable || !is_allocated(data, bytes)) return answer(cudaErrorInvalidValue);
  return submit(stream, [data, value, bytes] {
    const DeviceAccess access;
    std::memset(data, value, bytes);
  });
}

// Streams.

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = 0;
  *highest = kHighestPriority;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const Lock lock(lock_of_runtime());
  *stream = create_stream(std::clamp(priority, kHighestPriority, 0), (flags & cudaStreamNonBlocking) == 0);
  return answer();
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const Lock lock(lock_of_runtime());
  *priority = stream_of(stream)->priority;
  return answer();
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const Lock lock(lock_of_runtime());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = asks_about(stream->capture)) return answer(error);
  if (is_done(stream)) return answer();
  advance(stream);
  return answer(cudaErrorNotReady);
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const Lock lock(lock_of_runtime());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = asks_about(stream->capture)) return answer(error);
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  finish(stream);
  return answer();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Lock lock(lock_of_runtime());
  return answer(wait(stream_of(stream), event));
}

// Events.

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  *event = new CUevent_st;
  (*event)->timing = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return answer(record(event, stream_of(stream)));
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  if (event->capture != nullptr) return answer(asks_about(event->capture) ? cudaErrorCapturedEvent : cudaErrorInvalidValue);
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  if (event->stream == nullptr || event->stream->done >= event->at) return answer();
  advance(event->stream);
  return answer(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  if (event->capture != nullptr) return answer(asks_about(event->capture) ? cudaErrorCapturedEvent : cudaErrorInvalidValue);
  if (const cudaError_t error = unsafe_call(capture_mode)) return answer(error);
  if (event->stream != nullptr) finish(event->stream, event->at);
  return answer();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const Lock lock(lock_of_runtime());
  for (const CUevent_st* event : {start, end}) {
    if (!event->timing || event->time == nullptr) return answer(cudaErrorInvalidResourceHandle);
    if (event->stream->done < event->at) return answer(cudaErrorNotReady);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  return answer();
}

// Graphs.

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, capture_mode);
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const Lock lock(lock_of_runtime());
  const Capture* capture = stream_of(handle)->capture;
  *status = capture == nullptr                  ? cudaStreamCaptureStatusNone
            : capture->invalid == cudaSuccess ? cudaStreamCaptureStatusActive
                                                : cudaStreamCaptureStatusInvalidated;
  return answer();
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const Lock lock(lock_of_runtime());
  return answer(begin_capture(stream_of(stream), mode));
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const Lock lock(lock_of_runtime());
  *graph = nullptr;
  std::vector<Work> work;
  const cudaError_t error = end_capture(stream_of(stream), &work);
  if (error == cudaSuccess) *graph = new CUgraph_st{std::move(work)};
  return answer(error);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{std::make_shared<const std::vector<Work>>(graph->work)};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return submit(stream, [work = executable->work] {
    for (const Work& item : *work) item();
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

}  // extern "C"

#pragma GCC visibility pop
