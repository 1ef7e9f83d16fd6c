"""A directory of this tree as an include root, for its own headers and for generated ones.

cc_library's `includes` refuses the workspace root, for fear of undeclared reads. Here every header
is still declared by the library that owns it, and the sandbox holds only those.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _include_root_impl(ctx):
    parts = [part for part in (ctx.label.workspace_root, ctx.label.package) if part]
    source = "/".join(parts) or "."
    generated = "/".join([ctx.bin_dir.path] + parts)
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        includes = depset([source, generated]),
    ))]

include_root = rule(
    implementation = _include_root_impl,
    doc = "Adds the package's directory, in the source tree and among outputs, to the include path.",
    provides = [CcInfo],
)
