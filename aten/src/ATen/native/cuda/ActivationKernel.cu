// Activations and their gradients.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Activation.h>
#include <ATen/native/ActivationFormulas.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

// For formulas without parameters; the overloads below take the parameters as numbers.
template <typename Op>
void unary_activation(TensorIteratorBase& iter, const char* name) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), name,
                                  [&] { gpu_kernel(iter, Unary<scalar_t, Op>{}); });
}
template <typename Op>
void binary_activation(TensorIteratorBase& iter, const char* name) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), name,
                                  [&] { gpu_kernel(iter, Binary<scalar_t, Op>{}); });
}
template <template <typename> typename Op, typename... Numbers>
void unary_activation(TensorIteratorBase& iter, const char* name, const Numbers&... numbers) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), name, [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, Op<T>>{{numbers.template to<T>()...}});
  });
}
template <template <typename> typename Op, typename... Numbers>
void binary_activation(TensorIteratorBase& iter, const char* name, const Numbers&... numbers) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), name, [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Binary<scalar_t, Op<T>>{{numbers.template to<T>()...}});
  });
}

// The numbers are of opmath type: of 16 bits, a threshold would be rounded and take elements that
// are above it.
void threshold_kernel_cuda(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "threshold_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter,
               Binary<scalar_t, activation::Threshold<T>>{{threshold.to<T>(), value.to<T>()}});
  });
}

void gelu_kernel_cuda(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    unary_activation<activation::GeluTanh>(iter, "gelu_cuda");
  } else {
    unary_activation<activation::GeluErf>(iter, "gelu_cuda");
  }
}
void gelu_backward_kernel_cuda(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    binary_activation<activation::GeluTanhBackward>(iter, "gelu_backward_cuda");
  } else {
    binary_activation<activation::GeluErfBackward>(iter, "gelu_backward_cuda");
  }
}

#define UNARY_ACTIVATION(name, Op)                         \
  void name##_kernel_cuda(TensorIteratorBase& iter) {      \
    unary_activation<activation::Op>(iter, #name "_cuda"); \
  }
#define BINARY_ACTIVATION(name, Op)                         \
  void name##_kernel_cuda(TensorIteratorBase& iter) {       \
    binary_activation<activation::Op>(iter, #name "_cuda"); \
  }

UNARY_ACTIVATION(hardsigmoid, Hardsigmoid)
UNARY_ACTIVATION(hardswish, Hardswish)
UNARY_ACTIVATION(mish, Mish)
UNARY_ACTIVATION(silu, Silu)
BINARY_ACTIVATION(glu, Glu)
BINARY_ACTIVATION(hardsigmoid_backward, HardsigmoidBackward)
BINARY_ACTIVATION(hardswish_backward, HardswishBackward)
BINARY_ACTIVATION(mish_backward, MishBackward)
BINARY_ACTIVATION(prelu, Prelu)
BINARY_ACTIVATION(silu_backward, SiluBackward)

void leaky_relu_kernel_cuda(TensorIteratorBase& iter, const Scalar& slope) {
  unary_activation<activation::LeakyRelu>(iter, "leaky_relu_cuda", slope);
}
void leaky_relu_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& slope) {
  binary_activation<activation::LeakyReluBackward>(iter, "leaky_relu_backward_cuda", slope);
}

void softplus_kernel_cuda(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  unary_activation<activation::Softplus>(iter, "softplus_cuda", beta, threshold);
}
void softplus_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& beta,
                                   const Scalar& threshold) {
  binary_activation<activation::SoftplusBackward>(iter, "softplus_backward_cuda", beta, threshold);
}

void elu_kernel_cuda(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  unary_activation<activation::Elu>(iter, "elu_cuda", Scalar(alpha * scale), Scalar(scale),
                                    Scalar(input_scale));
}
void elu_backward_kernel_cuda(TensorIteratorBase& iter, double alpha, double scale,
                              double input_scale, bool is_result) {
  const Scalar negative(alpha * scale);
  if (is_result) {
    binary_activation<activation::EluBackwardOfResult>(iter, "elu_backward_cuda", negative,
                                                       Scalar(scale), Scalar(input_scale));
  } else {
    binary_activation<activation::EluBackward>(iter, "elu_backward_cuda", negative, Scalar(scale),
                                               Scalar(input_scale));
  }
}

void hardtanh_backward_kernel_cuda(TensorIteratorBase& iter, double low, double high) {
  binary_activation<activation::HardtanhBackward>(iter, "hardtanh_backward_cuda", Scalar(low),
                                                  Scalar(high));
}

void softshrink_kernel_cuda(TensorIteratorBase& iter, const Scalar& lambd) {
  unary_activation<activation::Softshrink>(iter, "softshrink_cuda", lambd);
}
void hardshrink_kernel_cuda(TensorIteratorBase& iter, const Scalar& lambd) {
  unary_activation<activation::Hardshrink>(iter, "hardshrink_cuda", lambd);
}
void shrink_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& lambd) {
  binary_activation<activation::ShrinkBackward>(iter, "shrink_backward_cuda", lambd);
}

}  // namespace

REGISTER_CUDA_DISPATCH(GeluBackwardKernel, &gelu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(GeluKernel, &gelu_kernel_cuda)
REGISTER_CUDA_DISPATCH(elu_stub, &elu_kernel_cuda)
REGISTER_CUDA_DISPATCH(elu_backward_stub, &elu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(glu_stub, &glu_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardshrink_stub, &hardshrink_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardsigmoid_stub, &hardsigmoid_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardsigmoid_backward_stub, &hardsigmoid_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardswish_stub, &hardswish_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardswish_backward_stub, &hardswish_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(leaky_relu_stub, &leaky_relu_kernel_cuda)
REGISTER_CUDA_DISPATCH(leaky_relu_backward_stub, &leaky_relu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(mish_stub, &mish_kernel_cuda)
REGISTER_CUDA_DISPATCH(mish_backward_stub, &mish_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(prelu_stub, &prelu_kernel_cuda)
REGISTER_CUDA_DISPATCH(shrink_backward_stub, &shrink_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(silu_stub, &silu_kernel_cuda)
REGISTER_CUDA_DISPATCH(silu_backward_stub, &silu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(softplus_stub, &softplus_kernel_cuda)
REGISTER_CUDA_DISPATCH(softplus_backward_stub, &softplus_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(softshrink_stub, &softshrink_kernel_cuda)
REGISTER_CUDA_DISPATCH(threshold_stub, &threshold_kernel_cuda)

}  // namespace at::native
