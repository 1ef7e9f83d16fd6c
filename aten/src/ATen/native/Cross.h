#pragma once

// The loop of cross products.

#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at {
struct TensorIteratorBase;

namespace native {

// The iterator runs over the first elements of the vectors; the strides lead to the others.
using cross_fn = void (*)(TensorIteratorBase& iter, int64_t out_stride, int64_t a_stride,
                          int64_t b_stride);
DECLARE_DISPATCH(cross_fn, cross_stub)

}  // namespace native
}  // namespace at
