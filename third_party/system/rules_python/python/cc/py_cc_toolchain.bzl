"""py_cc_toolchain: the headers and libraries of one Python, for C and C++ targets."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _py_cc_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(
        py_cc_toolchain = struct(
            headers = ctx.attr.headers[CcInfo],
            libs = ctx.attr.libs[CcInfo] if ctx.attr.libs else CcInfo(),
            python_version = ctx.attr.python_version,
        ),
    )]

py_cc_toolchain = rule(
    implementation = _py_cc_toolchain_impl,
    doc = "Says where a toolchain's Python.h and libpython are.",
    attrs = {
        "headers": attr.label(
            doc = "A C++ library with the directory of Python.h among its includes.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "libs": attr.label(
            doc = "A C++ library that links libpython, for programs that embed Python.",
            providers = [CcInfo],
        ),
        "python_version": attr.string(doc = "Major and minor version, such as 3.11."),
    },
)
