#pragma once

#error \
    "torch/nn.h: this release is without PyTorch's C++ front end; for layers and losses call operators, such as torch::conv2d and torch::relu"
