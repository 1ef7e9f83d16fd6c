#pragma once

// The stub of additions to lists of tensors.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/TensorRows.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

namespace at::native {

// Adds `*value_data`, or `value` where that is null, to every element of role 0.
using foreach_add_fn = void (*)(c10::ScalarType dtype, c10::ArrayRef<TensorRow> rows, double value,
                                const float* value_data);

DECLARE_DISPATCH(foreach_add_fn, foreach_add_stub)

}  // namespace at::native
