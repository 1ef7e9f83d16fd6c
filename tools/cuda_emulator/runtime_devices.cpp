// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/cuda_emulator/device_memory.h"
#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

thread_local int current = 0;

// A number of the environment, or what holds without it.
int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

// As cudaDriverGetVersion tells it: EMULATED_CUDA_DRIVER=11.4 is 11040; the runtime's own version
// without it.
int driver_version() {
  const char* text = std::getenv("EMULATED_CUDA_DRIVER");
  int major = 0;
  int minor = 0;
  if (text == nullptr) return CUDART_VERSION;
  if (std::sscanf(text, "%d.%d", &major, &minor) == 2) return 1000 * major + 10 * minor;
  std::fprintf(stderr, "EMULATED_CUDA_DRIVER is '%s': it is a version such as 12.4\n", text);
  std::exit(1);
}

bool exists(int device) { return device >= 0 && device < device_count(); }

}  // namespace

int device_count() {
  static const int count = setting("EMULATED_CUDA_DEVICES", 1);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && *visible == '\0' ? 0 : count;
}

int current_device() { return current; }

const Gpu& gpu() {
  static const Gpu found = [] {
    constexpr Gpu kGpus[] = {{8, 0, 163 * 1024, 164 * 1024}, {9, 0, 227 * 1024, 228 * 1024}};
    const char* wanted = std::getenv("EMULATED_CUDA_CAPABILITY");
    if (wanted == nullptr || std::strcmp(wanted, "8.0") == 0) return kGpus[0];
    if (std::strcmp(wanted, "9.0") == 0) return kGpus[1];
    std::fprintf(stderr, "EMULATED_CUDA_CAPABILITY is '%s': it may be 8.0 or 9.0\n", wanted);
    std::exit(1);
  }();
  return found;
}

}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  // A driver serves every runtime of its major version.
  if (driver_version() / 1000 < CUDART_VERSION / 1000) return remember(cudaErrorInsufficientDriver);
  *count = device_count();
  return remember(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (!exists(device)) return remember(cudaErrorInvalidDevice);
  current = device;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  const Lock lock(lock_of_runtime());
  if (const cudaError_t error = unsafe_call(cudaStreamCaptureModeGlobal)) return answer(error);
  finish_all(current);
  return answer();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = driver_version();
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  const bool two = exists(device) && exists(peer) && device != peer;
  return remember(two ? cudaSuccess : cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!exists(device)) return remember(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "Emulated GPU");
  properties->major = gpu().major;
  properties->minor = gpu().minor;
  properties->totalGlobalMem = device_capacity();
  properties->multiProcessorCount = kMultiprocessors;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = kThreadsPerBlock;
  properties->maxThreadsPerMultiProcessor = kThreadsPerMultiprocessor;
  properties->maxBlocksPerMultiProcessor = kBlocksPerMultiprocessor;
  properties->sharedMemPerBlock = kSharedPerBlock;
  properties->sharedMemPerBlockOptin = gpu().shared_per_block_optin;
  properties->sharedMemPerMultiprocessor = gpu().shared_per_multiprocessor;
  properties->regsPerBlock = properties->regsPerMultiprocessor = kRegisters;
  properties->unifiedAddressing = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!exists(device)) return remember(cudaErrorInvalidDevice);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = gpu().major;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = gpu().minor;
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
      *value = gpu().shared_per_block_optin;
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

}  // extern "C"

#pragma GCC visibility pop
