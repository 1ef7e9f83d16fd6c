#pragma once

#error \
    "torch/data.h: this release is without PyTorch's C++ front end; read batches in code of your own"
