"""Files as they are installed: libraries, headers and CMake files, with their licences."""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//third_party/licenses:licenses.bzl", "LICENSES")
load(":cuda_runtime.bzl", "refuse_emulated")
load(":licenses.bzl", "LicenseInfo", "licenses_of", "linked_libraries")

InstallTreeInfo = provider(
    doc = "Installed files.",
    fields = {
        "debug": "list of structs with `path` and `file`: the split debug information",
        "entries": "list of structs with `path` in the installation and `file`",
        "library_licenses": "list of LicenseInfo of what is inside",
    },
)

def entry(path, file):
    """One installed file.

    Args:
      path: where it goes.
      file: the File.

    Returns:
      A struct with the two.
    """
    return struct(file = file, path = path)

def own_path(file):
    """The path of a file from the root of its repository.

    Args:
      file: the File.

    Returns:
      Its short path, without the repository.
    """
    if file.short_path.startswith("../"):
        return file.short_path.split("/", 2)[2]
    return file.short_path

def split_debug(ctx, file, name):
    """Takes the debug information out of a library or program of an optimised build.

    Args:
      ctx: the rule's context.
      file: the library.
      name: its name where it is installed.

    Returns:
      The stripped file and the one with the debug information; the same file and None in a debug build.
    """
    toolchain = find_cc_toolchain(ctx)
    if ctx.var["COMPILATION_MODE"] == "dbg" or not toolchain.objcopy_executable:
        return file, None
    debug = ctx.actions.declare_file("{}_debug/{}.debug".format(ctx.label.name, name))
    stripped = ctx.actions.declare_file("{}_stripped/{}".format(ctx.label.name, name))
    ctx.actions.run(
        executable = toolchain.objcopy_executable,
        arguments = ["--only-keep-debug", "--compress-debug-sections", file.path, debug.path],
        inputs = depset([file], transitive = [toolchain.all_files]),
        mnemonic = "SplitDebug",
        outputs = [debug],
    )
    ctx.actions.run(
        executable = toolchain.objcopy_executable,
        arguments = ["--strip-unneeded", "--add-gnu-debuglink=" + debug.path, file.path, stripped.path],
        inputs = depset([file, debug], transitive = [toolchain.all_files]),
        mnemonic = "StripInstalled",
        outputs = [stripped],
    )
    return stripped, debug

def own_headers(targets, excluded):
    """Installed headers of this module below some libraries.

    Args:
      targets: C++ libraries.
      excluded: prefixes of paths, relative to the include directory, that stay out.

    Returns:
      A list of entries below `include`.
    """
    entries = []
    seen = {}
    own = Label("//:all").repo_name
    for target in targets:
        for file in target[CcInfo].compilation_context.headers.to_list():
            if file.owner.repo_name != own or file.path in seen:
                continue
            seen[file.path] = True
            path = own_path(file).removeprefix("aten/src/")
            if not [prefix for prefix in excluded if path.startswith(prefix)]:
                entries.append(entry("include/" + path, file))
    return entries

def _library_file(target):
    files = [file for file in target.files.to_list() if ".so" in file.basename or file.extension in ("dylib", "dll")]
    if len(files) != 1:
        fail("{} has {} shared libraries; wanted one".format(target.label, len(files)))
    return files[0]

def _archive(ctx, target, name):
    """One archive of all own objects below a C++ library; and the archives of others as they are."""
    toolchain = find_cc_toolchain(ctx)
    own = Label("//:all").repo_name
    objects = []
    entries = []
    seen = {}
    for linker_input in target[CcInfo].linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.pic_static_library or library.static_library
            if not archive or archive.path in seen:
                continue
            seen[archive.path] = True
            if linker_input.owner.repo_name == own:
                objects += library.pic_objects or library.objects
            else:
                entries.append(entry("lib/" + archive.basename, archive))
    out = ctx.actions.declare_file("{}_static/lib{}.a".format(ctx.label.name, name))
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.add_all(["qcD", out])
    args.add_all(objects)
    ctx.actions.run(
        executable = toolchain.ar_executable,
        arguments = [args],
        inputs = depset(objects, transitive = [toolchain.all_files]),
        mnemonic = "StaticLibrary",
        outputs = [out],
        progress_message = "Archiving %{output}",
    )
    return [entry("lib/" + out.basename, out)] + entries

def _install_tree_impl(ctx):
    refuse_emulated(ctx.attr.cuda_runtime, ctx.label)
    entries = []
    debug = []
    for target, name in ctx.attr.static_libraries.items():
        entries += _archive(ctx, target, name)
    for target in ctx.attr.libraries:
        library = _library_file(target)
        stripped, symbols = split_debug(ctx, library, library.basename)
        entries.append(entry("lib/" + library.basename, stripped))
        if symbols:
            debug.append(entry("lib/" + symbols.basename, symbols))
    for file in ctx.files.runtime_libraries:
        entries.append(entry("lib/" + file.basename, file))
    entries += own_headers(ctx.attr.headers, ctx.attr.excluded_headers)
    for target, prefix in ctx.attr.bundled_headers.items():
        for file in target.files.to_list():
            if prefix in file.path and file.extension in ("h", "hpp"):
                entries.append(entry("include/" + file.path.split(prefix, 1)[1], file))
    for target, directory in ctx.attr.files.items():
        entries += [entry(directory + "/" + file.basename, file) for file in target.files.to_list()]
    if ctx.attr.base:
        below = {one.path: True for one in ctx.attr.base[InstallTreeInfo].entries}
        entries = [one for one in entries if one.path not in below]
    licenses = {one.library: one for one in licenses_of(
        ctx.attr.libraries + ctx.attr.static_libraries.keys(),
        ctx.files.runtime_libraries,
        ctx.attr._licenses,
    )}
    for target in ctx.attr.bundled_licenses:
        licenses[target[LicenseInfo].library] = target[LicenseInfo]
    return [
        DefaultInfo(files = depset([one.file for one in entries])),
        InstallTreeInfo(
            debug = debug,
            entries = entries,
            library_licenses = [licenses[name] for name in sorted(licenses)],
        ),
    ]

install_tree = rule(
    implementation = _install_tree_impl,
    attrs = {
        "base": attr.label(
            doc = "Files that are installed already, and left out here.",
            providers = [InstallTreeInfo],
        ),
        "bundled_headers": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Headers of others; of each file the path after the string is its path below `include`.",
        ),
        "bundled_licenses": attr.label_list(
            doc = "Licences of bundled files that no C++ target stands for.",
            providers = [LicenseInfo],
        ),
        "cuda_runtime": attr.label_list(
            doc = "What the libraries are linked with.",
        ),
        "excluded_headers": attr.string_list(
            doc = "Prefixes of headers, relative to `include`, that are not installed.",
        ),
        "files": attr.label_keyed_string_dict(
            allow_files = True,
            doc = "Further files, each with its directory.",
        ),
        "headers": attr.label_list(
            doc = "C++ libraries whose headers of this module are installed.",
            providers = [CcInfo],
        ),
        "libraries": attr.label_list(
            aspects = [linked_libraries],
            doc = "Shared libraries of this module.",
        ),
        "runtime_libraries": attr.label_list(
            allow_files = True,
            doc = "Shared libraries of others that not every system has.",
        ),
        "static_libraries": attr.label_keyed_string_dict(
            aspects = [linked_libraries],
            doc = "C++ libraries, each packed with all below it into an archive of this name.",
            providers = [CcInfo],
        ),
        "_licenses": attr.label_list(
            default = ["//third_party/licenses:" + name for name in LICENSES],
            providers = [LicenseInfo],
        ),
    },
    doc = "Installed files, for a wheel or an archive.",
    provides = [InstallTreeInfo],
    toolchains = use_cc_toolchain(),
)
