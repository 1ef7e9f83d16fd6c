#pragma once

// The place of gpuAtomicAdd before PyTorch 1.11.
#include <ATen/cuda/Atomic.cuh>
