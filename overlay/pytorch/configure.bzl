"""Headers that CMake's configure_file writes."""

# CMake's names of Bazel's compilation modes.
_BUILD_TYPES = {
    "dbg": "Debug",
    "fastbuild": "None",
    "opt": "Release",
}

def _configured_header_impl(ctx):
    values = {"CMAKE_BUILD_TYPE": _BUILD_TYPES[ctx.var["COMPILATION_MODE"]]} | ctx.attr.values
    args = ctx.actions.args()
    args.add(ctx.file.src)
    args.add(ctx.outputs.out)
    args.add_all(["{}={}".format(name, value) for name, value in values.items()])
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._configure,
        inputs = [ctx.file.src],
        mnemonic = "PytorchConfigure",
        outputs = [ctx.outputs.out],
        progress_message = "Filling in %{output}",
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

configured_header = rule(
    implementation = _configured_header_impl,
    attrs = {
        "out": attr.output(doc = "The header.", mandatory = True),
        "src": attr.label(allow_single_file = [".in"], doc = "The checkout's own.", mandatory = True),
        "values": attr.string_dict(doc = "Values by variable; every variable of `src` needs one. CMAKE_BUILD_TYPE is the compilation mode."),
        "_configure": attr.label(
            cfg = "exec",
            default = "//overlay/pytorch:configure",
            executable = True,
        ),
    },
    doc = "A header with its variables filled in.",
)
