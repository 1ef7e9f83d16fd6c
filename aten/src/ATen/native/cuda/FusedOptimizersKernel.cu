// Steps of optimisers for lists of parameters, and the scaling of gradients: one launch for many
// tensors. The formulas are those of native/FusedOptimizers.h, as on the CPU.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FusedOptimizers.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ForeachOps.h>
#include <ATen/native/cuda/MultiTensorApply.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cstddef>

namespace at::native {
namespace {

constexpr int kThreads = 512;
// Elements of a block. A chunk starts at a multiple of it, so packs stay aligned.
constexpr int64_t kChunk = 65536;

// Reads a chunk of all roles in packs of sixteen bytes where they are aligned, applies `f` to the
// elements of one position, and writes the roles that `written` names by a bit each.
template <typename scalar_t, int kRoles, typename F>
__device__ void for_each_element(const TensorBatch<kRoles>& batch, unsigned written, const F& f) {
  using T = opmath_type<scalar_t>;
  constexpr int kSize = kPack<scalar_t>;
  using Elements = Pack<scalar_t, kSize>;
  const int tensor = batch.tensor_of_block[blockIdx.x];
  const int64_t begin = batch.chunk_of_block[blockIdx.x] * kChunk;
  const int64_t rest = batch.numel[tensor] - begin;
  const int64_t count = rest < kChunk ? rest : kChunk;
  scalar_t* data[kRoles];
  bool packed = count % kSize == 0;
#pragma unroll
  for (int r = 0; r < kRoles; ++r) {
    auto* first = static_cast<scalar_t*>(batch.data[r][tensor]);
    data[r] = first == nullptr ? nullptr : first + begin;
    packed = packed && reinterpret_cast<uintptr_t>(data[r]) % sizeof(Elements) == 0;
  }
  if (packed) {
    for (int64_t i = threadIdx.x; i < count / kSize; i += kThreads) {
      Elements packs[kRoles];
#pragma unroll
      for (int r = 0; r < kRoles; ++r) {
        if (data[r] != nullptr) packs[r] = reinterpret_cast<const Elements*>(data[r])[i];
      }
#pragma unroll
      for (int k = 0; k < kSize; ++k) {
        T x[kRoles];
#pragma unroll
        for (int r = 0; r < kRoles; ++r) x[r] = static_cast<T>(packs[r].at[k]);
        f(x);
#pragma unroll
        for (int r = 0; r < kRoles; ++r) packs[r].at[k] = static_cast<scalar_t>(x[r]);
      }
#pragma unroll
      for (int r = 0; r < kRoles; ++r) {
        if (data[r] != nullptr && (written >> r & 1) != 0) {
          reinterpret_cast<Elements*>(data[r])[i] = packs[r];
        }
      }
    }
    return;
  }
  for (int64_t i = threadIdx.x; i < count; i += kThreads) {
    T x[kRoles];
#pragma unroll
    for (int r = 0; r < kRoles; ++r) x[r] = data[r] == nullptr ? T(0) : static_cast<T>(data[r][i]);
    f(x);
#pragma unroll
    for (int r = 0; r < kRoles; ++r) {
      if (data[r] != nullptr && (written >> r & 1) != 0) data[r][i] = static_cast<scalar_t>(x[r]);
    }
  }
}

// The factors of a step are computed once for a block, in double.
template <typename scalar_t, int kRoles, typename Step, typename Options>
__global__ void __launch_bounds__(kThreads)
    step_kernel(const TensorBatch<kRoles> batch, const Options options) {
  const float* found_inf = options.scaling.found_inf;
  if (found_inf != nullptr && *found_inf != 0) return;
  __shared__ alignas(Step) unsigned char storage[sizeof(Step)];
  if (threadIdx.x == 0) {
    const float* step = batch.step[batch.tensor_of_block[blockIdx.x]];
    new (storage) Step(options, step == nullptr ? 0 : static_cast<double>(*step));
  }
  __syncthreads();
  const Step step = *reinterpret_cast<const Step*>(storage);
  for_each_element<scalar_t, kRoles>(batch, step.scaled ? ~0U : ~2U, step);
}

template <typename scalar_t, int kRoles, typename Step, typename Options>
void launch_steps(ArrayRef<TensorRow> rows, const Options& options) {
  const auto stream = c10::cuda::getCurrentCUDAStream().stream();
  for_each_batch<kRoles>(rows, kChunk, [&](const TensorBatch<kRoles>& batch, int blocks) {
    step_kernel<scalar_t, kRoles, Step><<<blocks, kThreads, 0, stream>>>(batch, options);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void fused_adam_kernel_cuda(ScalarType dtype, ArrayRef<TensorRow> rows,
                            const AdamOptions& options) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "fused_adam_kernel_cuda", [&] {
    launch_steps<scalar_t, 5, optimizer::AdamStep<opmath_type<scalar_t>>>(rows, options);
  });
}

void fused_sgd_kernel_cuda(ScalarType dtype, ArrayRef<TensorRow> rows, const SGDOptions& options) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "fused_sgd_kernel_cuda", [&] {
    launch_steps<scalar_t, 3, optimizer::SGDStep<opmath_type<scalar_t>>>(rows, options);
  });
}

template <typename T>
struct Unscale {
  T factor;
  float* found_inf;
  __device__ void operator()(T* x) const {
    // Not finite minus itself is NaN. All writers write the same.
    if (!(x[0] - x[0] == T(0))) *found_inf = 1;
    if (factor != T(1)) x[0] = x[0] * factor;
  }
};

template <typename scalar_t>
__global__ void __launch_bounds__(kThreads)
    unscale_kernel(const TensorBatch<1> batch, float* found_inf, const float* inv_scale) {
  using T = opmath_type<scalar_t>;
  for_each_element<scalar_t, 1>(batch, 1, Unscale<T>{static_cast<T>(*inv_scale), found_inf});
}

void amp_unscale_kernel_cuda(ScalarType dtype, ArrayRef<TensorRow> rows, float* found_inf,
                             const float* inv_scale) {
  const auto stream = c10::cuda::getCurrentCUDAStream().stream();
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, dtype, "_amp_foreach_non_finite_check_and_unscale_cuda", [&] {
        for_each_batch<1>(rows, kChunk, [&](const TensorBatch<1>& batch, int blocks) {
          unscale_kernel<scalar_t><<<blocks, kThreads, 0, stream>>>(batch, found_inf, inv_scale);
          C10_CUDA_KERNEL_LAUNCH_CHECK();
        });
      });
}

__global__ void update_scale_kernel(float* scale, int* tracker, const float* found_inf,
                                    const optimizer::AmpScaling rule) {
  rule(scale, tracker, found_inf);
}

void amp_update_scale_kernel_cuda(float* scale, int* growth_tracker, const float* found_inf,
                                  double growth_factor, double backoff_factor,
                                  int64_t growth_interval) {
  update_scale_kernel<<<1, 1, 0, c10::cuda::getCurrentCUDAStream().stream()>>>(
      scale, growth_tracker, found_inf,
      optimizer::AmpScaling{growth_factor, backoff_factor, growth_interval});
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename T>
struct Add {
  T value;
  __device__ void operator()(T* x) const { x[0] = x[0] + value; }
};

template <typename scalar_t>
__global__ void __launch_bounds__(kThreads)
    add_kernel(const TensorBatch<1> batch, double value, const float* value_data) {
  using T = opmath_type<scalar_t>;
  const T term = value_data == nullptr ? static_cast<T>(value) : static_cast<T>(*value_data);
  for_each_element<scalar_t, 1>(batch, 1, Add<T>{term});
}

void foreach_add_kernel_cuda(ScalarType dtype, ArrayRef<TensorRow> rows, double value,
                             const float* value_data) {
  const auto stream = c10::cuda::getCurrentCUDAStream().stream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "foreach_binary_op_scalar_cuda", [&] {
    for_each_batch<1>(rows, kChunk, [&](const TensorBatch<1>& batch, int blocks) {
      add_kernel<scalar_t><<<blocks, kThreads, 0, stream>>>(batch, value, value_data);
      C10_CUDA_KERNEL_LAUNCH_CHECK();
    });
  });
}

}  // namespace

REGISTER_CUDA_DISPATCH(fused_adam_stub, &fused_adam_kernel_cuda)
REGISTER_CUDA_DISPATCH(fused_sgd_stub, &fused_sgd_kernel_cuda)
REGISTER_CUDA_DISPATCH(amp_unscale_stub, &amp_unscale_kernel_cuda)
REGISTER_CUDA_DISPATCH(amp_update_scale_stub, &amp_update_scale_kernel_cuda)
REGISTER_CUDA_DISPATCH(foreach_add_stub, &foreach_add_kernel_cuda)

}  // namespace at::native
