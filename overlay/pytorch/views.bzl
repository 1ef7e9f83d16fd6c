"""Views of the headers that include all operators: each source has one of its own, with the operators that it names.

Which these are the tables say. docs/pytorch.md explains why a source means the same with its view.
"""

# By header, what the names of its operators' headers end in.
VIEWED = {
    "aten/src/ATen/Functions.h": "",
    "aten/src/ATen/NativeFunctions.h": "_native",
}

OperatorViewsInfo = provider(
    doc = "Views by source.",
    fields = {"by_source": "Dict from paths of sources to structs: the view's files, their folder, the headers that they are views of, the operators in it."},
)

def operator_headers(headers, operators):
    """The headers of operators that a view includes.

    Args:
      headers: what it is a view of.
      operators: their names.

    Returns:
      Paths from the root of the tree.
    """
    return ["aten/src/ATen/ops/{}{}.h".format(operator, VIEWED[header]) for header in headers for operator in operators]

def _operator_views_impl(ctx):
    whole = {file.short_path.split("/", 2)[2] if file.short_path.startswith("../") else file.short_path: file for file in ctx.files.headers}
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add_all("--headers", ctx.files.headers)
    args.add_all("--operators", ctx.attr.operators)
    args.add("--views")
    by_source = {}
    outs = []
    for source, view in ctx.attr.views.items():
        headers, _, operators = view.partition("|")
        headers = headers.split(" ")
        files = []
        for header in headers:
            file = ctx.actions.declare_file("{}/{}/{}".format(ctx.label.name, source, header.removeprefix("aten/src/")))
            files.append(file)
            args.add("{}|{}|{}".format(file.path, ctx.files.headers.index(whole[header]), operators))
        by_source[source] = struct(
            files = files,
            folder = files[0].path.removesuffix("/" + headers[0].removeprefix("aten/src/")),
            headers = headers,
            operators = operators.split(" "),
        )
        outs += files
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._write,
        inputs = ctx.files.headers,
        mnemonic = "PytorchViews",
        outputs = outs,
        progress_message = "Writing views of %{label}",
    )
    return [DefaultInfo(files = depset(outs)), OperatorViewsInfo(by_source = by_source)]

operator_views = rule(
    implementation = _operator_views_impl,
    attrs = {
        "headers": attr.label_list(allow_files = [".h"], doc = "The headers of VIEWED.", mandatory = True),
        "operators": attr.string_list(doc = "The names of all operators' headers.", mandatory = True),
        "views": attr.string_dict(doc = "VIEWS of tables.bzl.", mandatory = True),
        "_write": attr.label(cfg = "exec", default = "//overlay/pytorch:write_views", executable = True),
    },
    doc = "A copy of each header for each source, which includes no operators that the source does not name.",
)
