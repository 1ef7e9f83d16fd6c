#pragma once

#include <torch/headeronly/version.h>

// Extensions ask `#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0`. They define
// TORCH_TARGET_VERSION to promise that they use nothing newer; these headers have the functions of
// all versions up to theirs whatever it says.
#ifdef TORCH_TARGET_VERSION
#define TORCH_FEATURE_VERSION TORCH_TARGET_VERSION
#else
#define TORCH_FEATURE_VERSION TORCH_ABI_VERSION
#endif

#define TORCH_VERSION_2_10_0 (2ULL << 56 | 10ULL << 48)
#define TORCH_VERSION_2_11_0 (2ULL << 56 | 11ULL << 48)
#define TORCH_VERSION_2_12_0 (2ULL << 56 | 12ULL << 48)
#define TORCH_VERSION_2_13_0 (2ULL << 56 | 13ULL << 48)
