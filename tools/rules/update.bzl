"""One command that refreshes every checked-in generated file."""

def _update_all_impl(ctx):
    lines = ["#!/bin/sh", "set -eu", "start=$PWD"]
    runfiles = ctx.runfiles()
    for target in ctx.attr.updaters:
        info = target[DefaultInfo]
        lines.append("cd \"$start\" && \"./{}\"".format(info.files_to_run.executable.short_path))
        runfiles = runfiles.merge(info.default_runfiles)
        runfiles = runfiles.merge(ctx.runfiles([info.files_to_run.executable]))
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, "\n".join(lines) + "\n", is_executable = True)
    return [DefaultInfo(executable = script, runfiles = runfiles)]

update_all = rule(
    implementation = _update_all_impl,
    attrs = {
        "updaters": attr.label_list(
            doc = "Programs that each refresh some files, in this order.",
            mandatory = True,
        ),
    },
    doc = "Runs updaters one after another.",
    executable = True,
)
