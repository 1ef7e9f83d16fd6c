// Loops of the elementwise operators of three arguments.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/PointwiseOps.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/Lerp.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// The type of a number, or of the lanes of a vector.
template <typename T>
struct Element {
  using type = T;
};
template <typename T>
struct Element<Vectorized<T>> {
  using type = T;
};
template <typename T>
using element_t = typename Element<T>::type;

template <typename ScalarOp, typename VecOp>
void ternary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      cpu_kernel(iter, [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t {
        return op(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
      });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    cpu_kernel_vec(
        iter, [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return op(a, b, c); },
        [=](Vectorized<scalar_t> a, Vectorized<scalar_t> b, Vectorized<scalar_t> c) {
          return vec_op(a, b, c);
        });
  });
}

void addcmul_kernel(TensorIteratorBase& iter, const Scalar& value_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (!c10::isFloatingType(dtype)) {
    AT_DISPATCH_INTEGRAL_TYPES(dtype, "addcmul_cpu_out", [&] {
      const scalar_t value = value_scalar.to<scalar_t>();
      cpu_kernel(iter,
                 [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return a + value * b * c; });
    });
    return;
  }
  const double value = value_scalar.to<double>();
  const auto op = [=](auto a, auto b, auto c) {
    return a + decltype(a)(static_cast<element_t<decltype(a)>>(value)) * b * c;
  };
  ternary_float_kernel(iter, "addcmul_cpu_out", op, op);
}

void addcdiv_kernel(TensorIteratorBase& iter, const Scalar& value_scalar) {
  const double value = value_scalar.to<double>();
  const auto op = [=](auto a, auto b, auto c) {
    return a + decltype(a)(static_cast<element_t<decltype(a)>>(value)) * b / c;
  };
  ternary_float_kernel(iter, "addcdiv_cpu_out", op, op);
}

void mse_backward_kernel(TensorIteratorBase& iter, const Scalar& value) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.dtype(), "mse_backward_cpu_out", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const opmath_t scalar = value.to<opmath_t>();
    cpu_kernel(iter, [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t {
      return scalar * (static_cast<opmath_t>(a) - static_cast<opmath_t>(b)) *
             static_cast<opmath_t>(c);
    });
  });
}

// Exact at both ends: the formula is the one that starts from the nearer end.
template <typename T>
T lerp(T self, T end, T weight) {
  return (weight < T(0.5) && weight > T(-0.5)) ? self + weight * (end - self)
                                               : end - (end - self) * (T(1) - weight);
}

void lerp_scalar_kernel(TensorIteratorBase& iter, const Scalar& weight_scalar) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.common_dtype(), "lerp_kernel_scalar", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const opmath_t weight = weight_scalar.to<opmath_t>();
    cpu_kernel(iter, [=](scalar_t self, scalar_t end) -> scalar_t {
      return lerp<opmath_t>(self, end, weight);
    });
  });
}

void lerp_tensor_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, iter.common_dtype(), "lerp_kernel_tensor", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    cpu_kernel(iter, [](scalar_t self, scalar_t end, scalar_t weight) -> scalar_t {
      return lerp<opmath_t>(self, end, weight);
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(addcmul_stub, &CPU_CAPABILITY::addcmul_kernel)
REGISTER_DISPATCH(addcdiv_stub, &CPU_CAPABILITY::addcdiv_kernel)
REGISTER_DISPATCH(mse_backward_stub, &CPU_CAPABILITY::mse_backward_kernel)
REGISTER_DISPATCH(lerp_kernel_scalar_weight, &CPU_CAPABILITY::lerp_scalar_kernel)
REGISTER_DISPATCH(lerp_kernel_tensor_weight, &CPU_CAPABILITY::lerp_tensor_kernel)

}  // namespace at::native
