"""py_library: sources for others to import."""

load(":py_info.bzl", "PyInfo")
load(":sources.bzl", "SOURCE_ATTRS", "collect", "instrumented_files")

def _py_library_impl(ctx):
    info, runfiles = collect(ctx)
    return [
        DefaultInfo(files = depset(ctx.files.srcs), runfiles = runfiles),
        info,
        instrumented_files(ctx),
    ]

py_library = rule(
    implementation = _py_library_impl,
    doc = "Python sources for others to import.",
    attrs = SOURCE_ATTRS,
    provides = [PyInfo],
)
