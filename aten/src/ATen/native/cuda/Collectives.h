#pragma once

// Collective operations of the GPUs of one process, by NCCL in builds with --nccl.

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string>

namespace at::native {

// Names and results are those of NCCL's functions.
enum class Collective : uint8_t { ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, REDUCE_SCATTER };

// NCCL's numbers.
enum class Reduction : uint8_t { SUM, PRODUCT, MAX, MIN, AVERAGE };

// Contiguous memory of one GPU.
struct CollectivePart {
  c10::DeviceIndex device;
  const void* input;
  void* output;  // the input itself, or apart from it; null where REDUCE has no result
};

// Runs on the current stream of each GPU; each part is on a different one. `count` is the number of
// elements of each input, or of each output for REDUCE_SCATTER; `root` is an index of `parts`.
// Throws for a type that NCCL lacks, and in a build without NCCL.
TORCH_CUDA_CPP_API void collective(Collective what, c10::ScalarType dtype, int64_t count,
                                   c10::ArrayRef<CollectivePart> parts, Reduction reduction,
                                   int64_t root);

// Such as 22809 for NCCL 2.28.9; 0 in a build without it.
TORCH_CUDA_CPP_API int64_t collective_library_version();

// A unique id: bytes that no call in any process returns again. Throws in a build without NCCL.
TORCH_CUDA_CPP_API std::string collective_unique_id();

}  // namespace at::native
