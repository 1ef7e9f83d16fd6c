#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

/// A CUDA runtime for tests on machines without a GPU: two devices whose memory is the host's and
/// whose streams run nothing until they are told to.
namespace fake_cuda {

/// Bytes of memory of each device.
void set_capacity(size_t bytes);
/// Bytes that the current device has given out.
size_t used();
/// Number of cudaMalloc calls that succeeded.
int mallocs();
/// A stream is being captured into a graph from now on; null ends it.
void capture(cudaStream_t stream);
/// What has been queued on all streams is done, or on one.
void finish();
void finish(cudaStream_t stream);
/// What cudaGetDeviceCount answers from now on, before anybody asked.
void set_device_count_error(cudaError_t error);

}  // namespace fake_cuda
