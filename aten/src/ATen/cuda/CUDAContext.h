#pragma once

// Facts about GPUs, and what of c10/cuda the rest of the tree knows by names in at::cuda.

#include <c10/core/Device.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Export.h>
#include <cuda_runtime_api.h>

namespace at::cuda {

using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromExternal;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;

// The properties of a device, or of the current one. They are queried once.
TORCH_CUDA_CPP_API const cudaDeviceProp* getDeviceProperties(c10::DeviceIndex device);
TORCH_CUDA_CPP_API const cudaDeviceProp* getCurrentDeviceProperties();
// Whether one GPU reads another's memory directly.
TORCH_CUDA_CPP_API bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer);

}  // namespace at::cuda
