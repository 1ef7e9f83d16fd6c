// Loops of the activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>
#include <utility>

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
    // A threshold of 16 bits would be rounded, and take elements that are above it.
    using number_t = vec::vec_opmath_t<scalar_t>;
    const auto threshold = threshold_scalar.to<number_t>();
    const auto value = value_scalar.to<scalar_t>();
    cpu_kernel(iter, [=](scalar_t x, scalar_t other) -> scalar_t {
      return static_cast<number_t>(x) <= threshold ? value : other;
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
      using T = decltype(x);
      const T tail = normal_tail(x);
      return x * select(x < T(0), tail, T(T(1) - tail));
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

// ---- the piecewise and the exponential ones

// Clevert, Unterthiner and Hochreiter, arXiv:1511.07289.
void elu_kernel(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  unary(iter, "elu_cpu", [=](auto x) {
    using V = decltype(x);
    const V negative = expm1_of(V(x * constant<V>(input_scale))) * constant<V>(alpha * scale);
    return select(x < constant<V>(0), negative, V(x * constant<V>(scale)));
  });
}

void elu_backward_kernel(TensorIteratorBase& iter, double alpha, double scale, double input_scale,
                         bool is_result) {
  const double negative = alpha * scale;
  if (is_result) {
    binary(iter, "elu_backward_cpu", [=](auto g, auto y) {
      using V = decltype(y);
      return select(y <= constant<V>(0),
                    V(g * constant<V>(input_scale) * (y + constant<V>(negative))),
                    V(g * constant<V>(scale)));
    });
    return;
  }
  binary(iter, "elu_backward_cpu", [=](auto g, auto x) {
    using V = decltype(x);
    const V slope = constant<V>(input_scale * negative) * exp_of(V(x * constant<V>(input_scale)));
    return select(x <= constant<V>(0), V(g * slope), V(g * constant<V>(scale)));
  });
}

template <typename V>
V clamped(V x, double low, double high) {
  const V raised = select(x < constant<V>(low), constant<V>(low), x);
  return select(raised > constant<V>(high), constant<V>(high), raised);
}

// Howard and others, arXiv:1905.02244.
void hardswish_kernel(TensorIteratorBase& iter) {
  unary(iter, "hardswish_cpu", [](auto x) {
    using V = decltype(x);
    return V(x * clamped(V(x + constant<V>(3)), 0, 6) / constant<V>(6));
  });
}

void hardswish_backward_kernel(TensorIteratorBase& iter) {
  binary(iter, "hardswish_backward_cpu", [](auto g, auto x) {
    using V = decltype(x);
    const V inner = select(x < constant<V>(3), V(g * (x / constant<V>(3) + constant<V>(0.5))), g);
    return select(x <= constant<V>(-3), constant<V>(0), inner);
  });
}

void hardsigmoid_kernel(TensorIteratorBase& iter) {
  unary(iter, "hardsigmoid_cpu", [](auto x) {
    using V = decltype(x);
    return V(clamped(V(x + constant<V>(3)), 0, 6) / constant<V>(6));
  });
}

void hardsigmoid_backward_kernel(TensorIteratorBase& iter) {
  binary(iter, "hardsigmoid_backward_cpu", [](auto g, auto x) {
    using V = decltype(x);
    const V below = select(x < constant<V>(3), V(g * constant<V>(1.0 / 6)), constant<V>(0));
    return select(x > constant<V>(-3), below, constant<V>(0));
  });
}

void hardtanh_backward_kernel(TensorIteratorBase& iter, double low, double high) {
  binary(iter, "hardtanh_backward_cpu", [=](auto g, auto x) {
    using V = decltype(x);
    const V below = select(x >= constant<V>(high), constant<V>(0), g);
    return select(x <= constant<V>(low), constant<V>(0), below);
  });
}

void softshrink_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  const double l = lambd.to<double>();
  unary(iter, "softshrink_cpu", [=](auto x) {
    using V = decltype(x);
    // x * 0 keeps NaN.
    const V inner = select(x < constant<V>(-l), V(x + constant<V>(l)), V(x * constant<V>(0)));
    return select(x > constant<V>(l), V(x - constant<V>(l)), inner);
  });
}

void hardshrink_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  const double l = lambd.to<double>();
  unary(iter, "hardshrink_cpu", [=](auto x) {
    using V = decltype(x);
    const V below = select(x <= constant<V>(l), constant<V>(0), x);
    return select(x >= constant<V>(-l), below, x);
  });
}

void shrink_backward_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  const double l = lambd.to<double>();
  binary(iter, "shrink_backward_cpu", [=](auto g, auto x) {
    using V = decltype(x);
    const V below = select(x <= constant<V>(l), constant<V>(0), g);
    return select(x >= constant<V>(-l), below, g);
  });
}

// tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2) and e = exp(x): for Misra, arXiv:1908.08681.
template <typename V>
V tanh_of_softplus(V e) {
  const V n = e * (e + constant<V>(2));
  return n / (n + constant<V>(2));
}

// Above this the formulas' limits are exact in double.
constexpr double kMishLinear = 20;

void mish_kernel(TensorIteratorBase& iter) {
  unary(iter, "mish_cpu", [](auto x) {
    using V = decltype(x);
    return select(x > constant<V>(kMishLinear), x, V(x * tanh_of_softplus(exp_of(x))));
  });
}

void mish_backward_kernel(TensorIteratorBase& iter) {
  binary(iter, "mish_backward_cpu", [](auto g, auto x) {
    using V = decltype(x);
    const V e = exp_of(x);
    const V t = tanh_of_softplus(e);
    const V sigmoid = e / (constant<V>(1) + e);
    return select(x > constant<V>(kMishLinear), g,
                  V(g * (t + x * sigmoid * (constant<V>(1) - t * t))));
  });
}

void glu_kernel(TensorIteratorBase& iter) {
  binary(iter, "glu_cpu", [](auto a, auto b) {
    using V = decltype(a);
    return V(a / (constant<V>(1) + exp_of(V(constant<V>(0) - b))));
  });
}

void prelu_kernel(TensorIteratorBase& iter) {
  binary(iter, "prelu_cpu", [](auto x, auto w) {
    using V = decltype(x);
    return select(x > constant<V>(0), x, V(w * x));
  });
}

void prelu_backward_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(), "prelu_backward_cpu", [&] {
    cpu_kernel_multiple_outputs(
        iter, [](scalar_t x, scalar_t w, scalar_t g) -> std::tuple<scalar_t, scalar_t> {
          if (x > scalar_t(0)) return {g, scalar_t(0)};
          return {static_cast<scalar_t>(w * g), static_cast<scalar_t>(x * g)};
        });
  });
}

// min(x, 0) - log(1 + z) with z = exp(-|x|)
template <typename V>
std::pair<V, V> log_sigmoid_of(V x) {
  const V zero(0);
  const V z = exp_of(select(x < zero, x, V(zero - x)));
  return {V(select(x < zero, x, zero) - log1p_of(z)), z};
}

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  if ((iter.dtype() == kFloat || iter.dtype() == kDouble) && iter.is_contiguous()) {
    AT_DISPATCH_FLOATING_TYPES(iter.dtype(), "log_sigmoid_cpu", [&] {
      using Vec = Vectorized<scalar_t>;
      auto* result = static_cast<scalar_t*>(iter.data_ptr(0));
      auto* buffer = static_cast<scalar_t*>(iter.data_ptr(1));
      const auto* input = static_cast<const scalar_t*>(iter.data_ptr(2));
      at::parallel_for(0, iter.numel(), at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i += Vec::size()) {
          const int64_t count = std::min<int64_t>(Vec::size(), end - i);
          const auto [log, z] = log_sigmoid_of(Vec::loadu(input + i, count));
          log.store(result + i, static_cast<int>(count));
          z.store(buffer + i, static_cast<int>(count));
        }
      });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(), "log_sigmoid_cpu", [&] {
    using Math = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
    cpu_kernel_multiple_outputs(iter, [](scalar_t x) -> std::tuple<scalar_t, scalar_t> {
      const auto [log, z] = log_sigmoid_of(static_cast<Math>(x));
      return {static_cast<scalar_t>(log), static_cast<scalar_t>(z)};
    });
  });
}

void log_sigmoid_backward_kernel(TensorIteratorBase& iter) {
  const auto op = [](auto x, auto z, auto grad) {
    using V = decltype(x);
    const V part = z / (constant<V>(1) + z);
    return V(grad * select(x < constant<V>(0), V(constant<V>(1) - part), part));
  };
  ternary_float_kernel(iter, "log_sigmoid_backward", op, op);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(GeluBackwardKernel, &CPU_CAPABILITY::gelu_backward_kernel)
REGISTER_DISPATCH(GeluKernel, &CPU_CAPABILITY::gelu_kernel)
REGISTER_DISPATCH(elu_backward_stub, &CPU_CAPABILITY::elu_backward_kernel)
REGISTER_DISPATCH(elu_stub, &CPU_CAPABILITY::elu_kernel)
REGISTER_DISPATCH(glu_stub, &CPU_CAPABILITY::glu_kernel)
REGISTER_DISPATCH(hardshrink_stub, &CPU_CAPABILITY::hardshrink_kernel)
REGISTER_DISPATCH(hardsigmoid_backward_stub, &CPU_CAPABILITY::hardsigmoid_backward_kernel)
REGISTER_DISPATCH(hardsigmoid_stub, &CPU_CAPABILITY::hardsigmoid_kernel)
REGISTER_DISPATCH(hardswish_backward_stub, &CPU_CAPABILITY::hardswish_backward_kernel)
REGISTER_DISPATCH(hardswish_stub, &CPU_CAPABILITY::hardswish_kernel)
REGISTER_DISPATCH(hardtanh_backward_stub, &CPU_CAPABILITY::hardtanh_backward_kernel)
REGISTER_DISPATCH(leaky_relu_backward_stub, &CPU_CAPABILITY::leaky_relu_backward_kernel)
REGISTER_DISPATCH(leaky_relu_stub, &CPU_CAPABILITY::leaky_relu_kernel)
REGISTER_DISPATCH(log_sigmoid_backward_stub, &CPU_CAPABILITY::log_sigmoid_backward_kernel)
REGISTER_DISPATCH(log_sigmoid_stub, &CPU_CAPABILITY::log_sigmoid_kernel)
REGISTER_DISPATCH(mish_backward_stub, &CPU_CAPABILITY::mish_backward_kernel)
REGISTER_DISPATCH(mish_stub, &CPU_CAPABILITY::mish_kernel)
REGISTER_DISPATCH(prelu_backward_stub, &CPU_CAPABILITY::prelu_backward_kernel)
REGISTER_DISPATCH(prelu_stub, &CPU_CAPABILITY::prelu_kernel)
REGISTER_DISPATCH(shrink_backward_stub, &CPU_CAPABILITY::shrink_backward_kernel)
REGISTER_DISPATCH(silu_backward_stub, &CPU_CAPABILITY::silu_backward_kernel)
REGISTER_DISPATCH(silu_stub, &CPU_CAPABILITY::silu_kernel)
REGISTER_DISPATCH(softplus_backward_stub, &CPU_CAPABILITY::softplus_backward_kernel)
REGISTER_DISPATCH(softplus_stub, &CPU_CAPABILITY::softplus_kernel)
REGISTER_DISPATCH(softshrink_stub, &CPU_CAPABILITY::softshrink_kernel)
REGISTER_DISPATCH(threshold_stub, &CPU_CAPABILITY::threshold_kernel)

}  // namespace at::native
