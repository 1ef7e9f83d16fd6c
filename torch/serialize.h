#pragma once

#error \
    "torch/serialize.h: this release is without PyTorch's C++ front end; save and load tensors in Python with torch.save and torch.load"
