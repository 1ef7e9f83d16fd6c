#pragma once

// PyTorch's older name of this header.
#include <ATen/core/Formatting.h>
