"""cuda_library: device code as a static library for C++ targets."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load(":archs.bzl", "CudaArchsInfo", "gencode_flags", "parse_archs")
load(":toolchain.bzl", "find_cuda_toolchain", "use_cuda_toolchain")

_SOURCES = [".cu", ".cu.cc", ".cu.cpp"]
_HEADERS = [".h", ".hpp", ".cuh", ".inl"]

def _host_flags(ctx):
    flags = []
    for flag in ctx.attr._host_copts[BuildSettingInfo].value + ctx.attr.host_copts:
        flags += ["-Xcompiler", flag]
    return flags

def _compile(ctx, cc_toolchain, context, source):
    cuda = find_cuda_toolchain(ctx)
    output = ctx.actions.declare_file("_objs/{}/{}.o".format(ctx.label.name, source.basename))
    specs = []
    if ctx.attr.archs:
        specs = parse_archs(";".join(ctx.attr.archs))
    else:
        specs = ctx.attr._archs[CudaArchsInfo].arch_specs

    args = ctx.actions.args()
    args.add_all(["-x", "cu", "-c", source, "-o", output])
    args.add("-ccbin", cc_toolchain.compiler_executable)
    args.add_all(["-O2", "-Xcompiler", "-fPIC"])
    args.add_all(cuda.nvcc_flags)
    args.add_all(gencode_flags(specs))
    args.add_all(context.includes, before_each = "-I")
    args.add_all(context.quote_includes, before_each = "-I")
    args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(context.defines, format_each = "-D%s")
    args.add_all(ctx.attr.local_defines + ctx.attr.host_local_defines, format_each = "-D%s")
    args.add_all(_host_flags(ctx))
    args.add_all(ctx.attr._copts[BuildSettingInfo].value + ctx.attr.copts)
    args.add_all(ctx.attr.ptxasopts, before_each = "-Xptxas")
    ctx.actions.run(
        executable = cuda.compiler_executable,
        arguments = [args],
        env = {"PATH": "/usr/bin:/bin"},
        inputs = depset(
            [source],
            transitive = [context.headers, cuda.all_files, cc_toolchain.all_files],
        ),
        mnemonic = "CudaCompile",
        outputs = [output],
        progress_message = "Compiling " + source.short_path,
    )
    return output

def _cuda_library_impl(ctx):
    cc_toolchain = find_cc_toolchain(ctx)
    deps = [dep[CcInfo] for dep in ctx.attr.deps + [ctx.attr._runtime]]
    headers = [file for file in ctx.files.hdrs + ctx.files.srcs if "." + file.extension in _HEADERS]
    sources = [file for file in ctx.files.srcs if file not in headers]
    package = "/".join([part for part in (ctx.label.workspace_root, ctx.label.package) if part])
    own = cc_common.create_compilation_context(
        defines = depset(ctx.attr.defines + ctx.attr.host_defines),
        headers = depset(headers),
        includes = depset([root + package + "/" + directory for directory in ctx.attr.includes for root in ("", ctx.bin_dir.path + "/")]),
        quote_includes = depset([".", ctx.bin_dir.path]),
    )
    compilation = cc_common.merge_cc_infos(
        cc_infos = [CcInfo(compilation_context = own)] + deps,
    ).compilation_context

    objects = depset([_compile(ctx, cc_toolchain, compilation, source) for source in sources])
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    linking, outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        alwayslink = ctx.attr.alwayslink,
        cc_toolchain = cc_toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(
            objects = objects,
            pic_objects = objects,
        ),
        disallow_dynamic_library = True,
        feature_configuration = features,
        linking_contexts = [dep.linking_context for dep in deps],
        name = ctx.label.name,
        user_link_flags = ctx.attr.host_linkopts,
    )
    library = outputs.library_to_link
    archives = [
        file
        for file in ([library.static_library, library.pic_static_library] if library else [])
        if file
    ]
    return [
        DefaultInfo(files = depset(archives)),
        OutputGroupInfo(objects = objects),
        CcInfo(compilation_context = compilation, linking_context = linking),
    ]

cuda_library = rule(
    implementation = _cuda_library_impl,
    doc = "Compiles device code into a static library for C++ targets.",
    attrs = {
        "alwayslink": attr.bool(doc = "Link all objects, used or not."),
        "archs": attr.string_list(doc = "Architectures of this target alone, in place of the option's."),
        "copts": attr.string_list(doc = "Options for nvcc."),
        "defines": attr.string_list(doc = "Macros of this target and of those that depend on it."),
        "deps": attr.label_list(doc = "C++ and CUDA libraries.", providers = [CcInfo]),
        "hdrs": attr.label_list(doc = "Public headers.", allow_files = _HEADERS),
        "host_copts": attr.string_list(doc = "Options for the host compiler."),
        "host_defines": attr.string_list(doc = "As `defines`."),
        "host_linkopts": attr.string_list(doc = "Options for the link of programs that use it."),
        "host_local_defines": attr.string_list(doc = "As `local_defines`."),
        "includes": attr.string_list(doc = "Include directories, relative to the package."),
        "local_defines": attr.string_list(doc = "Macros of this target alone."),
        "ptxasopts": attr.string_list(doc = "Options for ptxas."),
        "srcs": attr.label_list(doc = "Device code and private headers.", allow_files = _SOURCES + _HEADERS),
        "_archs": attr.label(default = "//cuda:archs"),
        "_copts": attr.label(default = "//cuda:copts"),
        "_host_copts": attr.label(default = "//cuda:host_copts"),
        "_runtime": attr.label(default = "//cuda:runtime"),
    },
    fragments = ["cpp"],
    provides = [CcInfo],
    toolchains = use_cc_toolchain() + use_cuda_toolchain(),
)
