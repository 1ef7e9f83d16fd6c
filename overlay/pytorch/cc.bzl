"""C++ of PyTorch: its compiler options, and one library a source with exact headers."""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load(":headers.bzl", "source_headers")
load(":optional.bzl", "optional_copts", "optional_deps")
load(":test_group.bzl", "test_group_test")

# Those of PyTorch's CMakeLists.txt that gcc and clang both know.
COPTS = [
    "-std=gnu++17",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-Wall",
    "-Wextra",
    "-Wsuggest-override",
    "-Werror=bool-operation",
    "-Werror=format",
    "-Werror=non-virtual-dtor",
    "-Werror=range-loop-construct",
    "-Werror=return-type",
    "-Wno-array-bounds",
    "-Wno-deprecated-declarations",
    "-Wno-maybe-uninitialized",
    "-Wno-missing-braces",
    "-Wno-missing-field-initializers",
    "-Wno-strict-aliasing",
    "-Wno-strict-overflow",
    "-Wno-stringop-overflow",
    "-Wno-type-limits",
    "-Wno-unknown-pragmas",
    "-Wno-unused-but-set-variable",
    "-Wno-unused-parameter",
]

# Options of C++ that are none of C.
_CXX_ONLY = ["-std=gnu++17", "-fvisibility-inlines-hidden", "-Werror=non-virtual-dtor", "-Werror=range-loop-construct", "-Wsuggest-override"]
_C_COPTS = ["-std=gnu11"] + [option for option in COPTS if option not in _CXX_ONLY]

# What CMake compiles each capability with, from cmake/Codegen.cmake.
_NO_SPLIT = ["-mno-avx256-split-unaligned-load", "-mno-avx256-split-unaligned-store"]
CAPABILITIES = {
    "DEFAULT": ["-O3"],
    "AVX2": ["-O3", "-mavx2", "-mfma", "-mf16c"] + _NO_SPLIT,
    "AVX512": ["-O3", "-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mfma"],
}

def part_name(name, path):
    """Name of the library of one source.

    Args:
      name: of the library of all of them.
      path: of the source, from the root of the tree.

    Returns:
      A target name.
    """
    return "{}/{}".format(name, path.rpartition(".")[0])

def pytorch_sources(name, paths, graph, readers, copts = [], source_copts = {}, source_defines = {}, deps = [], local_defines = [], **kwargs):
    """Sources that each see exactly the headers that they include.

    Args:
      name: a library of all of them; that of a single one is `name/path/without/ending`.
      paths: sources of this package, or generated in it, from the root of the tree.
      graph: the include graph.
      readers: READERS of tables.bzl, for the options that reach some sources.
      copts: options after COPTS.
      source_copts: further options by path.
      source_defines: further definitions by path.
      deps: what all of them depend on.
      local_defines: definitions for all of them.
      **kwargs: further attributes of cc_library.
    """
    package = native.package_name() + "/" if native.package_name() else ""
    parts = []
    for path in paths:
        part = part_name(name, path)
        source_headers(
            name = part + ".headers",
            graph = graph,
            src = path,
            tags = ["manual"],
        )
        cc_library(
            name = part,
            srcs = [path.removeprefix(package)],
            copts = (_C_COPTS if path.endswith(".c") else COPTS) + copts + source_copts.get(path, []) + optional_copts(path, readers),
            implementation_deps = [":" + part + ".headers"] + optional_deps(path, readers),
            linkstatic = True,
            local_defines = local_defines + source_defines.get(path, []),
            deps = deps,
            # Operators and types register themselves.
            alwayslink = True,
            **kwargs
        )
        parts.append(":" + part)
    cc_library(
        name = name,
        visibility = ["//visibility:public"],
        deps = parts,
    )

def pytorch_kernels(name, paths, graph, readers, copts = [], local_defines = [], **kwargs):
    """Sources compiled once for every capability of the processor.

    Args:
      name: a library of all of them; that of a capability is `name_AVX2`.
      paths: as of pytorch_sources.
      graph: the include graph.
      readers: READERS of tables.bzl.
      copts: further options.
      local_defines: further definitions.
      **kwargs: further arguments of pytorch_sources.
    """
    for capability, options in CAPABILITIES.items():
        pytorch_sources(
            name = "{}_{}".format(name, capability),
            paths = paths,
            graph = graph,
            readers = readers,
            copts = copts + options,
            local_defines = local_defines + [
                "CPU_CAPABILITY=" + capability,
                "CPU_CAPABILITY_" + capability,
            ],
            target_compatible_with = [] if capability == "DEFAULT" else ["@platforms//cpu:x86_64"],
            **kwargs
        )

    # The linker keeps the first of several equal inline functions: that for every processor comes first.
    cc_library(
        name = name,
        visibility = ["//visibility:public"],
        deps = [":{}_DEFAULT".format(name)] + select({
            "@platforms//cpu:x86_64": [":{}_AVX2".format(name), ":{}_AVX512".format(name)],
            "//conditions:default": [],
        }),
    )

def pytorch_headers(name, graph, headers):
    """Headers for programs of others, with all that they include.

    Args:
      name: a library of all of them.
      graph: the include graph.
      headers: by their paths from the root of the tree.
    """
    for header in headers:
        source_headers(
            name = "{}/{}".format(name, header),
            graph = graph,
            src = header,
            whole = True,
        )
    cc_library(
        name = name,
        deps = ["{}/{}".format(name, header) for header in headers],
    )

def pytorch_cc_tests(name, paths, graph, deps, copts = [], dynamic_deps = [], local_defines = [], shard_count = 4):
    """One GoogleTest program a source, and a test that runs all.

    Args:
      name: of the test of all; a single one is `name/path/without/ending`.
      paths: sources of this package from the root of the tree.
      graph: the include graph.
      deps: libraries under test.
      copts: options after COPTS.
      dynamic_deps: shared libraries that hold what is below `deps`.
      local_defines: definitions.
      shard_count: into how many parts the test of all is split.
    """
    package = native.package_name() + "/" if native.package_name() else ""
    tests = []
    for path in paths:
        test = part_name(name, path)
        source_headers(
            name = test + ".headers",
            graph = graph,
            src = path,
            tags = ["manual"],
        )
        cc_test(
            name = test,
            size = "small",
            srcs = [path.removeprefix(package)],
            copts = COPTS + copts,
            dynamic_deps = dynamic_deps,
            linkstatic = True,
            local_defines = local_defines,
            deps = deps + [
                ":" + test + ".headers",
                "@googletest//:gtest_main",
            ],
        )
        tests.append(":" + test)
    test_group_test(
        name = name,
        size = "medium",
        shard_count = shard_count,
        tests = tests,
        visibility = ["//visibility:public"],
    )
