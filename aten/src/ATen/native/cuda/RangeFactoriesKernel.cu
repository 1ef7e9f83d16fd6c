// arange.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/RangeFactories.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Loops.cuh>

#include <type_traits>

namespace at::native {
namespace {

template <typename scalar_t, typename T>
__global__ void __launch_bounds__(loops::kThreads)
    arange_kernel(int64_t count, scalar_t* out, T start, T step) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * loops::kThreads + threadIdx.x;
  if (i < count) out[i] = static_cast<scalar_t>(start + static_cast<T>(i) * step);
}

// The iterator's result is contiguous.
void arange_kernel_cuda(TensorIterator& iter, const Scalar& start, const Scalar& end,
                        const Scalar& step) {
  const int64_t count = iter.numel();
  if (count == 0) return;
  const c10::cuda::CUDAGuard guard(iter.device(0));
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t blocks = (count + loops::kThreads - 1) / loops::kThreads;
  TORCH_CHECK(blocks <= INT32_MAX, "arange of ", count, " elements is more than a GPU launches");
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "arange_cuda", [&] {
    using T = std::conditional_t<std::is_integral_v<scalar_t>, int64_t, double>;
    arange_kernel<<<static_cast<unsigned>(blocks), loops::kThreads, 0, stream>>>(
        count, static_cast<scalar_t*>(iter.data_ptr(0)), start.to<T>(), step.to<T>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

REGISTER_CUDA_DISPATCH(arange_stub, &arange_kernel_cuda)

}  // namespace at::native
