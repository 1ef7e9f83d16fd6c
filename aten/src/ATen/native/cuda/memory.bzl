"""How much memory the device compile of a heavy file takes, in MiB.

Measured with GNU time as the largest resident set of nvcc's steps, for sm_90 and CUDA 13.0. A file
that is not listed takes less than 512 MiB.
"""

COMPILE_MEMORY = {
    "aten/src/ATen/native/cuda/SortRowsKernel.cu": "2048",
}
