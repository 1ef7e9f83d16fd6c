"""What `--cudnn` means for whoever compiles against cuDNN and whoever links it."""

load("//config:conditions.bzl", "if_cudnn")
load(":version.bzl", "CUDNN_CUDA_MAJOR", "CUDNN_MAJOR", "CUDNN_VERSION")

_LIBRARY = "@cudnn//:lib/libcudnn.so.{}".format(CUDNN_MAJOR)

# What must be found at run time: the library that is linked, and those that it loads.
CUDNN_LIBRARIES = {
    "libcudnn{}.so.{}".format(part, CUDNN_MAJOR): "@cudnn//:lib/libcudnn{}.so.{}".format(part, CUDNN_MAJOR)
    for part in [
        "",
        "_adv",
        "_cnn",
        "_engines_precompiled",
        "_engines_runtime_compiled",
        "_graph",
        "_heuristic",
        "_ops",
    ]
}

# The distribution that a wheel asks for, and what it brings.
CUDNN_DISTRIBUTION = {
    "nvidia-cudnn-cu{}=={}".format(CUDNN_CUDA_MAJOR, CUDNN_VERSION): "libcudnn.so.{}".format(CUDNN_MAJOR),
}

def cudnn_link_inputs():
    """Files that `cudnn_link_flags` names.

    Returns:
      A `select()`.
    """
    return if_cudnn([_LIBRARY])

def cudnn_link_flags():
    """Options for the link of a shared library that calls cuDNN.

    At run time it lies where pip installs it, or beside torch's own libraries in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_cudnn([
        "$(location {})".format(_LIBRARY),
        "-Wl,-rpath,$ORIGIN/../../nvidia/cudnn/lib",
        "-Wl,-rpath,$ORIGIN/../../torch/lib",
    ])
