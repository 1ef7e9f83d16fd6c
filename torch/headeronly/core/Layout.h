#pragma once

#include <c10/core/Layout.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::kJagged;
using c10::kMkldnn;
using c10::kSparse;
using c10::kStrided;
using c10::Layout;
HIDDEN_NAMESPACE_END(torch, headeronly)
