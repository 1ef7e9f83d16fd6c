// Loops of the elementwise operators of three arguments.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/PointwiseOps.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Lerp.h>
#include <ATen/native/PointwiseFormulas.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

void addcmul_kernel(TensorIteratorBase& iter, const Scalar& value_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isComplexType(dtype)) {
    AT_DISPATCH_COMPLEX_TYPES(dtype, "addcmul_cpu_out", [&] {
      const scalar_t value = value_scalar.to<scalar_t>();
      cpu_kernel(iter,
                 [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return a + value * b * c; });
    });
    return;
  }
  if (!c10::isFloatingType(dtype)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "addcmul_cpu_out", [&] {
      const pointwise::AddScaledProduct<scalar_t> op{value_scalar.to<scalar_t>()};
      cpu_kernel(iter,
                 [op](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return op(a, b, c); });
    });
    return;
  }
  const double value = value_scalar.to<double>();
  const pointwise::AddScaledProduct<double> op{value};
  ternary_float_kernel(iter, "addcmul_cpu_out", op, op);
}

void addcdiv_kernel(TensorIteratorBase& iter, const Scalar& value_scalar) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "addcdiv_cpu_out", [&] {
      const scalar_t value = value_scalar.to<scalar_t>();
      cpu_kernel(iter,
                 [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return a + value * b / c; });
    });
    return;
  }
  const double value = value_scalar.to<double>();
  const pointwise::AddScaledQuotient<double> op{value};
  ternary_float_kernel(iter, "addcdiv_cpu_out", op, op);
}

void mse_backward_kernel(TensorIteratorBase& iter, const Scalar& value_scalar) {
  const double value = value_scalar.to<double>();
  const pointwise::ScaledDifference<double> op{value};
  ternary_float_kernel(iter, "mse_backward_cpu_out", op, op);
}

template <typename V>
V smaller(V a, V b) {
  return select(b < a, b, a);
}
template <typename V>
V larger(V a, V b) {
  return select(a < b, b, a);
}

void smooth_l1_kernel(TensorIteratorBase& iter, double beta, double scale) {
  // What lies under the square, q = min(d, beta), makes both pieces one: q (d - q / 2) / beta.
  const auto op = [=](auto a, auto b) {
    using V = decltype(a);
    const V difference = a - b;
    const V d = larger(difference, V(-difference));
    if (beta == 0) return V(d * constant<V>(scale));
    const V q = smaller(d, constant<V>(beta));
    return V(q * (d - q * constant<V>(0.5)) * constant<V>(scale / beta));
  };
  binary_float_kernel(iter, "smooth_l1_cpu", op, op);
}

void smooth_l1_backward_kernel(TensorIteratorBase& iter, double beta, double scale) {
  const auto op = [=](auto a, auto b, auto grad) {
    using V = decltype(a);
    const V difference = a - b;
    const V top = constant<V>(scale);
    const V inner = beta == 0 ? difference : V(difference * constant<V>(scale / beta));
    const V capped = select(difference >= constant<V>(beta), top, inner);
    return V(select(difference <= constant<V>(-beta), V(-top), capped) * grad);
  };
  ternary_float_kernel(iter, "smooth_l1_backward_cpu_out", op, op);
}

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight_scalar) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "lerp_kernel_scalar", [&] {
      const auto weight = weight_scalar.to<scalar_t>();
      cpu_kernel(iter,
                 [=](scalar_t self, scalar_t end) -> scalar_t { return lerp(self, end, weight); });
    });
    return;
  }
  const double weight = weight_scalar.to<double>();
  const auto op = [=](auto self, auto end) {
    return lerp(self, end, constant<decltype(self)>(weight));
  };
  binary_float_kernel(iter, "lerp_kernel_scalar", op, op);
}

void lerp_tensor_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "lerp_kernel_tensor", [&] {
      cpu_kernel(iter, [](scalar_t self, scalar_t end, scalar_t weight) -> scalar_t {
        return lerp(self, end, weight);
      });
    });
    return;
  }
  const auto op = [](auto self, auto end, auto weight) { return lerp(self, end, weight); };
  ternary_float_kernel(iter, "lerp_kernel_tensor", op, op);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(addcmul_stub, &CPU_CAPABILITY::addcmul_kernel)
REGISTER_DISPATCH(addcdiv_stub, &CPU_CAPABILITY::addcdiv_kernel)
REGISTER_DISPATCH(mse_backward_stub, &CPU_CAPABILITY::mse_backward_kernel)
REGISTER_DISPATCH(smooth_l1_stub, &CPU_CAPABILITY::smooth_l1_kernel)
REGISTER_DISPATCH(smooth_l1_backward_stub, &CPU_CAPABILITY::smooth_l1_backward_kernel)
REGISTER_DISPATCH(lerp_kernel_scalar_weight, &CPU_CAPABILITY::lerp_scalar_kernel)
REGISTER_DISPATCH(lerp_kernel_tensor_weight, &CPU_CAPABILITY::lerp_tensor_kernel)

}  // namespace at::native
