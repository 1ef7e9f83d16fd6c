#pragma once

// The stub of convolution with one input channel in each group, in two dimensions.

#include <ATen/native/ConvUtils.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

namespace at::native {

// As conv_forward, for float and double, where the first dimension of everything is 1.
using depthwise_conv_fn = void (*)(const ConvGeometry& g, c10::ScalarType dtype, const void* x,
                                   const void* w, const void* bias, void* y);
DECLARE_DISPATCH(depthwise_conv_fn, depthwise_conv_stub)

// As conv_backward_weight, for the same convolutions.
using depthwise_conv_backward_weight_fn = void (*)(const ConvGeometry& g, c10::ScalarType dtype,
                                                   const void* y, const void* x, void* w);
DECLARE_DISPATCH(depthwise_conv_backward_weight_fn, depthwise_conv_backward_weight_stub)

}  // namespace at::native
