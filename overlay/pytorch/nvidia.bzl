"""Headers of NVIDIA's libraries that PyTorch's CUDA sources include, from NVIDIA's wheels; those of cuBLAS and
cuSPARSE are in the tree's table.

A wheel holds its library too, and is downloaded whole: 1 GB for these five.
"""

load("//third_party/optional:libraries.bzl", "OPTIONAL_LIBRARIES")
load("//third_party/python:wheel_files.bzl", "wheel_files")

# Of CUDA 13.0, whose compiler toolchains/cuda pins.
_MAJOR = 13

_WHEELS = {
    "cufft": struct(
        header = "cufft.h",
        sha256 = [
            "6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3",  # x86_64
            "2708c852ef8cd89d1d2068bdbece0aa188813a0c934db3779b9b1faa8442e5f5",  # aarch64
        ],
        version = "12.0.0.61",
    ),
    "curand": struct(
        header = "curand_kernel.h",
        sha256 = [
            "1aee33a5da6e1db083fe2b90082def8915f30f3248d5896bcec36a579d941bfc",  # x86_64
            "133df5a7509c3e292aaa2b477afd0194f06ce4ea24d714d616ff36439cee349a",  # aarch64
        ],
        version = "10.4.0.35",
    ),
    "cusolver": struct(
        header = "cusolverDn.h",
        sha256 = [
            "0a759da5dea5c0ea10fd307de75cdeb59e7ea4fcb8add0924859b944babf1112",  # x86_64
            "02c2457eaa9e39de20f880f4bd8820e6a1cfb9f9a34f820eb12a155aa5bc92d2",  # aarch64
        ],
        version = "12.0.4.66",
    ),
}

_BUILD = """load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("{nvidia}", "nvidia_headers")

cc_library(
    name = "all_headers",
    hdrs = glob(["**/*.h"]),
    includes = ["."],
)

nvidia_headers(
    name = "headers",
    headers = ":all_headers",
    library = "{library}",
    major = {major},
    visibility = ["//visibility:public"],
)
"""

# What a source of CUDA depends on.
NVIDIA_HEADERS = [
    "@optional_libraries//cublas:headers",
    "@optional_libraries//cusparse:headers",
] + ["@pytorch_{}//:headers".format(name) for name in _WHEELS]

def nvidia_repositories():
    """Makes the repositories of NVIDIA_HEADERS, each downloaded when a CUDA source needs it."""
    if OPTIONAL_LIBRARIES["cublas"].cuda != _MAJOR:
        fail("cuBLAS is of CUDA {}, and the wheels of {} are of CUDA {}: pin those of one CUDA".format(
            OPTIONAL_LIBRARIES["cublas"].cuda,
            Label(":nvidia.bzl"),
            _MAJOR,
        ))
    for name, wheel in _WHEELS.items():
        wheel_files(
            name = "pytorch_" + name,
            build_file = _BUILD.format(
                library = "{} {}".format(name, wheel.version),
                major = _MAJOR,
                nvidia = Label("//tools/rules:nvidia.bzl"),
            ),
            needs = [wheel.header],
            option = "cuda",
            otherwise = "--cuda=false",
            package = "nvidia_" + name,
            root = "nvidia/cu{}/include".format(_MAJOR),
            sha256 = wheel.sha256,
            version = wheel.version,
        )
