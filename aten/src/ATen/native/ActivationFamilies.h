#pragma once

// The stubs of the piecewise and the exponential activation functions.

#include <ATen/native/Activation.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

using activation_fn = void (*)(TensorIteratorBase&);

// Arguments are alpha, scale and input_scale.
using elu_fn = void (*)(TensorIteratorBase&, double, double, double);
using elu_backward_fn = void (*)(TensorIteratorBase&, double, double, double, bool);
DECLARE_DISPATCH(elu_fn, elu_stub)
DECLARE_DISPATCH(elu_backward_fn, elu_backward_stub)

DECLARE_DISPATCH(activation_fn, hardswish_stub)
DECLARE_DISPATCH(activation_fn, hardswish_backward_stub)
DECLARE_DISPATCH(activation_fn, hardsigmoid_stub)
DECLARE_DISPATCH(activation_fn, hardsigmoid_backward_stub)
DECLARE_DISPATCH(activation_fn, mish_stub)
DECLARE_DISPATCH(activation_fn, mish_backward_stub)
// Outputs log(sigmoid(x)) and exp(-|x|), which the gradient takes.
DECLARE_DISPATCH(activation_fn, log_sigmoid_stub)
DECLARE_DISPATCH(activation_fn, log_sigmoid_backward_stub)
DECLARE_DISPATCH(activation_fn, glu_stub)
DECLARE_DISPATCH(activation_fn, prelu_stub)
DECLARE_DISPATCH(activation_fn, prelu_backward_stub)

using activation_range_fn = void (*)(TensorIteratorBase&, double, double);
DECLARE_DISPATCH(activation_range_fn, hardtanh_backward_stub)
DECLARE_DISPATCH(activation_scalar_fn, softshrink_stub)
DECLARE_DISPATCH(activation_scalar_fn, hardshrink_stub)
DECLARE_DISPATCH(activation_scalar_fn, shrink_backward_stub)

}  // namespace at::native
