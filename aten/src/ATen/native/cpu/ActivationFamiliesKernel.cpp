// Loops of the piecewise and the exponential activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ActivationFamilies.h>

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
#include <tuple>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

template <typename Op>
void unary(TensorIteratorBase& iter, const char* name, Op op) {
  unary_float_kernel(iter, name, op, op);
}

template <typename Op>
void binary(TensorIteratorBase& iter, const char* name, Op op) {
  binary_float_kernel(iter, name, op, op);
}

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

REGISTER_DISPATCH(elu_stub, &CPU_CAPABILITY::elu_kernel)
REGISTER_DISPATCH(elu_backward_stub, &CPU_CAPABILITY::elu_backward_kernel)
REGISTER_DISPATCH(hardswish_stub, &CPU_CAPABILITY::hardswish_kernel)
REGISTER_DISPATCH(hardswish_backward_stub, &CPU_CAPABILITY::hardswish_backward_kernel)
REGISTER_DISPATCH(hardsigmoid_stub, &CPU_CAPABILITY::hardsigmoid_kernel)
REGISTER_DISPATCH(hardsigmoid_backward_stub, &CPU_CAPABILITY::hardsigmoid_backward_kernel)
REGISTER_DISPATCH(hardtanh_backward_stub, &CPU_CAPABILITY::hardtanh_backward_kernel)
REGISTER_DISPATCH(softshrink_stub, &CPU_CAPABILITY::softshrink_kernel)
REGISTER_DISPATCH(hardshrink_stub, &CPU_CAPABILITY::hardshrink_kernel)
REGISTER_DISPATCH(shrink_backward_stub, &CPU_CAPABILITY::shrink_backward_kernel)
REGISTER_DISPATCH(mish_stub, &CPU_CAPABILITY::mish_kernel)
REGISTER_DISPATCH(mish_backward_stub, &CPU_CAPABILITY::mish_backward_kernel)
REGISTER_DISPATCH(glu_stub, &CPU_CAPABILITY::glu_kernel)
REGISTER_DISPATCH(prelu_stub, &CPU_CAPABILITY::prelu_kernel)
REGISTER_DISPATCH(prelu_backward_stub, &CPU_CAPABILITY::prelu_backward_kernel)
REGISTER_DISPATCH(log_sigmoid_stub, &CPU_CAPABILITY::log_sigmoid_kernel)
REGISTER_DISPATCH(log_sigmoid_backward_stub, &CPU_CAPABILITY::log_sigmoid_backward_kernel)

}  // namespace at::native
