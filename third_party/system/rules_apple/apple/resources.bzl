"""apple_metal_library: shaders in Metal's language as one library."""

_CPUS = {
    "@platforms//cpu:arm64": "arm64",
    "@platforms//cpu:x86_64": "x86_64",
}

def _is(ctx, constraint):
    return ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo])

def _apple_metal_library_impl(ctx):
    if not _is(ctx, ctx.attr._macos):
        fail("ERROR: A valid Apple platform constraint could not be found from the resolved toolchain.")
    if not [cpu for cpu in ctx.attr._cpus if _is(ctx, cpu)]:
        fail("ERROR: A valid Apple cpu constraint could not be found from the resolved toolchain.")
    xcode = ctx.attr._xcode_config[apple_common.XcodeVersionConfig]
    minimum = xcode.minimum_os_for_platform_type(apple_common.platform_type.macos)
    out = ctx.actions.declare_file(ctx.attr.out)
    args = ctx.actions.args()
    args.add("metal")
    args.add("-target", "air64-apple-macosx{}".format(minimum))
    args.add("-o", out.path)
    args.add_all(ctx.attr.copts)
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        arguments = [args],
        env = apple_common.apple_host_system_env(xcode) |
              apple_common.target_apple_env(xcode, apple_common.platform.macos),
        executable = "/usr/bin/xcrun",
        execution_requirements = xcode.execution_info(),
        inputs = ctx.files.srcs + ctx.files.hdrs,
        mnemonic = "MetallibCompile",
        outputs = [out],
        use_default_shell_env = True,
    )
    return [DefaultInfo(files = depset([out]))]

apple_metal_library = rule(
    implementation = _apple_metal_library_impl,
    doc = "Compiles sources in Metal's language into one library.",
    attrs = {
        "copts": attr.string_list(doc = "Options of `metal`."),
        "hdrs": attr.label_list(allow_files = [".h"], doc = "What the sources include."),
        "out": attr.string(default = "default.metallib", doc = "Name of the library."),
        "srcs": attr.label_list(allow_files = [".metal"], doc = "Sources.", mandatory = True),
        "_cpus": attr.label_keyed_string_dict(default = _CPUS),
        "_macos": attr.label(default = "@platforms//os:macos"),
        "_xcode_config": attr.label(
            default = configuration_field(fragment = "apple", name = "xcode_config_label"),
        ),
    },
    fragments = ["apple"],
)
