#pragma once

// What the kernels of attention share.

#include <ATen/native/FlashAttention.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/LaunchUtils.cuh>
#include <ATen/native/cuda/TensorCores.cuh>

#include <cstdint>
#include <limits>

namespace at::native::attention {

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * 32;
constexpr int kTile = 64;  // queries, and keys, of a tile: sixteen rows for each warp
constexpr float kLog2E = 1.4426950408889634f;
constexpr float kLn2 = 0.6931471805599453f;
constexpr int kMostFeatures = 128;

// Elements of a tensor (batch, head, position, feature) whose last stride is 1.
template <typename T>
struct Operand {
  T* data;
  int64_t batch_stride;
  int64_t head_stride;
  int64_t stride;

  template <typename Pointer>
  explicit Operand(const AttentionOperand<Pointer>& operand)
      : data(static_cast<T*>(operand.data)),
        batch_stride(operand.strides[0]),
        head_stride(operand.strides[1]),
        stride(operand.strides[2]) {}
  // The rows of this block's head.
  C10_DEVICE T* rows() const { return data + blockIdx.z * batch_stride + blockIdx.y * head_stride; }
};

// The mask's value for a query and a key, times log2(e).
template <typename T>
struct Mask {
  const T* rows = nullptr;
  int64_t stride = 0;
  int64_t column_stride = 0;

  C10_DEVICE float at(int64_t query, int64_t key) const {
    return static_cast<float>(rows[query * stride + key * column_stride]) * kLog2E;
  }
};

inline int ceil_tiles(int64_t n) { return static_cast<int>(ceil_div(n, kTile)); }

constexpr int kLeastCapability = 8;  // of mma.m16n8k16 and cp.async

inline int compute_capability_major(int device) {
  int major = 0;
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major;
}

// Throws for what the kernels were not made for: callers choose them only where they fit.
inline void check_problem(const AttentionProblem& p) {
  const int major = compute_capability_major(c10::cuda::current_device());
  TORCH_CHECK(major >= kLeastCapability, "attention by tiles needs a GPU of compute capability ",
              kLeastCapability, ".0 or higher, but this one has ", major, ".x");
  TORCH_CHECK(p.features == p.value_features && p.features % 8 == 0 && p.features > 0 &&
                  p.features <= kMostFeatures,
              "attention by tiles takes heads of a multiple of 8 features up to ", kMostFeatures,
              ", but got ", p.features, " and ", p.value_features);
  TORCH_CHECK(p.queries <= INT32_MAX - kTile && p.keys <= INT32_MAX - kTile,
              "attention by tiles takes up to ", INT32_MAX - kTile, " queries and keys");
  TORCH_CHECK(p.heads <= kMaxGridY && p.batch <= kMaxGridY, "attention by tiles takes up to ",
              kMaxGridY, " heads and as many batches, but got ", p.heads, " and ", p.batch,
              ": split the batch");
}

// Lets a kernel use more shared memory than a launch gives by itself.
template <typename Kernel>
void allow_shared_memory(Kernel* kernel, size_t bytes) {
  C10_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(bytes)));
}

}  // namespace at::native::attention
