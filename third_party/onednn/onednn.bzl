"""What `--onednn` means for whoever compiles against oneDNN and whoever links it."""

load("//config:conditions.bzl", "if_onednn")
load(":version.bzl", "ONEDNN_LIBRARY", "ONEDNN_PACKAGE", "ONEDNN_VERSION")

_LIBRARY = "@onednn//:lib/" + ONEDNN_LIBRARY

# What must be found at run time.
ONEDNN_LIBRARIES = {ONEDNN_LIBRARY: _LIBRARY}

# The distribution that a wheel asks for, and what it brings.
ONEDNN_DISTRIBUTION = {ONEDNN_PACKAGE.replace("_", "-") + "==" + ONEDNN_VERSION: ONEDNN_LIBRARY}

def onednn_defines():
    """Definitions for the source that calls oneDNN.

    Returns:
      A `select()`.
    """
    return if_onednn(["TORCH_USE_ONEDNN"])

def onednn_link_inputs():
    """Files that `onednn_link_flags` names.

    Returns:
      A `select()`.
    """
    return if_onednn([_LIBRARY])

def onednn_link_flags():
    """Options for the link of a shared library that calls oneDNN.

    At run time it lies where pip installs it, lib of the environment, or beside torch's own libraries
    in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_onednn([
        "$(location {})".format(_LIBRARY),
        "-Wl,-rpath,$ORIGIN/../../../..",
    ])
