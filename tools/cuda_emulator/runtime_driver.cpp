// Functions of the driver that programs ask the runtime for; the semantics are those of NVIDIA's
// "CUDA Driver API" reference.

#include <cuda.h>

#include <cstdio>
#include <cstring>

#include "tools/cuda_emulator/runtime.h"
#include "tools/cuda_emulator/tensor_map.h"

namespace emulator {
namespace {

static_assert(sizeof(CUtensorMap) == kTensorMapBytes);

// Refuses what the driver does, and what the emulator's copies are not made for.
CUresult CUDAAPI encode_tiled(CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank,
                              void* address, const cuuint64_t* extent, const cuuint64_t* stride,
                              const cuuint32_t* box, const cuuint32_t* element_stride,
                              CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                              CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  constexpr cuuint32_t kRank = 4;
  constexpr std::uintptr_t kMapAlignment = 64;
  constexpr std::uintptr_t kAlignment = 16;
  constexpr cuuint64_t kMostStride = cuuint64_t{1} << 40;
  constexpr cuuint64_t kMostExtent = cuuint64_t{1} << 32;
  constexpr cuuint32_t kMostBox = 256;
  if (type != CU_TENSOR_MAP_DATA_TYPE_UINT16 || rank != kRank ||
      interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle != CU_TENSOR_MAP_SWIZZLE_128B ||
      fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
    std::fprintf(stderr, "the emulated driver has no tensor map of this kind\n");
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (reinterpret_cast<std::uintptr_t>(result) % kMapAlignment ||
      reinterpret_cast<std::uintptr_t>(address) % kAlignment) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  TensorMap map{};
  map.mark = TensorMap::kMark;
  map.address = reinterpret_cast<std::uint64_t>(address);
  for (cuuint32_t d = 0; d < kRank; ++d) {
    if (extent[d] == 0 || extent[d] > kMostExtent || box[d] == 0 || box[d] > kMostBox ||
        element_stride[d] != 1) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    map.extent[d] = static_cast<std::uint32_t>(extent[d]);
    map.box[d] = box[d];
  }
  // A row of a box is exchanged within 128 bytes, and copied by sixteen.
  if (box[0] * kTensorElement > 128 || box[0] * kTensorElement % 16)
    return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t d = 0; d + 1 < kRank; ++d) {
    if (stride[d] == 0 || stride[d] % kAlignment || stride[d] >= kMostStride)
      return CUDA_ERROR_INVALID_VALUE;
    map.stride[d] = stride[d];
  }
  std::memcpy(result, &map, sizeof map);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  const bool known = std::strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
  *function = known ? reinterpret_cast<void*>(&encode_tiled) : nullptr;
  if (found != nullptr)
    *found = known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // extern "C"

#pragma GCC visibility pop
