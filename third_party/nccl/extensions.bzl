"""NVIDIA's NCCL for `--nccl`, from its wheel; downloaded only when the option is on."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":version.bzl", "NCCL_CUDA_MAJOR", "NCCL_MAJOR", "NCCL_VERSION")

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["lib/libnccl*"]))

cc_library(name = "headers", hdrs = ["include/nccl.h"], includes = ["include"])
"""

def _nccl_impl(module_ctx):
    wheel_files(
        name = "nccl",
        build_file = _BUILD,
        needs = ["include/nccl.h", "lib/libnccl.so.{}".format(NCCL_MAJOR)],
        otherwise = "--nccl=false",
        package = "nvidia_nccl_cu{}".format(NCCL_CUDA_MAJOR),
        root = "nvidia/nccl",
        sha256 = [
            "e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42",  # x86_64
            "01c873ba1626b54caa12272ed228dc5b2781545e0ae8ba3f432a8ef1c6d78643",  # aarch64
        ],
        version = NCCL_VERSION,
    )
    return module_ctx.extension_metadata(reproducible = True)

nccl = module_extension(
    implementation = _nccl_impl,
    doc = "Makes @nccl.",
)
