#pragma once

#error \
    "torch/optim.h: this release is without PyTorch's C++ front end; update parameters by operators, inside a torch::NoGradGuard"
