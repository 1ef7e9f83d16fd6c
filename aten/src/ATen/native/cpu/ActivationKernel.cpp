// Loops of the activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

constexpr double kSqrt1_2 = 0.70710678118654752440;  // 1 / sqrt(2)
constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kInvSqrt2Pi = 0.39894228040143267794;  // 1 / sqrt(2 pi)
constexpr double kGeluCubic = 0.044715;

void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold_scalar,
                      const Scalar& value_scalar) {
  const ScalarType dtype = iter.dtype();
  if (dtype == kFloat || dtype == kDouble) {
    AT_DISPATCH_FLOATING_TYPES(dtype, "threshold_cpu", [&] {
      using Vec = Vectorized<scalar_t>;
      const auto threshold = threshold_scalar.to<scalar_t>();
      const auto value = value_scalar.to<scalar_t>();
      cpu_kernel_vec(
          iter,
          [=](scalar_t x, scalar_t other) -> scalar_t { return x <= threshold ? value : other; },
          [=](Vec x, Vec other) -> Vec {
            return Vec::blendv(other, Vec(value), x <= Vec(threshold));
          });
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, dtype, "threshold_cpu", [&] {
    const auto threshold = threshold_scalar.to<scalar_t>();
    const auto value = value_scalar.to<scalar_t>();
    cpu_kernel(iter, [=](scalar_t x, scalar_t other) -> scalar_t {
      return x <= threshold ? value : other;
    });
  });
}

template <typename Op>
void unary_activation(TensorIteratorBase& iter, const char* name, Op op) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(), name, [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    cpu_kernel(iter, [=](scalar_t x) -> scalar_t { return op(static_cast<opmath_t>(x)); });
  });
}

template <typename Op>
void binary_activation(TensorIteratorBase& iter, const char* name, Op op) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(), name, [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    cpu_kernel(iter, [=](scalar_t a, scalar_t b) -> scalar_t {
      return op(static_cast<opmath_t>(a), static_cast<opmath_t>(b));
    });
  });
}

// Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.
void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    unary_activation(iter, "GeluKernelImpl", [](auto x) {
      using T = decltype(x);
      const T inner = T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x);
      return T(0.5) * x * (T(1) + std::tanh(inner));
    });
  } else {
    unary_activation(iter, "GeluKernelImpl", [](auto x) {
      using T = decltype(x);
      return x * T(0.5) * (T(1) + std::erf(x * T(kSqrt1_2)));
    });
  }
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    binary_activation(iter, "GeluBackwardKernelImpl", [](auto dy, auto x) {
      using T = decltype(x);
      const T tanh_inner = std::tanh(T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x));
      const T slope = T(kSqrt2OverPi) * (T(1) + T(3 * kGeluCubic) * x * x);
      return dy *
             (T(0.5) * (T(1) + tanh_inner) + T(0.5) * x * (T(1) - tanh_inner * tanh_inner) * slope);
    });
  } else {
    binary_activation(iter, "GeluBackwardKernelImpl", [](auto dy, auto x) {
      using T = decltype(x);
      const T cdf = T(0.5) * (T(1) + std::erf(x * T(kSqrt1_2)));
      const T pdf = std::exp(x * x * T(-0.5)) * T(kInvSqrt2Pi);
      return dy * (cdf + x * pdf);
    });
  }
}

void silu_kernel(TensorIteratorBase& iter) {
  unary_activation(iter, "silu_cpu", [](auto x) { return x / (decltype(x)(1) + std::exp(-x)); });
}

void silu_backward_kernel(TensorIteratorBase& iter) {
  binary_activation(iter, "silu_backward_cpu", [](auto dy, auto x) {
    using T = decltype(x);
    const T sigmoid = T(1) / (T(1) + std::exp(-x));
    return dy * sigmoid * (T(1) + x * (T(1) - sigmoid));
  });
}

void leaky_relu_kernel(TensorIteratorBase& iter, const Scalar& slope_scalar) {
  const double slope = slope_scalar.to<double>();
  unary_activation(iter, "leaky_relu_cpu", [=](auto x) {
    return x > decltype(x)(0) ? x : x * static_cast<decltype(x)>(slope);
  });
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& slope_scalar) {
  const double slope = slope_scalar.to<double>();
  binary_activation(iter, "leaky_relu_backward_cpu", [=](auto x, auto dy) {
    return x > decltype(x)(0) ? dy : dy * static_cast<decltype(x)>(slope);
  });
}

// Above the threshold softplus is linear, which exp would only overflow on.
void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta_scalar,
                     const Scalar& threshold_scalar) {
  const double beta = beta_scalar.to<double>();
  const double threshold = threshold_scalar.to<double>();
  unary_activation(iter, "softplus_cpu", [=](auto x) {
    using T = decltype(x);
    const T scaled = x * static_cast<T>(beta);
    return scaled > static_cast<T>(threshold) ? x
                                              : std::log1p(std::exp(scaled)) / static_cast<T>(beta);
  });
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta_scalar,
                              const Scalar& threshold_scalar) {
  const double beta = beta_scalar.to<double>();
  const double threshold = threshold_scalar.to<double>();
  binary_activation(iter, "softplus_backward_cpu", [=](auto dy, auto x) {
    using T = decltype(x);
    const T scaled = x * static_cast<T>(beta);
    const T z = std::exp(scaled);
    return scaled > static_cast<T>(threshold) ? dy : dy * z / (z + T(1));
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(threshold_stub, &CPU_CAPABILITY::threshold_kernel)
REGISTER_DISPATCH(GeluKernel, &CPU_CAPABILITY::gelu_kernel)
REGISTER_DISPATCH(GeluBackwardKernel, &CPU_CAPABILITY::gelu_backward_kernel)
REGISTER_DISPATCH(silu_stub, &CPU_CAPABILITY::silu_kernel)
REGISTER_DISPATCH(silu_backward_stub, &CPU_CAPABILITY::silu_backward_kernel)
REGISTER_DISPATCH(leaky_relu_stub, &CPU_CAPABILITY::leaky_relu_kernel)
REGISTER_DISPATCH(leaky_relu_backward_stub, &CPU_CAPABILITY::leaky_relu_backward_kernel)
REGISTER_DISPATCH(softplus_stub, &CPU_CAPABILITY::softplus_kernel)
REGISTER_DISPATCH(softplus_backward_stub, &CPU_CAPABILITY::softplus_backward_kernel)

}  // namespace at::native
