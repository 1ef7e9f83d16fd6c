#pragma once

#error \
    "torch/csrc/jit/python/pybind_utils.h: this release is without TorchScript; register operators and kernels with torch/library.h"
