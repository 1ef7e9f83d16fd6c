#pragma once

// The stubs of linear interpolation.

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIteratorBase;

namespace native {

using lerp_fn_scalar = void (*)(TensorIteratorBase& iter, const c10::Scalar& weight);
using lerp_fn_tensor = void (*)(TensorIteratorBase& iter);

DECLARE_DISPATCH(lerp_fn_scalar, lerp_kernel_scalar_weight)
DECLARE_DISPATCH(lerp_fn_tensor, lerp_kernel_tensor_weight)

}  // namespace native
}  // namespace at
