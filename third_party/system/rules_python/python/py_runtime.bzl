"""py_runtime: names an interpreter."""

load(":py_runtime_info.bzl", "PyRuntimeInfo")

def _py_runtime_impl(ctx):
    if bool(ctx.attr.interpreter_path) == bool(ctx.file.interpreter):
        fail("{}: either interpreter or interpreter_path, not both and not neither".format(ctx.label))
    version = {key: int(part) for key, part in ctx.attr.interpreter_version_info.items()}
    return [
        DefaultInfo(files = depset(ctx.files.files)),
        PyRuntimeInfo(
            files = depset(ctx.files.files),
            interpreter = ctx.file.interpreter,
            interpreter_path = ctx.attr.interpreter_path or None,
            interpreter_version_info = struct(**version),
            python_version = ctx.attr.python_version,
            stub_shebang = ctx.attr.stub_shebang,
        ),
    ]

py_runtime = rule(
    implementation = _py_runtime_impl,
    doc = "An interpreter, of the machine or of the build.",
    attrs = {
        "files": attr.label_list(allow_files = True, doc = "What the interpreter needs at run time."),
        "interpreter": attr.label(allow_single_file = True, doc = "The interpreter, as a file of the build."),
        "interpreter_path": attr.string(doc = "The interpreter's absolute path on the machine."),
        "interpreter_version_info": attr.string_dict(doc = "Its version: major, minor, micro."),
        "python_version": attr.string(default = "PY3", doc = "PY3.", values = ["PY3"]),
        "stub_shebang": attr.string(
            default = "#!/usr/bin/env python3",
            doc = "First line of programs that it runs.",
        ),
    },
    provides = [PyRuntimeInfo],
)
