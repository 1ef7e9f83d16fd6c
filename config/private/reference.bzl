"""Texts derived from the list of options: the short flags and the reference page."""

load("//config:backends.bzl", "OPTIONAL_BACKENDS", "backend_setting")
load("//third_party/optional:libraries.bzl", "OPTIONAL_LIBRARIES")

def _default(option):
    if option.kind == "switch":
        return "on" if option.default else "off"
    return option.default or "none"

def _flag(option):
    if option.kind == "switch":
        return "`--{}`".format(option.name)
    if option.kind == "choice":
        return "[`--{0}=…`](#--{0})".format(option.name)
    return "`--{}=…`".format(option.name)

def flags_bazelrc(options):
    """Renders the short flags.

    Args:
      options: the list of `//config:options.bzl`.

    Returns:
      The lines of `config/flags.bazelrc`.
    """
    lines = [
        "# Short names of the public options. Generated from config/options.bzl by",
        "# `./bazelw run //tools:update`; do not edit.",
    ]
    for option in options:
        lines.append("build --flag_alias={}={}".format(option.name, option.label))
    for option in options:
        # The defaults of our own settings are in the settings; another module's may differ.
        if option.kind == "switch" and not option.label.startswith("//"):
            lines.append("build --{}={}".format(option.label, option.default))
    lines += ["", "# Backends."]
    for name, backend in OPTIONAL_BACKENDS.items():
        lines.append("build:{} --{}=True".format(name, backend_setting(name)))
        if backend.os_version:
            lines.append("build:{} --{}_minimum_os={}".format(name, backend.os, backend.os_version))
    return lines

def options_markdown(options):
    """Renders the reference page.

    Args:
      options: the list of `//config:options.bzl`.

    Returns:
      The lines of `docs/options.md`.
    """
    lines = [
        "<!-- Generated from config/options.bzl by `./bazelw run //tools:update`; do not edit. -->",
        "",
        "# Options",
        "",
        "Options choose what a build contains:",
        "",
        "```sh",
        "./bazelw build //torch:_C --blas=openblas --openmp=false",
        "./bazelw run //tools:summary --blas=openblas    # shows every option, and the file behind it",
        "```",
        "",
        "`--openmp` turns a switch on, `--openmp=false` off. To keep an option, write it into `.bazelrc.user`:",
        "`build --blas=openblas`. Each option is a typed build setting; an unknown value is an error.",
        "",
        "| Option | Default | Meaning |",
        "| --- | --- | --- |",
    ]
    for option in options:
        if option.missing:
            continue
        lines.append("| {} | {} | {} |".format(
            _flag(option),
            _default(option),
            option.doc,
        ))
    for option in options:
        if option.values:
            lines += ["", "## `--{}`".format(option.name), ""]
            lines += ["* `{}`: {}".format(value.name, value.doc) for value in option.values]
    dependent = [option for option in options if option.requires]
    if dependent:
        lines += ["", "## Options that need others", ""]
        for option in dependent:
            lines.append("* `--{}` needs {}.".format(
                option.name,
                " and ".join(["`--{}`".format(name) for name in option.requires]),
            ))
    lines += [
        "",
        "## Libraries out of wheels",
        "",
        "Each of these options takes a library out of its package on the package index, pinned by hash. A wheel of torch asks pip for",
        "the same version. With the option off, nothing is downloaded.",
        "",
        "| Option | Library | Download | Licence | Without it |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, library in OPTIONAL_LIBRARIES.items():
        lines.append("| `--{}` | {} {} | {} | {} | {} |".format(
            name,
            library.title,
            library.version,
            library.size,
            library.licence,
            library.without,
        ))
    missing = [option for option in options if option.missing]
    if missing:
        lines += [
            "",
            "## Not in this version",
            "",
            "These options are errors when they are on:",
            "",
        ]
        for option in missing:
            lines.append("* `--{}`: there are no {} yet.".format(option.name, option.missing))
    return lines
