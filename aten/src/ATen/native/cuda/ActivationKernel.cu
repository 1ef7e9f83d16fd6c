// Activations and their gradients.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Activation.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

constexpr double kSqrt1_2 = 0.70710678118654752440;  // 1 / sqrt(2)
constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kInvSqrt2Pi = 0.39894228040143267794;  // 1 / sqrt(2 pi)
constexpr double kGeluCubic = 0.044715;

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

template <typename scalar_t>
struct Threshold {
  scalar_t threshold, value;
  C10_HOST_DEVICE scalar_t operator()(scalar_t x, scalar_t other) const {
    return x <= threshold ? value : other;
  }
};
void threshold_kernel_cuda(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "threshold_cuda", [&] {
    gpu_kernel(iter, Threshold<scalar_t>{threshold.to<scalar_t>(), value.to<scalar_t>()});
  });
}

// Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.
template <typename T>
struct GeluTanh {
  C10_HOST_DEVICE T operator()(T x) const {
    return T(0.5) * x * (T(1) + ::tanh(T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x)));
  }
};
template <typename T>
struct GeluErf {
  C10_HOST_DEVICE T operator()(T x) const { return x * T(0.5) * (T(1) + ::erf(x * T(kSqrt1_2))); }
};
template <typename T>
struct GeluTanhBackward {
  C10_HOST_DEVICE T operator()(T dy, T x) const {
    const T t = ::tanh(T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x));
    const T slope = T(kSqrt2OverPi) * (T(1) + T(3 * kGeluCubic) * x * x);
    return dy * (T(0.5) * (T(1) + t) + T(0.5) * x * (T(1) - t * t) * slope);
  }
};
template <typename T>
struct GeluErfBackward {
  C10_HOST_DEVICE T operator()(T dy, T x) const {
    const T cdf = T(0.5) * (T(1) + ::erf(x * T(kSqrt1_2)));
    const T pdf = ::exp(x * x * T(-0.5)) * T(kInvSqrt2Pi);
    return dy * (cdf + x * pdf);
  }
};

void gelu_kernel_cuda(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    unary_activation<GeluTanh>(iter, "gelu_cuda");
  } else {
    unary_activation<GeluErf>(iter, "gelu_cuda");
  }
}
void gelu_backward_kernel_cuda(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    binary_activation<GeluTanhBackward>(iter, "gelu_backward_cuda");
  } else {
    binary_activation<GeluErfBackward>(iter, "gelu_backward_cuda");
  }
}

template <typename T>
struct Silu {
  C10_HOST_DEVICE T operator()(T x) const { return x / (T(1) + ::exp(-x)); }
};
template <typename T>
struct SiluBackward {
  C10_HOST_DEVICE T operator()(T dy, T x) const {
    const T sigmoid = T(1) / (T(1) + ::exp(-x));
    return dy * sigmoid * (T(1) + x * (T(1) - sigmoid));
  }
};
void silu_kernel_cuda(TensorIteratorBase& iter) { unary_activation<Silu>(iter, "silu_cuda"); }
void silu_backward_kernel_cuda(TensorIteratorBase& iter) {
  binary_activation<SiluBackward>(iter, "silu_backward_cuda");
}

template <typename T>
struct LeakyRelu {
  T slope;
  C10_HOST_DEVICE T operator()(T x) const { return x > T(0) ? x : x * slope; }
};
template <typename T>
struct LeakyReluBackward {
  T slope;
  C10_HOST_DEVICE T operator()(T x, T dy) const { return x > T(0) ? dy : dy * slope; }
};
void leaky_relu_kernel_cuda(TensorIteratorBase& iter, const Scalar& slope) {
  unary_activation<LeakyRelu>(iter, "leaky_relu_cuda", slope);
}
void leaky_relu_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& slope) {
  binary_activation<LeakyReluBackward>(iter, "leaky_relu_backward_cuda", slope);
}

// Above the threshold softplus is linear, which exp would only overflow on.
template <typename T>
struct Softplus {
  T beta, threshold;
  C10_HOST_DEVICE T operator()(T x) const {
    const T scaled = x * beta;
    return scaled > threshold ? x : ::log1p(::exp(scaled)) / beta;
  }
};
template <typename T>
struct SoftplusBackward {
  T beta, threshold;
  C10_HOST_DEVICE T operator()(T dy, T x) const {
    const T scaled = x * beta;
    const T z = ::exp(scaled);
    return scaled > threshold ? dy : dy * z / (z + T(1));
  }
};
void softplus_kernel_cuda(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  unary_activation<Softplus>(iter, "softplus_cuda", beta, threshold);
}
void softplus_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& beta,
                                   const Scalar& threshold) {
  binary_activation<SoftplusBackward>(iter, "softplus_backward_cuda", beta, threshold);
}

}  // namespace

REGISTER_CUDA_DISPATCH(threshold_stub, &threshold_kernel_cuda)
REGISTER_CUDA_DISPATCH(GeluKernel, &gelu_kernel_cuda)
REGISTER_CUDA_DISPATCH(GeluBackwardKernel, &gelu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(silu_stub, &silu_kernel_cuda)
REGISTER_CUDA_DISPATCH(silu_backward_stub, &silu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(leaky_relu_stub, &leaky_relu_kernel_cuda)
REGISTER_CUDA_DISPATCH(leaky_relu_backward_stub, &leaky_relu_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(softplus_stub, &softplus_kernel_cuda)
REGISTER_CUDA_DISPATCH(softplus_backward_stub, &softplus_backward_kernel_cuda)

}  // namespace at::native
