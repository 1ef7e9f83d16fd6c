// Functions of two numbers beyond arithmetic.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryFormulas.h>
#include <ATen/native/BinaryOps.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

GPU_BINARY_OP(Atan2, ::atan2(a, b))
GPU_BINARY_OP(Copysign, ::copysign(a, b))
GPU_BINARY_OP(Hypot, ::hypot(a, b))

#define BINARY_MATH_KERNEL(op, ...)                                                              \
  void op##_kernel_cuda(TensorIteratorBase& iter) {                                              \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #op "_cuda",          \
                                    [&] { gpu_kernel(iter, Binary<scalar_t, __VA_ARGS__>{}); }); \
  }                                                                                              \
  REGISTER_CUDA_DISPATCH(op##_stub, &op##_kernel_cuda)

BINARY_MATH_KERNEL(atan2, Atan2)
BINARY_MATH_KERNEL(copysign, Copysign)
BINARY_MATH_KERNEL(hypot, Hypot)
BINARY_MATH_KERNEL(logaddexp, binary::LogAddExp<false>)
BINARY_MATH_KERNEL(logaddexp2, binary::LogAddExp<true>)
BINARY_MATH_KERNEL(mse, binary::SquaredDifference)
BINARY_MATH_KERNEL(sigmoid_backward, binary::SigmoidBackward)
BINARY_MATH_KERNEL(special_xlog1py, binary::XLog1PY)
BINARY_MATH_KERNEL(tanh_backward, binary::TanhBackward)
BINARY_MATH_KERNEL(xlogy, binary::XLogY)

// The number that is not NaN, when one is; integers have none.
GPU_BINARY_OP(FMaxOf, ::fmax(a, b))
GPU_BINARY_OP(FMinOf, ::fmin(a, b))

void fmax_kernel_cuda(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    maximum_stub(iter.device_type(), iter);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmax_cuda",
                                  [&] { gpu_kernel(iter, Binary<scalar_t, FMaxOf>{}); });
}
void fmin_kernel_cuda(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    minimum_stub(iter.device_type(), iter);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmin_cuda",
                                  [&] { gpu_kernel(iter, Binary<scalar_t, FMinOf>{}); });
}
REGISTER_CUDA_DISPATCH(fmax_stub, &fmax_kernel_cuda)
REGISTER_CUDA_DISPATCH(fmin_stub, &fmin_kernel_cuda)

void fmod_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmod_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, binary::Fmod>{}); });
}
REGISTER_CUDA_DISPATCH(fmod_stub, &fmod_kernel_cuda)

void shift_left_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "lshift_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, binary::ShiftLeft>{}); });
}
void shift_right_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "rshift_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, binary::ShiftRight>{}); });
}
REGISTER_CUDA_DISPATCH(bitwise_left_shift_stub, &shift_left_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_right_shift_stub, &shift_right_kernel_cuda)

void logit_backward_kernel_cuda(TensorIteratorBase& iter, double eps) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, iter.common_dtype(), "logit_backward_cuda", [&] {
        using T = opmath_type<scalar_t>;
        const bool clamped = eps >= 0;
        gpu_kernel(iter, Binary<scalar_t, binary::LogitBackward<T>>{
                             {clamped ? static_cast<T>(eps) : T(0), clamped}});
      });
}
REGISTER_CUDA_DISPATCH(logit_backward_stub, &logit_backward_kernel_cuda)

}  // namespace
}  // namespace at::native
