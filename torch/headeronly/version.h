#pragma once

#include <torch/version.h>

#define TORCH_VERSION_ABI_TAG 0

// The version of the interface as one number, its most significant bytes first: major, minor,
// patch.
#define TORCH_ABI_VERSION                                                    \
  ((0ULL + TORCH_VERSION_MAJOR) << 56 | (0ULL + TORCH_VERSION_MINOR) << 48 | \
   (0ULL + TORCH_VERSION_PATCH) << 40 | (0ULL + TORCH_VERSION_ABI_TAG))
