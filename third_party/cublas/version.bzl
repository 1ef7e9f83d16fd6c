"""The cuBLAS that the build links and a wheel asks for."""

CUBLAS_VERSION = "13.1.0.3"

# The toolkits that it belongs to, and what its files are named after.
CUBLAS_MAJOR = 13
