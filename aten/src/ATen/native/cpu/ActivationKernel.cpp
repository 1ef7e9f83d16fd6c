// Loops of the activation functions.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/ActivationFormulas.h>
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

// `op` takes float, double and vectors of them.
template <Cost cost = Cost::kLow, typename Op>
void unary(TensorIteratorBase& iter, const char* name, Op op) {
  unary_float_kernel<cost>(iter, name, op, op);
}

template <Cost cost = Cost::kLow, typename Op>
void binary(TensorIteratorBase& iter, const char* name, Op op) {
  binary_float_kernel<cost>(iter, name, op, op);
}

// The type of the numbers is not that of elements: of 16 bits, a threshold would be rounded and
// take elements that are above it.
void threshold_kernel(TensorIteratorBase& iter, const Scalar& threshold, const Scalar& value) {
  if (c10::isFloatingType(iter.dtype())) {
    binary(iter, "threshold_cpu",
           activation::Threshold<double>{threshold.to<double>(), value.to<double>()});
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(iter.dtype(), "threshold_cpu", [&] {
    const activation::Threshold<scalar_t> op{threshold.to<scalar_t>(), value.to<scalar_t>()};
    cpu_kernel(iter, [op](scalar_t x, scalar_t other) -> scalar_t { return op(x, other); });
  });
}

void gelu_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    unary<Cost::kHigh>(iter, "GeluKernelImpl", activation::GeluTanh{});
  } else {
    unary<Cost::kHigh>(iter, "GeluKernelImpl", activation::GeluErf{});
  }
}

void gelu_backward_kernel(TensorIteratorBase& iter, GeluType approximate) {
  if (approximate == GeluType::Tanh) {
    binary<Cost::kHigh>(iter, "GeluBackwardKernelImpl", activation::GeluTanhBackward{});
  } else {
    binary<Cost::kHigh>(iter, "GeluBackwardKernelImpl", activation::GeluErfBackward{});
  }
}

void silu_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "silu_cpu", [&] {
      cpu_kernel(iter, [](scalar_t x) -> scalar_t { return x / (scalar_t(1) + exp(-x)); });
    });
    return;
  }
  unary<Cost::kHigh>(iter, "silu_cpu", activation::Silu{});
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
  binary<Cost::kHigh>(iter, "silu_backward_cpu", activation::SiluBackward{});
}

void leaky_relu_kernel(TensorIteratorBase& iter, const Scalar& slope) {
  unary(iter, "leaky_relu_cpu", activation::LeakyRelu<double>{slope.to<double>()});
}

void leaky_relu_backward_kernel(TensorIteratorBase& iter, const Scalar& slope) {
  binary(iter, "leaky_relu_backward_cpu",
         activation::LeakyReluBackward<double>{slope.to<double>()});
}

void softplus_kernel(TensorIteratorBase& iter, const Scalar& beta, const Scalar& threshold) {
  unary<Cost::kHigh>(iter, "softplus_cpu",
                     activation::Softplus<double>{beta.to<double>(), threshold.to<double>()});
}

void softplus_backward_kernel(TensorIteratorBase& iter, const Scalar& beta,
                              const Scalar& threshold) {
  binary<Cost::kHigh>(
      iter, "softplus_backward_cpu",
      activation::SoftplusBackward<double>{beta.to<double>(), threshold.to<double>()});
}

void elu_kernel(TensorIteratorBase& iter, double alpha, double scale, double input_scale) {
  unary<Cost::kHigh>(iter, "elu_cpu", activation::Elu<double>{alpha * scale, scale, input_scale});
}

void elu_backward_kernel(TensorIteratorBase& iter, double alpha, double scale, double input_scale,
                         bool is_result) {
  if (is_result) {
    binary<Cost::kHigh>(iter, "elu_backward_cpu",
                        activation::EluBackwardOfResult<double>{alpha * scale, scale, input_scale});
  } else {
    binary<Cost::kHigh>(iter, "elu_backward_cpu",
                        activation::EluBackward<double>{alpha * scale, scale, input_scale});
  }
}

void hardswish_kernel(TensorIteratorBase& iter) {
  unary(iter, "hardswish_cpu", activation::Hardswish{});
}

void hardswish_backward_kernel(TensorIteratorBase& iter) {
  binary(iter, "hardswish_backward_cpu", activation::HardswishBackward{});
}

void hardsigmoid_kernel(TensorIteratorBase& iter) {
  unary(iter, "hardsigmoid_cpu", activation::Hardsigmoid{});
}

void hardsigmoid_backward_kernel(TensorIteratorBase& iter) {
  // Its branch is no cheap operation: nobody can predict which way it goes.
  binary<Cost::kHigh>(iter, "hardsigmoid_backward_cpu", activation::HardsigmoidBackward{});
}

void hardtanh_backward_kernel(TensorIteratorBase& iter, double low, double high) {
  binary(iter, "hardtanh_backward_cpu", activation::HardtanhBackward<double>{low, high});
}

void softshrink_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  unary(iter, "softshrink_cpu", activation::Softshrink<double>{lambd.to<double>()});
}

void hardshrink_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  unary(iter, "hardshrink_cpu", activation::Hardshrink<double>{lambd.to<double>()});
}

void shrink_backward_kernel(TensorIteratorBase& iter, const Scalar& lambd) {
  binary(iter, "shrink_backward_cpu", activation::ShrinkBackward<double>{lambd.to<double>()});
}

void mish_kernel(TensorIteratorBase& iter) {
  unary<Cost::kHigh>(iter, "mish_cpu", activation::Mish{});
}

void mish_backward_kernel(TensorIteratorBase& iter) {
  binary<Cost::kHigh>(iter, "mish_backward_cpu", activation::MishBackward{});
}

void glu_kernel(TensorIteratorBase& iter) {
  binary<Cost::kHigh>(iter, "glu_cpu", activation::Glu{});
}

void prelu_kernel(TensorIteratorBase& iter) { binary(iter, "prelu_cpu", activation::Prelu{}); }

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
  return {V(select(x < zero, x, zero) - log1p_of_fraction(z)), z};
}

// Elements of 16 bits as vectors of floats.
void reduced_log_sigmoid(TensorIteratorBase& iter) {
  AT_DISPATCH_REDUCED_FLOATING_TYPES(iter.dtype(), "log_sigmoid_cpu", [&] {
    using Vec = Vectorized<float>;
    auto* result = static_cast<scalar_t*>(iter.data_ptr(0));
    auto* buffer = static_cast<scalar_t*>(iter.data_ptr(1));
    const auto* input = static_cast<const scalar_t*>(iter.data_ptr(2));
    at::parallel_for(0, iter.numel(), at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
      int64_t i = begin;
      for (; i + Vec::size() <= end; i += Vec::size()) {
        const auto [log, z] = log_sigmoid_of(vec::load_as_float(input + i));
        vec::store_from_float(result + i, log);
        vec::store_from_float(buffer + i, z);
      }
      for (; i < end; ++i) {
        const auto [log, z] = log_sigmoid_of(static_cast<float>(input[i]));
        result[i] = static_cast<scalar_t>(log);
        buffer[i] = static_cast<scalar_t>(z);
      }
    });
  });
}

void log_sigmoid_kernel(TensorIteratorBase& iter) {
  if ((iter.dtype() == kHalf || iter.dtype() == kBFloat16) && iter.is_contiguous()) {
    reduced_log_sigmoid(iter);
    return;
  }
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
