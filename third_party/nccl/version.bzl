"""The NCCL that the build links and a wheel asks for."""

NCCL_VERSION = "2.28.9"

# What its files are named after.
NCCL_MAJOR = 2

# The toolkits that it belongs to.
NCCL_CUDA_MAJOR = 13
