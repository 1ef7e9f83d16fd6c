#pragma once

// Operators of Python's torch.fft, without the prefix of their names in namespace at.

#include <torch/types.h>
