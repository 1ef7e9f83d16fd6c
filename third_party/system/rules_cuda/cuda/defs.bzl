"""The public rules that this tree uses."""

load("//cuda/private:toolchain.bzl", _cuda_toolchain = "cuda_toolchain", _cuda_toolchain_config = "cuda_toolchain_config")

cuda_toolchain = _cuda_toolchain
cuda_toolchain_config_nvcc = _cuda_toolchain_config
