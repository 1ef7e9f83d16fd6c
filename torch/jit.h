#pragma once

#error "torch/jit.h: this release is without TorchScript; register operators with torch/library.h"
