#pragma once

#include <c10/core/MemoryFormat.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::get_contiguous_memory_format;
using c10::MemoryFormat;
HIDDEN_NAMESPACE_END(torch, headeronly)
