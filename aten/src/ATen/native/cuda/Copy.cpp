// copy_ where one tensor at least is on a GPU.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Copy.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <ATen/native/cuda/CopyKernel.h>
#include <ATen/ops/empty.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace at::native {
namespace {

using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;

// Between the host and a GPU. Only pinned host memory is read and written while the host goes on.
void transfer_host(void* dst, const void* src, size_t bytes, c10::Device gpu, bool to_gpu,
                   bool non_blocking) {
  const CUDAGuard guard(gpu);
  const CUDAStream stream = getCurrentCUDAStream();
  C10_CUDA_CHECK(cudaMemcpyAsync(dst, src, bytes,
                                 to_gpu ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
  if (non_blocking) {
    at::cuda::CachingHostAllocator_recordEvent(to_gpu ? src : dst, stream);
  } else {
    stream.synchronize();
  }
}

// Between two GPUs, after what each has queued, and before what each queues later.
void transfer_peer(void* dst, c10::Device dst_device, const void* src, c10::Device src_device,
                   size_t bytes) {
  const CUDAStream from = getCurrentCUDAStream(src_device.index());
  const CUDAStream to = getCurrentCUDAStream(dst_device.index());
  at::cuda::CUDAEvent ready(cudaEventDisableTiming);
  ready.record(to);
  ready.block(from);
  const CUDAGuard guard(src_device);
  C10_CUDA_CHECK(
      cudaMemcpyPeerAsync(dst, dst_device.index(), src, src_device.index(), bytes, from));
  at::cuda::CUDAEvent done(cudaEventDisableTiming);
  done.record(from);
  done.block(to);
}

// Dense elements of one type are moved as they are.
bool try_transfer(const TensorIterator& iter, bool non_blocking) {
  if (iter.dtype(0) != iter.dtype(1) || !iter.is_contiguous()) return false;
  const auto bytes = static_cast<size_t>(iter.numel() * iter.element_size(0));
  const c10::Device dst = iter.device(0);
  const c10::Device src = iter.device(1);
  if (dst.is_cuda() && src.is_cuda()) {
    transfer_peer(iter.data_ptr(0), dst, iter.data_ptr(1), src, bytes);
  } else {
    transfer_host(iter.data_ptr(0), iter.data_ptr(1), bytes, dst.is_cuda() ? dst : src,
                  dst.is_cuda(), non_blocking);
  }
  return true;
}

void copy_kernel_cuda(TensorIterator& iter, bool non_blocking) {
  if (iter.device(0) == iter.device(1)) {
    copy_on_device(iter);
    return;
  }
  if (try_transfer(iter, non_blocking)) return;

  // Dense copies meet on the other side. Elements are converted, and strides followed, on a GPU.
  const Tensor dst = iter.tensor(0);
  const Tensor src = iter.tensor(1);
  if (dst.is_cuda()) {
    const Tensor dense = src.contiguous();
    const Tensor arrived =
        at::empty(dense.sizes(), dst.options().dtype(dense.scalar_type()), std::nullopt);
    arrived.copy_(dense, non_blocking);
    dst.copy_(arrived);
    return;
  }
  const Tensor dense = src.to(dst.scalar_type()).expand(dst.sizes()).contiguous();
  if (dst.is_contiguous()) {
    dst.copy_(dense, non_blocking);
    return;
  }
  const Tensor arrived = at::empty(dense.sizes(), dst.options(), std::nullopt);
  arrived.copy_(dense);
  dst.copy_(arrived);
}

}  // namespace

REGISTER_CUDA_DISPATCH(copy_stub, &copy_kernel_cuda)

}  // namespace at::native
