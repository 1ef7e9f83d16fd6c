"""Shared libraries whose dependents are linked with their symbols alone.

What depends on a `cc_shared_library` is linked again whenever that changes. Here the linker is given the
library's interface in its place, which `//tools/interface_library` makes: an edit inside a function leaves
that as it was, and Bazel links nothing further. Programs run, and packages are made, with the library. That is
so on Linux; elsewhere the linker is given the library.
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_shared_library_info.bzl", "CcSharedLibraryInfo")
load(":target.bzl", "PLATFORM_ATTRS", "target_os")

def _interface_library_impl(ctx):
    library = ctx.attr.actual
    groups = library[OutputGroupInfo]
    info = library[CcSharedLibraryInfo]
    if target_os(ctx) != "linux":
        return [library[DefaultInfo], groups, info]
    file = groups.main_shared_library_output.to_list()[0]

    # In the same directory, so that the run paths of what is linked with it are those of the library.
    interface = ctx.actions.declare_file(file.basename.removesuffix(".so") + ".ifso")
    ctx.actions.run(
        arguments = [file.path, interface.path],
        executable = ctx.executable._tool,
        inputs = [file],
        mnemonic = "InterfaceLibrary",
        outputs = [interface],
        progress_message = "Reading symbols of %{label}",
    )
    cc_toolchain = find_cc_toolchain(ctx)
    to_link = cc_common.create_library_to_link(
        actions = ctx.actions,
        cc_toolchain = cc_toolchain,
        dynamic_library = file,
        feature_configuration = cc_common.configure_features(
            cc_toolchain = cc_toolchain,
            ctx = ctx,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        ),
        interface_library = interface,
    )

    # The first is the library, and after it come those that its deps brought along.
    others = info.linker_input.libraries[1:]
    return [
        DefaultInfo(
            files = library[DefaultInfo].files,
            runfiles = ctx.runfiles([to_link.dynamic_library]).merge(library[DefaultInfo].default_runfiles),
        ),
        OutputGroupInfo(
            interface_library = depset([interface]),
            main_shared_library_output = groups.main_shared_library_output,
        ),
        CcSharedLibraryInfo(
            dynamic_deps = info.dynamic_deps,
            exports = info.exports,
            link_once_static_libs = info.link_once_static_libs,
            linker_input = cc_common.create_linker_input(
                libraries = depset([to_link] + others),
                owner = ctx.label,
            ),
        ),
    ]

interface_library = rule(
    implementation = _interface_library_impl,
    attrs = PLATFORM_ATTRS | {
        "actual": attr.label(
            doc = "The cc_shared_library.",
            mandatory = True,
            providers = [CcSharedLibraryInfo],
        ),
        "_tool": attr.label(
            cfg = "exec",
            default = "//tools/interface_library",
            executable = True,
        ),
    },
    doc = "A shared library whose dependents are linked with its symbols alone.",
    fragments = ["cpp"],
    provides = [CcSharedLibraryInfo],
    toolchains = use_cc_toolchain(),
)
