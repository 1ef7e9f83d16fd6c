#pragma once

// PyTorch's older name of the header.
#include <ATen/TensorIterator.h>
