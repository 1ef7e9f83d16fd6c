"""C++ of a flatbuffers schema, for the flatbuffers of the distribution."""

_SCRIPT = """
if ! command -v flatc > /dev/null; then
    echo "flatc, the compiler of flatbuffers, is not in $PATH. To install it:" >&2
    echo "    apt-get install --no-install-recommends -t testing flatbuffers-compiler" >&2
    exit 1
fi
exec flatc --cpp --gen-mutable --scoped-enums -o "$2" "$1"
"""

def _flatbuffers_headers_impl(ctx):
    ctx.actions.run_shell(
        arguments = [ctx.file.src.path, ctx.outputs.outs[0].dirname],
        command = _SCRIPT,
        # It is a program of this machine.
        execution_requirements = {"no-remote-exec": "1"},
        inputs = [ctx.file.src],
        mnemonic = "Flatc",
        outputs = ctx.outputs.outs,
        progress_message = "Generating C++ of %{input}",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

flatbuffers_headers = rule(
    implementation = _flatbuffers_headers_impl,
    attrs = {
        "outs": attr.output_list(doc = "The headers, in one folder.", mandatory = True),
        "src": attr.label(allow_single_file = [".fbs"], doc = "The schema.", mandatory = True),
    },
    doc = "Headers of a schema.",
)
