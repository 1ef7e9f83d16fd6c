#pragma once

// The stubs of clamping, selection by a mask, and of extreme values with their places.

#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
class TensorBase;
struct TensorIterator;
struct TensorIteratorBase;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar& min, const c10::Scalar& max),
                 clamp_scalar_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar& min), clamp_min_scalar_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, const c10::Scalar& max), clamp_max_scalar_stub)

// The bounds are operands 2 and 3.
DECLARE_DISPATCH(void (*)(TensorIteratorBase&), clamp_stub)

DECLARE_DISPATCH(void (*)(TensorIterator&), where_kernel)

// The extreme value along `dim` and the index of its first place. `values` and `indices` are
// contiguous and have the dimension with size 1.
using reduce_minmax_fn = void (*)(const TensorBase& values, const TensorBase& indices,
                                  const TensorBase& self, int64_t dim);
DECLARE_DISPATCH(reduce_minmax_fn, max_stub)
DECLARE_DISPATCH(reduce_minmax_fn, min_stub)

}  // namespace native
}  // namespace at
