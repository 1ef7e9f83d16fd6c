#pragma once

// The stubs of softmax and log_softmax. All tensors are contiguous and of one type.

#include <ATen/native/DispatchStub.h>

#include <cstdint>

namespace at {
class TensorBase;

namespace native {

using softmax_fn = void (*)(const TensorBase& output, const TensorBase& input, int64_t dim);
using softmax_backward_fn = void (*)(const TensorBase& grad_input, const TensorBase& grad,
                                     const TensorBase& output, int64_t dim);

DECLARE_DISPATCH(softmax_fn, softmax_kernel)
DECLARE_DISPATCH(softmax_fn, log_softmax_kernel)
DECLARE_DISPATCH(softmax_backward_fn, softmax_backward_kernel)
DECLARE_DISPATCH(softmax_backward_fn, log_softmax_backward_kernel)

}  // namespace native
}  // namespace at
