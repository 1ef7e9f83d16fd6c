#pragma once

#include <c10/core/SymInt.h>

#define TORCH_SYM_CHECK(cond, ...) TORCH_CHECK(cond, __VA_ARGS__)
#define TORCH_SYM_INTERNAL_ASSERT(cond, ...) TORCH_INTERNAL_ASSERT(cond, __VA_ARGS__)
