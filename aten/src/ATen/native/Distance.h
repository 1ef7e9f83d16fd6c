#pragma once

#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at {
class TensorBase;

namespace native {

// out[..., i, j] is the p-norm of the difference of row i of `left` and row j of `right`. All are
// contiguous, of one floating-point type with the same leading sizes, and none is empty. `left` and
// `right` may be the same tensor.
using cdist_fn = void (*)(const TensorBase& out, const TensorBase& left, const TensorBase& right,
                          double p);
DECLARE_DISPATCH(cdist_fn, cdist_stub)
// The gradient of `left`; `grad` and `cdist` are of the size [..., n, m].
using cdist_backward_fn = void (*)(const TensorBase& out, const TensorBase& grad,
                                   const TensorBase& left, const TensorBase& right, double p,
                                   const TensorBase& cdist);
DECLARE_DISPATCH(cdist_backward_fn, cdist_backward_stub)

}  // namespace native
}  // namespace at
