#pragma once

#include <c10/util/BFloat16.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::BFloat16;
HIDDEN_NAMESPACE_END(torch, headeronly)
