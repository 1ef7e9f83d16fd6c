"""What each source of PyTorch can read, and where includes are found."""

load("//tools/rules:include_root.bzl", "package_headers")
load(":generated.bzl", "CONFIGURATION_HEADERS", "CUDA_CONFIGURATION_HEADERS")
load(":headers.bzl", "include_graph", "include_roots")
load(":optional.bzl", "refusals")
load(":submodule.bzl", "submodule_headers")
load(":views.bzl", "VIEWED", "operator_views")

READ = [
    "c10/**/*",
    "aten/src/ATen/**/*",
    "caffe2/**/*",
    "torch/*",
    "torch/csrc/**/*",
    "torch/lib/**/*",
]

# Libraries of others, by their names in tables.py.
_LIBRARIES = {
    ":pocketfft": "pocketfft",
    "@pytorch_cpuinfo//:headers": "cpuinfo",
    "@pytorch_flatbuffers//:headers": "flatbuffers",
    "@pytorch_fmt//:headers": "fmt",
    "@pytorch_nlohmann_json//:headers": "nlohmann_json",
    "@pytorch_onnx//:headers": "onnx",
    "@pytorch_protobuf//:headers": "protobuf",
    "@pytorch_sleef//:headers": "sleef",
}

_LIBRARIES_OF_FEW = {":kineto_headers": "kineto"}

_PYTHON_LIBRARIES = {
    ":numpy_headers": "numpy",
    ":pybind11_headers": "pybind11",
    "@rules_python//python/cc:current_py_cc_headers": "python",
}

_ROOTS = [
    "",
    "aten/src",
    "torch/csrc/api/include",
    "torch/csrc/api",
    "torch/csrc",
    "torch/lib",
]

def include_tables(name, facts, includes, operator_headers, views):
    """The graphs of includes, and the folders in which they are found.

    Args:
      name: unused; the targets are include_graph, include_roots and their like of c10 and Python.
      facts: of the version.
      includes: INCLUDES of tables.bzl.
      operator_headers: OPERATOR_HEADERS of tables.bzl.
      views: VIEWS of tables.bzl.
    """

    # PyTorch's copy of it has its version in the name.
    miniz = native.glob(
        ["third_party/miniz-*/miniz.h"],
        allow_empty = True,
    )
    roots = _ROOTS + [path.removesuffix("/miniz.h") for path in miniz]
    files = native.glob(
        [
            pattern + extension
            for pattern in READ
            for extension in [
                ".h",
                ".hpp",
                ".cuh",
                ".cpp",
                ".cc",
                ".inc",
                ".def",
            ]
        ],
        allow_empty = True,
        exclude = facts.generated + [
            "aten/src/ATen/templates/**",
            "aten/src/ATen/ops/*_ops.h",
        ],
    ) + native.glob(
        ["test/cpp/common/*.h", "test/cpp/tensorexpr/*.h"],
        allow_empty = True,
    ) + miniz + [
        ":aten_headers",
        ":aten_sources",
        ":autograd_files",
        ":mobile_bytecode",
    ] + CONFIGURATION_HEADERS

    operator_views(
        name = "operator_views",
        headers = VIEWED.keys(),
        operators = operator_headers,
        views = views,
    )

    include_graph(
        name = "include_graph",
        srcs = files,
        includes = includes,
        libraries = _LIBRARIES,
        libraries_of_few = _LIBRARIES_OF_FEW,
        views = ":operator_views",
    )

    # What a source of the processor includes where CUDA is on is not there for it.
    include_graph(
        name = "cuda_include_graph",
        srcs = files + facts.cuda_generated_headers + CUDA_CONFIGURATION_HEADERS,
        includes = includes,
        libraries = _LIBRARIES,
        libraries_of_few = _LIBRARIES_OF_FEW,
        views = ":operator_views",
    )

    # The bindings alone can include Python's headers.
    include_graph(
        name = "python_include_graph",
        srcs = files + native.glob(["functorch/csrc/**/*.h"]),
        includes = includes,
        libraries = _LIBRARIES | _PYTHON_LIBRARIES,
        libraries_of_few = _LIBRARIES_OF_FEW,
        views = ":operator_views",
    )

    package_headers(
        name = "numpy_headers",
        srcs = ["@pypi//numpy:files"],
        root = "/numpy/_core/include/",
    )

    # Of the version that the bindings are written for.
    package_headers(
        name = "pybind11_headers",
        srcs = ["@pypi_pybind11//:files"],
        root = "/pybind11/include/",
    )

    # c10 needs fewer libraries, and no generated operators.
    include_graph(
        name = "c10_include_graph",
        srcs = native.glob(["c10/**/*.h"]) + CONFIGURATION_HEADERS,
        includes = includes,
        libraries = {
            "@pytorch_cpuinfo//:headers": "cpuinfo",
            "@pytorch_fmt//:headers": "fmt",
            "@pytorch_nlohmann_json//:headers": "nlohmann_json",
        },
    )

    include_roots(
        name = "c10_include_roots",
        defines = facts.defines,
        libraries = [
            "@pytorch_cpuinfo//:headers",
            "@pytorch_fmt//:headers",
            "@pytorch_nlohmann_json//:headers",
        ] + refusals(),
        roots = [""],
    )

    include_roots(
        name = "include_roots",
        defines = facts.defines,
        libraries = _LIBRARIES.keys() + refusals(),
        roots = roots,
    )

    include_roots(
        name = "python_include_roots",
        defines = facts.defines,
        libraries = _LIBRARIES.keys() + _PYTHON_LIBRARIES.keys() + refusals(),
        roots = roots + [
            "torch/lib/libshm",
            "functorch",
        ],
    )

    # PyTorch's names of kinds of activities come from Kineto, with or without its library.
    submodule_headers(
        name = "kineto_headers",
        folder = "kineto",
        headers = ["ActivityType.h"],
        include = "libkineto/include",
    )

    submodule_headers(
        name = "pocketfft",
        folder = "pocketfft",
        headers = ["pocketfft_hdronly.h"],
    )
