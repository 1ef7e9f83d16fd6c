#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <bit>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using std::bit_cast;
HIDDEN_NAMESPACE_END(torch, headeronly)
