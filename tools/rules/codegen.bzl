"""Runs the generator: every output is a file Bazel knows at analysis.

The outputs are listed in a checked-in `generated_files.bzl`, which the generator writes and
`generated_files.bzl` of this package reads. `torch_codegen` declares those of a group one by one,
`torch_codegen_list` declares the fresh list and the test that compares the two. Which backends the
generator writes for follows the options `--cuda`, `--rocm`, `--mps` and `--xpu`.
"""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load(":checked_in.bzl", "checked_in_files")
load(":generated_files.bzl", "generated_paths")

# The options that turn a backend on, and the generator's flag for each.
_BACKENDS = {
    "//config:mps": "mps",
    "//config:rocm": "rocm",
    "//config:xpu": "xpu",
    "@rules_cuda//cuda:enable": "cuda",
}

_INPUTS = {
    "derivatives": attr.label(
        allow_single_file = [".yaml"],
        doc = "derivatives.yaml, for the groups that differentiate.",
    ),
    "native_functions": attr.label(
        allow_single_file = [".yaml"],
        default = "//aten/src/ATen/native:native_functions.yaml",
        doc = "The operators.",
    ),
    "tags_yaml": attr.label(
        allow_single_file = [".yaml"],
        default = "//aten/src/ATen/native:tags.yaml",
        doc = "The tags operators may have.",
    ),
    "tensor_body_template": attr.label(
        allow_single_file = [".h"],
        doc = "The tensor class, for the group tensor_headers.",
    ),
    "_generator": attr.label(
        cfg = "exec",
        default = "//tools/codegen",
        executable = True,
    ),
}

GeneratedFilesInfo = provider(
    doc = "What a run of the generator writes.",
    fields = {"files": "Dict from paths, as the checked-in list has them, to files."},
)

# One process serves all actions of the generator, so that what they share is read and parsed once.
_MNEMONIC = "TorchCodegen"
_WORKER = {
    "requires-worker-protocol": "json",
    "supports-multiplex-workers": "1",
    "supports-workers": "1",
}

def _arguments(ctx):
    """Arguments and inputs that all actions of the generator share."""
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    inputs = []
    for flag in ["native_functions", "tags_yaml", "derivatives", "tensor_body_template"]:
        file = getattr(ctx.file, flag)
        if file:
            args.add("--" + flag.removesuffix("_yaml").replace("_", "-"), file)
            inputs.append(file)
    return args, inputs

def _codegen_impl(ctx):
    args, inputs = _arguments(ctx)
    for setting, flag in ctx.attr._backends.items():
        if setting[BuildSettingInfo].value:
            args.add("--" + flag)

    # In another workspace this repository's outputs are below a directory of its own.
    root = "/".join([part for part in [ctx.bin_dir.path, ctx.label.workspace_root] if part])
    args.add("--install-dir", root)
    args.add("--generate", ctx.attr.group)
    args.add("--only")
    files = {out.path.removeprefix(root + "/"): out for out in ctx.outputs.outs}
    args.add_all(files.keys())
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs + [file for target in ctx.attr.validations for file in target.files.to_list()],
        execution_requirements = _WORKER,
        mnemonic = _MNEMONIC,
        outputs = ctx.outputs.outs,
        progress_message = "Generating %{label}",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs)), GeneratedFilesInfo(files = files)]

_codegen = rule(
    implementation = _codegen_impl,
    attrs = _INPUTS | {
        "group": attr.string(
            doc = "Group of outputs, as in tools/codegen/groups.py.",
            mandatory = True,
        ),
        "outs": attr.output_list(
            doc = "The outputs.",
            mandatory = True,
        ),
        "validations": attr.label_list(
            doc = "Checks that must pass before anything is generated.",
        ),
        "_backends": attr.label_keyed_string_dict(default = _BACKENDS),
    },
    doc = "Generates one group of files.",
)

def _codegen_list_impl(ctx):
    args, inputs = _arguments(ctx)

    # The list is the same whatever is on: an output is declared where its backend is on.
    args.add_all(_BACKENDS.values(), format_each = "--%s")
    args.add_all(ctx.attr.groups, before_each = "--generate")
    args.add("--output-list", ctx.outputs.out)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs,
        execution_requirements = _WORKER,
        mnemonic = _MNEMONIC,
        outputs = [ctx.outputs.out],
        progress_message = "Listing generated files of %{label}",
    )

_codegen_list = rule(
    implementation = _codegen_list_impl,
    attrs = _INPUTS | {
        "groups": attr.string_list(
            doc = "Groups of outputs.",
            mandatory = True,
        ),
        "out": attr.output(
            doc = "The list.",
            mandatory = True,
        ),
    },
    doc = "Writes the list of outputs without generating them.",
)

def _kernel_check_impl(ctx):
    args, inputs = _arguments(ctx)
    stamp = ctx.actions.declare_file(ctx.label.name + ".stamp")
    args.add("--stamp", stamp)
    args.add("--require-kernels", ctx.attr.key)
    args.add_all(ctx.attr.backends, format_each = "--%s")
    args.add("--kernel-sources")
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs + ctx.files.srcs,
        execution_requirements = _WORKER,
        mnemonic = _MNEMONIC,
        outputs = [stamp],
        progress_message = "Checking that every operator has its kernels",
    )
    return [DefaultInfo(files = depset([stamp]))]

torch_kernel_check = rule(
    implementation = _kernel_check_impl,
    attrs = _INPUTS | {
        "backends": attr.string_list(
            doc = "Backends whose kernels are checked too, in builds without them as well.",
        ),
        "key": attr.string(
            default = "CPU",
            doc = "Dispatch key at which every operator must be callable.",
        ),
        "srcs": attr.label_list(
            allow_files = True,
            doc = "Sources that define the kernels.",
        ),
    },
    doc = "Fails, before anything compiles, if an operator lacks a kernel or a kernel its definition.",
)

def _in_package(paths):
    """The paths of this package, relative to it."""
    prefix = native.package_name() + "/"
    return [path[len(prefix):] for path in paths if path.startswith(prefix)]

def torch_codegen(name, group, generated_files, **kwargs):
    """Generates one group of files in this package.

    Args:
      name: name of the target; each file is a target too.
      group: group of outputs, as in tools/codegen/groups.py.
      generated_files: GENERATED_FILES of the checked-in list.
      **kwargs: further inputs, and common attributes.
    """
    paths = generated_paths(generated_files, group)
    if paths == None:
        fail("the list of generated files lacks the group '{}'. Run: ./bazelw run //tools:update".format(group))
    _codegen(
        name = name,
        group = group,
        outs = _in_package(paths),
        **kwargs
    )

def torch_codegen_list(name, groups, checked_in = "generated_files.bzl", visibility = None, **kwargs):
    """Declares the fresh list of outputs, its updater and its freshness test.

    Args:
      name: name of the updater, `bazel run` refreshes the list.
      groups: groups of outputs the list covers.
      checked_in: the list, a file of this package.
      visibility: of the updater.
      **kwargs: further inputs.
    """
    _codegen_list(
        name = name + "_fresh",
        groups = groups,
        out = checked_in + ".fresh",
        # The tables of headers that sources read, in other packages, are made from it.
        visibility = ["//:__subpackages__"],
        **kwargs
    )
    checked_in_files(
        name = name,
        files = {checked_in: ":" + checked_in + ".fresh"},
        visibility = visibility,
    )
