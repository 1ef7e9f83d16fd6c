"""Targets that forward the headers and libraries of the Python that the toolchains chose."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_TOOLCHAIN = Label(":toolchain_type")

def _toolchain(ctx):
    return ctx.toolchains[_TOOLCHAIN].py_cc_toolchain

def _headers_impl(ctx):
    return [_toolchain(ctx).headers]

def _libs_impl(ctx):
    return [_toolchain(ctx).libs]

current_py_cc_headers = rule(
    implementation = _headers_impl,
    doc = "Headers of the chosen Python (Python.h).",
    provides = [CcInfo],
    toolchains = [_TOOLCHAIN],
)

current_py_cc_libs = rule(
    implementation = _libs_impl,
    doc = "Libraries of the chosen Python (libpython).",
    provides = [CcInfo],
    toolchains = [_TOOLCHAIN],
)
