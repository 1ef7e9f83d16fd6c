#pragma once

// Copies and converts; dispatches on the non-CPU operand's device.

#include <ATen/native/DispatchStub.h>

namespace at {
class Tensor;
struct TensorIterator;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIterator&, bool non_blocking), copy_stub)

}  // namespace native
}  // namespace at
