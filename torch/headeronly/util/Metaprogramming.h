#pragma once

#include <c10/util/Metaprogramming.h>
#include <torch/headeronly/util/TypeTraits.h>
