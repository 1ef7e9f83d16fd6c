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

}  // namespace native
}  // namespace at
