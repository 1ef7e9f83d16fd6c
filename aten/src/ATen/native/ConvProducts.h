// Convolution and its gradients as products of matrices, by operators alone: what a device without
// loops for them runs.

#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/native/ConvUtils.h>

namespace at::native {

// As the functions of ConvUtils.h without `_by_products`; the last tensor is written.
void conv_forward_by_products(const ConvGeometry& g, const Tensor& x, const Tensor& w,
                              const Tensor& bias, const Tensor& y);
void conv_backward_input_by_products(const ConvGeometry& g, const Tensor& y, const Tensor& w,
                                     const Tensor& x);
void conv_backward_weight_by_products(const ConvGeometry& g, const Tensor& y, const Tensor& x,
                                      const Tensor& w);

}  // namespace at::native
