"""NVIDIA's cuBLAS for `--cublas`, from its wheel; downloaded only when the option is on."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":version.bzl", "CUBLAS_VERSION")

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["lib/libcublas*"]))

cc_library(name = "headers", hdrs = glob(["include/*.h"]), includes = ["include"])
"""

def _cublas_impl(module_ctx):
    wheel_files(
        name = "cublas",
        build_file = _BUILD,
        needs = ["include/cublas_v2.h", "lib/libcublas.so.13", "lib/libcublasLt.so.13"],
        otherwise = "--cublas=false",
        package = "nvidia_cublas",
        root = "nvidia/cu13",
        sha256 = [
            "ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171",  # x86_64
            "c86fc7f7ae36d7528288c5d88098edcb7b02c633d262e7ddbb86b0ad91be5df2",  # aarch64
        ],
        version = CUBLAS_VERSION,
    )
    return module_ctx.extension_metadata(reproducible = True)

cublas = module_extension(
    implementation = _cublas_impl,
    doc = "Makes @cublas.",
)
