"""NVIDIA's CUPTI for `--cupti`, from its wheel; downloaded only when the option is on."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load(":version.bzl", "CUPTI_MAJOR", "CUPTI_VERSION")

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

exports_files(glob(["lib/libcupti*"]))

cc_library(name = "headers", hdrs = glob(["include/**/*.h"]), includes = ["include"])
"""

def _cupti_impl(module_ctx):
    wheel_files(
        name = "cupti",
        build_file = _BUILD,
        needs = ["include/cupti.h", "lib/libcupti.so.{}".format(CUPTI_MAJOR)],
        otherwise = "--cupti=false",
        package = "nvidia_cuda_cupti",
        root = "nvidia/cu{}".format(CUPTI_MAJOR),
        sha256 = [
            "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",  # x86_64
            "796bd679890ee55fb14a94629b698b6db54bcfd833d391d5e94017dd9d7d3151",  # aarch64
        ],
        version = CUPTI_VERSION,
    )
    return module_ctx.extension_metadata(reproducible = True)

cupti = module_extension(
    implementation = _cupti_impl,
    doc = "Makes @cupti.",
)
