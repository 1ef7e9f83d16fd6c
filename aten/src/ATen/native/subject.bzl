"""A subject of operators: the sources of one folder, their tests and the table of what they read.

The headers of a subject stay in the folder above, at PyTorch's paths: `ATen/native/Pool.h`.
"""

load("//tools/rules:operators.bzl", "operator_deps_table", "operator_sources", "operator_tests")
load("//tools/rules:sources.bzl", "package_srcs")

# What programs that test kernels depend on.
TEST_DEPS = [
    "//aten:torch_cpu",
    "//aten/src/ATen/native:conv_testing_support",
    "//aten/src/ATen/native:headers",
    "//aten/src/ATen/native:testing_support",
]

# The headers of the tree that sources of a subject include, directly or not.
READ_HEADERS = [
    "//aten/src/ATen:header_files",
    "//aten/src/ATen/native:header_files",
    "//aten/src/ATen/native:testing_headers",
    "//torch:library.h",
]

def native_subject(name, srcs, operator_deps, test_srcs = [], source_defines = {}, source_deps = {}):
    """The operators of one folder.

    Args:
      name: a library of all of them; `native/BUILD.bazel` lists it.
      srcs: a list of build_variables.bzl.
      operator_deps: OPERATOR_DEPS of the folder's table.
      test_srcs: GoogleTest programs, a list of build_variables.bzl.
      source_defines: further definitions by source, so that an option compiles only these again.
      source_deps: further libraries by source.
    """
    operator_sources(
        name = name,
        srcs = package_srcs(srcs),
        local_defines = ["CAFFE2_BUILD_MAIN_LIB"],
        operator_deps = operator_deps,
        source_defines = source_defines,
        source_deps = source_deps,
        visibility = ["//aten/src/ATen/native:__pkg__"],
        deps = ["//aten/src/ATen:base_headers"],
    )
    operator_tests(
        srcs = package_srcs(test_srcs),
        operator_deps = operator_deps,
        deps = TEST_DEPS,
    )
    operator_deps_table(
        name = "operator_deps",
        srcs = package_srcs(srcs + test_srcs) + READ_HEADERS,
        visibility = ["//tools:__pkg__"],
    )
    native.filegroup(
        name = "sources",
        srcs = package_srcs(srcs),
        visibility = ["//aten/src/ATen/native:__pkg__"],
    )
