"""sh_binary: a shell script as a program of the build."""

def _only(ctx):
    if len(ctx.files.srcs) != 1:
        fail("{}: srcs wants one script, and has {}".format(ctx.label, len(ctx.files.srcs)))
    return ctx.files.srcs[0]

def _sh_binary_impl(ctx):
    executable = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(is_executable = True, output = executable, target_file = _only(ctx))
    runfiles = ctx.runfiles(files = [executable] + ctx.files.data).merge_all([
        target[DefaultInfo].default_runfiles
        for target in ctx.attr.data
    ])
    return [DefaultInfo(executable = executable, files = depset([executable]), runfiles = runfiles)]

sh_binary = rule(
    implementation = _sh_binary_impl,
    doc = "A shell script as a program of the build.",
    attrs = {
        "data": attr.label_list(allow_files = True, doc = "Files that the script reads."),
        "srcs": attr.label_list(allow_files = True, doc = "The script, alone.", mandatory = True),
    },
    executable = True,
)
