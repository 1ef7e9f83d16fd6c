#pragma once

// Extensions of PyTorch 1.0's time include this for tensors; there is nothing to save here.

#include <torch/types.h>
