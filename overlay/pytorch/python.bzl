"""The Python bindings of PyTorch, its package and its wheel."""

load("@bazel_skylib//rules:copy_file.bzl", "copy_file")
load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_python//python:py_library.bzl", "py_library")
load("//tools/rules:cc.bzl", "python_module_linkopts", "torch_cc_shared_library")
load("//tools/rules:package.bzl", "torch_wheel")
load(":cc.bzl", "pytorch_sources")
load(":generated.bzl", "INSTALLED", "INSTALLED_HEADERS")
load(":includes.bzl", "READ")
load(":options.bzl", "release_of")
load(":package.bzl", "pytorch_tree")

_PYTHON_COPTS = [
    "-fvisibility=default",
    "-fno-strict-aliasing",
]

_LAYERS = [
    ":libc10",
    ":libshm",
    ":libtorch_cpu",
]

def python_layers(name, facts, core_sources, readers, version):
    """Everything above torch_cpu: libshm, libtorch_python, _C, torch_py and wheel.

    Args:
      name: unused; the targets have PyTorch's names.
      facts: of the version.
      core_sources: libtorch_python_core_sources of build_variables.bzl.
      readers: READERS of tables.bzl.
      version: what version.txt says.
    """
    # Shared memory of processes: a library, and the program that removes what a dead process left.

    pytorch_sources(
        name = "shm",
        # Nothing in its headers marks what others call.
        copts = ["-fvisibility=default"],
        graph = ":include_graph",
        paths = ["torch/lib/libshm/core.cpp"],
        readers = readers,
        deps = [":include_roots"],
    )

    pytorch_sources(
        name = "shm_manager_main",
        graph = ":include_graph",
        paths = ["torch/lib/libshm/manager.cpp"],
        readers = readers,
        deps = [":include_roots"],
    )

    cc_library(
        name = "shm_on_torch_cpu",
        deps = [
            ":shm",
            ":torch_cpu",
        ],
    )

    torch_cc_shared_library(
        name = "libshm",
        dynamic_deps = [
            ":libc10",
            ":libtorch_cpu",
        ],
        user_link_flags = ["-lrt"],
        deps = [":shm_on_torch_cpu"],
    )

    cc_binary(
        name = "torch/bin/torch_shm_manager",
        dynamic_deps = [
            ":libc10",
            ":libshm",
            ":libtorch_cpu",
        ],
        linkopts = ["-Wl,-rpath,$$ORIGIN/../lib"],
        deps = [
            ":shm_manager_main",
            ":shm_on_torch_cpu",
        ],
    )

    # torch_python: what `import torch` loads.

    pytorch_sources(
        name = "torch_python",
        copts = _PYTHON_COPTS,
        graph = ":python_include_graph",
        local_defines = [
            "THP_BUILD_MAIN_LIB",
            "USE_NUMPY",
        ],
        paths = core_sources + facts.python_sources,
        readers = readers,
        deps = [":python_include_roots"],
    )

    cc_library(
        name = "torch_python_on_torch_cpu",
        deps = [
            ":shm_on_torch_cpu",
            ":torch_python",
        ],
    )

    torch_cc_shared_library(
        name = "libtorch_python",
        dynamic_deps = _LAYERS,
        deps = [":torch_python_on_torch_cpu"],
    )

    # A stub that calls initModule of libtorch_python.
    pytorch_sources(
        name = "stub",
        graph = ":python_include_graph",
        paths = ["torch/csrc/stub.c"],
        readers = readers,
        deps = [":python_include_roots"],
    )

    cc_binary(
        name = "torch/_C.so",
        dynamic_deps = _LAYERS + [":libtorch_python"],
        linkopts = python_module_linkopts("_C"),
        linkshared = True,
        deps = [
            ":stub",
            ":torch_python_on_torch_cpu",
        ],
    )

    native.alias(
        name = "_C",
        actual = ":torch/_C.so",
    )

    # First-class dimensions, a module of functorch.
    pytorch_sources(
        name = "functorch_csrc",
        copts = _PYTHON_COPTS,
        graph = ":python_include_graph",
        local_defines = [
            "FUNCTORCH_BUILD_MAIN_LIB",
            "TORCH_API_INCLUDE_EXTENSION_H",
            "TORCH_EXTENSION_NAME=_C",
        ],
        paths = native.glob([
            "functorch/csrc/**/*.c",
            "functorch/csrc/**/*.cpp",
        ]),
        readers = readers,
        deps = [":python_include_roots"],
    )

    cc_binary(
        name = "functorch/_C.so",
        dynamic_deps = _LAYERS + [":libtorch_python"],
        linkopts = ["-Wl,-rpath,$$ORIGIN/../torch/lib"],
        linkshared = True,
        deps = [
            ":functorch_csrc",
            ":torch_python_on_torch_cpu",
        ],
    )

    # The package's own folder of libraries, where _C looks for them.
    for library in [
        "libc10",
        "libshm",
        "libtorch_cpu",
        "libtorch_python",
    ]:
        copy_file(
            name = "torch/lib/" + library,
            src = ":" + library,
            out = "torch/lib/{}.so".format(library),
            allow_symlink = True,
        )

    # What `import torch` loads first, for all to see: nothing in a build for the processor.
    cc_binary(
        name = "torch/lib/libtorch_global_deps.so",
        srcs = ["torch/csrc/empty.c"],
        linkopts = ["-Wl,-soname,libtorch_global_deps.so"],
        linkshared = True,
    )

    # What others name on the link line: nothing but torch_cpu.
    cc_binary(
        name = "torch/lib/libtorch.so",
        srcs = ["torch/csrc/empty.c"],
        dynamic_deps = _LAYERS,
        linkopts = [
            "-Wl,-rpath,$$ORIGIN",
            "-Wl,-soname,libtorch.so",
        ],
        linkshared = True,
        deps = [":shm_on_torch_cpu"],
    )

    packaged = {
        "torchgen/packaged/" + path.removeprefix(folder): path
        for pattern, folder in facts.torchgen_data.items()
        for path in native.glob([pattern])
    }
    for out, path in packaged.items():
        copy_file(
            name = out + "_file",
            src = path,
            out = out,
            allow_symlink = True,
        )

    data = native.glob(
        facts.package_data,
        allow_empty = True,
        exclude = facts.python_files,
    ) + [path for path in facts.python_files if path.endswith(".pyi")] + packaged.keys()

    py_library(
        name = "torch_py",
        srcs = native.glob(
            [
                "functorch/**/*.py",
                "torch/**/*.py",
                "torchgen/**/*.py",
            ],
            exclude = [
                "functorch/benchmarks/**",
                "functorch/docs/**",
                "functorch/examples/**",
                "functorch/notebooks/**",
                "functorch/op_analysis/**",
            ] + facts.annotated_arguments + facts.python_files,
        ) + facts.annotated_arguments + ["torch/version.py"],
        data = data + [
            ":functorch/_C.so",
            ":torch/_C.so",
            ":torch/bin/torch_shm_manager",
            ":torch/lib/libc10",
            ":torch/lib/libshm",
            ":torch/lib/libtorch.so",
            ":torch/lib/libtorch_cpu",
            ":torch/lib/libtorch_global_deps.so",
            ":torch/lib/libtorch_python",
        ],
        imports = ["."],
        deps = [
            "@pypi//networkx",
            "@pypi//numpy",
            "@pypi//typing_extensions",
            "@pypi_filelock//:pkg",
            "@pypi_fsspec//:pkg",
            "@pypi_jinja2//:pkg",
            "@pypi_sympy//:pkg",
        ],
    )

    # torch-2.6.0-cp311-cp311-linux_x86_64.whl

    pytorch_tree(
        name = "wheel_files",
        bundled_headers = {":pybind11_headers": "/pybind11/include/"},
        headers = native.glob(
            [pattern + ".h" for pattern in READ] + ["torch/csrc/**/*.hpp"],
            exclude = facts.generated + [
                "aten/src/ATen/native/mps/**",
                "aten/src/ATen/native/vulkan/**",
                "aten/src/ATen/ops/*",
                "aten/src/ATen/templates/**",
                "aten/src/ATen/test/**",
                "c10/test/**",
                "torch/lib/libshm*/**",
            ],
        ) + native.glob(
            # Written by hand, among those of the operators.
            [
                "aten/src/ATen/ops/from_blob.h",
                "aten/src/ATen/ops/tensor.h",
            ],
            allow_empty = True,
        ) + [
            INSTALLED + path if path in INSTALLED_HEADERS else path
            for path in facts.generated
            if path.endswith(".h") and path not in facts.cuda_generated
        ] + [":aten_headers"],
        libraries = [
            ":libc10",
            ":libshm",
            ":libtorch_cpu",
            ":libtorch_python",
            ":torch/lib/libtorch.so",
            ":torch/lib/libtorch_global_deps.so",
        ],
        programs = [":torch/bin/torch_shm_manager"],
    )

    torch_wheel(
        name = "wheel",
        data = data,
        distribution = "torch",
        extension = {
            ":functorch/_C.so": "functorch/_C",
            ":torch/_C.so": "torch/_C",
        },
        license_text = "LICENSE",
        package = ":torch_py",
        requires_others = {requirement: "" for requirement in facts.requirements},
        summary = "Tensors and Dynamic neural networks in Python with strong GPU acceleration",
        # Of the distribution, and loaded from there.
        system_libraries = [
            "libblas",
            "libcpuinfo",
            "libdnnl",
            "libgomp",
            "liblapack",
            "libnuma",
            "libonnx",
            "libonnx_proto",
            "libopenblas",
            "libprotobuf",
            "libsleef",
        ],
        trees = [":wheel_files"],
        version = release_of(version),
    )
