#pragma once

// Without contents in PyTorch too; older extensions include it.

#include <ATen/core/Tensor.h>
