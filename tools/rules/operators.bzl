"""Exact dependencies on headers: a source is given those that it reads, and no others.

That is so for generated headers and for those of kernels. The checked-in tables `operator_deps.bzl`
say which those are; the updater derives them from the `#include` lines. So the sandbox, and the key
of a remote cache, hold nothing of other operators, and nothing of the tensor class where it is not
used.
"""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:backends.bzl", "BUILT_BACKENDS", "KERNEL_FOLDERS")
load("//config:conditions.bzl", "if_backend", "if_option", "requires_backend")
load(":cc.bzl", "EVERY_TARGET", "LIBRARY_COPTS", "torch_cc_test")
load(":checked_in.bzl", "checked_in_files")
load(":codegen.bzl", "torch_codegen")
load(":generated_files.bzl", "generated_paths", "header_paths", "headers_by_operator")
load(":operator_library.bzl", "HEADERS_ATTRS", "exact_headers", "header_files", "operator_library")
load(":sources.bzl", "package_srcs")
load(":stale.bzl", "stale")

def operator_libraries(generated_files, deps, visibility):
    """One header library for each operator, so that a target depends on just those it includes.

    Args:
      generated_files: GENERATED_FILES of the checked-in list.
      deps: what every operator header includes.
      visibility: of the libraries.
    """
    for operator, headers in headers_by_operator(generated_files).items():
        hdrs = headers[""]
        for backend, names in headers.items():
            if backend:
                hdrs = hdrs + if_backend(backend, names)
        cc_library(
            name = operator,
            hdrs = hdrs,
            visibility = visibility,
            deps = deps,
        )

def _generated_headers_impl(ctx):
    exact = exact_headers(header_files(ctx), ctx.attr.headers)
    return [cc_common.merge_cc_infos(cc_infos = [exact] + [dep[CcInfo] for dep in ctx.attr.deps])]

# It does not say that it provides CcInfo: cc_shared_library looks for libraries in everything that does, finds
# none here, and took a seventh of an edit's analysis for that.
_generated_headers = rule(
    implementation = _generated_headers_impl,
    attrs = HEADERS_ATTRS | {
        "deps": attr.label_list(
            doc = "Libraries of further headers.",
            providers = [CcInfo],
        ),
        "headers": attr.string_list(doc = "The headers by their paths; //:include_root finds those that are generated."),
    },
    doc = "Some generated headers, and those of kernels, without what they include.",
)

def operator_headers(name, src, operator_deps):
    """The generated headers, and those of kernels, that a source reads, as a library.

    Args:
      name: of the library.
      src: source of this package.
      operator_deps: OPERATOR_DEPS of the checked-in table.
    """
    path = native.package_name() + "/" + src
    if path not in operator_deps:
        # The package still loads, so that the updater can run.
        stale(
            name = name,
            message = "{} is not in the table of operator dependencies. Run: ./bazelw run //tools:update".format(path),
            tags = ["manual"],
        )
        return
    read = _read_headers([path], operator_deps)
    _generated_headers(
        name = name,
        generators = read.generators,
        headers = if_option("per_operator_headers", read.all[path], read.kernels[path]),
        kernel_headers = read.kernel_headers,
        tags = ["manual"],
        deps = _UMBRELLA,
    )

# What every source reads where `--per_operator_headers` is off.
_UMBRELLA = if_option("per_operator_headers", [], ["//aten/src/ATen:umbrella_headers"])

def _read_headers(paths, operator_deps):
    """What sources read, as attributes of a rule with HEADERS_ATTRS.

    Args:
      paths: of the sources; those that the table lacks are left out.
      operator_deps: OPERATOR_DEPS of the checked-in table.

    Returns:
      A struct: `all`, the paths of headers by source, `kernels`, the same without generated ones,
      `generators` and `kernel_headers`.
    """
    tables = {path: operator_deps[path] for path in paths if path in operator_deps}
    kernels = {
        path: {pattern: names for pattern, names in includes.items() if pattern.startswith(_KERNELS)}
        for path, includes in tables.items()
    }
    generators = {
        _generator(pattern): None
        for includes in tables.values()
        for pattern in includes
        if not pattern.startswith(_KERNELS)
    }
    kernel_headers = {
        header: None
        for includes in kernels.values()
        for header in header_paths(includes)
    }
    return struct(
        all = {path: header_paths(includes, _ATEN) for path, includes in tables.items()},
        generators = if_option("per_operator_headers", generators.keys()),
        kernel_headers = [_kernel_header(header) for header in kernel_headers],
        kernels = {path: header_paths(includes, _ATEN) for path, includes in kernels.items()},
    )

_ATEN = "aten/src/ATen/"
_KERNELS = "native/"

def _kernel_header(header):
    """Label of a header of kernels of the table."""
    name = header.removeprefix(_KERNELS)
    folder, _, file = name.partition("/")
    if folder in KERNEL_FOLDERS:
        return "//aten/src/ATen/native/{}:{}".format(folder, file)
    return "//aten/src/ATen/native:" + name

# What generates the headers of one backend, by their pattern in the table.
_BACKEND_GENERATORS = {
    "ops/{}_" + backend + "_dispatch.h": "//aten/src/ATen/ops:{}_generated".format(backend)
    for backend in BUILT_BACKENDS
}

def _generator(pattern):
    """Label of what generates the headers of a pattern of the table."""
    if not pattern.startswith("ops/"):
        return "//aten/src/ATen:tensor_headers"
    return _BACKEND_GENERATORS.get(pattern, "//aten/src/ATen/ops:generated")

def operator_sources(
        name,
        srcs,
        operator_deps,
        local_defines = [],
        source_defines = {},
        source_deps = {},
        subjects = [],
        visibility = None,
        **kwargs):
    """Sources that each see only the generated headers, and those of kernels, that they include.

    Args:
      name: a library of all of them.
      srcs: sources of this package.
      operator_deps: OPERATOR_DEPS of the checked-in table.
      local_defines: definitions for all of them.
      source_defines: further definitions by source, so that an option compiles only these again.
      source_deps: further libraries by source.
      subjects: libraries of other packages that belong to it.
      visibility: of the library.
      **kwargs: further attributes of `operator_library`: `deps`, `copts`.
    """

    # What has its own definitions or libraries is a target of its own.
    own = [src for src in srcs if src in source_defines or src in source_deps]
    parts = [name + "_" + src.rsplit(".", 1)[0].replace("/", "_") for src in own]
    shared = name + "_sources" if own or subjects else name
    if len(srcs) > len(own):
        _library(
            name = shared,
            srcs = [src for src in srcs if src not in own],
            local_defines = local_defines,
            operator_deps = operator_deps,
            prefix = name,
            visibility = visibility if shared == name else None,
            **kwargs
        )
    for src, part in zip(own, parts):
        _library(
            name = part,
            srcs = [src],
            implementation_deps = source_deps.get(src, []),
            local_defines = local_defines + source_defines.get(src, []),
            operator_deps = operator_deps,
            prefix = name,
            **kwargs
        )
    if shared != name or len(srcs) == len(own):
        cc_library(
            name = name,
            tags = kwargs.get("tags"),
            target_compatible_with = kwargs.get("target_compatible_with"),
            visibility = visibility,
            deps = ([":" + shared] if len(srcs) > len(own) else []) + parts + subjects,
        )

def _library(name, srcs, operator_deps, copts = [], deps = [], implementation_deps = [], **kwargs):
    """The rule, with what every target of the tree has."""
    read = _read_headers([native.package_name() + "/" + src for src in srcs], operator_deps)
    operator_library(
        name = name,
        srcs = srcs,
        copts = LIBRARY_COPTS + copts,
        generators = read.generators,
        headers = if_option("per_operator_headers", read.all, read.kernels),
        # Not `deps`: what depends on this may not read these, nor compile again for them.
        implementation_deps = implementation_deps + _UMBRELLA,
        kernel_headers = read.kernel_headers,
        deps = deps + EVERY_TARGET,
        **kwargs
    )

def operator_tests(srcs, operator_deps, deps, **kwargs):
    """GoogleTest programs that each see only the generated headers that they include.

    Args:
      srcs: sources of this package; `core/ivalue_test.cpp` is the test `core_ivalue_test`.
      operator_deps: OPERATOR_DEPS of the checked-in table.
      deps: what all of them depend on.
      **kwargs: further arguments of `torch_cc_test`.
    """
    for src in srcs:
        name = src.removesuffix(".cpp").replace("/", "_")
        operator_headers(
            name = name + "_generated_headers",
            src = src,
            operator_deps = operator_deps,
        )
        torch_cc_test(
            name = name,
            srcs = [src],
            deps = deps + [":" + name + "_generated_headers"],
            **kwargs
        )

def backend_operators(name, generated_files, deps, visibility):
    """The registrations of the kernels of each backend, `<backend>_operators`, and what generates them.

    Args:
      name: of the list of these libraries, for queries.
      generated_files: GENERATED_FILES of the checked-in list.
      deps: what all of them depend on.
      visibility: of the libraries.
    """
    for backend in BUILT_BACKENDS:
        group = backend + "_sources"
        torch_codegen(
            name = backend + "_generated_sources",
            generated_files = generated_files,
            group = group,
            target_compatible_with = requires_backend(backend),
        )
        paths = generated_paths(generated_files, group) or []
        operator_sources(
            name = backend + "_operators",
            srcs = package_srcs([path for path in paths if path.endswith(".cpp")]),
            local_defines = ["TORCH_{}_BUILD_MAIN_LIB".format(backend.upper())],
            operator_deps = generated_files.includes,
            target_compatible_with = requires_backend(backend),
            visibility = visibility,
            deps = deps,
        )
    native.filegroup(
        name = name,
        srcs = [backend + "_operators" for backend in BUILT_BACKENDS],
        tags = ["manual"],
    )

def _operator_deps_impl(ctx):
    args = ctx.actions.args()
    args.use_param_file("@%s")
    args.set_param_file_format("multiline")
    args.add("--output", ctx.outputs.out)
    args.add("--folder", ctx.label.package)
    args.add("--list", ctx.file.operators)
    args.add_all(ctx.files.srcs)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._includes,
        inputs = ctx.files.srcs + [ctx.file.operators],
        mnemonic = "TorchOperatorDeps",
        outputs = [ctx.outputs.out],
        progress_message = "Reading includes of %{label}",
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
            doc = "Sources, and the headers of the tree that they include, directly or not.",
        ),
        "_includes": attr.label(
            cfg = "exec",
            default = "//tools/codegen:includes",
            executable = True,
        ),
    },
    doc = "Writes the table of the generated headers, and those of kernels, that each source reads.",
)

def operator_deps_table(name, srcs, checked_in = "operator_deps.bzl", visibility = None):
    """Declares the fresh table of the headers that sources read, its updater and its test.

    Args:
      name: name of the updater.
      srcs: sources, and the headers of the tree that they include, directly or not.
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
