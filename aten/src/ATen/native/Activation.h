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

using structured_activation_fn = void (*)(TensorIteratorBase&);
using structured_activation_backward_fn = void (*)(TensorIteratorBase&);
using activation_scalar_fn = void (*)(TensorIteratorBase&, const c10::Scalar&);
using activation_two_scalars_fn = void (*)(TensorIteratorBase&, const c10::Scalar&,
                                           const c10::Scalar&);

// x <= threshold ? value : y; relu and its gradient are of this form.
DECLARE_DISPATCH(activation_two_scalars_fn, threshold_stub)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, GeluType), GeluKernel)
DECLARE_DISPATCH(void (*)(TensorIteratorBase&, GeluType), GeluBackwardKernel)
DECLARE_DISPATCH(structured_activation_fn, silu_stub)
DECLARE_DISPATCH(structured_activation_backward_fn, silu_backward_stub)
DECLARE_DISPATCH(activation_scalar_fn, leaky_relu_stub)
DECLARE_DISPATCH(activation_scalar_fn, leaky_relu_backward_stub)
DECLARE_DISPATCH(activation_two_scalars_fn, softplus_stub)
DECLARE_DISPATCH(activation_two_scalars_fn, softplus_backward_stub)

}  // namespace native
}  // namespace at
