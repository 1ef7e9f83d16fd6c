"""`--python_version` where the Python toolchain of another module comes first."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_python//python/cc:py_cc_toolchain.bzl", "py_cc_toolchain")

# A version that no machine has, as rules_python writes it.
_FOREIGN = "3.99.1"

def _settings(wanted):
    return {
        "//command_line_option:extra_toolchains": [str(Label("//config/tests:foreign_python"))],
        str(Label("//config:python_version")): wanted,
    }

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(
        env,
        "--python_version=3.12 cannot choose: the toolchain that serves it is of CPython 3.99, and another module " +
        "registered it before torch did. In MODULE.bazel put torch before that module, or choose with that module's " +
        "own flag. rules_python's is --@rules_python//python/config_settings:python_version=3.12",
    )
    return analysistest.end(env)

_refused_test = analysistest.make(_refused_impl, config_settings = _settings("3.12"), expect_failure = True)

def _served_impl(ctx):
    env = analysistest.begin(ctx)
    headers = analysistest.target_under_test(env)[CcInfo].compilation_context
    asserts.true(env, "FOREIGN_PYTHON" in headers.defines.to_list(), "the headers are those of another toolchain")
    return analysistest.end(env)

_served_test = analysistest.make(_served_impl, config_settings = _settings("host"))

def python_version_tests(name):
    """Declares a toolchain of another Python and the tests that put it first.

    Args:
      name: of the suite, and prefix of the tests.
    """
    cc_library(
        name = "foreign_headers",
        defines = ["FOREIGN_PYTHON"],
        tags = ["manual"],
    )
    py_cc_toolchain(
        name = "foreign_py_cc",
        headers = ":foreign_headers",
        libs = ":foreign_headers",
        python_version = _FOREIGN,
        tags = ["manual"],
    )
    native.toolchain(
        name = "foreign_python",
        toolchain = ":foreign_py_cc",
        toolchain_type = "@rules_python//python/cc:toolchain_type",
    )
    tests = {name + "_refused_test": _refused_test, name + "_served_test": _served_test}
    for test, rule in tests.items():
        rule(name = test, target_under_test = "//toolchains/python:headers")
    native.test_suite(name = name, tests = tests.keys())
