"""Conditions on the public options, so that no BUILD file repeats a `select()`."""

load("@vulkan//:found.bzl", VULKAN_FOUND = "FOUND")
load(":backends.bzl", "BACKENDS", "OPTIONAL_BACKENDS", "backends_with_kernels_of")
load(":options.bzl", "BLAS_WITHOUT_LAPACK", "BLAS_WITH_LAPACK", "LAPACK_PLATFORMS")

# As a Label, since a macro's strings are read in the workspace that calls it, which may not know the module.
_INCOMPATIBLE = [Label("@platforms//:incompatible")]

# Whether this machine can compile what every build has.
_FOUND = {"vulkan": VULKAN_FOUND}

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

def if_external_blas(then, otherwise = []):
    """Chooses by whether `--blas` is a library beside ours.

    Args:
      then: the value for a library.
      otherwise: the value for Eigen.

    Returns:
      A `select()`.
    """
    return _if(Label("//config:blas_eigen"), otherwise, then)

def if_lapack(library, then, otherwise = []):
    """Chooses by the library that `--lapack` and `--blas` lead to on this platform.

    Args:
      library: `blas`, that of `--blas`; `openblas`, the wheel; `eigen`.
      then: the value when it is the one.
      otherwise: the value for the others.

    Returns:
      A `select()`.
    """
    return lapack_choice({name: then if name == library else otherwise for name in ["blas", "openblas", "eigen"]})

def lapack_choice(values):
    """Chooses by the library that `--lapack` and `--blas` lead to on this platform.

    Args:
      values: a dict of the value for `blas`, `openblas` and `eigen`; `if_lapack` says what they are.

    Returns:
      A `select()`.
    """
    return select({
        Label("//config:lapack_openblas"): values["openblas"],
        "//conditions:default": values["eigen"],
    } | {
        Label("//config:lapack_of_" + name): values["blas"]
        for name in BLAS_WITH_LAPACK
    } | {
        Label("//config:lapack_for_{}_on_{}".format(name, platform)): values["openblas"]
        for name in BLAS_WITHOUT_LAPACK
        for platform in LAPACK_PLATFORMS
    })

def if_backend(backend, then, otherwise = []):
    """Chooses by the option of a backend, or of another that compiles its kernels.

    Args:
      backend: its name in `backends.bzl`.
      then: the value when it is on.
      otherwise: the value when it is off.

    Returns:
      A `select()`.
    """
    return select({
        Label("//config:{}_on".format(name)): then
        for name in backends_with_kernels_of(backend)
    } | {"//conditions:default": otherwise})

def requires_backend(backend):
    """Marks a target incompatible, not broken, where a backend is off.

    One whose library can be loaded into any build is on where this machine can compile it, too. Where the option is on,
    what is missing is an error.

    Args:
      backend: its name in `backends.bzl`.

    Returns:
      A value for `target_compatible_with`.
    """
    return requires_one_of([backend])

def requires_one_of(backends):
    """Marks a target incompatible where all of some backends are off.

    Args:
      backends: their names in `backends.bzl`.

    Returns:
      A value for `target_compatible_with`.
    """
    if any([BACKENDS[name].loadable and _FOUND[name] for name in backends]):
        return []
    return select({
        Label("//config:{}_on".format(name)): []
        for backend in backends
        for name in backends_with_kernels_of(backend)
    } | {"//conditions:default": _INCOMPATIBLE})

def backend_libraries(prefix = ""):
    """The shared libraries of the backends that are on.

    Args:
      prefix: if given, the result has labels of this prefix and the library's name; its own label if not.

    Returns:
      A `select()` of labels.
    """
    result = []
    for name, backend in OPTIONAL_BACKENDS.items():
        labels = [
            prefix + library if prefix else Label(label)
            for library, label in backend.libraries.items()
        ]
        if labels:
            result = result + if_backend(name, labels)
    return result

def backend_bindings():
    """The Python bindings of the backends that are on.

    Returns:
      A `select()` of labels.
    """
    result = []
    for name, backend in OPTIONAL_BACKENDS.items():
        if backend.python:
            result = result + if_backend(name, [Label(backend.python)])
    return result
