"""The headers of C++ libraries as data of a program."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _headers_impl(ctx):
    headers = depset(transitive = [dep[CcInfo].compilation_context.headers for dep in ctx.attr.deps])
    return [DefaultInfo(files = headers, runfiles = ctx.runfiles(transitive_files = headers))]

headers = rule(
    implementation = _headers_impl,
    attrs = {
        "deps": attr.label_list(
            doc = "The libraries.",
            mandatory = True,
            providers = [CcInfo],
        ),
    },
    doc = "Every header that a source with these dependencies may include. " +
          "Among runfiles, those of the tree and the generated ones lie side by side.",
)
