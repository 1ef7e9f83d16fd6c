"""py_runtime_pair: the Python toolchain around a runtime."""

load(":py_runtime_info.bzl", "PyRuntimeInfo")

def _py_runtime_pair_impl(ctx):
    return [platform_common.ToolchainInfo(
        py2_runtime = None,
        py3_runtime = ctx.attr.py3_runtime[PyRuntimeInfo],
    )]

py_runtime_pair = rule(
    implementation = _py_runtime_pair_impl,
    doc = "The toolchain that Python targets run with.",
    attrs = {
        "py3_runtime": attr.label(
            doc = "A py_runtime.",
            mandatory = True,
            providers = [PyRuntimeInfo],
        ),
    },
)
