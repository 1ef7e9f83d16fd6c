"""Runs PyTorch's own generators, of the checkout, with every output declared."""

def _stripped_yaml_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".yaml")
    ctx.actions.run(
        arguments = [ctx.file.src.path, out.path],
        executable = ctx.executable._strip,
        inputs = [ctx.file.src],
        mnemonic = "PytorchStripComments",
        outputs = [out],
        progress_message = "Reading operators of %{label}",
    )
    return [DefaultInfo(files = depset([out]))]

stripped_yaml = rule(
    implementation = _stripped_yaml_impl,
    attrs = {
        "src": attr.label(allow_single_file = [".yaml"], doc = "The operators.", mandatory = True),
        "_strip": attr.label(cfg = "exec", default = "//overlay/pytorch:strip_comments", executable = True),
    },
    doc = "The operators without comments, so that an edit of these generates nothing.",
)

def _pytorch_codegen_impl(ctx):
    below = [part for part in [ctx.label.workspace_root] if part]
    root = "/".join(below) or "."
    into = "/".join([ctx.bin_dir.path] + below)
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add(ctx.attr.kind)
    args.add("--root", root)
    args.add("--yaml", ctx.file.yaml)
    args.add("--into", into)
    args.add("--version", ctx.attr.version)
    args.add_all("--inputs", ctx.files.srcs)
    outs = ctx.outputs.outs + ctx.outputs.cuda_outs
    args.add_all("--outputs", [out.path.removeprefix(into + "/") for out in outs])
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generate,
        inputs = ctx.files.srcs + [ctx.file.yaml],
        mnemonic = "PytorchCodegen",
        outputs = outs,
        progress_message = "Generating %{label}",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

pytorch_codegen = rule(
    implementation = _pytorch_codegen_impl,
    attrs = {
        "cuda_outs": attr.output_list(doc = "Outputs that only CUDA's sources may read."),
        "kind": attr.string(
            doc = "What is generated.",
            mandatory = True,
            values = ["autograd", "headers", "python", "sources"],
        ),
        "outs": attr.output_list(doc = "The outputs, in this package.", mandatory = True),
        "srcs": attr.label_list(
            allow_files = True,
            doc = "The generator, its templates and inputs, from the checkout.",
            mandatory = True,
        ),
        "version": attr.string(doc = "PyTorch's, as `2.6.0`.", mandatory = True),
        "yaml": attr.label(allow_single_file = True, doc = "The operators without comments.", mandatory = True),
        "_generate": attr.label(cfg = "exec", default = "//overlay/pytorch:generate", executable = True),
    },
    doc = "One run of a generator of the checkout.",
)
