#pragma once

// The stubs of the elementwise operators of three arguments and their gradients.

#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIterator;
struct TensorIteratorBase;

namespace native {

using pointwise_fn = void (*)(TensorIteratorBase&, const c10::Scalar& scalar);

DECLARE_DISPATCH(pointwise_fn, addcmul_stub)
DECLARE_DISPATCH(pointwise_fn, addcdiv_stub)
// scalar * (input - target) * grad
DECLARE_DISPATCH(pointwise_fn, mse_backward_stub)

using distance_loss_fn = void (*)(TensorIteratorBase&, double beta, double scale);

// scale * (0.5 d^2 / beta up to beta, then d - 0.5 beta) with d = |input - target|
DECLARE_DISPATCH(distance_loss_fn, smooth_l1_stub)
// Its derivative by the input, times grad, the third argument.
DECLARE_DISPATCH(distance_loss_fn, smooth_l1_backward_stub)

}  // namespace native
}  // namespace at
