"""NVIDIA's NVTX for `--nvtx`: headers alone, which look for a profiler at run time."""

load("//third_party/python:wheel_files.bzl", "wheel_files")

_BUILD = """
load("@rules_cc//cc:cc_library.bzl", "cc_library")

cc_library(
    name = "headers",
    hdrs = glob(["include/nvtx3/**"]),
    includes = ["include"],
    linkopts = ["-ldl"],
    visibility = ["//visibility:public"],
)
"""

def _nvtx_impl(module_ctx):
    wheel_files(
        name = "nvtx",
        build_file = _BUILD,
        needs = ["include/nvtx3/nvToolsExt.h"],
        otherwise = "--nvtx=false",
        package = "nvidia_nvtx",
        root = "nvidia/cu13",
        sha256 = [
            "4936d1d6780fbe68db454f5e72a42ff64d1fd6397df9f363ae786930fd5c1cd4",  # x86_64
            "cb7780edb6b14107373c835bf8b72e7a178bac7367e23da7acb108f973f157a6",  # aarch64
        ],
        version = "13.0.85",
    )
    return module_ctx.extension_metadata(reproducible = True)

nvtx = module_extension(
    implementation = _nvtx_impl,
    doc = "Makes @nvtx.",
)
