#pragma once

// The stubs of the elementwise operators of two arguments.

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
enum class ScalarType : int8_t;
}  // namespace c10

namespace at {
struct TensorIterator;
struct TensorIteratorBase;

namespace native {

// Throws if `alpha` cannot multiply elements of `dtype`.
void alpha_check(c10::ScalarType dtype, const c10::Scalar& alpha);

using structured_binary_fn_alpha = void (*)(TensorIteratorBase&, const c10::Scalar& alpha);
using structured_binary_fn = void (*)(TensorIteratorBase&);

DECLARE_DISPATCH(structured_binary_fn_alpha, add_stub)

DECLARE_DISPATCH(structured_binary_fn, mul_stub)
DECLARE_DISPATCH(structured_binary_fn, div_true_stub)
DECLARE_DISPATCH(structured_binary_fn, div_floor_stub)
DECLARE_DISPATCH(structured_binary_fn, div_trunc_stub)
DECLARE_DISPATCH(structured_binary_fn, remainder_stub)
DECLARE_DISPATCH(structured_binary_fn, maximum_stub)
DECLARE_DISPATCH(structured_binary_fn, minimum_stub)

DECLARE_DISPATCH(structured_binary_fn, atan2_stub)
DECLARE_DISPATCH(structured_binary_fn, copysign_stub)
DECLARE_DISPATCH(structured_binary_fn, fmax_stub)
DECLARE_DISPATCH(structured_binary_fn, fmin_stub)
DECLARE_DISPATCH(structured_binary_fn, fmod_stub)
DECLARE_DISPATCH(structured_binary_fn, hypot_stub)
DECLARE_DISPATCH(structured_binary_fn, igamma_stub)
DECLARE_DISPATCH(structured_binary_fn, igammac_stub)
DECLARE_DISPATCH(structured_binary_fn, logaddexp_stub)
DECLARE_DISPATCH(structured_binary_fn, logaddexp2_stub)
DECLARE_DISPATCH(structured_binary_fn, nextafter_stub)
DECLARE_DISPATCH(structured_binary_fn, special_xlog1py_stub)
DECLARE_DISPATCH(structured_binary_fn, special_zeta_stub)
DECLARE_DISPATCH(structured_binary_fn, xlogy_stub)

DECLARE_DISPATCH(structured_binary_fn, bitwise_and_stub)
DECLARE_DISPATCH(structured_binary_fn, bitwise_or_stub)
DECLARE_DISPATCH(structured_binary_fn, bitwise_xor_stub)
DECLARE_DISPATCH(structured_binary_fn, bitwise_left_shift_stub)
DECLARE_DISPATCH(structured_binary_fn, bitwise_right_shift_stub)

// The result of these is bool.
DECLARE_DISPATCH(structured_binary_fn, logical_and_stub)
DECLARE_DISPATCH(structured_binary_fn, logical_or_stub)
DECLARE_DISPATCH(structured_binary_fn, logical_xor_stub)
DECLARE_DISPATCH(structured_binary_fn, eq_stub)
DECLARE_DISPATCH(structured_binary_fn, ne_stub)
DECLARE_DISPATCH(structured_binary_fn, lt_stub)
DECLARE_DISPATCH(structured_binary_fn, le_stub)
DECLARE_DISPATCH(structured_binary_fn, gt_stub)
DECLARE_DISPATCH(structured_binary_fn, ge_stub)

DECLARE_DISPATCH(structured_binary_fn, mse_stub)
// `eps` below 0 stands for none.
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, double eps), logit_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, sigmoid_backward_stub)
DECLARE_DISPATCH(structured_binary_fn, tanh_backward_stub)

}  // namespace native
}  // namespace at
