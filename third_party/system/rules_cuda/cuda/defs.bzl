"""Public rules and helpers for CUDA."""

load(":archs.bzl", _CudaArchsInfo = "CudaArchsInfo")
load(":cuda_library.bzl", _cuda_library = "cuda_library")
load(":toolchain.bzl", _cuda_toolchain = "cuda_toolchain", _find_cuda_toolchain = "find_cuda_toolchain", _use_cuda_toolchain = "use_cuda_toolchain")

CudaArchsInfo = _CudaArchsInfo
cuda_library = _cuda_library
cuda_toolchain = _cuda_toolchain
find_cuda_toolchain = _find_cuda_toolchain
use_cuda_toolchain = _use_cuda_toolchain

def requires_cuda():
    """Value for `target_compatible_with` of whatever needs CUDA.

    Returns:
      A select that makes the target incompatible where CUDA is off or no toolkit works.
    """
    return select({
        Label("//cuda:is_enabled"): [],
        "//conditions:default": [Label("//cuda:rules_are_enabled")],
    }) + select({
        Label("//cuda:is_valid_toolchain_found"): [],
        "//conditions:default": [Label("//cuda:valid_toolchain_is_configured")],
    })
