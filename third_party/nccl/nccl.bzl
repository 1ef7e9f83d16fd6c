"""What `--nccl` means for whoever compiles against NCCL and whoever links it."""

load("//config:conditions.bzl", "if_nccl")
load(":version.bzl", "NCCL_CUDA_MAJOR", "NCCL_MAJOR", "NCCL_VERSION")

_NAME = "libnccl.so.{}".format(NCCL_MAJOR)
_LIBRARY = "@nccl//:lib/" + _NAME

# What must be found at run time.
NCCL_LIBRARIES = {_NAME: _LIBRARY}

# The distribution that a wheel asks for, and what it brings.
NCCL_DISTRIBUTION = {"nvidia-nccl-cu{}=={}".format(NCCL_CUDA_MAJOR, NCCL_VERSION): _NAME}

def nccl_link_inputs():
    """Files that `nccl_link_flags` names.

    Returns:
      A `select()`.
    """
    return if_nccl([_LIBRARY])

def nccl_link_flags():
    """Options for the link of a shared library that calls NCCL.

    At run time it lies where pip installs it, or beside torch's own libraries in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_nccl([
        "$(location {})".format(_LIBRARY),
        "-Wl,-rpath,$ORIGIN/../../nvidia/nccl/lib",
        "-Wl,-rpath,$ORIGIN/../../torch/lib",
    ])
