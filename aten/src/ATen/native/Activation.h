#pragma once

// The stubs of activation functions and their gradients.

#include <ATen/native/DispatchStub.h>

#include <cstdint>
#include <string_view>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIterator;
struct TensorIteratorBase;

namespace native {

// How gelu computes: with erf, or with its approximation by tanh.
enum class GeluType : uint8_t { None, Tanh };

// Throws "approximate argument must be either none or tanh."
GeluType get_gelutype_enum(std::string_view approximate);

using activation_fn = void (*)(TensorIteratorBase&);
using activation_scalar_fn = void (*)(TensorIteratorBase&, const c10::Scalar&);
using activation_two_scalars_fn = void (*)(TensorIteratorBase&, const c10::Scalar&,
                                           const c10::Scalar&);

// x <= threshold ? value : y; relu and its gradient are of this form.
DECLARE_DISPATCH(activation_two_scalars_fn, threshold_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, GeluType), GeluKernel)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, GeluType), GeluBackwardKernel)
DECLARE_DISPATCH(activation_fn, silu_stub)
DECLARE_DISPATCH(activation_fn, silu_backward_stub)
DECLARE_DISPATCH(activation_scalar_fn, leaky_relu_stub)
DECLARE_DISPATCH(activation_scalar_fn, leaky_relu_backward_stub)
DECLARE_DISPATCH(activation_two_scalars_fn, softplus_stub)
DECLARE_DISPATCH(activation_two_scalars_fn, softplus_backward_stub)

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

}  // namespace native
}  // namespace at
