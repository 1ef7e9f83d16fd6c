#pragma once

// The stub that copies, and converts; of the device that is not the CPU, where there is one.

#include <ATen/native/DispatchStub.h>

namespace at {
class Tensor;
struct TensorIterator;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIterator&, bool non_blocking), copy_stub)

}  // namespace native
}  // namespace at
