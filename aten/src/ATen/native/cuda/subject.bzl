"""A subject of CUDA: the kernels of one folder, what calls them, and their tests.

The headers of a subject stay in the folder above: `ATen/native/cuda/Gemm.h`.
"""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("//config:conditions.bzl", "if_option", "requires_backend")
load("//third_party/optional:libraries.bzl", "OPTIONAL_LIBRARIES")
load("//third_party/optional:optional.bzl", "optional_define", "optional_headers")
load("//tools/rules:cc.bzl", "torch_cc_test")
load("//tools/rules:cuda.bzl", "torch_cuda_library")
load("//tools/rules:operators.bzl", "operator_deps_table", "operator_sources")
load("//tools/rules:sources.bzl", "package_srcs")
load(":libraries.bzl", "LIBRARIES")
load(":memory.bzl", "COMPILE_MEMORY")

_PACKAGE = "aten/src/ATen/native/cuda"

def _library_calls(srcs):
    """Entries of LIBRARIES by the source of this package."""
    calls = {}
    for src in srcs:
        path = (native.package_name() + "/" + src).removeprefix(_PACKAGE + "/")
        if path in LIBRARIES:
            calls[src] = LIBRARIES[path]
    return calls

def host_sources(name, srcs, operator_deps, visibility = None):
    """Checks of arguments and calls of kernels, compiled for the host alone.

    Args:
      name: a library of all of them.
      srcs: a list of build_variables.bzl.
      operator_deps: OPERATOR_DEPS of the folder's table.
      visibility: of the library.
    """
    srcs = package_srcs(srcs)
    calls = _library_calls(srcs)
    operator_sources(
        name = name,
        srcs = srcs,
        local_defines = ["TORCH_CUDA_BUILD_MAIN_LIB"],
        operator_deps = operator_deps,
        source_defines = {src: optional_define(call.library) for src, call in calls.items()},
        source_deps = {src: optional_headers(call.library) for src, call in calls.items()},
        target_compatible_with = requires_backend("cuda"),
        visibility = visibility,
        deps = ["//aten/src/ATen/native/cuda:headers"],
    )
    operator_deps_table(
        name = "operator_deps",
        srcs = srcs + [
            "//aten/src/ATen:header_files",
            "//aten/src/ATen/cuda:sources",
            "//aten/src/ATen/native:header_files",
            "//aten/src/ATen/native/cuda:header_files",
            "//torch:library.h",
        ],
        visibility = ["//tools:__pkg__"],
    )

def library_tests(srcs, test_srcs):
    """Tests of what calls NVIDIA's libraries, on libraries that run on the host.

    Args:
      srcs: what calls the libraries, a list of build_variables.bzl.
      test_srcs: the tests that libraries.bzl names, likewise.
    """
    calls = _library_calls(package_srcs(srcs))
    tested = {call.test: src for src, call in calls.items()}
    for test in package_srcs(test_srcs):
        if test not in tested:
            fail("libraries.bzl names no source that {} tests. Those of this folder are {}".format(test, ", ".join(tested.keys())))
        src = tested[test]
        torch_cc_test(
            name = test.removesuffix(".cpp"),
            srcs = [
                src,
                test,
            ],
            local_defines = [OPTIONAL_LIBRARIES[calls[src].library].define],
            target_compatible_with = requires_backend("cuda") + if_option(
                calls[src].library,
                [],
                ["@platforms//:incompatible"],
            ),
            deps = [
                "//aten/src/ATen/native/cuda:headers",
                "//c10/cuda",
                "//third_party/optional:" + calls[src].library,
                "//tools/cuda_emulator:runtime_without_launches",
            ] + calls[src].test_deps,
        )

def cuda_subject(
        name,
        kernel_srcs,
        srcs = [],
        operator_deps = {},
        library_test_srcs = [],
        kernel_deps = [],
        extra_archs = {}):
    """The CUDA operators of one folder.

    Args:
      name: a library of all of them; `native/cuda/BUILD.bazel` lists it.
      kernel_srcs: device code, a list of build_variables.bzl.
      srcs: what runs on the host alone, likewise.
      operator_deps: OPERATOR_DEPS of the folder's table, where there are `srcs`.
      library_test_srcs: tests of `srcs` that call NVIDIA's libraries.
      kernel_deps: libraries of further device headers.
      extra_archs: architectures by source, beside those of `--cuda_archs`.
    """
    torch_cuda_library(
        name = name + "_kernels",
        srcs = package_srcs(kernel_srcs),
        extra_archs = extra_archs,
        local_defines = ["TORCH_CUDA_BUILD_MAIN_LIB"],
        memory = COMPILE_MEMORY,
        deps = kernel_deps + [
            "//aten/src/ATen/native/cuda:device_headers",
            "@cuda//:cuda_headers",
        ],
    )
    if srcs:
        host_sources(
            name = name + "_host",
            srcs = srcs,
            operator_deps = operator_deps,
        )
    library_tests(srcs, library_test_srcs)
    native.filegroup(
        name = "sources",
        srcs = package_srcs(srcs),
        visibility = ["//aten/src/ATen/native/cuda:__pkg__"],
    )
    cc_library(
        name = name,
        target_compatible_with = requires_backend("cuda"),
        visibility = ["//aten/src/ATen/native/cuda:__pkg__"],
        deps = [":" + name + "_kernels"] + ([":" + name + "_host"] if srcs else []),
    )
