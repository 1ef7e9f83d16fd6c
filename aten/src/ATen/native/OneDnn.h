#pragma once

// What Intel's oneDNN does in a build with --onednn: convolutions whose windows overlap, and
// products of bfloat16. Each function returns false, having done nothing, for what it leaves to our
// own loops: everything, in a build without.

#include <ATen/native/CPUBlas.h>
#include <ATen/native/ConvUtils.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/BFloat16.h>

#include <cstdint>

namespace at::native::onednn {

// Whether the build has it: torch.backends.mkldnn.is_available().
TORCH_API bool is_available();

// Whether convolutions of this type need no conversion to float first.
bool convolves(c10::ScalarType dtype);

// As the functions of ConvUtils.h, for float and what `convolves` names.
bool conv_forward(const ConvGeometry& g, c10::ScalarType dtype, const void* x, const void* w,
                  const void* bias, void* y);
bool conv_backward_input(const ConvGeometry& g, c10::ScalarType dtype, const void* y, const void* w,
                         void* x);
bool conv_backward_weight(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                          const void* x, void* w);

// cpublas::gemm of bfloat16.
bool bfloat16_gemm(cpublas::TransposeType transa, cpublas::TransposeType transb, int64_t m,
                   int64_t n, int64_t k, double alpha, const c10::BFloat16* a, int64_t lda,
                   const c10::BFloat16* b, int64_t ldb, double beta, c10::BFloat16* c, int64_t ldc);

}  // namespace at::native::onednn
