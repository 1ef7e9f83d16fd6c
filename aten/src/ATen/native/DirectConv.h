#pragma once

// The stubs of convolutions of float and double that read the input in place of its columns.

#include <ATen/native/ConvUtils.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

namespace at::native {

// As conv_forward, conv_backward_input and conv_backward_weight, for float and double.
using direct_conv_forward_fn = void (*)(const ConvGeometry& g, c10::ScalarType dtype, const void* x,
                                        const void* w, const void* bias, void* y);
using direct_conv_backward_input_fn = void (*)(const ConvGeometry& g, c10::ScalarType dtype,
                                               const void* y, const void* w, void* x);
using direct_conv_backward_weight_fn = void (*)(const ConvGeometry& g, c10::ScalarType dtype,
                                                const void* y, const void* x, void* w);
DECLARE_DISPATCH(direct_conv_forward_fn, direct_conv_forward_stub)
DECLARE_DISPATCH(direct_conv_backward_input_fn, direct_conv_backward_input_stub)
DECLARE_DISPATCH(direct_conv_backward_weight_fn, direct_conv_backward_weight_stub)

}  // namespace at::native
