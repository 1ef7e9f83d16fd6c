#pragma once

#include <ATen/native/FlashAttention.h>
#include <c10/core/ScalarType.h>

#include <cuda_runtime_api.h>

namespace at::native {

// Attention with the instructions that only Hopper has. False, and nothing is done, where this GPU
// or this library has them not, or where the problem is one for the kernel of sm_80: with a mask, a
// scale that is not positive, or operands that no tensor map describes.
bool launch_attention_sm90(const AttentionProblem& problem, c10::ScalarType dtype,
                           cudaStream_t stream);

}  // namespace at::native
