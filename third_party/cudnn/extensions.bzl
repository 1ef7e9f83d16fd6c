"""NVIDIA's cuDNN for `--cudnn`, from its wheel; downloaded only when the option is on."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":version.bzl", "CUDNN_CUDA_MAJOR", "CUDNN_VERSION")

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["lib/libcudnn*"]))

cc_library(name = "headers", hdrs = glob(["include/*.h"]), includes = ["include"])
"""

def _cudnn_impl(module_ctx):
    wheel_files(
        name = "cudnn",
        build_file = _BUILD,
        needs = ["include/cudnn.h", "lib/libcudnn.so.9"],
        otherwise = "--cudnn=false",
        package = "nvidia_cudnn_cu{}".format(CUDNN_CUDA_MAJOR),
        root = "nvidia/cudnn",
        sha256 = [
            "18a80a637607a9e0406cfa41c121cf5ac0734d2082af4b6645a464d9e9119753",  # x86_64
            "0c45dd8eeb50b603f07995b1b300c62ffe6a1980482b82b3bcf94a4ca9d49304",  # aarch64
        ],
        version = CUDNN_VERSION,
    )
    return module_ctx.extension_metadata(reproducible = True)

cudnn = module_extension(
    implementation = _cudnn_impl,
    doc = "Makes @cudnn.",
)
