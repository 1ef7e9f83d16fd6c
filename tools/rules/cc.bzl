"""C++ rules of this tree: the usual ones, with the tree's compiler options and include roots."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_shared_library.bzl", "cc_shared_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load(":interface_library.bzl", "interface_library")

TORCH_COPTS = [
    "-std=c++20",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
]

# Code of the libraries is also refused the memory of a tensor that is conjugated or negated when it is read, where
# extensions get it as it is: TensorBase::data_ptr.
LIBRARY_COPTS = TORCH_COPTS + ["-DTORCH_CHECKED_DATA_PTR"]

# The include roots, and the check that refuses options which cannot work together.
EVERY_TARGET = [
    Label("//:include_root"),
    Label("//aten/src:include_root"),
    Label("//config:checked"),
]

def torch_cc_library(name, copts = [], deps = [], linkstatic = True, **kwargs):
    """A C++ library of the tree.

    Args:
      name: name of the library.
      copts: options after LIBRARY_COPTS.
      deps: libraries; the include roots are added.
      linkstatic: whether it is an archive only; shared libraries are made by the layers alone.
      **kwargs: further attributes of cc_library.
    """
    cc_library(
        name = name,
        linkstatic = linkstatic,
        copts = LIBRARY_COPTS + copts,
        deps = deps + EVERY_TARGET,
        **kwargs
    )

def torch_cc_binary(name, copts = [], deps = [], **kwargs):
    """A C++ program of the tree.

    Args:
      name: name of the program.
      copts: options after TORCH_COPTS.
      deps: libraries; the include roots are added.
      **kwargs: further attributes of cc_binary.
    """
    cc_binary(
        name = name,
        copts = TORCH_COPTS + copts,
        deps = deps + EVERY_TARGET,
        **kwargs
    )

def torch_cc_test(name, size = "small", copts = [], deps = [], linkstatic = True, **kwargs):
    """A GoogleTest program; main() comes with it.

    Args:
      name: name of the test.
      size: Bazel's test size.
      copts: options after TORCH_COPTS.
      deps: libraries under test; GoogleTest and the include roots are added.
      linkstatic: whether the libraries are linked into the program.
      **kwargs: further attributes of cc_test.
    """
    cc_test(
        name = name,
        size = size,
        copts = TORCH_COPTS + copts,
        linkstatic = linkstatic,
        deps = deps + EVERY_TARGET + ["@googletest//:gtest_main"],
        **kwargs
    )

def torch_cc_shared_library(name, deps, dynamic_deps = [], user_link_flags = [], visibility = None, **kwargs):
    """One layer of the tree as a shared library, found by its siblings through $ORIGIN.

    What depends on it is linked again when its symbols change, not when its code does.

    Args:
      name: name of the target and, with the platform's suffix, of the file: `libc10`.
      deps: the static libraries that it owns.
      dynamic_deps: the layers below.
      user_link_flags: further options for the link.
      visibility: of the target.
      **kwargs: further attributes of cc_shared_library.
    """
    interface_library(
        name = name,
        actual = ":" + name + "_linked",
        target_compatible_with = kwargs.get("target_compatible_with"),
        visibility = visibility,
    )
    cc_shared_library(
        name = name + "_linked",
        deps = deps,
        dynamic_deps = dynamic_deps,
        shared_lib_name = select({
            Label("@platforms//os:macos"): name + ".dylib",
            Label("@platforms//os:windows"): name.removeprefix("lib") + ".dll",
            "//conditions:default": name + ".so",
        }),
        user_link_flags = select({
            Label("@platforms//os:macos"): ["-Wl,-rpath,@loader_path", "-Wl,-install_name,@rpath/" + name + ".dylib"],
            Label("@platforms//os:windows"): [],
            "//conditions:default": ["-Wl,-rpath,$ORIGIN", "-Wl,-soname," + name + ".so"],
        }) + user_link_flags,
        visibility = ["//visibility:private"],
        **kwargs
    )

def python_module_linkopts(name):
    """How a module that Python imports finds its libraries: in `lib` beside it.

    Args:
      name: of the module.

    Returns:
      A value for `linkopts`.
    """
    return select({
        # The interpreter that imports it has Python's functions.
        Label("@platforms//os:macos"): ["-undefined", "dynamic_lookup", "-Wl,-rpath,@loader_path/lib"],
        Label("@platforms//os:windows"): [],
        "//conditions:default": ["-Wl,-rpath,$$ORIGIN/lib", "-Wl,-soname,{}.so".format(name)],
    })
