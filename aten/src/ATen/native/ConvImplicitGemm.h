#pragma once

// Convolutions by a device's own kernels, which read their operands where they are.

#include <ATen/core/TensorBase.h>
#include <ATen/native/ConvLibrary.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/DispatchStub.h>

namespace at::native {

// Computes one of ConvUtils.h's tensors of the others, which may have any strides; `bias`, which
// may be undefined and is for an image alone, is added before the sums are rounded. Half and
// BFloat16 are added up in float. False for a type or a size that the kernels do not take; then
// nothing is written.
using conv_implicit_gemm_fn = bool (*)(ConvProduct product, const ConvGeometry& g,
                                       const TensorBase& x, const TensorBase& w,
                                       const TensorBase& bias, const TensorBase& y);

DECLARE_DISPATCH(conv_implicit_gemm_fn, conv_implicit_gemm_stub)

}  // namespace at::native
