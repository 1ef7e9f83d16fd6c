"""What the configuration headers say: CMake's variables, by this tree's options where there is one.

OpenMP is by `--openmp`, BLAS and LAPACK by `--blas`, and PocketFFT always. What is optional is off here, and on for
those that read it: optional.bzl. Off is what not_covered.bzl lists.
"""

load(":cc.bzl", "COPTS")

# c10/macros/cmake_macros.h
C10_MACROS = {
    "C10_BUILD_SHARED_LIBS": "1",
    "C10_USE_GFLAGS": "",
    "C10_USE_GLOG": "",
    "C10_USE_MSVC_STATIC_RUNTIME": "",
    "C10_USE_NUMA": "",
    "C10_USE_ROCM_KERNEL_ASSERT": "",
}

# aten/src/ATen/Config.h, with the threads of OpenMP or those of ATen itself
ATEN_CONFIG = {
    "AT_BLAS_F2C": "0",
    "AT_BLAS_USE_CBLAS_DOT": "0",
    "AT_BUILD_WITH_BLAS": "1",
    "AT_BUILD_WITH_LAPACK": "1",
    # Of 2.7 and later.
    "AT_KLEIDIAI_ENABLED": "0",
    "AT_MKLDNN_ACL_ENABLED": "0",
    "AT_MKLDNN_ENABLED": "0",
    "AT_MKL_ENABLED": "0",
    "AT_MKL_SEQUENTIAL": "0",
    "AT_NNPACK_ENABLED": "0",
    "AT_POCKETFFT_ENABLED": "1",
    "CAFFE2_STATIC_LINK_CUDA_INT": "0",
}

OPENMP_CONFIG = {
    "AT_PARALLEL_NATIVE": "0",
    "AT_PARALLEL_OPENMP": "1",
}

NATIVE_CONFIG = {
    "AT_PARALLEL_NATIVE": "1",
    "AT_PARALLEL_OPENMP": "0",
}

# aten/src/ATen/cuda/CUDAConfig.h. It does not name the architectures, since each has actions of its own.
CUDA_CONFIG = {
    "AT_CUDNN_ENABLED": "0",
    "AT_CUSPARSELT_ENABLED": "0",
    "AT_MAGMA_ENABLED": "0",
    "AT_ROCM_ENABLED": "0",
    "NVCC_FLAGS_EXTRA": "",
}

# c10/cuda/impl/cuda_cmake_macros.h
C10_CUDA_MACROS = {"C10_CUDA_BUILD_SHARED_LIBS": "1"}

# caffe2/core/macros.h, which torch.__config__.show() prints: where neither `--blas` nor `--openmp` says something else
CAFFE2_MACROS = {
    "BLAS_INFO": "generic",
    "CAFFE2_BUILD_SHARED_LIBS": "1",
    "CAFFE2_FORCE_FALLBACK_CUDA_MPI": "",
    "CAFFE2_HAS_MKL_DNN": "",
    "CAFFE2_HAS_MKL_SGEMM_PACK": "",
    "CAFFE2_PERF_WITH_AVX": "1",
    "CAFFE2_PERF_WITH_AVX2": "1",
    "CAFFE2_THREADPOOL_MAIN_IMBALANCE": "",
    "CAFFE2_THREADPOOL_STATS": "",
    "CAFFE2_USE_ACCELERATE": "",
    "CAFFE2_USE_CUDNN": "",
    "CAFFE2_USE_EIGEN_FOR_BLAS": "",
    "CAFFE2_USE_EXCEPTION_PTR": "1",
    "CAFFE2_USE_FBCODE": "",
    "CAFFE2_USE_GOOGLE_GLOG": "",
    "CAFFE2_USE_ITT": "",
    "CAFFE2_USE_LITE_PROTO": "",
    "CAFFE2_USE_MKL": "",
    "CAFFE2_USE_NVTX": "",
    "CMAKE_CXX_COMPILER": "c++",
    "CMAKE_CXX_FLAGS": " ".join(COPTS),
    "COMMIT_SHA": "Unknown",
    "CUDA_VERSION": "",
    "CUDNN_VERSION": "",
    "EIGEN_MPL2_ONLY": "1",
    "LAPACK_INFO": "generic",
    "ROCM_VERSION": "",
    "USE_CUDA": "OFF",
    "USE_CUDNN": "OFF",
    "USE_CUSPARSELT": "OFF",
    "USE_GFLAGS": "OFF",
    "USE_GLOG": "OFF",
    "USE_GLOO": "OFF",
    "USE_MPI": "OFF",
    "USE_NCCL": "OFF",
    "USE_NNPACK": "OFF",
    "USE_OPENMP": "OFF",
    "USE_ROCM": "OFF",
    "USE_ROCM_KERNEL_ASSERT": "OFF",
}

def release_of(version):
    """The numbers of a version.

    Args:
      version: what version.txt says, such as `2.6.0a0`.

    Returns:
      `2.6.0`.
    """
    return version.split("a")[0].split("+")[0]

def version_values(version):
    """CMake's variables of the version.

    Args:
      version: what version.txt says, such as `2.6.0a0`.

    Returns:
      A dict.
    """
    numbers = release_of(version).split(".")
    return {
        "TORCH_VERSION": ".".join(numbers),
        "TORCH_VERSION_MAJOR": numbers[0],
        "TORCH_VERSION_MINOR": numbers[1],
        "TORCH_VERSION_PATCH": numbers[2],
    }
