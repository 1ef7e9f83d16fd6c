#pragma once

// The stub of arange.

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIterator;

namespace native {

// Writes start + i * step to a contiguous one-dimensional result.
DECLARE_DISPATCH(void (*)(TensorIterator&, const c10::Scalar& start, const c10::Scalar& end,
                          const c10::Scalar& step),
                 arange_stub)

}  // namespace native
}  // namespace at
