"""Wheels and archives of installed files."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("@rules_python//python:py_info.bzl", "PyInfo")
load(":install_tree.bzl", "InstallTreeInfo", "entry", "own_path", "split_debug")
load(":target.bzl", "PLATFORM_ATTRS", "VERSION_TOOLCHAINS", "cuda_version", "python_version", "target_cpu", "target_os")
load(":version.bzl", "python_version_of")

_SUMMARY = "Tensors and neural networks with PyTorch's names, built by Bazel"

_PLATFORM = PLATFORM_ATTRS | {
    "license_text": attr.label(default = "//:LICENSE", allow_single_file = True, doc = "The licence of what is packed."),
}

def _manifest(ctx, entries, licenses, **facts):
    """What the packing program reads, all files that it names, and those that METADATA is made of."""
    manifest = ctx.actions.declare_file(ctx.label.name + ".json")
    ctx.actions.write(manifest, json.encode_indent(struct(
        components = [
            struct(
                homepage = one.homepage,
                license = one.spdx,
                name = one.library,
                note = one.note,
                owner = one.owner,
                text = one.text.path,
            )
            for one in licenses
        ],
        cpu = target_cpu(ctx),
        entries = [[one.path, one.file.path] for one in entries],
        license = "BSD-3-Clause",
        license_text = ctx.file.license_text.path,
        os = target_os(ctx),
        **facts
    )))
    facts_of_metadata = [one.text for one in licenses] + [manifest, ctx.file.license_text]
    return manifest, [one.file for one in entries] + facts_of_metadata, facts_of_metadata

def _extension_name(ctx, name, version):
    """The file name of an extension module, as the ABI of the Python wants it."""
    os = target_os(ctx)
    tag = version.replace(".", "")
    if os == "windows":
        return "{}.cp{}-win_amd64.pyd".format(name, tag)
    if os == "macos":
        return "{}.cpython-{}-darwin.so".format(name, tag)
    return "{}.cpython-{}-{}-linux-gnu.so".format(name, tag, target_cpu(ctx))

def _pack(ctx, name, manifest, inputs, status = None, metadata = False):
    """The directory with the wheel; with a status file the wheel says which commit it is of.

    With `metadata` only what pip asks before it builds, which needs no library.
    """
    directory = ctx.actions.declare_directory(name)
    args = ctx.actions.args()
    args.add("--manifest", manifest)
    args.add("--directory", directory.path)
    if metadata:
        args.add("--metadata")
    if status:
        args.add("--status", status)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._packer,
        inputs = inputs + ([status] if status else []),
        mnemonic = "TorchWheel",
        outputs = [directory],
        progress_message = "Packing the wheel %{label}",
    )
    return directory

def _wheel_impl(ctx):
    entries = []
    licenses = {}
    debug = []
    for target in ctx.attr.trees:
        tree = target[InstallTreeInfo]
        entries += [entry("torch/" + one.path, one.file) for one in tree.entries]
        debug += [one.file for one in tree.debug]
        licenses.update({one.library: one for one in tree.library_licenses})
    python = ""
    if ctx.attr.extension:
        python = python_version(ctx)
        for target, name in ctx.attr.extension.items():
            installed = _extension_name(ctx, name, python)
            library = [file for file in target.files.to_list() if file.extension in ("so", "pyd")][0]
            stripped, symbols = split_debug(ctx, library, installed)
            entries.append(entry(installed, stripped))
            debug += [symbols] if symbols else []
    if ctx.attr.package:
        for file in ctx.attr.package[PyInfo].transitive_sources.to_list():
            if file.owner.repo_name == ctx.attr.package.label.repo_name:
                entries.append(entry(own_path(file), file))
        for file in ctx.files.data:
            entries.append(entry(own_path(file), file))
    provided = ctx.attr.requires_others.values()
    for target in ctx.attr.provided_by:
        provided += [one.path.split("/")[-1] for one in target[InstallTreeInfo].entries if one.path.startswith("lib/")]

    manifest, inputs, metadata_inputs = _manifest(
        ctx,
        entries,
        [licenses[name] for name in sorted(licenses)],
        cuda = cuda_version(ctx),
        debug = ctx.var["COMPILATION_MODE"] == "dbg",
        name = ctx.attr.distribution,
        provided = provided,
        python = python,
        requires = ctx.attr.requires,
        requires_others = ctx.attr.requires_others.keys(),
        summary = ctx.attr.summary,
        system = ctx.attr.system_libraries,
        version = ctx.attr.version,
        version_file = "torch/version.py" if ctx.attr.package else "",
    )
    plain = _pack(ctx, ctx.label.name, manifest, inputs)
    return [
        DefaultInfo(files = depset([plain])),
        OutputGroupInfo(
            debug = depset(debug),
            metadata = depset([_pack(ctx, ctx.label.name + "_metadata", manifest, metadata_inputs, ctx.info_file, metadata = True)]),
            stamped = depset([_pack(ctx, ctx.label.name + "_stamped", manifest, inputs, ctx.info_file)]),
        ),
    ]

_torch_wheel = rule(
    implementation = _wheel_impl,
    attrs = _PLATFORM | {
        "data": attr.label_list(
            allow_files = True,
            doc = "Files of the package that are no Python: stubs, py.typed.",
        ),
        "distribution": attr.string(doc = "Name under which pip knows it.", mandatory = True),
        "extension": attr.label_keyed_string_dict(
            doc = "Extension modules, each with its path, such as `torch/_C`; they tie the wheel to one Python.",
        ),
        "package": attr.label(doc = "The Python package.", providers = [PyInfo]),
        "provided_by": attr.label_list(
            doc = "Installed files of the distributions in `requires`, whose libraries this one loads.",
            providers = [InstallTreeInfo],
        ),
        "requires": attr.string_list(doc = "Distributions of the same version that it needs."),
        "requires_others": attr.string_dict(
            doc = "Further requirements, such as `numpy==2.1`, each with the library that is loaded from there.",
        ),
        "summary": attr.string(default = _SUMMARY, doc = "What it is, in a line."),
        "system_libraries": attr.string_list(
            doc = "Shared libraries, such as `libblas`, that the machine has: they tie the wheel to machines like this one.",
        ),
        "trees": attr.label_list(
            doc = "Installed files that go into the package.",
            providers = [InstallTreeInfo],
        ),
        "version": attr.string(doc = "The version without a stamp.", mandatory = True),
        "_packer": attr.label(cfg = "exec", default = "//tools/package:wheel", executable = True),
    },
    doc = "A directory with one wheel, whose name says what it runs on.",
    toolchains = use_cc_toolchain() + VERSION_TOOLCHAINS,
)

def torch_wheel(name, version = None, **kwargs):
    """A wheel; in the output group `stamped`, one whose version names the commit.

    `--stamp` would be another configuration, for which everything is analysed again.

    Args:
      name: of the directory that holds the wheel.
      version: of what is packed; this module's if it is left out.
      **kwargs: attributes of the rule.
    """
    _torch_wheel(
        name = name,
        version = version or python_version_of(native.module_version()),
        **kwargs
    )

def _archive_impl(ctx):
    tree = ctx.attr.tree[InstallTreeInfo]
    manifest, inputs, _ = _manifest(
        ctx,
        tree.entries,
        tree.library_licenses,
        name = "libtorch",
        version = ctx.attr.version,
    )
    args = ctx.actions.args()
    args.add("--manifest", manifest)
    args.add("--output", ctx.outputs.out)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._packer,
        inputs = inputs,
        mnemonic = "TorchArchive",
        outputs = [ctx.outputs.out],
        progress_message = "Packing %{output}",
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

_torch_archive = rule(
    implementation = _archive_impl,
    attrs = _PLATFORM | {
        "out": attr.output(doc = "The archive; its ending says its kind.", mandatory = True),
        "tree": attr.label(
            doc = "What goes into it.",
            mandatory = True,
            providers = [InstallTreeInfo],
        ),
        "version": attr.string(doc = "The version.", mandatory = True),
        "_packer": attr.label(cfg = "exec", default = "//tools/package:sdk", executable = True),
    },
    doc = "An archive of installed files, all below one directory.",
)

def torch_archive(name, out, tree, visibility = None):
    """An archive of installed files, whose bytes depend on their contents alone.

    Args:
      name: of the target.
      out: the archive; `.zip` or `.tar`.
      tree: an install_tree.
      visibility: of the target.
    """
    _torch_archive(
        name = name,
        out = out,
        tree = tree,
        version = python_version_of(native.module_version()),
        visibility = visibility,
    )
