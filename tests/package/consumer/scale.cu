// An operator's kernel for CUDA, compiled where CUDA is on.

#include <cuda_runtime.h>
#include <torch/library.h>
#include <torch/types.h>

#include <cstdint>

namespace {

__global__ void triple_kernel(const float* in, float* out, int64_t size) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < size) out[i] = 3 * in[i];
}

torch::Tensor triple(const torch::Tensor& x) {
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const int64_t size = in.numel();
  if (size > 0) {
    triple_kernel<<<unsigned((size + 255) / 256), 256>>>(in.const_data_ptr<float>(),
                                                         out.data_ptr<float>(), size);
  }
  return out;
}

}  // namespace

TORCH_LIBRARY_IMPL(consumer, CUDA, m) { m.impl("triple", &triple); }
