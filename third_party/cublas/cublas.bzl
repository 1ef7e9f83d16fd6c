"""What `--cublas` means for whoever compiles against cuBLAS and whoever links it."""

load("//config:conditions.bzl", "if_cublas")
load(":version.bzl", "CUBLAS_MAJOR", "CUBLAS_VERSION")

# What is linked, and must be found at run time.
CUBLAS_LIBRARIES = {
    "lib{}.so.{}".format(name, CUBLAS_MAJOR): "@cublas//:lib/lib{}.so.{}".format(name, CUBLAS_MAJOR)
    for name in ["cublas", "cublasLt"]
}

# The distribution that a wheel asks for, and what it brings.
CUBLAS_DISTRIBUTION = {"nvidia-cublas=={}".format(CUBLAS_VERSION): "libcublas.so.{}".format(CUBLAS_MAJOR)}

def cublas_link_inputs():
    """Files that `cublas_link_flags` names.

    Returns:
      A `select()`.
    """
    return if_cublas(CUBLAS_LIBRARIES.values())

def cublas_link_flags():
    """Options for the link of a shared library that calls cuBLAS.

    At run time it lies where pip installs it, or beside torch's own libraries in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_cublas(["$(location {})".format(library) for library in CUBLAS_LIBRARIES.values()] + [
        "-Wl,-rpath,$ORIGIN/../../nvidia/cu{}/lib".format(CUBLAS_MAJOR),
        "-Wl,-rpath,$ORIGIN/../../torch/lib",
    ])
