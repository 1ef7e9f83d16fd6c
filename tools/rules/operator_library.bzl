"""Compiles sources that each see only the generated headers, and those of kernels, that they include.

One target compiles all sources of a library, an action each: a `cc_library` for every source was most of
what Bazel analysed.
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":codegen.bzl", "GeneratedFilesInfo")

HEADERS_ATTRS = {
    "generators": attr.label_list(
        doc = "What generates headers.",
        providers = [GeneratedFilesInfo],
    ),
    "kernel_headers": attr.label_list(
        allow_files = [".h"],
        doc = "The headers of kernels.",
    ),
}

def _path(file):
    """Path of a file of this repository from its root."""
    path = file.short_path

    # In another workspace: ../<repository>/<path>.
    return path.split("/", 2)[2] if path.startswith("../") else path

def header_files(ctx):
    """The headers of a rule with HEADERS_ATTRS.

    Args:
      ctx: of the rule.

    Returns:
      List of dicts from paths to files. A dict of them all would cost each rule a copy of thousands.
    """
    return [{_path(file): file for file in ctx.files.kernel_headers}] + [
        target[GeneratedFilesInfo].files
        for target in ctx.attr.generators
    ]

def exact_headers(found, paths):
    """Some headers, without what they include.

    Args:
      found: what header_files returned.
      paths: of the headers.

    Returns:
      A CcInfo.
    """
    headers = [files[path] for path in paths for files in found if path in files]
    if len(headers) != len(paths):
        for path in paths:
            if not any([path in files for files in found]):
                fail("{} is not generated. Run: ./bazelw run //tools:update".format(path))
    return CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(headers),
    ))

def _operator_library_impl(ctx):
    cc_toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(
        cc_toolchain = cc_toolchain,
        ctx = ctx,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    seen = [info.compilation_context for info in deps] + [
        dep[CcInfo].compilation_context
        for dep in ctx.attr.implementation_deps
    ]
    headers = header_files(ctx)
    package = ctx.label.package + "/"

    # a/b_c.cpp and a_b/c.cpp share an output group, but not an object file.
    outputs = {}
    for source in ctx.files.srcs:
        path = _path(source)
        if path not in ctx.attr.headers:
            fail("{} is not in the table of operator dependencies. Run: ./bazelw run //tools:update".format(path))
        part = "_".join([ctx.attr.prefix] + path.removeprefix(package).rsplit(".", 1)[0].split("/"))
        compiled = cc_common.compile(
            actions = ctx.actions,
            cc_toolchain = cc_toolchain,
            compilation_contexts = [exact_headers(headers, ctx.attr.headers[path]).compilation_context] + seen,
            feature_configuration = features,
            local_defines = ctx.attr.local_defines,
            name = part + ".%d" % len(outputs[part]) if part in outputs else part,
            srcs = [source],
            user_compile_flags = ctx.attr.copts,
        )
        outputs.setdefault(part, []).append(compiled[1])
    linked = deps + [dep[CcInfo] for dep in ctx.attr.implementation_deps]
    linking_context, _outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        # Kernels register themselves.
        alwayslink = True,
        cc_toolchain = cc_toolchain,
        compilation_outputs = cc_common.merge_compilation_outputs(
            compilation_outputs = [output for found in outputs.values() for output in found],
        ),
        disallow_dynamic_library = True,
        feature_configuration = features,
        linking_contexts = [info.linking_context for info in linked],
        name = ctx.label.name,
    )
    objects = {
        part: depset([file for output in found for file in output.pic_objects or output.objects])
        for part, found in outputs.items()
    }
    all_objects = depset(transitive = objects.values())
    return [
        DefaultInfo(files = all_objects),
        OutputGroupInfo(compilation_outputs = all_objects, **objects),
        # Not the headers of its sources: what depends on this may not read these, nor compile again for them.
        CcInfo(
            compilation_context = cc_common.merge_compilation_contexts(
                compilation_contexts = [info.compilation_context for info in deps],
            ),
            linking_context = linking_context,
        ),
    ]

operator_library = rule(
    implementation = _operator_library_impl,
    attrs = HEADERS_ATTRS | {
        "copts": attr.string_list(doc = "Options of the compiler."),
        "deps": attr.label_list(
            doc = "Libraries.",
            providers = [CcInfo],
        ),
        # Not labels: to analyse three thousand files one by one took Bazel two thirds of its time.
        "headers": attr.string_list_dict(
            doc = "Paths of the headers of each source; //:include_root finds those that are generated.",
        ),
        "implementation_deps": attr.label_list(
            doc = "Libraries whose headers only these sources may read.",
            providers = [CcInfo],
        ),
        "local_defines": attr.string_list(doc = "Definitions for these sources."),
        "prefix": attr.string(
            doc = "Beginning of the names of output groups.",
            mandatory = True,
        ),
        "srcs": attr.label_list(
            allow_files = [".cpp"],
            doc = "The sources. The object of `a/b.cpp` is in the output group `<prefix>_a_b`.",
        ),
    },
    doc = "Sources that each see only the generated headers, and those of kernels, that they include.",
    fragments = ["cpp"],
    provides = [CcInfo],
    toolchains = use_cc_toolchain(),
)
