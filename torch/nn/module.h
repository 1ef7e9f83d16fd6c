#pragma once

#error \
    "torch/nn/module.h: this release is without PyTorch's C++ front end; call operators of tensors, such as torch::relu and torch::constant_pad_nd"
