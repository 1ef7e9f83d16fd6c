"""Objective-C++: sources that call Apple's frameworks.

objc_library does not say that it provides CcInfo before Bazel 9, so that no cc_shared_library finds it.
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":cc.bzl", "EVERY_TARGET", "LIBRARY_COPTS")

def _objcxx_library_impl(ctx):
    cc_toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        cc_toolchain = cc_toolchain,
        ctx = ctx,
        language = "objc",
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    context, outputs = cc_common.compile(
        actions = ctx.actions,
        cc_toolchain = cc_toolchain,
        compilation_contexts = [info.compilation_context for info in deps],
        feature_configuration = features,
        language = "objc",
        local_defines = ctx.attr.local_defines,
        name = ctx.label.name,
        srcs = ctx.files.srcs,
        user_compile_flags = ctx.attr.copts,
    )
    linking_context, _outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        # Devices register themselves.
        alwayslink = True,
        cc_toolchain = cc_toolchain,
        compilation_outputs = outputs,
        disallow_dynamic_library = True,
        feature_configuration = features,
        linking_contexts = [info.linking_context for info in deps],
        name = ctx.label.name,
        # One word each: a word that comes twice is given to the linker once.
        user_link_flags = ["-Wl,-framework," + name for name in ctx.attr.sdk_frameworks],
    )
    return [
        DefaultInfo(files = depset(outputs.pic_objects or outputs.objects)),
        CcInfo(compilation_context = context, linking_context = linking_context),
    ]

_objcxx_library = rule(
    implementation = _objcxx_library_impl,
    attrs = {
        "copts": attr.string_list(doc = "Options of the compiler."),
        "deps": attr.label_list(
            doc = "Libraries.",
            providers = [CcInfo],
        ),
        "sdk_frameworks": attr.string_list(doc = "Apple's frameworks that the sources call; what holds the library is linked with them."),
        "local_defines": attr.string_list(doc = "Definitions for these sources."),
        "srcs": attr.label_list(
            allow_files = [".mm"],
            doc = "The sources.",
            mandatory = True,
        ),
    },
    doc = "Sources in Objective-C++, with references counted by the compiler.",
    fragments = ["cpp"],
    provides = [CcInfo],
    toolchains = use_cc_toolchain(),
)

def torch_objcxx_library(name, srcs, deps = [], **kwargs):
    """An Objective-C++ library of the tree; the compiler counts references.

    Args:
      name: of the library.
      srcs: sources of this package.
      deps: libraries; the include roots are added.
      **kwargs: further attributes: `local_defines`, `sdk_frameworks`, `visibility`, `target_compatible_with`.
    """
    _objcxx_library(
        name = name,
        srcs = srcs,
        copts = LIBRARY_COPTS + ["-fobjc-arc"],
        deps = deps + EVERY_TARGET,
        **kwargs
    )
