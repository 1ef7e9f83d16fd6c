#pragma once

// Copies and converts; dispatches on the non-CPU operand's device.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at {
class Tensor;
struct TensorIterator;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIterator&, bool non_blocking), copy_stub)

// `n` elements of Half or BFloat16 as floats and back, rounded to the nearest: what is not compiled
// for a capability converts bit by bit.
using widen_fn = void (*)(float* out, const void* in, int64_t n, c10::ScalarType dtype);
using narrow_fn = void (*)(void* out, const float* in, int64_t n, c10::ScalarType dtype);
DECLARE_DISPATCH(widen_fn, widen_stub)
DECLARE_DISPATCH(narrow_fn, narrow_stub)

}  // namespace native
}  // namespace at
