"""The headers of C++ libraries as files, for a compiler that Bazel does not call."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _headers_of_impl(ctx):
    headers = depset(transitive = [dep[CcInfo].compilation_context.headers for dep in ctx.attr.deps])
    return [DefaultInfo(files = headers, runfiles = ctx.runfiles(transitive_files = headers))]

headers_of = rule(
    implementation = _headers_of_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The libraries.",
            providers = [CcInfo],
        ),
    },
    doc = "The headers that a source that depends on some libraries may read.",
)
