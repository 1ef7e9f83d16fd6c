// The places of true elements.
//
// Each block counts its chunk of elements, one block adds the counts up, and each block writes its
// places behind those of the blocks before it. The number of rows has to come to the host in
// between.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/core/TensorBase.h>
#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/BlockScan.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cstdint>

namespace at::native {
namespace {

constexpr int kThreads = 256;
constexpr int kBytes = 16;  // elements of a thread, which are bytes
constexpr int64_t kChunk = int64_t{kThreads} * kBytes;

struct Sizes {
  int dims;
  int64_t at[kMaxDims];
};

// Bit k is set where element k of this thread's in its block's chunk is true.
C10_DEVICE unsigned own_bits(const uint8_t* truth, int64_t numel) {
  const int64_t begin = blockIdx.x * kChunk + static_cast<int64_t>(threadIdx.x) * kBytes;
  unsigned bits = 0;
  if (begin + kBytes <= numel && reinterpret_cast<uintptr_t>(truth) % kBytes == 0) {
    const auto loaded = *reinterpret_cast<const Pack<uint8_t, kBytes>*>(truth + begin);
#pragma unroll
    for (int k = 0; k < kBytes; ++k) bits |= loaded.at[k] != 0 ? 1u << k : 0u;
  } else {
    for (int k = 0; k < kBytes && begin + k < numel; ++k) {
      bits |= truth[begin + k] != 0 ? 1u << k : 0u;
    }
  }
  return bits;
}

__global__ void __launch_bounds__(kThreads)
    count_kernel(const uint8_t* truth, int64_t numel, int64_t* counts) {
  __shared__ int shared[kThreads / kWarp];
  const int count = block_reduce(__popc(own_bits(truth, numel)), Add(), shared);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// counts[i] becomes the sum of those before it; counts[blocks] the total. One block.
__global__ void __launch_bounds__(kThreads) offsets_kernel(int64_t* counts, int64_t blocks) {
  __shared__ int64_t shared[kThreads / kWarp];
  int64_t carry = 0;
  for (int64_t first = 0; first < blocks; first += kThreads) {
    const int64_t i = first + threadIdx.x;
    const int64_t count = i < blocks ? counts[i] : 0;
    const BlockScan<int64_t> scan = block_scan<kThreads>(count, Sum(), shared);
    if (i < blocks) counts[i] = carry + scan.before;
    carry += scan.total;
  }
  if (threadIdx.x == 0) counts[blocks] = carry;
}

__global__ void __launch_bounds__(kThreads)
    places_kernel(const uint8_t* truth, int64_t numel, const int64_t* offsets, Sizes sizes,
                  int64_t* places) {
  __shared__ int shared[kThreads / kWarp];
  unsigned bits = own_bits(truth, numel);
  const int64_t begin = blockIdx.x * kChunk + static_cast<int64_t>(threadIdx.x) * kBytes;
  int64_t row = offsets[blockIdx.x] + block_scan<kThreads>(__popc(bits), Sum(), shared).before;
  for (; bits != 0; bits &= bits - 1, ++row) {
    int64_t rest = begin + __ffs(bits) - 1;
    for (int d = sizes.dims - 1; d >= 0; --d) {
      places[row * sizes.dims + d] = rest % sizes.at[d];
      rest /= sizes.at[d];
    }
  }
}

void nonzero_kernel_cuda(const TensorBase& truth, c10::function_ref<TensorBase(int64_t)> allocate) {
  const c10::cuda::CUDAGuard guard(truth.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t numel = truth.numel();
  if (numel == 0) {
    allocate(0);
    return;
  }
  TORCH_CHECK(truth.dim() <= kMaxDims, "nonzero on a GPU takes up to ", kMaxDims,
              " dimensions, but got ", truth.dim());
  Sizes sizes{static_cast<int>(truth.dim()), {}};
  for (int64_t d = 0; d < truth.dim(); ++d) sizes.at[d] = truth.size(d);
  const auto* data = static_cast<const uint8_t*>(truth.const_data_ptr());
  const int64_t blocks = ceil_div(numel, kChunk);
  const unsigned grid = grid_size(blocks);
  Workspace memory(sizeof(int64_t) * static_cast<size_t>(blocks + 1));
  auto* counts = memory.get<int64_t>();
  count_kernel<<<grid, kThreads, 0, stream>>>(data, numel, counts);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  offsets_kernel<<<1, kThreads, 0, stream>>>(counts, blocks);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  int64_t total = 0;
  C10_CUDA_CHECK(
      cudaMemcpyAsync(&total, counts + blocks, sizeof(total), cudaMemcpyDeviceToHost, stream));
  C10_CUDA_CHECK(cudaStreamSynchronize(stream));
  const TensorBase result = allocate(total);
  if (total == 0) return;
  places_kernel<<<grid, kThreads, 0, stream>>>(data, numel, counts, sizes,
                                               static_cast<int64_t*>(result.mutable_data_ptr()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

REGISTER_CUDA_DISPATCH(nonzero_stub, &nonzero_kernel_cuda)

}  // namespace at::native
