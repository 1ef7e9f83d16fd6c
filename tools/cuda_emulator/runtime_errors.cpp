// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <cstdlib>
#include <string>
#include <utility>

#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
cudaError_t failed = cudaSuccess;

struct Name {
  cudaError_t error;
  const char* name;
  const char* text;
};
#define NAMED(error, text) {error, #error, text}
constexpr Name kNames[] = {
    NAMED(cudaSuccess, "no error"),
    NAMED(cudaErrorInvalidValue, "invalid argument"),
    NAMED(cudaErrorMemoryAllocation, "out of memory"),
    NAMED(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    NAMED(cudaErrorInsufficientDriver,
          "CUDA driver version is insufficient for CUDA runtime version"),
    NAMED(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    NAMED(cudaErrorInvalidDevice, "invalid device ordinal"),
    NAMED(cudaErrorInvalidDeviceFunction, "invalid device function"),
    NAMED(cudaErrorNoKernelImageForDevice,
          "no kernel image is available for execution on the device"),
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
    NAMED(cudaErrorStreamCaptureInvalidated,
          "operation failed due to a previous error during capture"),
    NAMED(cudaErrorStreamCaptureMerge,
          "operation would result in a merge of separate capture sequences"),
    NAMED(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    NAMED(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    NAMED(cudaErrorStreamCaptureIsolation,
          "dependency created on uncaptured work in another stream"),
    NAMED(cudaErrorStreamCaptureImplicit,
          "operation would make the legacy stream depend on a capturing blocking stream"),
};
#undef NAMED

const Name* name_of(cudaError_t error) {
  for (const Name& name : kNames) {
    if (name.error == error) return &name;
  }
  return nullptr;
}

}  // namespace

std::recursive_mutex& lock_of_runtime() {
  static auto* const mutex = new std::recursive_mutex;
  return *mutex;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string(value) == "1";
}

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

void fail(cudaError_t error) { failed = error; }

bool has_failed() { return failed != cudaSuccess; }

cudaError_t answer(cudaError_t error) {
  if (failed == cudaSuccess) return remember(error);
  const cudaError_t result = failed;
  static const bool recover = is_set("EMULATED_CUDA_RECOVER");
  if (recover) failed = cudaSuccess;
  return remember(result);
}

cudaError_t answer_of_free(bool found) {
  if (failed != cudaSuccess) return remember(failed);
  return remember(found ? cudaSuccess : cudaErrorInvalidValue);
}

}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

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

}  // extern "C"

#pragma GCC visibility pop
