#pragma once

#include <c10/util/TypeList.h>
#include <torch/headeronly/util/TypeTraits.h>
