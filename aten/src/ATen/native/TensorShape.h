#pragma once

// What every view is made by.

#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace at {
class Tensor;
}  // namespace at

namespace at::native {

// A second tensor over the storage of `self`, and like it one of inference mode or none, with
// `sizes`, `strides` and `storage_offset` (that of `self` where none is given), in elements.
// Nothing is checked: they must lie inside of the storage.
Tensor alias_with_sizes_and_strides(const Tensor& self, c10::IntArrayRef sizes,
                                    c10::IntArrayRef strides, int64_t storage_offset);
Tensor alias_with_sizes_and_strides(const Tensor& self, c10::IntArrayRef sizes,
                                    c10::IntArrayRef strides);

}  // namespace at::native
