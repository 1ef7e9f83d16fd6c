#pragma once

#include <c10/util/complex_math.h>
#include <c10/util/complex_type.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::complex;
HIDDEN_NAMESPACE_END(torch, headeronly)
