// Uses the headers that CUDA extensions include, so that nvcc compiles them.

#include <ATen/NumericUtils.h>
#include <ATen/ceil_div.h>
#include <ATen/core/TensorAccessor.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAUtils.h>
#include <ATen/cuda/Exceptions.h>
#include <ATen/cuda/PhiloxCudaState.h>
#include <ATen/cuda/detail/KernelUtils.h>
#include <c10/cuda/CUDADeviceAssertion.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAMacros.h>
#include <c10/cuda/CUDAMathCompat.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>
#include <ATen/cuda/Atomic.cuh>
#include <ATen/cuda/CUDAApplyUtils.cuh>
#include <ATen/cuda/CUDAGraphsUtils.cuh>
#include <ATen/cuda/DeviceUtils.cuh>
#include <ATen/cuda/NumericLimits.cuh>
#include <ATen/cuda/PhiloxUtils.cuh>
#include <ATen/cuda/detail/IndexUtils.cuh>
#include <ATen/cuda/detail/TensorInfo.cuh>
#include <ATen/native/cuda/KernelUtils.cuh>
#include <THC/THCAtomics.cuh>

#include <cstdint>

namespace at::cuda {
namespace {

template <typename T>
__global__ void accumulate(detail::TensorInfo<T, unsigned> to, PackedTensorAccessor32<T, 1> from,
                           int count) {
  CUDA_KERNEL_LOOP(i, count) {
    const unsigned offset = detail::IndexToOffset<T, unsigned, -1>::get(i, to);
    const T sum = WARP_SHFL_DOWN(from[i], 16) + doLdg(&from[i]);
    gpuAtomicAddNoReturn(to.data + offset, sum);
    at::native::fastAtomicAdd(to.data, i, count, sum, true);
  }
}

template <typename T>
__global__ void extremes(T* values, int count) {
  CUDA_KERNEL_LOOP_TYPE(i, count, int64_t) {
    if (WARP_ANY(at::_isnan(values[i])) || WARP_BALLOT(1) != ACTIVE_MASK()) continue;
    gpuAtomicMax(values, at::numeric_limits<T>::lower_bound());
    gpuAtomicMin(values, WARP_SHFL_XOR(values[i], 1));
    gpuAtomicMul(values, WARP_SHFL(values[i], 0));
    atomicAdd(values, WARP_SHFL_UP(values[i], 1));
    WARP_SYNC();
  }
}

C10_LAUNCH_BOUNDS_1(512)
__global__ void checked(const float* from, TORCH_DSA_KERNEL_ARGS) {
  CUDA_KERNEL_ASSERT(from != nullptr);
  CUDA_KERNEL_ASSERT_MSG(from[0] >= 0, "a negative number");
  CUDA_KERNEL_ASSERT2(from[0] <= 1);
}
C10_LAUNCH_BOUNDS_2(256, 4)
__global__ void unchecked(float* to) { to[0] = 0; }

__global__ void smooth(double* to, const float* from) {
  namespace compat = c10::cuda::compat;
  to[0] = compat::tanh(compat::rsqrt(from[0])) + compat::max(to[1], compat::normcdf(to[2]));
}

__global__ void seeds(PhiloxCudaState state, uint64_t* out) {
  const auto [seed, offset] = philox::unpack(state);
  out[0] = seed;
  out[1] = offset;
}

template <typename T>
void launch_all(const TensorBase& to, const TensorBase& from, PhiloxCudaState state) {
  const c10::cuda::CUDAGuard guard(to.device());
  const cudaStream_t stream = getCurrentCUDAStream();
  assertNotCapturing("a launch of all");
  const auto count = static_cast<int>(from.numel());
  TORCH_CHECK(detail::canUse32BitIndexMath(to) && !detail::maybeOverlappingIndices(to));
  auto info = detail::getTensorInfo<T, unsigned>(to);
  info.collapseDims();
  accumulate<T><<<detail::GET_BLOCKS(count), detail::CUDA_NUM_THREADS, 0, stream>>>(
      info, from.packed_accessor32<T, 1>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  dim3 grid;
  TORCH_CHECK(getApplyGrid(from.numel(), grid, to.get_device()));
  extremes<T><<<grid, getApplyBlock(), 0, stream>>>(to.mutable_data_ptr<T>(), count);
  seeds<<<ATenCeilDiv(1, 2), 1, 0, stream>>>(state, nullptr);
  AT_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void use_user_headers(const TensorBase& to, const TensorBase& from, PhiloxCudaState state) {
  smooth<<<1, 1>>>(to.mutable_data_ptr<double>(), from.const_data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  TORCH_DSA_KERNEL_LAUNCH(checked, 1, 1, 0, getCurrentCUDAStream(), from.const_data_ptr<float>());
  unchecked<<<1, 1>>>(to.mutable_data_ptr<float>());
  C10_CUDA_IGNORE_ERROR(cudaDeviceSynchronize());
  C10_CUDA_CLEAR_ERROR();
  launch_all<float>(to, from, state);
  launch_all<double>(to, from, state);
  launch_all<c10::Half>(to, from, state);
  launch_all<c10::BFloat16>(to, from, state);
  launch_all<int64_t>(to, from, state);
  launch_all<uint8_t>(to, from, state);
}

}  // namespace at::cuda
