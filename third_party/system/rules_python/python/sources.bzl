"""What py_library, py_binary and py_test have in common: sources, dependencies, runfiles."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":py_info.bzl", "PyInfo")

SOURCE_ATTRS = {
    "data": attr.label_list(allow_files = True, doc = "Files that the sources read."),
    "deps": attr.label_list(
        allow_files = True,
        doc = "Python targets, or C++ ones with a shared library to load.",
        providers = [[PyInfo], [CcInfo]],
    ),
    "imports": attr.string_list(doc = "Directories, from this package, that sources are imported from."),
    "srcs": attr.label_list(allow_files = [".py", ".pyi"], doc = "Sources."),
}

def _import_path(ctx, directory):
    """A directory of `imports` as a path in the runfiles."""
    parts = [ctx.label.repo_name or ctx.workspace_name, ctx.label.package, directory]
    kept = []
    for part in "/".join([part for part in parts if part]).split("/"):
        if part == "..":
            kept.pop()
        elif part != ".":
            kept.append(part)
    return "/".join(kept)

def collect(ctx):
    """Gathers a target's own files and those of its dependencies.

    Args:
      ctx: of a rule with SOURCE_ATTRS.

    Returns:
      Its PyInfo and its runfiles.
    """
    own = ctx.files.srcs
    infos = [dep[PyInfo] for dep in ctx.attr.deps if PyInfo in dep]
    files = ctx.files.data + own + [
        file
        for dep in ctx.attr.deps
        if PyInfo not in dep
        for file in dep[DefaultInfo].files.to_list()
    ]
    runfiles = ctx.runfiles(files = files).merge_all([
        target[DefaultInfo].default_runfiles
        for target in ctx.attr.srcs + ctx.attr.deps + ctx.attr.data
    ])
    info = PyInfo(
        imports = depset(
            [_import_path(ctx, directory) for directory in ctx.attr.imports],
            transitive = [info.imports for info in infos],
        ),
        transitive_sources = depset(own, transitive = [info.transitive_sources for info in infos]),
        uses_shared_libraries = any(
            [file.extension in ["dylib", "pyd", "so"] for file in files] +
            [info.uses_shared_libraries for info in infos],
        ),
    )
    return info, runfiles

def instrumented_files(ctx):
    """Which of a target's files a coverage report has lines of."""
    return coverage_common.instrumented_files_info(
        ctx,
        dependency_attributes = ["data", "deps"],
        extensions = ["py"],
        source_attributes = ["srcs"],
    )
