"""Extensions of torch in C++ and CUDA, built by Bazel."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_python//python:py_library.bzl", "py_library")
load("//config:conditions.bzl", "if_backend")
load(":cc.bzl", "TORCH_COPTS")
load(":cuda.bzl", "torch_cuda_library")
load(":cuda_runtime.bzl", "cuda_runtime_link_flags")
load(":sdk.bzl", "if_sdk_is_built", "if_sdk_is_built_with_cuda")

# Which owns what; an installed torch is linked as its target says.
_LAYERS = [
    Label("//torch:libtorch_python"),
    Label("//aten:libtorch_cpu"),
    Label("//c10:libc10"),
]
_CUDA_LAYERS = [
    Label("//aten:libtorch_cuda"),
    Label("//c10/cuda:libc10_cuda"),
]
_CUDA_RUNTIME = Label("//aten:cuda_runtime")
_SDK = Label("//torch/sdk")
_DEPS = [
    _SDK,
    Label("//config:checked"),
]

def torch_extension(
        name,
        srcs,
        cuda_srcs = [],
        package_dir = "",
        copts = [],
        deps = [],
        imports = ["."],
        visibility = None,
        **kwargs):
    """An extension module that Python imports, and a py_library of it.

    The sources are those of torch.utils.cpp_extension: they include torch/extension.h, register
    operators with TORCH_LIBRARY, and define PYBIND11_MODULE(TORCH_EXTENSION_NAME, m). They are built
    against //torch/sdk: the torch of this module, or an installed one of //torch/sdk:extensions.bzl.

    Args:
      name: name of the module, and of the py_library.
      srcs: C++ sources and their headers.
      cuda_srcs: CUDA sources; compiled when CUDA is on.
      package_dir: directory of the Python package that the module belongs to.
      copts: further options for C++.
      deps: further C++ libraries; those that include torch's headers depend on //torch/sdk.
      imports: as of py_library.
      visibility: of the py_library.
      **kwargs: further attributes of the py_library.
    """
    module = (package_dir + "/" if package_dir else "") + name + ".so"
    headers = [src for src in srcs if src.endswith((".h", ".cuh", ".hpp"))]
    cuda_deps = []
    runtime = []
    link_flags = []
    if cuda_srcs:
        torch_cuda_library(
            name = name + "_cuda",
            srcs = cuda_srcs + headers,
            deps = deps + _DEPS,
        )
        cuda_deps = if_backend("cuda", [":" + name + "_cuda"])
        runtime = if_backend("cuda", [_CUDA_RUNTIME])
        link_flags = if_backend("cuda", cuda_runtime_link_flags(_CUDA_RUNTIME))
    cc_binary(
        name = module,
        srcs = srcs,
        additional_linker_inputs = runtime,
        copts = TORCH_COPTS + copts,
        dynamic_deps = if_sdk_is_built(_LAYERS) + if_sdk_is_built_with_cuda(_CUDA_LAYERS),
        linkopts = link_flags,
        linkshared = True,
        local_defines = ["TORCH_EXTENSION_NAME=" + name],
        visibility = ["//visibility:private"],
        deps = deps + _DEPS + cuda_deps,
    )
    py_library(
        name = name,
        srcs = native.glob(
            [package_dir + "/**/*.py"],
            allow_empty = True,
        ) if package_dir else [],
        data = [":" + module],
        imports = imports,
        visibility = visibility,
        deps = [_SDK],
        **kwargs
    )
