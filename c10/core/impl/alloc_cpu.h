#pragma once

// alloc_cpu and free_cpu, at PyTorch's path.
#include <c10/core/CPUAllocator.h>
