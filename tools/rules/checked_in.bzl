"""Generated files that are checked in: one command refreshes them, one test each finds a stale one."""

load("@bazel_skylib//rules:diff_test.bzl", "diff_test")

def _refresh_impl(ctx):
    lines = ["#!/bin/sh", "set -eu", "cd \"${BUILD_WORKSPACE_DIRECTORY:?run me with bazel run}\""]
    for target, path in ctx.attr.files.items():
        source = target.files.to_list()
        if len(source) != 1:
            fail("{} makes {} files; wanted the one for {}".format(target.label, len(source), path))
        lines.append(
            "cmp -s \"$OLDPWD/{from_}\" {to} || {{ cp -f \"$OLDPWD/{from_}\" {to} && chmod 644 {to} && echo updated {to}; }}".format(
                from_ = source[0].short_path,
                to = path,
            ),
        )
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(script, "\n".join(lines) + "\n", is_executable = True)
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles([file for target in ctx.attr.files for file in target.files.to_list()]),
    )]

_refresh = rule(
    implementation = _refresh_impl,
    attrs = {
        "files": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Generated files, each with its path from the repository root.",
            mandatory = True,
        ),
    },
    doc = "Copies generated files over the checked-in ones.",
    executable = True,
)

def checked_in_files(name, files, visibility = None):
    """Declares an updater of checked-in files and a freshness test for each.

    Args:
      name: of the program that refreshes them all with `bazel run`.
      files: dict from the label of a checked-in file to the label of what it must equal.
      visibility: of the program.
    """
    for checked_in, generated in files.items():
        label = native.package_relative_label(checked_in)
        diff_test(
            name = "{}_{}_test".format(name, label.name.replace("/", "_").replace(".", "_")),
            failure_message = "{} is stale. Run: ./bazelw run //tools:update".format(_path(label)),
            file1 = checked_in,
            file2 = generated,
        )
    _refresh(
        name = name,
        files = {
            generated: _path(native.package_relative_label(checked_in))
            for checked_in, generated in files.items()
        },
        visibility = visibility,
    )

def _path(label):
    return (label.package + "/" if label.package else "") + label.name
