#pragma once

// For which GPUs this build has code. The values are written from --cuda_archs.

namespace c10::cuda {

/// As torch.cuda.get_arch_list() gives them, joined by blanks: "sm_80 sm_90 compute_90".
extern const char* const kArchList;
/// The value of --cuda_archs.
extern const char* const kArchOption;

}  // namespace c10::cuda
