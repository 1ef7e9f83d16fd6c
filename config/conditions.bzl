"""Conditions on the public options, so that no BUILD file repeats a `select()`."""

def _if(condition, then, otherwise):
    return select({
        condition: then,
        "//conditions:default": otherwise,
    })

def if_openmp(then, otherwise = []):
    """Chooses by `--openmp`.

    Args:
      then: the value when parallel loops run on OpenMP.
      otherwise: the value when they do not.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:openmp_on"), then, otherwise)

def if_blas(library, then, otherwise = []):
    """Chooses by `--blas`.

    Args:
      library: one of the values of the option.
      then: the value when it is the chosen one.
      otherwise: the value for every other.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:blas_" + library), then, otherwise)

def if_external_blas(then, with_lapack, otherwise = []):
    """Chooses by whether `--blas` is a library beside ours.

    Args:
      then: the value for a library without LAPACK.
      with_lapack: the value for one that has it.
      otherwise: the value for Eigen.

    Returns:
      A `select()`.
    """
    values = {
        Label("//config:blas_" + library): with_lapack
        for library in ["openblas", "mkl", "mkl_static", "accelerate", "nvpl", "apl", "flexiblas"]
    }
    values.update({Label("//config:blas_" + library): then for library in ["blis", "atlas"]})
    values["//conditions:default"] = otherwise
    return select(values)

def if_onednn(then, otherwise = []):
    """Chooses by `--onednn`.

    Args:
      then: the value when oneDNN takes part.
      otherwise: the value when it does not.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:onednn_on"), then, otherwise)

def if_cublas(then, otherwise = []):
    """Chooses by `--cublas`.

    Args:
      then: the value when products of matrices on a GPU are cuBLAS's.
      otherwise: the value when they are our own kernels.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:cublas_on"), then, otherwise)

def if_cudnn(then, otherwise = []):
    """Chooses by `--cudnn`.

    Args:
      then: the value when convolutions on a GPU are cuDNN's.
      otherwise: the value when they are products of matrices.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:cudnn_on"), then, otherwise)

def if_cupti(then, otherwise = []):
    """Chooses by `--cupti`.

    Args:
      then: the value when torch.profiler records what GPUs do.
      otherwise: the value when it does not.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:cupti_on"), then, otherwise)

def if_nccl(then, otherwise = []):
    """Chooses by `--nccl`.

    Args:
      then: the value when several GPUs work together through NCCL.
      otherwise: the value when they do not.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:nccl_on"), then, otherwise)

def if_nvtx(then, otherwise = []):
    """Chooses by `--nvtx`.

    Args:
      then: the value when a program may mark ranges for NVIDIA's profilers.
      otherwise: the value when it may not.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:nvtx_on"), then, otherwise)

def if_backend(backend, then):
    """Chooses by the option of a backend; ROCm has the outputs of CUDA.

    Args:
      backend: the option: cuda, mps, rocm or xpu.
      then: a list, the value when it is on.

    Returns:
      A `select()`, empty when it is off.
    """
    on = [backend] + (["rocm"] if backend == "cuda" else [])
    return select({Label("//config:" + name + "_on"): then for name in on} | {
        "//conditions:default": [],
    })

def requires_backend(backend):
    """Marks a target incompatible, not broken, where a backend is off.

    Args:
      backend: the option: cuda, mps, rocm or xpu; ROCm will do for CUDA.

    Returns:
      A value for `target_compatible_with`.
    """
    on = [backend] + (["rocm"] if backend == "cuda" else [])
    return select({Label("//config:" + name + "_on"): [] for name in on} | {
        "//conditions:default": ["@platforms//:incompatible"],
    })

def if_per_operator_headers(then, otherwise = []):
    """Chooses by `--per_operator_headers`.

    Args:
      then: the value when a source depends on the headers of its own operators alone.
      otherwise: the value when it depends on all of them.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:per_operator_headers_on"), then, otherwise)

def requires_cuda():
    """Marks a target incompatible, not broken, where CUDA is off.

    Returns:
      A value for `target_compatible_with`.
    """
    return _if(Label("//config:cuda_on"), [], ["@platforms//:incompatible"])
