#pragma once

#include <ATen/native/cuda/Gemm.h>
#include <c10/core/ScalarType.h>

namespace at::native {

// Runs a product of Half or BFloat16 matrices on tensor cores. Returns false, and does nothing, for
// other types, for a GPU without them, and for matrices that are contiguous in no direction.
bool gemm_on_tensor_cores(c10::ScalarType dtype, const GemmProblem& problem);

}  // namespace at::native
