"""What py_binary and py_test have in common: a program that starts the interpreter."""

load(":py_info.bzl", "PyInfo")
load(":sources.bzl", "SOURCE_ATTRS", "collect", "instrumented_files")

_TOOLCHAIN = Label(":toolchain_type")

PROGRAM_ATTRS = SOURCE_ATTRS | {
    "env": attr.string_dict(doc = "Environment of the program; locations and variables are replaced."),
    "env_inherit": attr.string_list(doc = "Variables of the caller's environment that a test keeps."),
    "main": attr.label(
        allow_single_file = [".py"],
        doc = "Where the program begins; without it the source that is named as the target.",
    ),
    "_template": attr.label(default = ":program.py.tpl", allow_single_file = True),
}

# Attributes of `rule` that both have.
PROGRAM_RULE = {
    "attrs": PROGRAM_ATTRS,
    "provides": [PyInfo],
    "toolchains": [_TOOLCHAIN],
}

def _main(ctx):
    """The source that the program begins with."""
    if ctx.file.main:
        return ctx.file.main
    if len(ctx.files.srcs) == 1:
        return ctx.files.srcs[0]
    wanted = ctx.label.name.split("/")[-1] + ".py"
    for file in ctx.files.srcs:
        if file.basename == wanted:
            return file
    fail("{}: srcs has no {}; name the one to begin with: main = \"...\"".format(ctx.label, wanted))

def _runfile(ctx, file):
    """A file's path in the runfiles."""
    path = file.short_path
    return path[len("../"):] if path.startswith("../") else ctx.workspace_name + "/" + path

def program(ctx):
    """Makes a Python program.

    Args:
      ctx: of a rule with PROGRAM_RULE.

    Returns:
      Its providers.
    """
    runtime = ctx.toolchains[_TOOLCHAIN].py3_runtime
    info, runfiles = collect(ctx)
    main = _main(ctx)
    executable = ctx.actions.declare_file(ctx.label.name)
    extra = [main] + ([runtime.interpreter] if runtime.interpreter else [])
    runfiles = runfiles.merge(ctx.runfiles(files = extra, transitive_files = runtime.files))
    ctx.actions.expand_template(
        is_executable = True,
        output = executable,
        substitutions = {
            "%imports%": repr(info.imports.to_list()),
            "%interpreter%": repr(runtime.interpreter_path or _runfile(ctx, runtime.interpreter)),
            "%main%": repr(_runfile(ctx, main)),
            "%shebang%": runtime.stub_shebang,
        },
        template = ctx.file._template,
    )
    return [
        DefaultInfo(
            executable = executable,
            files = depset([executable]),
            runfiles = runfiles.merge(ctx.runfiles(files = [executable])),
        ),
        RunEnvironmentInfo(
            environment = {
                name: ctx.expand_make_variables("env", ctx.expand_location(value, ctx.attr.data), {})
                for name, value in ctx.attr.env.items()
            },
            inherited_environment = ctx.attr.env_inherit,
        ),
        info,
        instrumented_files(ctx),
    ]
