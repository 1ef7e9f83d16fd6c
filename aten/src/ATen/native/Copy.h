#pragma once

// The stub that copies, and converts, between two tensors of one device.

#include <ATen/native/DispatchStub.h>

namespace at {
class Tensor;
struct TensorIterator;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIterator&, bool non_blocking), copy_stub)

}  // namespace native
}  // namespace at
