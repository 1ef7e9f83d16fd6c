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

def _package_headers_impl(ctx):
    headers = [
        file
        for file in ctx.files.srcs
        if ctx.attr.root in file.path and file.extension in ("h", "hpp")
    ]
    if not headers:
        fail("no header below {} among the files of {}".format(
            ctx.attr.root,
            ", ".join([str(src.label) for src in ctx.attr.srcs]),
        ))
    root = headers[0].path.split(ctx.attr.root, 1)[0] + ctx.attr.root.rstrip("/")
    return [
        DefaultInfo(files = depset(headers)),
        CcInfo(compilation_context = cc_common.create_compilation_context(
            headers = depset(headers),
            system_includes = depset([root]),
        )),
    ]

package_headers = rule(
    implementation = _package_headers_impl,
    attrs = {
        "root": attr.string(
            doc = "The part of their paths that ends where `#include <>` begins.",
            mandatory = True,
        ),
        "srcs": attr.label_list(allow_files = True, doc = "Files of a package.", mandatory = True),
    },
    doc = "C++ headers that a package of another language brings along.",
    provides = [CcInfo],
)
