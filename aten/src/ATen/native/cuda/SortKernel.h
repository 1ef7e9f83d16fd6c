#pragma once

namespace at {
class TensorBase;

namespace native {

// Writes to `indices`, int64 of the same shape, where the elements of each row of `self` come from
// when the row is sorted; equal elements keep their order, NaN is the largest. Both contiguous;
// rows are along the last dimension.
void sort_rows(const TensorBase& self, const TensorBase& indices, bool descending);

}  // namespace native
}  // namespace at
