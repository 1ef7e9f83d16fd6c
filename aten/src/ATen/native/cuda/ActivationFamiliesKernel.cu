// The piecewise and the exponential activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/ActivationFamilies.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

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
}  // namespace at::native
