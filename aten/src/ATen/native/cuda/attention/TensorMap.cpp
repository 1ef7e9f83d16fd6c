#include <ATen/native/cuda/TensorMap.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>

#include <cuda_runtime_api.h>

namespace at::native {
namespace {

using Encode = decltype(&cuTensorMapEncodeTiled);

// The driver's function, from the driver that the runtime has opened.
Encode find_encode() {
  constexpr unsigned kSince = 12000;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  const cudaError_t error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function,
                                                             kSince, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return nullptr;
  }
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(function) : nullptr;
}

}  // namespace

bool describe_tensor(TensorMap* result, const void* data, const std::array<int64_t, 4>& sizes,
                     const std::array<int64_t, 3>& strides, int rows, int columns) {
  static const Encode encode = find_encode();
  if (encode == nullptr) return false;
  constexpr cuuint64_t kElement = 2;
  // Innermost first: features, positions, heads, batches.
  cuuint64_t extent[4] = {static_cast<cuuint64_t>(sizes[3])};
  cuuint64_t distance[3];
  bool broadcast[3];
  for (int d = 0; d < 3; ++d) {
    const int64_t size = sizes[2 - d];
    const int64_t stride = strides[2 - d];
    if (size == 0 || stride < 0) return false;
    broadcast[d] = stride == 0 || size == 1;
    extent[d + 1] = broadcast[d] ? 1 : static_cast<cuuint64_t>(size);
    // The stride of a dimension of size 1 has no effect but must be valid.
    distance[d] = !broadcast[d] ? static_cast<cuuint64_t>(stride) * kElement
                  : d == 0      ? (extent[0] * kElement + 15) / 16 * 16
                                : distance[d - 1] * extent[d];
  }
  if (broadcast[0] && sizes[2] > 1) return false;
  result->head_step = broadcast[1] ? 0 : 1;
  result->batch_step = broadcast[2] ? 0 : 1;
  const cuuint32_t box[4] = {static_cast<cuuint32_t>(columns), static_cast<cuuint32_t>(rows), 1, 1};
  const cuuint32_t each[4] = {1, 1, 1, 1};
  return encode(&result->map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, const_cast<void*>(data), extent,
                distance, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

bool has_code_for_sm90a(const void* kernel) {
  const int device = c10::cuda::current_device();
  int major = 0;
  int minor = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  if (major != 9 || minor != 0) return false;
  cudaFuncAttributes attributes;
  C10_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.sharedSizeBytes > 0;
}

}  // namespace at::native
