#pragma once

#include <torch/headeronly/version.h>

// An extension that defines TORCH_TARGET_VERSION, such as 0x020B000000000000 for PyTorch 2.11, uses
// nothing newer, and loads into that version and later ones: what came after is not declared.
// Extensions ask `#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_10_0`.
#ifdef TORCH_TARGET_VERSION
#define TORCH_FEATURE_VERSION TORCH_TARGET_VERSION
#else
#define TORCH_FEATURE_VERSION TORCH_ABI_VERSION
#endif

#define TORCH_VERSION_2_10_0 (2ULL << 56 | 10ULL << 48)
#define TORCH_VERSION_2_11_0 (2ULL << 56 | 11ULL << 48)
#define TORCH_VERSION_2_12_0 (2ULL << 56 | 12ULL << 48)
#define TORCH_VERSION_2_13_0 (2ULL << 56 | 13ULL << 48)

#if TORCH_FEATURE_VERSION < TORCH_VERSION_2_10_0
#error "TORCH_TARGET_VERSION: these headers can target PyTorch 2.10 (0x020A000000000000) and later"
#endif
#if TORCH_FEATURE_VERSION > TORCH_ABI_VERSION
#error "TORCH_TARGET_VERSION is newer than these headers: choose at most their TORCH_ABI_VERSION"
#endif
