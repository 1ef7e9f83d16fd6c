"""Conditions on the public options, so that no BUILD file repeats a `select()`."""

# As a Label, since a macro's strings are read in the workspace that calls it, which may not know the module.
_INCOMPATIBLE = [Label("@platforms//:incompatible")]

def _if(condition, then, otherwise):
    return select({
        condition: then,
        "//conditions:default": otherwise,
    })

def if_option(name, then, otherwise = []):
    """Chooses by an option that is on or off.

    Args:
      name: of the option: `cublas`, `openmp`.
      then: the value when it is on.
      otherwise: the value when it is off.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:{}_on".format(name)), then, otherwise)

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

def requires_cuda():
    """Marks a target incompatible, not broken, where CUDA is off.

    Returns:
      A value for `target_compatible_with`.
    """
    return _if(Label("//config:cuda_on"), [], _INCOMPATIBLE)
