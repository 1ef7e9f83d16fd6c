"""Exact headers: each source sees the files that it includes, directly or through others.

The graph comes from tables.py. A group of files that include one another is a depset of these and of the
groups below, so that a thousand sources share what they have in common.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

IncludeGraphInfo = provider(
    doc = "What each file of the tree includes.",
    fields = {"closures": "Dict from paths, from the root of the tree, to depsets of files."},
)

def _path_in_tree(file):
    """The path of a file, source or generated, from the root of its repository."""
    path = file.short_path
    return path.split("/", 2)[2] if path.startswith("../") else path

def _include_graph_impl(ctx):
    files = {_path_in_tree(file): depset([file]) for file in ctx.files.srcs}
    for library, name in ctx.attr.libraries.items():
        files["@" + name] = library[CcInfo].compilation_context.headers

    # Each line: files of one group, a bar, the numbers of groups above that it includes.
    closures = []
    result = {}
    for line in ctx.attr.includes:
        names, _, below = line.partition("|")
        group = names.split(" ")
        closure = depset(transitive = [files[name] for name in group if name in files] +
                                      [closures[int(number)] for number in below.split(" ") if number])
        closures.append(closure)
        for name in group:
            result[name] = closure
    return [IncludeGraphInfo(closures = result)]

include_graph = rule(
    implementation = _include_graph_impl,
    attrs = {
        "includes": attr.string_list(doc = "INCLUDES of tables.bzl."),
        "libraries": attr.label_keyed_string_dict(
            doc = "Libraries of others, by their names in tables.bzl.",
            providers = [CcInfo],
        ),
        "srcs": attr.label_list(allow_files = True, doc = "All files that can be included."),
    },
    doc = "The files that each file can read.",
)

def _source_headers_impl(ctx):
    closures = ctx.attr.graph[IncludeGraphInfo].closures
    path = ctx.attr.src
    if path not in closures:
        fail("{} is not in the table of includes: is it a source of this checkout?".format(path))
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = closures[path],
    ))]

source_headers = rule(
    implementation = _source_headers_impl,
    attrs = {
        "graph": attr.label(doc = "The include graph.", mandatory = True, providers = [IncludeGraphInfo]),
        "src": attr.string(doc = "The source, by its path from the root of the tree.", mandatory = True),
    },
    doc = "What one source can read.",
    provides = [CcInfo],
)

def _include_roots_impl(ctx):
    below = [part for part in [ctx.label.workspace_root] if part]
    roots = []
    for root in ctx.attr.roots:
        parts = below + ([root] if root else [])

        # Generated files come first: a build in the source folder may have left others there.
        roots.append("/".join([ctx.bin_dir.path] + parts))
        roots.append("/".join(parts) or ".")
    contexts = [library[CcInfo].compilation_context for library in ctx.attr.libraries]
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        defines = depset(ctx.attr.defines),
        includes = depset(roots),
        system_includes = depset(transitive = [
            depset(transitive = [context.system_includes, context.includes, context.external_includes])
            for context in contexts
        ]),
    ))]

include_roots = rule(
    implementation = _include_roots_impl,
    attrs = {
        "defines": attr.string_list(doc = "Definitions for all sources."),
        "libraries": attr.label_list(
            doc = "Libraries whose folders are searched too; who may read them the include graph says.",
            providers = [CcInfo],
        ),
        "roots": attr.string_list(doc = "Folders of the tree in which `#include` looks."),
    },
    doc = "Where includes are found; what is found there the include graph says.",
    provides = [CcInfo],
)
