// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/cuda/emulator/device_memory.h"
#include "tests/cuda/emulator/ptx.h"
#include "tests/cuda/emulator/runtime.h"

namespace emulator {
namespace {

void initialise() {
  static const bool once = [] {
    set_find_allocation(&find_allocation);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

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
  if (device != 0) return remember(cudaErrorInvalidDevice);
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
