#include <c10/cuda/CUDAException.h>

#include <c10/cuda/CUDAArchList.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <exception>
#include <string>

namespace c10::cuda {
namespace {

std::string no_image_advice() {
  int device = 0;
  int major = 0;
  int minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
    return "";
  }
  return c10::str("\nThe GPU has compute capability ", major, ".", minor,
                  "; this build has code for ", kArchList, ". Build with --cuda_archs=\"",
                  kArchOption, ";", major, ".", minor, "\".");
}

std::string advice(cudaError_t error) {
  switch (error) {
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
      return no_image_advice();
    case cudaErrorInsufficientDriver:
      return c10::str("\nThis build needs a driver for CUDA ", CUDART_VERSION / 1000, ".",
                      CUDART_VERSION % 1000 / 10, ". Update the NVIDIA driver.");
    case cudaErrorInvalidConfiguration:
      return "\nThe grid or the block is larger than the GPU can launch.";
    case cudaErrorIllegalAddress:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
      return "\nKernels run asynchronously: the call above may not be the one that failed. Set CUDA_LAUNCH_BLOCKING=1 to find it.";
    default:
      return "";
  }
}

}  // namespace

void throw_cuda_error(cudaError_t error, const char* call, const char* function, const char* file,
                      int line) {
  // The runtime keeps the error until somebody reads it; it has been reported here.
  static_cast<void>(cudaGetLastError());
  throw AcceleratorError(SourceLocation{function, file, static_cast<uint32_t>(line)},
                         c10::str("CUDA error: ", cudaGetErrorString(error), " (",
                                  cudaGetErrorName(error), " from ", call, ")", advice(error)));
}

void warn_cuda_error(cudaError_t error, const char* call) noexcept {
  // A process that ends unloads the runtime before static objects are gone.
  if (error == cudaErrorCudartUnloading) return;
  static_cast<void>(cudaGetLastError());
  try {
    TORCH_WARN("CUDA warning: ", cudaGetErrorString(error), " (", call, ")");
  } catch (const std::exception&) {  // a warning that is an error has nowhere to go
  }
}

}  // namespace c10::cuda
