"""What `--cupti` means for whoever compiles against CUPTI and whoever links it."""

load("//config:conditions.bzl", "if_cupti")
load(":version.bzl", "CUPTI_MAJOR", "CUPTI_VERSION")

_NAME = "libcupti.so.{}".format(CUPTI_MAJOR)
_LIBRARY = "@cupti//:lib/" + _NAME

# What must be found at run time.
CUPTI_LIBRARIES = {_NAME: _LIBRARY}

# The distribution that a wheel asks for, and what it brings.
CUPTI_DISTRIBUTION = {"nvidia-cuda-cupti=={}".format(CUPTI_VERSION): _NAME}

def cupti_link_inputs():
    """Files that `cupti_link_flags` names.

    Returns:
      A `select()`.
    """
    return if_cupti([_LIBRARY])

def cupti_link_flags():
    """Options for the link of a shared library that calls CUPTI.

    At run time it lies where pip installs it, or beside torch's own libraries in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_cupti([
        "$(location {})".format(_LIBRARY),
        "-Wl,-rpath,$ORIGIN/../../nvidia/cu{}/lib".format(CUPTI_MAJOR),
        "-Wl,-rpath,$ORIGIN/../../torch/lib",
    ])
