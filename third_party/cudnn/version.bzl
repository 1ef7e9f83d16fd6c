"""The cuDNN that the build links and a wheel asks for."""

CUDNN_VERSION = "9.20.0.48"

# What its files are named after.
CUDNN_MAJOR = 9

# The toolkits that it belongs to.
CUDNN_CUDA_MAJOR = 13
