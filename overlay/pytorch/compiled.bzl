"""The list of what a library compiles, for programs that count."""

CompiledInfo = provider(
    doc = "Compilations of a C++ library and of those below it.",
    fields = {"compilations": "Depset of strings: the library's name, a space and the source's path from the root of the tree."},
)

def _compiled_impl(target, ctx):
    lines = []
    for src in getattr(ctx.rule.attr, "srcs", []):
        for file in src.files.to_list():
            if file.extension in ("c", "cc", "cpp"):
                path = file.short_path.split("/", 2)[2] if file.short_path.startswith("../") else file.short_path
                lines.append("{} {}".format(target.label.name, path))
    return [CompiledInfo(compilations = depset(lines, transitive = [
        dep[CompiledInfo].compilations
        for dep in getattr(ctx.rule.attr, "deps", [])
        if CompiledInfo in dep
    ]))]

_compiled = aspect(
    implementation = _compiled_impl,
    attr_aspects = ["deps"],
    doc = "Collects sources.",
)

def _compilations_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    args = ctx.actions.args()
    args.set_param_file_format("multiline")
    args.add_all(depset(transitive = [dep[CompiledInfo].compilations for dep in ctx.attr.deps]))
    ctx.actions.write(out, args)
    return [DefaultInfo(files = depset([out]))]

compilations = rule(
    implementation = _compilations_impl,
    attrs = {
        "deps": attr.label_list(
            aspects = [_compiled],
            doc = "C++ libraries.",
            mandatory = True,
        ),
    },
    doc = "A text with a line for each source that is compiled below some libraries.",
)
