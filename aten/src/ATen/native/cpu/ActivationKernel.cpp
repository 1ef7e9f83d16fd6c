// Loops of the activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

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

// `op` takes float, double and vectors of them.
template <typename Op>
void unary(TensorIteratorBase& iter, const char* name, Op op) {
  unary_float_kernel(iter, name, op, op);
}

template <typename Op>
void binary(TensorIteratorBase& iter, const char* name, Op op) {
  binary_float_kernel(iter, name, op, op);
}

// Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.
void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    unary(iter, "GeluKernelImpl", [](auto x) {
      using T = decltype(x);
      const T inner = T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x);
      return T(0.5) * x * (T(1) + tanh_of(inner));
    });
  } else {
    unary(iter, "GeluKernelImpl", [](auto x) {
      // x Phi(x), by the tail, which is small beside 1 and keeps its digits.
      const auto tail = normal_tail(x);
      return positive_part(x) - select(x < decltype(x)(0), -x, x) * tail;
    });
  }
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    binary(iter, "GeluBackwardKernelImpl", [](auto dy, auto x) {
      using T = decltype(x);
      const T tanh_inner = tanh_of(T(kSqrt2OverPi) * (x + T(kGeluCubic) * x * x * x));
      const T slope = T(kSqrt2OverPi) * (T(1) + T(3 * kGeluCubic) * x * x);
      return dy *
             (T(0.5) * (T(1) + tanh_inner) + T(0.5) * x * (T(1) - tanh_inner * tanh_inner) * slope);
    });
  } else {
    binary(iter, "GeluBackwardKernelImpl", [](auto dy, auto x) {
      using T = decltype(x);
      const T tail = normal_tail(x);
      const T cdf = select(x < T(0), tail, T(T(1) - tail));
      const T pdf = saturating_exp(x * x * T(-0.5)) * T(kInvSqrt2Pi);
      return dy * (cdf + x * pdf);
    });
  }
}

void silu_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "silu_cpu", [&] {
      cpu_kernel(iter, [](scalar_t x) -> scalar_t { return x / (scalar_t(1) + exp(-x)); });
    });
    return;
  }
  unary(iter, "silu_cpu", [](auto x) { return x / (decltype(x)(1) + saturating_exp(-x)); });
}

void silu_backward_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "silu_backward_cpu", [&] {
      cpu_kernel(iter, [](scalar_t dy, scalar_t x) -> scalar_t {
        const scalar_t sigmoid = scalar_t(1) / (scalar_t(1) + exp(-x));
        const scalar_t slope = sigmoid * (scalar_t(1) + x * (scalar_t(1) - sigmoid));
        return dy * scalar_t(slope.real(), -slope.imag());
      });
    });
    return;
  }
  binary(iter, "silu_backward_cpu", [](auto dy, auto x) {
    using T = decltype(x);
    const T sigmoid = T(1) / (T(1) + saturating_exp(-x));
    return dy * sigmoid * (T(1) + x * (T(1) - sigmoid));
  });
}

void leaky_relu_kernel(TensorIteratorBase& iter, const Scalar& slope_scalar) {
  const double slope = slope_scalar.to<double>();
  unary(iter, "leaky_relu_cpu", [=](auto x) {
    using T = decltype(x);
    return select(x > T(0), x, T(x * constant<T>(slope)));
  });
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& slope_scalar) {
  const double slope = slope_scalar.to<double>();
  binary(iter, "leaky_relu_backward_cpu", [=](auto x, auto dy) {
    using T = decltype(x);
    return select(x > T(0), dy, T(dy * constant<T>(slope)));
  });
}

// Above the threshold softplus is linear, which exp would only overflow on.
void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta_scalar,
                     const Scalar& threshold_scalar) {
  const double beta = beta_scalar.to<double>();
  const double threshold = threshold_scalar.to<double>();
  unary(iter, "softplus_cpu", [=](auto x) {
    using T = decltype(x);
    const T scaled = x * constant<T>(beta);
    return select(scaled > constant<T>(threshold), x,
                  T(log1p_of(exp_of(scaled)) / constant<T>(beta)));
  });
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta_scalar,
                              const Scalar& threshold_scalar) {
  const double beta = beta_scalar.to<double>();
  const double threshold = threshold_scalar.to<double>();
  binary(iter, "softplus_backward_cpu", [=](auto dy, auto x) {
    using T = decltype(x);
    const T scaled = x * constant<T>(beta);
    const T z = exp_of(scaled);
    return select(scaled > constant<T>(threshold), dy, T(dy * z / (z + T(1))));
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
