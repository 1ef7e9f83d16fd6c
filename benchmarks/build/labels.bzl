"""The labels that a program names at run time."""

def _existing_labels_impl(ctx):
    labels = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(labels, "".join([label + "\n" for label in ctx.attr.targets.values()]))
    return [DefaultInfo(files = depset([labels]))]

_existing_labels = rule(
    implementation = _existing_labels_impl,
    attrs = {
        "targets": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Targets and files, each with its label as the program writes it.",
            mandatory = True,
        ),
    },
    doc = "Writes labels into a file, one a line.",
)

def existing_labels(name, targets):
    """Writes labels into a file, one a line; a label that names nothing is an error.

    It builds none of the targets. genquery would do the same and fetch the libraries of every option.

    Args:
      name: of the target and of its file.
      targets: the labels.
    """
    _existing_labels(
        name = name,
        targets = {target: target for target in targets},
    )
