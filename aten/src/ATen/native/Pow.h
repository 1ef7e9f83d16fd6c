#pragma once

// The stubs of powers.

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIteratorBase;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIteratorBase&), pow_tensor_tensor_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar&), pow_tensor_scalar_stub)

}  // namespace native
}  // namespace at
