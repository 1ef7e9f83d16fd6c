#pragma once

// Pinned host memory: a GPU reads and writes it while the host goes on. Pinning waits for the GPU,
// so memory that was given back is kept, and given out again once the copies that were recorded for
// it are done.

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Export.h>

namespace at::cuda {

TORCH_CUDA_CPP_API c10::Allocator* getCachingHostAllocator();
// `data`, when it lies in such memory, is used by what `stream` has queued until now. Returns
// whether it does.
TORCH_CUDA_CPP_API bool CachingHostAllocator_recordEvent(const void* data,
                                                         c10::cuda::CUDAStream stream);
// Whether the runtime knows `data` as pinned memory.
TORCH_CUDA_CPP_API bool isPinnedPtr(const void* data);
// Returns unused memory to the system.
TORCH_CUDA_CPP_API void CachingHostAllocator_emptyCache();

}  // namespace at::cuda
