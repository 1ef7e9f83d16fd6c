#pragma once

#include <ATen/core/enum_tag.h>
#include <torch/headeronly/macros/Macros.h>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using at::Tag;
HIDDEN_NAMESPACE_END(torch, headeronly)
