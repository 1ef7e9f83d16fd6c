"""Files that CMake and PyTorch's generators write: declared one by one, made when something reads them."""

load("//config:conditions.bzl", "if_option")
load(":blas.bzl", "pytorch_blas_values")
load(":codegen.bzl", "pytorch_codegen", "stripped_yaml")
load(":configure.bzl", "configured_header")
load(":flatbuffers.bzl", "flatbuffers_headers")
load(":libraries.bzl", "OPTIONAL")
load(":optional.bzl", "if_optional", "optional_headers")
load(":options.bzl", "ATEN_CONFIG", "C10_CUDA_MACROS", "C10_MACROS", "CAFFE2_MACROS", "CUDA_CONFIG", "release_of", "version_values")
load(":versions.bzl", "ANNOTATED_ARGUMENTS", "AOTI_SOURCES", "ATEN_HEADERS", "ATEN_KERNELS", "ATEN_SOURCES", "ATEN_SOURCE_HEADERS", "AUTOGRAD_HEADERS", "AUTOGRAD_SOURCES", "CUDA_GENERATED_HEADERS", "CUDA_GENERATED_SOURCES", "FLATBUFFERS_HEADERS", "FLATBUFFERS_SCHEMA", "PYTHON_FILES", "PYTHON_SOURCES")

# What configures all sources.
CONFIGURATION_HEADERS = [
    ":c10/macros/cmake_macros",
    ":aten/config",
    ":caffe2/core/caffe2_macros",
    ":torch/version_header",
]

# What configures CUDA's sources too.
CUDA_CONFIGURATION_HEADERS = [
    ":aten/cuda_config",
    ":c10/cuda/impl/cuda_cmake_macros",
]

# The same as they are installed: with the options that are on.
INSTALLED = "installed/"
INSTALLED_HEADERS = {library.header: None for library in OPTIONAL.values()}.keys()

def _with_options(name, src, out, values):
    """A configuration header for compilations, where what is optional is off, and one to install.

    Args:
      name: of the first.
      src: the checkout's.
      out: its path.
      values: by variable.
    """
    configured_header(
        name = name,
        src = src,
        out = out,
        values = values,
    )
    for option, library in OPTIONAL.items():
        if library.header == out:
            values = values | if_optional(option, {library.variable: "1"}, {})
    configured_header(
        name = INSTALLED + name,
        src = src,
        out = INSTALLED + out,
        values = values,
    )

def generated_files(name, version, operator_headers):
    """Configuration headers and generated code.

    Args:
      name: of all generated code.
      version: what version.txt says.
      operator_headers: names of the generated headers of operators.
    """

    # Configuration headers.

    optional_headers(name = "optional_headers")

    _with_options(
        name = "c10/macros/cmake_macros",
        src = "c10/macros/cmake_macros.h.in",
        out = "c10/macros/cmake_macros.h",
        values = C10_MACROS,
    )

    _with_options(
        name = "aten/config",
        src = "aten/src/ATen/Config.h.in",
        out = "aten/src/ATen/Config.h",
        values = ATEN_CONFIG | if_option(
            "openmp",
            {
                "AT_PARALLEL_NATIVE": "0",
                "AT_PARALLEL_OPENMP": "1",
            },
            {
                "AT_PARALLEL_NATIVE": "1",
                "AT_PARALLEL_OPENMP": "0",
            },
        ),
    )

    build_info = CAFFE2_MACROS | version_values(version) | pytorch_blas_values()
    for option, library in OPTIONAL.items():
        if library.build_info:
            build_info = build_info | if_optional(
                option,
                library.build_info,
                {variable: "OFF" for variable in library.build_info},
            )

    configured_header(
        name = "caffe2/core/caffe2_macros",
        src = "caffe2/core/macros.h.in",
        out = "caffe2/core/macros.h",
        values = build_info | if_option(
            "openmp",
            {"USE_OPENMP": "ON"},
            {"USE_OPENMP": "OFF"},
        ),
    )

    configured_header(
        name = "torch/version_header",
        src = "torch/csrc/api/include/torch/version.h.in",
        out = "torch/csrc/api/include/torch/version.h",
        values = version_values(version),
    )

    configured_header(
        name = "aten/cuda_config",
        src = "aten/src/ATen/cuda/CUDAConfig.h.in",
        out = "aten/src/ATen/cuda/CUDAConfig.h",
        values = CUDA_CONFIG,
    )

    configured_header(
        name = "c10/cuda/impl/cuda_cmake_macros",
        src = "c10/cuda/impl/cuda_cmake_macros.h.in",
        out = "c10/cuda/impl/cuda_cmake_macros.h",
        values = C10_CUDA_MACROS,
    )

    # Generated code.

    stripped_yaml(
        name = "native_functions_without_comments",
        src = "aten/src/ATen/native/native_functions.yaml",
    )

    native.filegroup(
        name = "torchgen_sources",
        srcs = native.glob([
            "torchgen/**/*.py",
            "aten/src/ATen/templates/**",
            "torch/csrc/inductor/aoti_torch/generated/*.h",
        ]) + [
            "aten/src/ATen/native/tags.yaml",
            "aten/src/ATen/native/ts_native_functions.yaml",
        ],
    )

    pytorch_codegen(
        name = "aten_headers",
        srcs = [":torchgen_sources"],
        cuda_outs = CUDA_GENERATED_HEADERS,
        outs = ATEN_HEADERS + ["aten/src/ATen/ops/" + header for header in operator_headers],
        kind = "headers",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    pytorch_codegen(
        name = "aten_sources",
        srcs = [":torchgen_sources"],
        cuda_outs = CUDA_GENERATED_SOURCES,
        outs = ATEN_SOURCES + ATEN_SOURCE_HEADERS + ATEN_KERNELS + AOTI_SOURCES,
        kind = "sources",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    pytorch_codegen(
        name = "autograd_files",
        srcs = [
            ":torchgen_sources",
            "torch/csrc/lazy/core/shape_inference.h",
            "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
            "torch/csrc/lazy/ts_backend/ts_node.h",
        ] + native.glob([
            "tools/*.py",
            "tools/autograd/**",
            "tools/setup_helpers/*.py",
        ]),
        outs = AUTOGRAD_HEADERS + AUTOGRAD_SOURCES + PYTHON_SOURCES + ANNOTATED_ARGUMENTS,
        kind = "autograd",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    pytorch_codegen(
        name = "python_files",
        srcs = [
            ":torchgen_sources",
            "torch/_tensor_docs.py",
            "torch/_torch_docs.py",
            "version.txt",
        ] + native.glob([
            "tools/**/*.py",
            "tools/autograd/**",
            "torch/**/*.pyi.in",
            "torch/utils/data/datapipes/**/*.py",
        ]),
        outs = PYTHON_FILES,
        kind = "python",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    flatbuffers_headers(
        name = "mobile_bytecode",
        src = FLATBUFFERS_SCHEMA,
        outs = FLATBUFFERS_HEADERS,
    )

    native.filegroup(
        name = name,
        srcs = [
            ":aten_headers",
            ":aten_sources",
            ":autograd_files",
        ],
    )
