"""What `--blas` and `--lapack` mean for whoever compiles against the libraries and whoever links them."""

load("//config:conditions.bzl", "if_blas", "if_external_blas", _if_lapack = "if_lapack")

if_lapack = _if_lapack

_MKL = "@mkl//:lib/libmkl_{}.so.2"
_MKL_STATIC = "@mkl_static//:lib/libmkl_{}.a"

MKL_LIBRARIES = [_MKL.format(part) for part in ["intel_lp64", "gnu_thread", "core"]]
MKL_STATIC_LIBRARIES = [_MKL_STATIC.format(part) for part in ["intel_lp64", "gnu_thread", "core"]]

# The archives need each other in turn, and none of their names is ours to export.
MKL_STATIC_FLAGS = ["-Wl,--start-group"] + [
    "$(location {})".format(library)
    for library in MKL_STATIC_LIBRARIES
] + [
    "-Wl,--end-group",
    "-Wl,--exclude-libs,libmkl_intel_lp64.a:libmkl_gnu_thread.a:libmkl_core.a",
    "-lgomp",
    "-lpthread",
    "-lm",
    "-ldl",
]

# Beside libtorch_cpu's own folder, MKL is where pip installs it: lib of the environment.
MKL_FLAGS = ["$(location {})".format(library) for library in MKL_LIBRARIES] + [
    "-lgomp",
    "-Wl,-rpath,$ORIGIN/../../../..",
]

LIBRARY_FLAGS = {
    "accelerate": ["-framework", "Accelerate"],
    "apl": ["-larmpl_lp64"],
    "atlas": ["-lf77blas", "-latlas"],
    "blis": ["-lblis"],
    "flexiblas": ["-lflexiblas"],
    "mkl": MKL_FLAGS,
    "mkl_static": MKL_STATIC_FLAGS,
    "nvpl": ["-lnvpl_lapack_lp64_gomp", "-lnvpl_blas_lp64_gomp"],
    "openblas": ["-lopenblas"],
}

# The library of `--lapack=openblas`. Nothing links it: libtorch_cpu loads it from beside itself.
LAPACK_LIBRARY = "@scipy_openblas32//:lib/libscipy_openblas.so"

def blas_defines():
    """Definitions for the sources that call BLAS or LAPACK.

    Returns:
      A `select()`: TORCH_USE_BLAS for any library but Eigen, TORCH_BLAS_HAS_LAPACK where it has that too.
    """
    return if_external_blas(["TORCH_USE_BLAS"]) + if_lapack("blas", ["TORCH_BLAS_HAS_LAPACK"])

def blas_link_flags():
    """Options for the link of a shared library, which takes its own libraries' objects alone.

    Returns:
      A sum of `select()`.
    """
    flags = []
    for library, options in LIBRARY_FLAGS.items():
        flags = flags + if_blas(library, options)
    return flags

def blas_link_inputs():
    """Files that `blas_link_flags` names.

    Returns:
      A sum of `select()`.
    """
    return if_blas("mkl", MKL_LIBRARIES) + if_blas("mkl_static", MKL_STATIC_LIBRARIES)

_FACTS = {
    library: "@{}//:facts.json".format(library)
    for library in ["atlas", "blis", "flexiblas", "mkl", "mkl_static", "openblas"]
} | {
    library: ":{}_facts".format(library)
    for library in ["accelerate", "apl", "nvpl"]
}

def blas_facts():
    """Files that say what was found for `--blas` and `--lapack`.

    Returns:
      A sum of `select()`, empty where Eigen does all.
    """
    facts = if_lapack("openblas", ["@scipy_openblas32//:facts.json"])
    for library, file in _FACTS.items():
        facts = facts + if_blas(library, [file])
    return facts
