"""What `--cublas` means for whoever compiles against cuBLAS and whoever links it."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_cuda//cuda:defs.bzl", "find_cuda_toolchain", "use_cuda_toolchain")
load("//config:conditions.bzl", "if_cublas")
load(":version.bzl", "CUBLAS_MAJOR", "CUBLAS_VERSION")

_LIBRARY = "@cublas//:lib/libcublas.so.{}".format(CUBLAS_MAJOR)

# What must be found at run time: the library, and the one that it loads.
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
    return if_cublas([_LIBRARY])

def cublas_link_flags():
    """Options for the link of a shared library that calls cuBLAS.

    At run time it lies where pip installs it, or beside torch's own libraries in a build of the tree.

    Returns:
      A `select()`.
    """
    return if_cublas([
        "$(location {})".format(_LIBRARY),
        "-Wl,-rpath,$ORIGIN/../../nvidia/cu{}/lib".format(CUBLAS_MAJOR),
        "-Wl,-rpath,$ORIGIN/../../torch/lib",
    ])

def _checked_impl(ctx):
    version = find_cuda_toolchain(ctx).cuda_toolkit.version_major
    if version != ctx.attr.major:
        fail(("--cublas is on: cuBLAS {} is for CUDA {}, but the toolkit is CUDA {}. Take NVIDIA's packages with " +
              "--repo_env=CUDA_TOOLKIT=wheels, or type: --cublas=false").format(CUBLAS_VERSION, ctx.attr.major, version))
    return [ctx.attr.headers[CcInfo]]

cublas_headers = rule(
    implementation = _checked_impl,
    attrs = {
        "headers": attr.label(
            doc = "The headers of @cublas.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "major": attr.int(
            default = CUBLAS_MAJOR,
            doc = "The version of CUDA that they are for.",
        ),
    },
    doc = "The headers, for a toolkit that they belong to.",
    provides = [CcInfo],
    toolchains = use_cuda_toolchain(),
)
