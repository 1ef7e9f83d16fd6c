"""PyTorch's CUDA layers: c10_cuda, and ATen's kernels with an action for each file and architecture.

docs/pytorch.md lists what is left out.
"""

load("//config:conditions.bzl", "requires_backend")
load("//tools/rules:cc.bzl", "torch_cc_shared_library")
load("//tools/rules:cuda.bzl", "torch_cuda_library")
load(":cc.bzl", "COPTS", "part_name", "pytorch_sources")
load(":headers.bzl", "source_headers")
load(":nvidia.bzl", "NVIDIA_HEADERS")

_GRAPH = ":cuda_include_graph"

# Those of cmake/public/cuda.cmake and cmake/Dependencies.cmake.
_NVCC_FLAGS = [
    "-std=c++17",
    "-O3",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "-Wno-deprecated-gpu-targets",
    "-DCUB_WRAPPED_NAMESPACE=at_cuda_detail",
    # CMake does not set these. Thrust names a namespace after the architectures of the command, and here each action has
    # its own. Symbols are hidden, so no other library's Thrust meets this one.
    "-DTHRUST_DISABLE_ABI_NAMESPACE",
    "-DTHRUST_IGNORE_ABI_NAMESPACE_ERROR",
    "-DCUDA_HAS_FP16=1",
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
]

_HOST_COPTS = ["-std=c++17"] + [option for option in COPTS if not option.startswith("-std=")]

# MiB of a kernel's compilation.
_MEMORY = "1600"

def cuda_layers(name, facts, readers):
    """:c10_cuda, :libc10_cuda, and :aten_cuda, where CUDA is on.

    Args:
      name: of the shared library.
      facts: of the version.
      readers: READERS of tables.bzl.
    """
    pytorch_sources(
        name = "c10_cuda",
        copts = ["-O3"],
        graph = _GRAPH,
        local_defines = ["C10_CUDA_BUILD_MAIN_LIB"],
        paths = native.glob(
            facts.c10_cuda_globs,
            allow_empty = True,
        ),
        readers = readers,
        target_compatible_with = requires_backend("cuda"),
        deps = [
            ":c10",
            ":c10_include_roots",
            "@cuda//:cuda_headers",
        ],
    )
    torch_cc_shared_library(
        name = name,
        dynamic_deps = [":libc10"],
        target_compatible_with = requires_backend("cuda"),
        user_link_flags = [
            "-ldl",
            "-lpthread",
            "-lrt",
        ],
        deps = [
            ":c10_cuda",
            Label("//c10/cuda:runtime"),
        ],
    )
    _kernels(
        name = "aten_cuda",
        paths = native.glob(
            facts.cuda_globs,
            allow_empty = True,
            exclude = facts.cuda_on_cutlass,
        ) + facts.cuda_generated_kernels,
        deps = [":include_roots"] + NVIDIA_HEADERS,
    )

    # What one command compiles to see that kernels do.
    native.filegroup(
        name = "aten_cuda_sample",
        srcs = facts.cuda_sample,
        target_compatible_with = requires_backend("cuda"),
    )

def _kernels(name, paths, deps):
    """One library a source, each with exact headers, and a group of all."""
    parts = []
    for path in paths:
        part = part_name(name, path)
        source_headers(
            name = part + ".headers",
            graph = _GRAPH,
            src = path,
            tags = ["manual"],
        )
        torch_cuda_library(
            name = part,
            srcs = [path],
            host_copts = _HOST_COPTS,
            local_defines = [
                "TORCH_CUDA_BUILD_MAIN_LIB",
                "USE_CUDA",
            ],
            memory = {path: _MEMORY},
            nvcc_flags = _NVCC_FLAGS,
            deps = deps + [":" + part + ".headers"],
        )
        parts.append(":" + part)
    native.filegroup(
        name = name,
        srcs = parts,
        target_compatible_with = requires_backend("cuda"),
    )
