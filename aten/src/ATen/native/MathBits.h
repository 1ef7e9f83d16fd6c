#pragma once

// Conjugates and negatives that are views: a bit of the tensor says that its elements are the
// conjugates, or the negatives, of what is in memory.

namespace at {
class Tensor;
}  // namespace at

namespace at::native {

// A view of the memory of `self` as it is: without the bits.
Tensor without_math_bits(const Tensor& self);

}  // namespace at::native
