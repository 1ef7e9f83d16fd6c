"""Exact headers: each source sees the files that it includes, directly or through others.

The graph comes from tables.py. A group of files that include one another is a depset of these and of the
groups below, so that a thousand sources share what they have in common.
"""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":views.bzl", "OperatorViewsInfo", "VIEWED", "operator_headers")

IncludeGraphInfo = provider(
    doc = "What each file of the tree includes.",
    fields = {
        "closures": "Dict from paths, from the root of the tree, to depsets of files.",
        "folders": "Dict from paths to depsets of folders that they search and not all files do.",
        "views": "OperatorViewsInfo, or None.",
    },
)

def _path_in_tree(file):
    """The path of a file, source or generated, from the root of its repository."""
    path = file.short_path
    return path.split("/", 2)[2] if path.startswith("../") else path

def _folders_of(library):
    """Where a library of others has its headers."""
    context = library[CcInfo].compilation_context
    return depset(transitive = [context.system_includes, context.includes, context.external_includes])

def _include_graph_impl(ctx):
    files = {_path_in_tree(file): depset([file]) for file in ctx.files.srcs}
    library_folders = {}
    for library, name in (ctx.attr.libraries | ctx.attr.libraries_of_few).items():
        files["@" + name] = library[CcInfo].compilation_context.headers
    for library, name in ctx.attr.libraries_of_few.items():
        library_folders["@" + name] = _folders_of(library)

    # Each line: files of one group, a bar, the numbers of groups above that it includes.
    closures = []
    folders = []
    closure_by_path = {}
    folders_by_path = {}
    for line in ctx.attr.includes:
        names, _, below = line.partition("|")
        group = names.split(" ")
        numbers = [int(number) for number in below.split(" ") if number]
        closures.append(depset(transitive = [files[name] for name in group if name in files] +
                                            [closures[number] for number in numbers]))
        folders.append(depset(transitive = [library_folders[name] for name in group if name in library_folders] +
                                           [folders[number] for number in numbers]))
        for name in group:
            closure_by_path[name] = closures[-1]
            folders_by_path[name] = folders[-1]
    return [IncludeGraphInfo(
        closures = closure_by_path,
        folders = folders_by_path,
        views = ctx.attr.views[OperatorViewsInfo] if ctx.attr.views else None,
    )]

include_graph = rule(
    implementation = _include_graph_impl,
    attrs = {
        "includes": attr.string_list(doc = "INCLUDES of tables.bzl."),
        "libraries": attr.label_keyed_string_dict(
            doc = "Libraries of others, by their names in tables.bzl; include_roots has their folders.",
            providers = [CcInfo],
        ),
        "libraries_of_few": attr.label_keyed_string_dict(
            doc = "Libraries of others whose folders only their readers search.",
            providers = [CcInfo],
        ),
        "srcs": attr.label_list(allow_files = True, doc = "All files that can be included."),
        "views": attr.label(doc = "Views of headers that include all operators.", providers = [OperatorViewsInfo]),
    },
    doc = "The files that each file can read.",
)

def _source_headers_impl(ctx):
    graph = ctx.attr.graph[IncludeGraphInfo]
    path = ctx.attr.src
    if path not in graph.closures:
        fail("{} is not in the table of includes: is it a source of this checkout?".format(path))
    headers = [graph.closures[path]]
    folders = []
    if ctx.attr.whole:
        headers += [graph.closures[header] for header in VIEWED if header in graph.closures]
    elif graph.views and path in graph.views.by_source:
        view = graph.views.by_source[path]
        headers += [depset(view.files)] + [
            graph.closures[header]
            for header in operator_headers(view.headers, view.operators)
            if header in graph.closures
        ]
        folders.append(view.folder)
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(transitive = headers),
        # Before the folder of what it is a view of.
        includes = depset(folders),
        system_includes = graph.folders[path],
    ))]

source_headers = rule(
    implementation = _source_headers_impl,
    attrs = {
        "graph": attr.label(doc = "The include graph.", mandatory = True, providers = [IncludeGraphInfo]),
        "src": attr.string(doc = "The source, by its path from the root of the tree.", mandatory = True),
        "whole": attr.bool(doc = "Whether it is a header for sources that are not known, which have no views."),
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
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        defines = depset(ctx.attr.defines),
        includes = depset(roots),
        system_includes = depset(transitive = [_folders_of(library) for library in ctx.attr.libraries]),
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
