"""Runs the generator: every output is a file Bazel knows at analysis.

The outputs of a group are listed in a checked-in `generated_files.bzl`, which the generator writes.
`torch_codegen` declares them one by one, `torch_codegen_list` declares the fresh list and the test
that compares the two.
"""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:conditions.bzl", "if_per_operator_headers")
load(":cc.bzl", "torch_cc_library")
load(":checked_in.bzl", "checked_in_files")

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

def _arguments(ctx):
    """Arguments and inputs that all actions of the generator share."""
    args = ctx.actions.args()
    args.use_param_file("@%s")
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
    args.add("--install-dir", ctx.bin_dir.path)
    args.add("--generate", ctx.attr.group)
    args.add("--only")
    args.add_all([out.short_path for out in ctx.outputs.outs])
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs + [file for target in ctx.attr.validations for file in target.files.to_list()],
        mnemonic = "TorchCodegen",
        outputs = ctx.outputs.outs,
        progress_message = "Generating %{label}",
    )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

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
    },
    doc = "Generates one group of files.",
)

def _codegen_list_impl(ctx):
    args, inputs = _arguments(ctx)
    args.add_all(ctx.attr.groups, before_each = "--generate")
    args.add("--output-list", ctx.outputs.out)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs,
        mnemonic = "TorchCodegenList",
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
    args.add("--kernel-sources")
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._generator,
        inputs = inputs + ctx.files.srcs,
        mnemonic = "TorchKernelCheck",
        outputs = [stamp],
        progress_message = "Checking that every operator has its kernels",
    )
    return [DefaultInfo(files = depset([stamp]))]

torch_kernel_check = rule(
    implementation = _kernel_check_impl,
    attrs = _INPUTS | {
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
    if group not in generated_files:
        fail("the list of generated files lacks the group '{}'. Run: ./bazelw run //tools:update".format(group))
    _codegen(
        name = name,
        group = group,
        outs = _in_package(generated_files[group]),
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
        # The lists of operators that sources use, in other packages, are made from it.
        visibility = ["//:__subpackages__"],
        **kwargs
    )
    checked_in_files(
        name = name,
        files = {checked_in: ":" + checked_in + ".fresh"},
        visibility = visibility,
    )

def operator_libraries(operators, deps, visibility):
    """One header library for each operator, so that a target depends on just those it includes.

    Args:
      operators: base names, OPERATORS of the checked-in list.
      deps: what every operator header includes.
      visibility: of the libraries.
    """
    for operator in operators:
        cc_library(
            name = operator,
            hdrs = [operator + suffix + ".h" for suffix in ["", "_ops", "_native"]],
            visibility = visibility,
            deps = deps,
        )

def operator_sources(
        name,
        srcs,
        operator_deps,
        deps = [],
        local_defines = [],
        source_defines = {},
        source_deps = {},
        visibility = None,
        **kwargs):
    """Sources that each see only the operator headers they include.

    Args:
      name: a library of all of them.
      srcs: sources of this package.
      operator_deps: base names of operators by path from the repository root.
      deps: what all of them depend on.
      local_defines: definitions for all of them.
      source_defines: further definitions by source, so that an option compiles only these again.
      source_deps: further libraries by source.
      visibility: of the library.
      **kwargs: further attributes of cc_library.
    """
    parts = []
    for src in srcs:
        path = native.package_name() + "/" + src
        part = "_".join([name] + src.rsplit(".", 1)[0].split("/"))
        if path in operator_deps:
            operators = if_per_operator_headers(
                ["//aten/src/ATen/ops:" + operator for operator in operator_deps[path]],
                ["//aten/src/ATen:umbrella_headers"],
            )
        else:
            # The package still loads, so that the updater can run.
            _stale(
                name = part + "_operators",
                message = "{} is not in the table of operator dependencies. Run: ./bazelw run //tools:update".format(path),
                tags = ["manual"],
            )
            operators = [":" + part + "_operators"]
        torch_cc_library(
            name = part,
            srcs = [src],
            local_defines = local_defines + source_defines.get(src, []),
            # Not `deps`: those that depend on this need not compile again with another library.
            implementation_deps = source_deps.get(src, []),
            deps = deps + operators,
            # Kernels register themselves.
            alwayslink = True,
            **kwargs
        )
        parts.append(":" + part)
    cc_library(
        name = name,
        tags = kwargs.get("tags"),
        target_compatible_with = kwargs.get("target_compatible_with"),
        visibility = visibility,
        deps = parts,
    )

def _stale_impl(ctx):
    fail(ctx.attr.message)

_stale = rule(
    implementation = _stale_impl,
    attrs = {
        "message": attr.string(
            doc = "What is stale and how to refresh it.",
            mandatory = True,
        ),
    },
    doc = "Fails, when something needs it, because a checked-in table is stale.",
    provides = [CcInfo],
)

def _operator_deps_impl(ctx):
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add("--output", ctx.outputs.out)
    args.add("--list", ctx.file.operators)
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._includes,
        inputs = ctx.files.srcs + [ctx.file.operators],
        mnemonic = "TorchOperatorDeps",
        outputs = [ctx.outputs.out],
        progress_message = "Reading operator includes of %{label}",
    )

_operator_deps = rule(
    implementation = _operator_deps_impl,
    attrs = {
        "operators": attr.label(
            allow_single_file = True,
            default = "//aten/src/ATen:generated_files.bzl.fresh",
            doc = "The list of operators.",
        ),
        "out": attr.output(
            doc = "The table.",
            mandatory = True,
        ),
        "srcs": attr.label_list(
            allow_files = True,
            doc = "Sources, and the headers of the tree that they include.",
        ),
        "_includes": attr.label(
            cfg = "exec",
            default = "//tools/codegen:includes",
            executable = True,
        ),
    },
    doc = "Writes the table of the operators each source includes.",
)

def operator_deps_table(name, srcs, checked_in = "operator_deps.bzl", visibility = None):
    """Declares the fresh table of operator dependencies, its updater and its freshness test.

    Args:
      name: name of the updater.
      srcs: sources, and the headers of the tree that they include.
      checked_in: the table, a file of this package.
      visibility: of the updater.
    """
    _operator_deps(
        name = name + "_fresh",
        srcs = srcs,
        out = checked_in + ".fresh",
    )
    checked_in_files(
        name = name,
        files = {checked_in: ":" + checked_in + ".fresh"},
        visibility = visibility,
    )
