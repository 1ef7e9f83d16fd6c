#pragma once

// Operators of Python's torch.special, without the prefix of their names in namespace at.

#include <torch/types.h>
