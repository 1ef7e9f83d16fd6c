#pragma once

#error \
    "torch/csrc/jit/api/module.h: this release is without TorchScript; register operators and kernels with torch/library.h"
