"""The options of PyTorch's CMake that the BUILD files do not cover, so that who asks for one is told."""

# By CMake's variable without `USE_`, in lower case, which is the option //overlay/pytorch:NAME: what to do instead.
_CMAKE = "Build it with CMake, or leave the option out"
_DISTRIBUTED = "torch.distributed is not built: torch.distributed.is_available() is False. " + _CMAKE
_CUDA_LIBRARY = "Of CUDA's sources libc10_cuda and kernels are built, and no library on top of these. " + _CMAKE
NOT_COVERED = {
    "c10d_gloo": _DISTRIBUTED,
    "c10d_mpi": _DISTRIBUTED,
    "c10d_nccl": _DISTRIBUTED,
    "c10d_ucc": _DISTRIBUTED,
    "coreml_delegate": _CMAKE,
    "cuda": "Type --config=cuda; docs/pytorch.md tells which of its sources are built",
    "cudnn": _CUDA_LIBRARY,
    "cudss": _CUDA_LIBRARY,
    "cufile": _CUDA_LIBRARY,
    "cusparselt": _CUDA_LIBRARY,
    "distributed": _DISTRIBUTED,
    "fakelowp": _CMAKE,
    "fbgemm": "Quantized operators have one engine, oneDNN: type --//overlay/pytorch:onednn=on",
    "flash_attention": _CUDA_LIBRARY,
    "gflags": _CMAKE,
    "glog": _CMAKE,
    "gloo": _DISTRIBUTED,
    "itt": _CMAKE,
    "kineto": "torch.profiler records operators without it. " + _CMAKE,
    "kleidiai": _CMAKE,
    "llvm": _CMAKE,
    "magma": _CUDA_LIBRARY,
    "mem_eff_attention": _CUDA_LIBRARY,
    "mimalloc": _CMAKE,
    "mkl": "Type --blas=openblas for a faster BLAS",
    "mkldnn": "Its name is onednn: type --//overlay/pytorch:onednn=on",
    "mkldnn_acl": _CMAKE,
    "mpi": _DISTRIBUTED,
    "mps": _CMAKE,
    "nccl": _DISTRIBUTED,
    "nnapi": _CMAKE,
    "nnpack": _CMAKE,
    "nvrtc": _CUDA_LIBRARY,
    "observers": _CMAKE,
    "opencl": _CMAKE,
    "openmp": "It is on by default, and off with --openmp=false",
    "pytorch_metal": _CMAKE,
    "pytorch_qnnpack": "Quantized operators have one engine, oneDNN: type --//overlay/pytorch:onednn=on",
    "rccl": _DISTRIBUTED,
    "rocm": _CMAKE,
    "snpe": _CMAKE,
    "tensorpipe": _DISTRIBUTED,
    "ucc": _DISTRIBUTED,
    "valgrind": _CMAKE,
    "vulkan": _CMAKE,
    "xnnpack": _CMAKE,
    "xpu": _CMAKE,
}

# Variables of CMake's that choose how it builds, and not what is in PyTorch: their starts and whole names.
OF_THE_BUILD = [
    "USE_ASAN",
    "USE_CCACHE",
    "USE_COLORIZE_OUTPUT",
    "USE_CPP_CODE_COVERAGE",
    "USE_CUPTI_SO",
    "USE_GLOO_WITH_OPENSSL",
    "USE_GOLD_LINKER",
    "USE_LIGHTWEIGHT_DISPATCH",
    "USE_LITE_",
    "USE_MIMALLOC_ON_MKL",
    "USE_MKLDNN_CBLAS",
    "USE_NATIVE_ARCH",
    "USE_NUMPY",
    "USE_PER_OPERATOR_HEADERS",
    "USE_PRECOMPILED_HEADERS",
    "USE_PROF",
    "USE_PYTORCH_METAL_EXPORT",
    "USE_ROCM_KERNEL_ASSERT",
    "USE_SOURCE_DEBUG_ON_MOBILE",
    "USE_STATIC_",
    "USE_SYSTEM_",
    "USE_TSAN",
    "USE_VULKAN_",
]

def not_covered_message(name):
    """What is said where one of these options is on.

    Args:
      name: of NOT_COVERED.

    Returns:
      The message.
    """
    return "--//overlay/pytorch:{}=on: the BUILD files of overlay/pytorch do not cover USE_{} of PyTorch's CMake. {}. docs/pytorch.md lists the options that work.".format(name, name.upper(), NOT_COVERED[name])

def not_covered_target(name):
    """The target that fails the analysis.

    Args:
      name: of NOT_COVERED.

    Returns:
      Its name.
    """
    return "not_covered_" + name
