"""pybind_extension and pybind_library: C++ code that Python imports."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")

PYBIND_COPTS = ["-fexceptions"]

PYBIND_FEATURES = ["-parse_headers", "-use_header_modules"]

PYBIND_DEPS = [
    Label("//:pybind11"),
    Label("@rules_python//python/cc:current_py_cc_headers"),
]

def pybind_extension(name, copts = [], features = [], linkopts = [], tags = [], deps = [], **kwargs):
    """A shared library that Python imports.

    Makes `NAME.so` (`NAME.pyd` on Windows) and the alias `NAME` for the one of this platform.

    Args:
      name: name of the Python module.
      copts: options for compiling `srcs`.
      features: features for the C++ toolchain.
      linkopts: options for the link.
      tags: tags of the library.
      deps: C++ libraries.
      **kwargs: further attributes of cc_binary.
    """
    for suffix, compatible in (
        (".so", {"//conditions:default": [], "@platforms//os:windows": ["@platforms//:incompatible"]}),
        (".pyd", {"//conditions:default": ["@platforms//:incompatible"], "@platforms//os:windows": []}),
    ):
        cc_binary(
            name = name + suffix,
            copts = copts + PYBIND_COPTS + ["-fvisibility=hidden"],
            features = features + PYBIND_FEATURES,
            linkopts = linkopts + select({
                "@platforms//os:osx": ["-undefined", "dynamic_lookup"],
                "@platforms//os:windows": [],
                "//conditions:default": ["-Wl,-Bsymbolic"],
            }),
            linkshared = True,
            tags = tags,
            target_compatible_with = select(compatible),
            deps = deps + PYBIND_DEPS,
            **kwargs
        )
    native.alias(
        name = name,
        actual = select({
            "@platforms//os:windows": name + ".pyd",
            "//conditions:default": name + ".so",
        }),
        testonly = kwargs.get("testonly"),
        visibility = kwargs.get("visibility"),
    )

def pybind_library(name, copts = [], features = [], tags = [], deps = [], **kwargs):
    """A C++ library that uses pybind11, to be linked into a pybind_extension.

    Args:
      name: name of the library.
      copts: options for compiling `srcs`.
      features: features for the C++ toolchain.
      tags: tags of the library.
      deps: C++ libraries.
      **kwargs: further attributes of cc_library.
    """
    cc_library(
        name = name,
        copts = copts + PYBIND_COPTS,
        features = features + PYBIND_FEATURES,
        tags = tags,
        deps = deps + PYBIND_DEPS,
        **kwargs
    )
