#pragma once

#include <c10/util/Half.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::Half;
HIDDEN_NAMESPACE_END(torch, headeronly)
