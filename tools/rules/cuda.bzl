"""CUDA sources as C++ libraries: one cacheable compile for each file and architecture.

nvcc is that of //toolchains/cuda; its steps are run one by one by `//tools/cuda:nvcc_steps`:

    file.cu ─┬─ device 80 ─┬─ stub ── host ── file.o
             ├─ device 90 ─┤
             └─ …          └─ join ────────── file.fatbin.o

Another architecture is one more device action for each file; a header that a source does not include
runs none of them again; and a file known to be heavy declares the memory it needs, so that only the
heavy files queue.
"""

load("@rules_cc//cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:conditions.bzl", "requires_backend")
load("//config:cuda_archs.bzl", "extra_cuda_archs")
load("//toolchains/cuda:toolchain.bzl", "CUDA_TOOLKIT_ATTRS", "find_cuda_toolchain", "nvcc_flags", "use_cuda_toolchain")
load(":cc.bzl", "TORCH_COPTS")
load(":cuda_archs.bzl", "CUDA_ARCHS_ATTRS", "CudaArchsInfo")
load(":cuda_runtime.bzl", "compression", "keeps_all_ptx")
load(":memory.bzl", "resource_set")

_HEADERS = ["cuh", "h", "hpp"]

# For every source of this tree. Kernels in CUB's namespace must have the same names whatever the architectures.
_NVCC_FLAGS = [
    "-std=c++20",
    "-O3",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "-DTHRUST_CUB_WRAPPED_NAMESPACE=at_cuda_detail",
]

# Options for device code that is linked later; every file of the tree stands alone.
_RELOCATABLE = ["-rdc=true", "--relocatable-device-code=true", "-dc", "--device-c"]

CudaObjectsInfo = provider(
    doc = "What a CUDA library was compiled to, before linking.",
    fields = {
        "archs": "List of strings, the architectures of all files: `80`, `90a`.",
        "fatbins": "Depset of object files that hold device code.",
    },
)

def _path(source):
    """The path of a file from the root of its repository."""
    path = source.short_path
    return path.split("/", 2)[2] if path.startswith("../") else path

def _archs(ctx, source):
    """Architectures of one file: the option's, and its own that extend these."""
    asked = ctx.attr._cuda_archs[CudaArchsInfo]
    extra = extra_cuda_archs(
        ctx.attr.extra_archs.get(_path(source), []),
        asked.archs,
        asked.version,
        "extra_archs of {} in {}".format(_path(source), ctx.label),
    )
    if extra.errors:
        fail("\n  ".join([""] + extra.errors))
    return asked.archs + extra.archs

def _host_flags(ctx, cc_toolchain):
    """The C++ toolchain's options for a source that becomes part of shared libraries."""
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = cc_toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features + ["module_maps"],
    )
    variables = cc_common.create_compile_variables(
        cc_toolchain = cc_toolchain,
        feature_configuration = features,
        use_pic = True,
        user_compile_flags = ctx.attr.host_copts + ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
    )
    flags = cc_common.get_memory_inefficient_command_line(
        action_name = CPP_COMPILE_ACTION_NAME,
        feature_configuration = features,
        variables = variables,
    )

    # Warnings would be about what cudafe++ wrote, not about the source.
    return features, [flag for flag in flags if not flag.startswith("-W") or flag.startswith("-Wno-")]

def _compile(ctx, source, context, cc_toolchain, host_flags):
    """Compiles one file for every architecture and for the host.

    Returns:
      The object files, host and device, the architectures, and lists of headers that no compile read.
    """
    cuda = find_cuda_toolchain(ctx)
    archs = _archs(ctx, source)

    # By its path: sources of two folders may have one name.
    base = "_cuda/{}/{}".format(
        ctx.label.name,
        _path(source).removeprefix(ctx.label.package + "/").removesuffix(".cu"),
    )
    resources = resource_set(source, int(ctx.attr.memory.get(_path(source), "0")))

    def flags(name):
        args = ctx.actions.args()
        args.add(name)
        args.add("--nvcc", cuda.nvcc)
        args.add("--source", source)
        words = ctx.attr.nvcc_flags + ["-ccbin", cc_toolchain.compiler_executable] + nvcc_flags(ctx)
        words += [flag for flag in host_flags if flag[:2] in ("-D", "-U") and "\"" not in flag]
        args.add_all(words + ctx.attr.copts, format_each = "--flag=%s")
        args.add_all(context.quote_includes, format_each = "--flag=-I%s")
        args.add_all(context.includes, format_each = "--flag=-I%s")
        args.add_all(context.system_includes, format_each = "--flag=-isystem=%s")
        args.add_all(context.external_includes, format_each = "--flag=-isystem=%s")
        args.add_all(context.defines, format_each = "--flag=-D%s")
        args.add_all(ctx.attr.local_defines, format_each = "--flag=-D%s")
        return args

    def prunable():
        args = ctx.actions.args()
        args.use_param_file("@%s")
        args.set_param_file_format("multiline")
        args.add_all(context.headers, format_each = "--prunable=%s")
        return args

    inputs = depset([source], transitive = [context.headers, cuda.files, cc_toolchain.all_files])
    images = []
    unread = []
    stub = None
    for arch in archs:
        cubin = ctx.actions.declare_file("{}.sm_{}.cubin".format(base, arch.code))
        ptx = ctx.actions.declare_file("{}.compute_{}.ptx".format(base, arch.code))
        arch_stub = ctx.actions.declare_file("{}.sm_{}.stub.c".format(base, arch.code))
        unused = ctx.actions.declare_file("{}.sm_{}.unused".format(base, arch.code))
        args = flags("device")
        args.add("--arch", arch.code)
        args.add("--cubin", cubin)
        args.add("--ptx", ptx)
        args.add("--stub", arch_stub)
        args.add("--unused", unused)
        ctx.actions.run(
            arguments = [args, prunable()],
            env = {"PATH": "/usr/bin:/bin"},
            executable = ctx.executable._nvcc_steps,
            inputs = inputs,
            mnemonic = "CudaDevice",
            outputs = [cubin, ptx, arch_stub, unused],
            progress_message = "Compiling {} for sm_{}".format(source.short_path, arch.code),
            resource_set = resources,
            unused_inputs_list = unused,
        )
        unread.append(unused)
        images.append(("elf", arch.code, cubin))
        if arch.ptx or keeps_all_ptx(ctx.attr._runtime):
            images.append(("ptx", arch.code, ptx))
        stub = stub or arch_stub

    # Every architecture has the same stubs. A file of one name and content keeps the host's action
    # the same when the first architecture goes.
    any_stub = ctx.actions.declare_file(base + ".stub.c")
    ctx.actions.symlink(output = any_stub, target_file = stub)

    host = ctx.actions.declare_file(base + ".o")
    unused = ctx.actions.declare_file(base + ".unused")
    args = flags("host")
    args.add_all(host_flags, format_each = "--host-flag=%s")
    args.add("--object", host)
    args.add("--stub", any_stub)
    args.add("--unused", unused)
    ctx.actions.run(
        arguments = [args, prunable()],
        env = {"PATH": "/usr/bin:/bin"},
        executable = ctx.executable._nvcc_steps,
        inputs = depset([any_stub], transitive = [inputs]),
        mnemonic = "CudaHost",
        outputs = [host, unused],
        progress_message = "Compiling {} for the host".format(source.short_path),
        resource_set = resource_set(source, 512),
        unused_inputs_list = unused,
    )
    unread.append(unused)

    device = ctx.actions.declare_file(base + ".fatbin.o")
    args = flags("join")
    args.add("--flag=-Xfatbin=" + compression(ctx.attr._runtime))
    args.add("--host-compiler", cc_toolchain.compiler_executable)
    args.add("--object", device)
    args.add_all(["{}:{}:{}".format(kind, code, file.path) for kind, code, file in images], before_each = "--image")
    ctx.actions.run(
        arguments = [args],
        env = {"PATH": "/usr/bin:/bin"},
        executable = ctx.executable._nvcc_steps,
        inputs = depset([file for _, _, file in images], transitive = [cuda.files, cc_toolchain.all_files]),
        mnemonic = "CudaJoin",
        outputs = [device],
        progress_message = "Joining device code of " + source.short_path,
    )
    return host, device, archs, unread

def _torch_cuda_library_impl(ctx):
    relocatable = [flag for flag in ctx.attr.copts if flag in _RELOCATABLE]
    if relocatable:
        fail("{} in copts of {}: code of one library may not call device functions of another. Put what calls each other into one file, or into headers".format(relocatable[0], ctx.label))
    cc_toolchain = find_cc_toolchain(ctx)
    headers = ctx.files.hdrs + [file for file in ctx.files.srcs if file.extension in _HEADERS]
    own = cc_common.create_compilation_context(
        headers = depset(headers),
        quote_includes = depset([".", ctx.bin_dir.path]),
    )
    deps = [dep[CcInfo] for dep in ctx.attr.deps]
    context = cc_common.merge_cc_infos(
        cc_infos = [CcInfo(compilation_context = own)] + deps,
    ).compilation_context

    features, host_flags = _host_flags(ctx, cc_toolchain)
    objects = []
    fatbins = []
    unread = []
    archs = {}
    for source in ctx.files.srcs:
        if source.extension in _HEADERS:
            continue
        host, device, source_archs, source_unread = _compile(ctx, source, context, cc_toolchain, host_flags)
        objects += [host, device]
        fatbins.append(device)
        unread += source_unread
        archs.update({arch.code: True for arch in source_archs})

    linking, outputs = cc_common.create_linking_context_from_compilation_outputs(
        actions = ctx.actions,
        alwayslink = ctx.attr.alwayslink,
        cc_toolchain = cc_toolchain,
        compilation_outputs = cc_common.create_compilation_outputs(
            objects = depset(objects),
            pic_objects = depset(objects),
        ),
        disallow_dynamic_library = True,
        feature_configuration = features,
        linking_contexts = [dep.linking_context for dep in deps],
        name = ctx.label.name,
    )
    library = outputs.library_to_link
    archives = [library.pic_static_library or library.static_library] if library else []
    return [
        DefaultInfo(files = depset(archives)),
        OutputGroupInfo(fatbins = depset(fatbins), unread_headers = depset(unread)),
        CudaObjectsInfo(archs = archs.keys(), fatbins = depset(fatbins)),
        CcInfo(compilation_context = context, linking_context = linking),
    ]

_torch_cuda_library = rule(
    implementation = _torch_cuda_library_impl,
    attrs = CUDA_TOOLKIT_ATTRS | CUDA_ARCHS_ATTRS | {
        "alwayslink": attr.bool(
            default = True,
            doc = "Link every object, since kernels register themselves.",
        ),
        "copts": attr.string_list(doc = "Options for nvcc."),
        "deps": attr.label_list(
            doc = "C++ and CUDA libraries.",
            providers = [CcInfo],
        ),
        "extra_archs": attr.string_list_dict(
            doc = "Architectures of one file, by path: `9.0a` where --cuda_archs has 9.0.",
        ),
        "hdrs": attr.label_list(
            allow_files = _HEADERS,
            doc = "Headers.",
        ),
        "host_copts": attr.string_list(
            default = TORCH_COPTS,
            doc = "Options of the host's compiler, in place of this tree's.",
        ),
        "local_defines": attr.string_list(doc = "Macros."),
        "memory": attr.string_dict(
            doc = "MiB that a device compile of a file needs, by path from the root.",
        ),
        "nvcc_flags": attr.string_list(
            default = _NVCC_FLAGS,
            doc = "Options for nvcc before `copts`, in place of this tree's.",
        ),
        "srcs": attr.label_list(
            allow_files = [".cu", ".cuh", ".h"],
            doc = "Sources, and headers of theirs alone.",
        ),
        "_nvcc_steps": attr.label(
            cfg = "exec",
            default = "//tools/cuda:nvcc_steps",
            executable = True,
        ),
        "_runtime": attr.label(default = "//c10/cuda:runtime"),
    },
    doc = "Compiles CUDA sources into a static library.",
    fragments = ["cpp"],
    provides = [CcInfo],
    toolchains = use_cc_toolchain() + use_cuda_toolchain(),
)

def torch_cuda_library(name, srcs, target_compatible_with = [], **kwargs):
    """A library of CUDA sources; skipped as incompatible where CUDA is off.

    Args:
      name: name of the library.
      srcs: `.cu` files, and headers of theirs alone.
      target_compatible_with: further constraints.
      **kwargs: further attributes, above all `deps`, `hdrs`, `extra_archs` and `memory`; the last two by path from the root of the
        repository.
    """
    _torch_cuda_library(
        name = name,
        srcs = srcs,
        target_compatible_with = requires_backend("cuda") + target_compatible_with,
        **kwargs
    )
