"""The public options, each written down once.

The build settings and their config_settings (`config/BUILD.bazel`), the short flags
(`config/flags.bazelrc`), the checks of what cannot work together, the reference
(`docs/options.md`) and the summary (`//tools/summary`) all derive from `OPTIONS`.

A backend is an entry of `backends.bzl`, an optional library one of third_party/optional/libraries.bzl; both
have their options from there. To add another option: append it here, run `./bazelw run //tools:update`, and
use it through a function of `conditions.bzl`. There are at most twenty, and none repeats another's fact.
"""

load("//third_party/optional:libraries.bzl", "OPTIONAL_LIBRARIES")
load(":backends.bzl", "OPTIONAL_BACKENDS", "backend_setting")

MAX_OPTIONS = 20

# The values of `--blas` by whether the library has LAPACK too.
BLAS_WITH_LAPACK = ["openblas", "mkl", "mkl_static", "accelerate", "nvpl", "apl", "flexiblas"]
BLAS_WITHOUT_LAPACK = ["eigen", "blis", "atlas"]

# Where `--lapack=auto` takes the wheel that third_party/blas/extensions.bzl pins.
LAPACK_PLATFORMS = ["linux_aarch64", "linux_x86_64"]

# Compute backends that this version implements. The others are refused at analysis.
WORKING_BACKENDS = ["cpu"] + [name for name, backend in OPTIONAL_BACKENDS.items() if not backend.missing]

def _switch(name, default, doc, label = None, requires = [], missing = "", os = ""):
    """An option that is on or off.

    Args:
      name: the short flag; `--name` turns it on and `--name=false` off.
      default: bool, its value when nobody sets it.
      doc: one sentence for the reference.
      label: the build setting behind it, when that belongs to another module.
      requires: names of the switches that must be on when this one is.
      missing: what this version lacks for it to work; whoever builds tensors with it on gets an error.
      os: the operating system of `//platforms` that alone has it; none means any.

    Returns:
      The option as a struct.
    """
    return struct(
        default = default,
        doc = doc,
        kind = "switch",
        label = label or "//config:" + name,
        missing = missing,
        name = name,
        os = os,
        requires = requires,
        values = [],
    )

def _choice(name, default, doc, values):
    """An option with one of a few values.

    Args:
      name: the short flag; `--name=value` sets it.
      default: its value when nobody sets it.
      doc: one sentence for the reference.
      values: dict from each known value to what it means.

    Returns:
      The option as a struct.
    """
    return struct(
        default = default,
        doc = doc,
        kind = "choice",
        label = "//config:" + name,
        missing = "",
        name = name,
        os = "",
        requires = [],
        values = [struct(doc = meaning, name = value) for value, meaning in values.items()],
    )

def _text(name, default, doc):
    """An option with a value that its users parse.

    Args:
      name: the short flag; `--name=value` sets it.
      default: its value when nobody sets it.
      doc: one sentence for the reference.

    Returns:
      The option as a struct.
    """
    return struct(
        default = default,
        doc = doc,
        kind = "text",
        label = "//config:" + name,
        missing = "",
        name = name,
        os = "",
        requires = [],
        values = [],
    )

def _optional(on_cuda):
    """The switches of the optional libraries."""
    return [
        _switch(
            name = name,
            default = False,
            doc = library.doc,
            requires = library.requires,
        )
        for name, library in OPTIONAL_LIBRARIES.items()
        if (library.cuda > 0) == on_cuda
    ]

def _backends():
    """The switches of the backends."""
    return [
        _switch(
            name = name,
            default = False,
            doc = backend.doc,
            label = backend_setting(name),
            missing = backend.missing,
            os = backend.os,
        )
        for name, backend in OPTIONAL_BACKENDS.items()
    ]

OPTIONS = _backends() + [
    _text(
        name = "cuda_archs",
        default = "8.0;9.0+PTX",
        doc = "Compile kernels for these GPUs, as PyTorch's TORCH_CUDA_ARCH_LIST: numbers, `Ampere`, `Common`, `All`, `+PTX`.",
    ),
] + _optional(on_cuda = True) + [
    _switch(
        name = "distributed",
        default = False,
        doc = "Build torch.distributed.",
        missing = "process groups",
    ),

    # CPU.
    _choice(
        name = "blas",
        default = "eigen",
        doc = "Multiply matrices on the CPU by this library.",
        values = {
            "eigen": "Eigen, and loops of this tree for small and thin matrices, compiled in. It needs nothing at run time.",
            "openblas": "OpenBLAS with its LAPACK, from the distribution.",
            "blis": "BLIS from the distribution; Eigen decomposes matrices.",
            "atlas": "ATLAS from the distribution; Eigen decomposes matrices.",
            "mkl": "Intel's MKL with its LAPACK, from its wheel; `pip install mkl` provides it at run time.",
            "mkl_static": "MKL from its static wheel, linked in.",
            "accelerate": "Apple's Accelerate, on macOS.",
            "nvpl": "NVIDIA's Performance Libraries, on Linux for aarch64.",
            "apl": "Arm's Performance Libraries, on Linux for aarch64.",
            "flexiblas": "FlexiBLAS, if the distribution has it; it chooses a library at run time.",
        },
    ),
    _choice(
        name = "lapack",
        default = "auto",
        doc = "Find eigenvalues and singular values on the CPU by this library.",
        values = {
            "auto": "The LAPACK of `--blas` if it has one; else `openblas` on Linux on x86_64 and aarch64, and `eigen` elsewhere.",
            "openblas": "OpenBLAS's LAPACK, from its wheel; torch carries the library, and loads it when it is first used.",
            "eigen": "Eigen, compiled in: the package is 25 MB smaller, large matrices take several times as long.",
        },
    ),
] + _optional(on_cuda = False) + [
    _switch(
        name = "openmp",
        default = True,
        doc = "Run parallel loops on OpenMP threads; if off, on torch's own threads.",
    ),

    # Python.
    _choice(
        name = "python_version",
        default = "host",
        doc = "Build extensions and wheels for this CPython. Tests run on the host's.",
        values = {
            "host": "The Python 3 that runs the build.",
            "3.11": "CPython 3.11.",
            "3.12": "CPython 3.12.",
            "3.13": "CPython 3.13.",
            "3.14": "CPython 3.14.",
        },
    ),

    # Code generation.
    _switch(
        name = "per_operator_headers",
        default = True,
        doc = "Give each source only the headers of the operators that it names; if off, all of them.",
    ),
]

# Pairs of switches that cannot be on together.
EXCLUSIVE = [
    [other, name]
    for name, backend in OPTIONAL_BACKENDS.items()
    for other in backend.excludes
]
