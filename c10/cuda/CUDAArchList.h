#pragma once

// For which GPUs this build has code. The values are written from --cuda_archs.

#include <c10/macros/Export.h>

namespace c10::cuda {

/// As torch.cuda.get_arch_list() gives them, joined by blanks: "sm_80 sm_90 compute_90".
C10_CUDA_API extern const char* const kArchList;
/// The value of --cuda_archs.
C10_CUDA_API extern const char* const kArchOption;

}  // namespace c10::cuda
