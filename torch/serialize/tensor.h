#pragma once

// Extensions of PyTorch 1.0's time include this for tensors; torch/serialize.h saves them.

#include <torch/types.h>
