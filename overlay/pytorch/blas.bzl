"""BLAS and LAPACK of PyTorch by this tree's `--blas`: a choice of the link, no source is compiled again but those of
`torch.__config__`.
"""

load("//config:conditions.bzl", "if_blas")
load("//config:options.bzl", "BLAS_WITH_LAPACK")
load("//third_party/blas:blas.bzl", "LIBRARY_FLAGS")

# Eigen is no library of PyTorch's: the default is whichever libblas and liblapack the distribution has chosen.
_DEFAULT = "eigen"

# PyTorch's names.
_KNOWN = {
    "atlas": struct(has_lapack = "atlas" in BLAS_WITH_LAPACK, title = "atlas"),
    "blis": struct(has_lapack = "blis" in BLAS_WITH_LAPACK, title = "blis"),
    "flexiblas": struct(has_lapack = "flexiblas" in BLAS_WITH_LAPACK, title = "flexi"),
    "openblas": struct(has_lapack = "openblas" in BLAS_WITH_LAPACK, title = "open"),
}

# Of `--blas`, those that need more than a link.
_UNKNOWN = "--blas={} is not among the libraries that PyTorch's own sources are linked with here. Type: --blas={} (or leave it out for the distribution's libblas and liblapack)"

_OTHERS = ["accelerate", "apl", "mkl", "mkl_static", "nvpl"]

def _choose(default, known, other = lambda name: []):
    result = if_blas(_DEFAULT, default)
    for name, library in _KNOWN.items():
        result = result + if_blas(name, known(name, library))
    for name in _OTHERS:
        result = result + if_blas(name, other(name))
    return result

def pytorch_blas():
    """The library for whoever links PyTorch's objects.

    Returns:
      A sum of `select()` of labels.
    """
    lapack = ["@pytorch_lapack//:lapack"]
    return _choose(
        lapack,
        lambda name, library: [Label("//third_party/blas")] + ([] if library.has_lapack else lapack),
        lambda name: [Label("//overlay/pytorch:no_" + name)],
    )

def pytorch_blas_flags(lapack):
    """Options of libtorch_cpu's link.

    Args:
      lapack: those of the distribution's LAPACK and BLAS.

    Returns:
      A sum of `select()`.
    """
    return _choose(
        lapack,
        # Of the two, LAPACK alone.
        lambda name, library: ([] if library.has_lapack else [flag for flag in lapack if flag != "-lblas"]) + LIBRARY_FLAGS[name],
    )

def pytorch_blas_values():
    """What torch.__config__.show() says of it.

    Returns:
      A `select()` of CMake's variables, those that are other than by default.
    """
    return select({
        Label("//config:blas_" + name): {
            "BLAS_INFO": library.title,
            "LAPACK_INFO": library.title if library.has_lapack else "generic",
        }
        for name, library in _KNOWN.items()
    } | {"//conditions:default": {}})

def unavailable_blas():
    """The libraries that PyTorch cannot be linked with, and what is said of each.

    Returns:
      Messages by name.
    """
    return {name: _UNKNOWN.format(name, ", ".join(_KNOWN.keys())) for name in _OTHERS}
