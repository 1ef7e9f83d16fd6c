#pragma once

// PyTorch's older name of this header.
#include <c10/core/ScalarType.h>
