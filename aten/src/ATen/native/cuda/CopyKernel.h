#pragma once

namespace at {
struct TensorIteratorBase;

namespace native {

// Copies operand 1 to operand 0, both on one GPU, of any types and strides.
void copy_on_device(TensorIteratorBase& iter);

}  // namespace native
}  // namespace at
