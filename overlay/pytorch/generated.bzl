"""Files that CMake and PyTorch's generators write: declared one by one, made when something reads them."""

load("//config:conditions.bzl", "if_option")
load(":blas.bzl", "pytorch_blas_values")
load(":codegen.bzl", "pytorch_codegen", "stripped_yaml")
load(":configure.bzl", "configured_header")
load(":flatbuffers.bzl", "flatbuffers_headers")
load(":libraries.bzl", "OPTIONAL")
load(":optional.bzl", "if_optional", "optional_headers")
load(":options.bzl", "ATEN_CONFIG", "C10_CUDA_MACROS", "C10_MACROS", "CAFFE2_MACROS", "CUDA_CONFIG", "NATIVE_CONFIG", "OPENMP_CONFIG", "release_of", "version_values")

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

def generated_files(name, facts, version, operator_headers):
    """Configuration headers and generated code.

    Args:
      name: of all generated code.
      facts: of the version.
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
            OPENMP_CONFIG,
            NATIVE_CONFIG,
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
            {},
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
        cuda_outs = facts.cuda_generated_headers,
        outs = facts.aten_headers + ["aten/src/ATen/ops/" + header for header in operator_headers],
        kind = "headers",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    pytorch_codegen(
        name = "aten_sources",
        srcs = [":torchgen_sources"],
        cuda_outs = facts.cuda_generated_sources,
        outs = facts.aten_sources + facts.aten_source_headers + facts.aten_kernels + facts.aoti_sources,
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
        outs = facts.autograd_headers + facts.autograd_sources + facts.python_sources + facts.annotated_arguments,
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
        outs = facts.python_files,
        kind = "python",
        version = release_of(version),
        yaml = ":native_functions_without_comments",
    )

    flatbuffers_headers(
        name = "mobile_bytecode",
        src = facts.flatbuffers_schema,
        outs = facts.flatbuffers_headers,
    )

    native.filegroup(
        name = name,
        srcs = [
            ":aten_headers",
            ":aten_sources",
            ":autograd_files",
        ],
    )
