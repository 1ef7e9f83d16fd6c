#pragma once

// The stub of sorting rows.

#include <ATen/native/DispatchStub.h>

namespace at {
class TensorBase;

namespace native {

// The first k elements of each row of `input` in order, of equals the first, with their places in
// the row. NaN counts as the largest number. All tensors are contiguous and not empty; rows are the
// last dimension, of k elements in `values` and `indices` (int64).
using sort_rows_fn = void (*)(const TensorBase& values, const TensorBase& indices,
                              const TensorBase& input, bool descending);
DECLARE_DISPATCH(sort_rows_fn, sort_rows_stub)

}  // namespace native
}  // namespace at
