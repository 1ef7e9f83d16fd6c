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

// ---- the piecewise and the exponential ones

#define ACTIVATION_KERNEL(name, Shape, Op)                                             \
  void name##_kernel_cuda(TensorIteratorBase& iter) {                                  \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), #name "_cuda",     \
                                    [&] { gpu_kernel(iter, Shape<scalar_t, Op>{}); }); \
  }                                                                                    \
  REGISTER_CUDA_DISPATCH(name##_stub, &name##_kernel_cuda)

// Clevert, Unterthiner and Hochreiter, arXiv:1511.07289.
template <typename V>
struct Elu {
  V negative, positive, input_scale;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return x < T(0) ? ::expm1(x * input_scale) * negative : x * positive;
  }
};
void elu_kernel_cuda(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "elu_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, Elu<T>>{{static_cast<T>(alpha * scale), static_cast<T>(scale),
                                              static_cast<T>(input_scale)}});
  });
}
REGISTER_CUDA_DISPATCH(elu_stub, &elu_kernel_cuda)

// Of the input, or of the result: exp(input_scale * x) is then 1 + result / negative.
template <typename V>
struct EluBackward {
  V negative, positive, input_scale;
  bool is_result;
  template <typename T>
  C10_HOST_DEVICE T operator()(T g, T x) const {
    if (is_result) return x <= T(0) ? g * input_scale * (x + negative) : g * positive;
    return x <= T(0) ? g * input_scale * negative * ::exp(x * input_scale) : g * positive;
  }
};
void elu_backward_kernel_cuda(TensorIteratorBase& iter, double alpha, double scale,
                              double input_scale, bool is_result) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "elu_backward_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Binary<scalar_t, EluBackward<T>>{{static_cast<T>(alpha * scale),
                                                       static_cast<T>(scale),
                                                       static_cast<T>(input_scale), is_result}});
  });
}
REGISTER_CUDA_DISPATCH(elu_backward_stub, &elu_backward_kernel_cuda)

template <typename T>
C10_HOST_DEVICE T from_0_to_6(T x) {
  return x < T(0) ? T(0) : (x > T(6) ? T(6) : x);
}
GPU_UNARY_OP(Hardswish, a* from_0_to_6(a + T(3)) / T(6))
GPU_UNARY_OP(Hardsigmoid, from_0_to_6(a + T(3)) / T(6))
// The arguments of gradients: the gradient of the result, the input.
GPU_BINARY_OP(HardswishBackward, b <= T(-3) ? T(0) : (b < T(3) ? a * (b / T(3) + T(0.5)) : a))
GPU_BINARY_OP(HardsigmoidBackward, b > T(-3) && b < T(3) ? a * T(1.0 / 6) : T(0))

ACTIVATION_KERNEL(hardswish, Unary, Hardswish)
ACTIVATION_KERNEL(hardswish_backward, Binary, HardswishBackward)
ACTIVATION_KERNEL(hardsigmoid, Unary, Hardsigmoid)
ACTIVATION_KERNEL(hardsigmoid_backward, Binary, HardsigmoidBackward)

template <typename V>
struct HardtanhBackward {
  V low, high;
  template <typename T>
  C10_HOST_DEVICE T operator()(T g, T x) const {
    return x <= low || x >= high ? T(0) : g;
  }
};
void hardtanh_backward_kernel_cuda(TensorIteratorBase& iter, double low, double high) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "hardtanh_backward_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter,
               Binary<scalar_t, HardtanhBackward<T>>{{static_cast<T>(low), static_cast<T>(high)}});
  });
}
REGISTER_CUDA_DISPATCH(hardtanh_backward_stub, &hardtanh_backward_kernel_cuda)

// x * 0 keeps NaN.
template <typename V>
struct Softshrink {
  V lambd;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return x > lambd ? x - lambd : (x < -lambd ? x + lambd : x * T(0));
  }
};
template <typename V>
struct Hardshrink {
  V lambd;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return x >= -lambd && x <= lambd ? T(0) : x;
  }
};
template <typename V>
struct ShrinkBackward {
  V lambd;
  template <typename T>
  C10_HOST_DEVICE T operator()(T g, T x) const {
    return x >= -lambd && x <= lambd ? T(0) : g;
  }
};
#define SHRINK_KERNEL(name, Shape, Op)                                                   \
  void name##_kernel_cuda(TensorIteratorBase& iter, const Scalar& lambd) {               \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), #name "_cuda", [&] { \
      using T = opmath_type<scalar_t>;                                                   \
      gpu_kernel(iter, Shape<scalar_t, Op<T>>{{lambd.to<T>()}});                         \
    });                                                                                  \
  }                                                                                      \
  REGISTER_CUDA_DISPATCH(name##_stub, &name##_kernel_cuda)
SHRINK_KERNEL(softshrink, Unary, Softshrink)
SHRINK_KERNEL(hardshrink, Unary, Hardshrink)
SHRINK_KERNEL(shrink_backward, Binary, ShrinkBackward)

// tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2) and e = exp(x): for Misra, arXiv:1908.08681.
template <typename T>
C10_HOST_DEVICE T tanh_of_softplus(T e) {
  const T n = e * (e + T(2));
  return n / (n + T(2));
}
// Above 20 the formulas' limits are exact in double.
GPU_UNARY_OP(Mish, a > T(20) ? a : a * tanh_of_softplus(::exp(a)))
struct MishBackward {
  template <typename T>
  C10_HOST_DEVICE T operator()(T g, T x) const {
    if (x > T(20)) return g;
    const T e = ::exp(x);
    const T t = tanh_of_softplus(e);
    return g * (t + x * (e / (T(1) + e)) * (T(1) - t * t));
  }
};
GPU_BINARY_OP(Glu, a / (T(1) + ::exp(-b)))
GPU_BINARY_OP(Prelu, a > T(0) ? a : b * a)

ACTIVATION_KERNEL(mish, Unary, Mish)
ACTIVATION_KERNEL(mish_backward, Binary, MishBackward)
ACTIVATION_KERNEL(glu, Binary, Glu)
ACTIVATION_KERNEL(prelu, Binary, Prelu)

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
