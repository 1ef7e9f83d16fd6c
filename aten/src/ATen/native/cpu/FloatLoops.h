#pragma once

// Elementwise loops on floating point and complex numbers, of one to three arguments.
//
// `op` is called with float, double or c10::complex, `vec_op` with Vectorized<float> or
// Vectorized<double>. Half and BFloat16 compute in float, two vectors at a time.

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

template <typename ScalarOp, typename VecOp>
void unary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      cpu_kernel_vec(
          iter, [=](scalar_t a) -> scalar_t { return op(static_cast<float>(a)); },
          [=](Vectorized<scalar_t> a) {
            const auto [low, high] = vec::convert_to_float(a);
            return vec::convert_from_float<scalar_t>(vec_op(low), vec_op(high));
          });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    cpu_kernel_vec(
        iter, [=](scalar_t a) -> scalar_t { return op(a); },
        [=](Vectorized<scalar_t> a) { return vec_op(a); });
  });
}

// As above, and complex numbers by `op`.
template <typename ScalarOp, typename VecOp>
void unary_float_complex_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op,
                                VecOp vec_op) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), name, [&] {
      cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return op(a); });
    });
    return;
  }
  unary_float_kernel(iter, name, op, vec_op);
}

template <typename ScalarOp, typename VecOp>
void binary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      cpu_kernel_vec(
          iter,
          [=](scalar_t a, scalar_t b) -> scalar_t {
            return op(static_cast<float>(a), static_cast<float>(b));
          },
          [=](Vectorized<scalar_t> a, Vectorized<scalar_t> b) {
            const auto [a_low, a_high] = vec::convert_to_float(a);
            const auto [b_low, b_high] = vec::convert_to_float(b);
            return vec::convert_from_float<scalar_t>(vec_op(a_low, b_low), vec_op(a_high, b_high));
          });
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    cpu_kernel_vec(
        iter, [=](scalar_t a, scalar_t b) -> scalar_t { return op(a, b); },
        [=](Vectorized<scalar_t> a, Vectorized<scalar_t> b) { return vec_op(a, b); });
  });
}

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

}  // namespace CPU_CAPABILITY
}  // namespace at::native
