#pragma once

#error \
    "torch/csrc/jit/runtime/custom_operator.h: this release is without TorchScript; register operators and kernels with torch/library.h"
