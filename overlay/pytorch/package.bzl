"""What PyTorch's wheel holds besides its Python: the layout that setup.py and CMake install."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load("//tools/rules:install_tree.bzl", "InstallTreeInfo", "entry", "own_path", "split_debug")

# Folders of include roots below the tree; what is in none of them keeps its path.
_ROOTS = ["installed/aten/src/", "installed/", "aten/src/"]

def _installed_header(path):
    for root in _ROOTS:
        if path.startswith(root):
            return "include/" + path.removeprefix(root)
    return "include/" + path

def _pytorch_tree_impl(ctx):
    entries = []
    debug = []
    for folder, targets in [("lib/", ctx.attr.libraries), ("bin/", ctx.attr.programs)]:
        for target in targets:
            file = [file for file in target.files.to_list() if file.extension in ("so", "")][0]
            stripped, symbols = split_debug(ctx, file, file.basename)
            entries.append(entry(folder + file.basename, stripped))
            if symbols:
                debug.append(entry(folder + symbols.basename, symbols))
    entries += [entry(_installed_header(own_path(file)), file) for file in ctx.files.headers]
    for target, prefix in ctx.attr.bundled_headers.items():
        entries += [
            entry("include/" + file.path.split(prefix, 1)[1], file)
            for file in target.files.to_list()
        ]
    return [
        DefaultInfo(files = depset([one.file for one in entries])),
        InstallTreeInfo(
            debug = debug,
            entries = entries,
            library_licenses = [],
        ),
    ]

pytorch_tree = rule(
    implementation = _pytorch_tree_impl,
    attrs = {
        "bundled_headers": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Headers of others; of each file the path after the string is its path below `include`.",
        ),
        "headers": attr.label_list(allow_files = True, doc = "PyTorch's own headers."),
        "libraries": attr.label_list(doc = "Shared libraries, for lib."),
        "programs": attr.label_list(doc = "Programs, for bin."),
    },
    doc = "Installed files below the package torch.",
    provides = [InstallTreeInfo],
    toolchains = use_cc_toolchain(),
)
