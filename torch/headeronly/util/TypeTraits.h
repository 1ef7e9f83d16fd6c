#pragma once

#include <c10/util/TypeTraits.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
namespace guts = c10::guts;
HIDDEN_NAMESPACE_END(torch, headeronly)
