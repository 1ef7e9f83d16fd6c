// Elementwise operators of one argument that PyTorch has for every number, and the basic functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/UnaryOps.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

#define UNARY_FLOAT_KERNEL(op, ...)                                                         \
  GPU_UNARY_OP(op##_op, __VA_ARGS__)                                                        \
  void op##_kernel_cuda(TensorIteratorBase& iter) {                                         \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #op "_cuda",     \
                                    [&] { gpu_kernel(iter, Unary<scalar_t, op##_op>{}); }); \
  }

UNARY_FLOAT_KERNEL(ceil, ::ceil(a))
UNARY_FLOAT_KERNEL(cos, ::cos(a))
UNARY_FLOAT_KERNEL(exp, ::exp(a))
UNARY_FLOAT_KERNEL(expm1, ::expm1(a))
UNARY_FLOAT_KERNEL(floor, ::floor(a))
UNARY_FLOAT_KERNEL(log, ::log(a))
UNARY_FLOAT_KERNEL(log1p, ::log1p(a))
UNARY_FLOAT_KERNEL(reciprocal, T(1) / a)
UNARY_FLOAT_KERNEL(round, ::nearbyint(a))
UNARY_FLOAT_KERNEL(rsqrt, ::rsqrt(a))
UNARY_FLOAT_KERNEL(sigmoid, unary::Sigmoid()(a))
UNARY_FLOAT_KERNEL(sin, ::sin(a))
UNARY_FLOAT_KERNEL(sqrt, ::sqrt(a))
UNARY_FLOAT_KERNEL(tanh, ::tanh(a))
UNARY_FLOAT_KERNEL(trunc, ::trunc(a))

void neg_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, iter.common_dtype(), "neg_cuda", [&] {
    gpu_kernel(iter, Unary<scalar_t, unary::Negative>{});
  });
}

void abs_kernel_cuda(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.dtype(1))) {
    AT_DISPATCH_COMPLEX_TYPES(iter.dtype(1), "abs_cuda", [&] {
      using real_t = typename scalar_t::value_type;
      gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a) -> real_t { return ::hypot(a.real(), a.imag()); });
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, iter.common_dtype(), "abs_cuda",
                             [&] { gpu_kernel(iter, Unary<scalar_t, unary::Magnitude>{}); });
}

void sign_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, iter.common_dtype(), "sign_cuda",
                             [&] { gpu_kernel(iter, Unary<scalar_t, unary::Sign>{}); });
}

void bitwise_not_kernel_cuda(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kBool) {
    gpu_kernel(iter, [] GPU_LAMBDA(bool a) -> bool { return !a; });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "bitwise_not_cuda", [&] {
    gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a) -> scalar_t { return ~a; });
  });
}

void logical_not_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kBool, kHalf, kBFloat16, iter.dtype(1), "logical_not_cuda",
      [&] { gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a) -> bool { return a == scalar_t(0); }); });
}

}  // namespace

REGISTER_CUDA_DISPATCH(abs_stub, &abs_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_not_stub, &bitwise_not_kernel_cuda)
REGISTER_CUDA_DISPATCH(ceil_stub, &ceil_kernel_cuda)
REGISTER_CUDA_DISPATCH(cos_stub, &cos_kernel_cuda)
REGISTER_CUDA_DISPATCH(exp_stub, &exp_kernel_cuda)
REGISTER_CUDA_DISPATCH(expm1_stub, &expm1_kernel_cuda)
REGISTER_CUDA_DISPATCH(floor_stub, &floor_kernel_cuda)
REGISTER_CUDA_DISPATCH(log1p_stub, &log1p_kernel_cuda)
REGISTER_CUDA_DISPATCH(log_stub, &log_kernel_cuda)
REGISTER_CUDA_DISPATCH(logical_not_stub, &logical_not_kernel_cuda)
REGISTER_CUDA_DISPATCH(neg_stub, &neg_kernel_cuda)
REGISTER_CUDA_DISPATCH(reciprocal_stub, &reciprocal_kernel_cuda)
REGISTER_CUDA_DISPATCH(round_stub, &round_kernel_cuda)
REGISTER_CUDA_DISPATCH(rsqrt_stub, &rsqrt_kernel_cuda)
REGISTER_CUDA_DISPATCH(sigmoid_stub, &sigmoid_kernel_cuda)
REGISTER_CUDA_DISPATCH(sign_stub, &sign_kernel_cuda)
REGISTER_CUDA_DISPATCH(sin_stub, &sin_kernel_cuda)
REGISTER_CUDA_DISPATCH(sqrt_stub, &sqrt_kernel_cuda)
REGISTER_CUDA_DISPATCH(tanh_stub, &tanh_kernel_cuda)
REGISTER_CUDA_DISPATCH(trunc_stub, &trunc_kernel_cuda)

}  // namespace at::native
