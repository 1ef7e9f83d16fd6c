// Copies and conversions within a GPU, and constants.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/CopyKernel.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Fill.h>
#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/core/DynamicCast.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/cuda/OpaqueElement.cuh>

#include <cstring>

namespace at::native {
namespace {

template <typename T>
struct Identity {
  C10_HOST_DEVICE T operator()(T a) const { return a; }
};

void copy_same_type(TensorIteratorBase& iter) {
  if (iter.is_contiguous()) {
    const c10::cuda::CUDAGuard guard(iter.device(0));
    C10_CUDA_CHECK(cudaMemcpyAsync(iter.data_ptr(0), iter.data_ptr(1),
                                   static_cast<size_t>(iter.numel() * iter.element_size(0)),
                                   cudaMemcpyDeviceToDevice, c10::cuda::getCurrentCUDAStream()));
    return;
  }
  dispatch_opaque(iter.element_size(0),
                  [&](auto element) { gpu_kernel(iter, Identity<decltype(element)>{}); });
}

template <typename To, typename From>
struct Convert {
  C10_HOST_DEVICE To operator()(From a) const {
    return static_cast<To>(static_cast<opmath_type<From>>(a));
  }
};

// The conversions of mixed precision, vectorised.
bool convert_floats(TensorIteratorBase& iter) {
  const auto is = [&](ScalarType to, ScalarType from) {
    return iter.dtype(0) == to && iter.dtype(1) == from;
  };
  if (is(kFloat, kHalf)) {
    gpu_kernel(iter, Convert<float, Half>{});
  } else if (is(kFloat, kBFloat16)) {
    gpu_kernel(iter, Convert<float, BFloat16>{});
  } else if (is(kHalf, kFloat)) {
    gpu_kernel(iter, Convert<Half, float>{});
  } else if (is(kBFloat16, kFloat)) {
    gpu_kernel(iter, Convert<BFloat16, float>{});
  } else if (is(kDouble, kFloat)) {
    gpu_kernel(iter, Convert<double, float>{});
  } else if (is(kFloat, kDouble)) {
    gpu_kernel(iter, Convert<float, double>{});
  } else {
    return false;
  }
  return true;
}

// Any other: the type of the source is known at run time.
template <typename To>
__global__ void __launch_bounds__(loops::kThreads)
    convert_kernel(uint32_t count, char* out, const char* in, ScalarType from,
                   OffsetCalculator<2> calculator) {
  const uint32_t i = blockIdx.x * loops::kThreads + threadIdx.x;
  if (i >= count) return;
  const auto offsets = calculator.get(i);
  *reinterpret_cast<To*>(out + offsets.at[0]) = c10::fetch_and_cast<To>(from, in + offsets.at[1]);
}

void convert_any(TensorIteratorBase& iter) {
  const c10::cuda::CUDAGuard guard(iter.device(0));
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  for_each_32bit(iter, [&](TensorIteratorBase& part) {
    const auto count = static_cast<uint32_t>(part.numel());
    AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
        kHalf, kBFloat16, kBool, part.dtype(0), "copy_cuda", [&] {
          convert_kernel<scalar_t>
              <<<(count + loops::kThreads - 1) / loops::kThreads, loops::kThreads, 0, stream>>>(
                  count, static_cast<char*>(part.data_ptr(0)),
                  static_cast<const char*>(part.data_ptr(1)), part.dtype(1),
                  OffsetCalculator<2>(part));
        });
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

template <typename T>
struct Constant {
  T value;
  C10_HOST_DEVICE T operator()() const { return value; }
};

void fill_kernel_cuda(TensorIterator& iter, const Scalar& value) {
  alignas(16) char bytes[16] = {};
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kHalf, kBFloat16, kBool, iter.dtype(), "fill_cuda", [&] {
    const auto converted = value.to<scalar_t>();
    std::memcpy(bytes, &converted, sizeof(scalar_t));
  });
  dispatch_opaque(iter.element_size(0), [&](auto element) {
    std::memcpy(&element, bytes, sizeof(element));
    gpu_kernel(iter, Constant<decltype(element)>{element});
  });
}

}  // namespace

void copy_on_device(TensorIteratorBase& iter) {
  if (iter.numel() == 0) return;
  if (iter.dtype(0) == iter.dtype(1)) {
    copy_same_type(iter);
  } else if (!convert_floats(iter)) {
    convert_any(iter);
  }
}

REGISTER_CUDA_DISPATCH(fill_stub, &fill_kernel_cuda)

}  // namespace at::native
