"""Runs the generator: every output is a file Bazel knows at analysis.

The outputs are listed in a checked-in `generated_files.bzl`, which the generator writes and
`generated_files.bzl` of this package reads. `torch_operators` reads the YAML files, `torch_codegen`
declares the outputs of a group one by one, and `torch_codegen_list` declares the fresh list and the
test that compares the two. The options of config/backends.bzl say which backends the generator
writes for.
"""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//config:backends.bzl", "OPTIONAL_BACKENDS", "backend_setting")
load(":checked_in.bzl", "checked_in_files")
load(":generated_files.bzl", "generated_paths", "paths_by_operator", "slice_of")
load(":stale.bzl", "stale")

# The settings that turn a backend on, and the generator's flag for each.
_BACKENDS = {backend_setting(name): name for name in OPTIONAL_BACKENDS}

# The outputs of these need no option.
_LOADABLE = [name for name, backend in OPTIONAL_BACKENDS.items() if backend.loadable]

# How many slices the operators are generated in: an edit of one generates its slice. More cost a
# fresh checkout more, some 10 ms each; benchmarks/codegen measures both.
_SLICES = 32

TorchOperatorsInfo = provider(
    doc = "What the YAML files say, in the canonical form of tools/codegen/canonical.py.",
    fields = {
        "derivatives": "File of derivatives.yaml.",
        "locations": "File with the line of each operator, for messages.",
        "operators": "File of native_functions.yaml.",
        "slices": "List of files with the operators of a slice each.",
        "tags": "File of tags.yaml.",
    },
)

GeneratedFilesInfo = provider(
    doc = "What a run of the generator writes.",
    fields = {"files": "Dict from paths, as the checked-in list has them, to files."},
)

_GENERATOR = {
    "_generator": attr.label(
        cfg = "exec",
        default = "//tools/codegen",
        executable = True,
    ),
}

_INPUTS = _GENERATOR | {
    "operators": attr.label(
        default = "//aten/src/ATen:canonical",
        doc = "The operators.",
        providers = [TorchOperatorsInfo],
    ),
    "descriptions": attr.label(
        allow_single_file = [".yaml"],
        doc = "What Python functions say of themselves, for the group docstrings.",
    ),
    "dtypes": attr.label(
        allow_single_file = [".yaml"],
        doc = "Which dtypes Python functions take, for the group docstrings.",
    ),
    "tensor_body_template": attr.label(
        allow_single_file = [".h"],
        doc = "The tensor class, for the group tensor_headers.",
    ),
}

# One process serves all actions of the generator, so that what they share is read and parsed once.
_MNEMONIC = "TorchCodegen"
_WORKER = {
    "requires-worker-protocol": "json",
    "supports-multiplex-workers": "1",
    "supports-workers": "1",
}

def _run(ctx, args, inputs, outputs, message, **kwargs):
    """Runs the generator once."""
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs,
        execution_requirements = _WORKER,
        mnemonic = _MNEMONIC,
        outputs = outputs,
        progress_message = message,
        **kwargs
    )

def _arguments(ctx, files):
    """Arguments from files by option, with parameters as all actions of the generator take them."""
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    inputs = []
    for option, file in files.items():
        if file:
            args.add("--" + option, file)
            inputs.append(file)
    return args, inputs

def _canonical_arguments(ctx, operators = None):
    """Arguments and inputs of an action that reads the canonical form, a slice of it if that is given."""
    info = ctx.attr.operators[TorchOperatorsInfo]
    return _arguments(ctx, {
        "derivatives": None if operators else info.derivatives,
        "descriptions": ctx.file.descriptions,
        "dtypes": ctx.file.dtypes,
        "native-functions": operators or info.operators,
        "tags": info.tags,
        "tensor-body-template": ctx.file.tensor_body_template,
    })

def _torch_operators_impl(ctx):
    args, inputs = _arguments(ctx, {
        "derivatives": ctx.file.derivatives,
        "native-functions": ctx.file.native_functions,
        "tags": ctx.file.tags_yaml,
    })
    folder = ctx.label.name + "/"
    operators, tags, derivatives, locations = [
        ctx.actions.declare_file(folder + name + ".json")
        for name in ["operators", "tags", "derivatives", "locations"]
    ]
    slices = [
        ctx.actions.declare_file(folder + "operators_%d.json" % index)
        for index in range(_SLICES)
    ]
    args.add("--canonical", operators.dirname)
    args.add("--slices", _SLICES)
    _run(
        ctx,
        args,
        inputs,
        [operators, tags, derivatives, locations] + slices,
        "Reading operators of %{label}",
    )
    return [
        DefaultInfo(files = depset([operators, tags, derivatives])),
        TorchOperatorsInfo(
            derivatives = derivatives,
            locations = locations,
            operators = operators,
            slices = slices,
            tags = tags,
        ),
    ]

torch_operators = rule(
    implementation = _torch_operators_impl,
    attrs = _GENERATOR | {
        "derivatives": attr.label(
            allow_single_file = [".yaml"],
            doc = "derivatives.yaml.",
            mandatory = True,
        ),
        "native_functions": attr.label(
            allow_single_file = [".yaml"],
            doc = "The operators.",
            mandatory = True,
        ),
        "tags_yaml": attr.label(
            allow_single_file = [".yaml"],
            doc = "The tags that operators may have.",
            mandatory = True,
        ),
    },
    doc = "Reads the YAML files, and fails with every mistake in them. Nothing else reads them.",
)

def _codegen_impl(ctx):
    # In another workspace this repository's outputs are below a directory of its own.
    root = "/".join([part for part in [ctx.bin_dir.path, ctx.label.workspace_root] if part])
    files = {out.path.removeprefix(root + "/"): out for out in ctx.outputs.outs}
    validations = [file for target in ctx.attr.validations for file in target.files.to_list()]
    backends = [
        "--" + flag
        for setting, flag in ctx.attr._backends.items()
        if setting[BuildSettingInfo].value
    ] + ["--" + flag for flag in _LOADABLE if ctx.attr.group.startswith(flag + "_")]
    prefix = ctx.label.package + "/"
    slices = {
        index: [prefix + name for name in names]
        for index, names in ctx.attr.slices.items()
    } or {"": files.keys()}
    for index, paths in slices.items():
        part = ctx.attr.operators[TorchOperatorsInfo].slices[int(index)] if index else None
        args, inputs = _canonical_arguments(ctx, part)
        args.add_all(backends)
        args.add("--install-dir", root)
        args.add("--generate", ctx.attr.group)
        args.add("--only")
        args.add_all(paths)
        _run(
            ctx,
            args,
            inputs + validations,
            [files[path] for path in paths],
            "Generating %{label}" + (" " + index if index else ""),
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
        "slices": attr.string_list_dict(
            doc = "Outputs by the slice of their operator; empty if an output is of several.",
        ),
        "validations": attr.label_list(
            doc = "Checks that must pass before anything is generated.",
        ),
        "_backends": attr.label_keyed_string_dict(default = _BACKENDS),
    },
    doc = "Generates one group of files.",
)

def _codegen_list_impl(ctx):
    args, inputs = _canonical_arguments(ctx)

    # The list is the same whatever is on: an output is declared where its backend is on.
    args.add_all(_BACKENDS.values(), format_each = "--%s")
    args.add_all(ctx.attr.groups, before_each = "--generate")
    args.add("--output-list", ctx.outputs.out)
    _run(ctx, args, inputs, [ctx.outputs.out], "Listing generated files of %{label}")

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
    args, inputs = _canonical_arguments(ctx)
    locations = ctx.attr.operators[TorchOperatorsInfo].locations

    # The locations serve messages alone, so they may change. The list of unused inputs is no output of
    # the action: an output of that kind is not on disk where a cache had it.
    unused = ctx.actions.declare_file(ctx.label.name + ".unused")
    ctx.actions.write(unused, locations.path + "\n")
    stamp = ctx.actions.declare_file(ctx.label.name + ".stamp")
    args.add("--locations", locations)
    args.add("--stamp", stamp)
    args.add("--require-kernels", ctx.attr.key)
    args.add_all(ctx.attr.backends, format_each = "--%s")
    args.add("--kernel-sources")
    args.add_all(ctx.files.srcs)
    _run(
        ctx,
        args,
        inputs + ctx.files.srcs + [locations, unused],
        [stamp],
        "Checking that every operator has its kernels",
        unused_inputs_list = unused,
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
        # The package still loads, so that the updater can run.
        stale(
            name = name,
            message = "the list of generated files lacks the group '{}'. Run: ./bazelw run //tools:update".format(group),
            tags = ["manual"],
        )
        return
    if not paths:
        # A backend may have no kernel of its own yet.
        native.filegroup(
            name = name,
            visibility = kwargs.get("visibility"),
        )
        return
    by_slice = {}
    for operator, path in paths_by_operator(generated_files, group):
        by_slice.setdefault(str(slice_of(operator, _SLICES)), []).append(path)
    _codegen(
        name = name,
        group = group,
        outs = _in_package(paths),
        slices = {index: _in_package(paths) for index, paths in by_slice.items()},
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
