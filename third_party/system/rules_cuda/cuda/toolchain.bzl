"""The CUDA toolchain: a toolkit's nvcc and what it reads."""

def _cuda_toolchain_impl(ctx):
    major, minor = ctx.attr.version.split(".")
    return [platform_common.ToolchainInfo(
        name = ctx.label.name,
        all_files = depset(ctx.files.compiler_files),
        compiler_executable = ctx.attr.compiler_executable,
        nvcc_flags = ctx.attr.nvcc_flags,
        toolchain_identifier = "nvcc",
        cuda_toolkit = struct(version_major = int(major), version_minor = int(minor)),
    )]

cuda_toolchain = rule(
    implementation = _cuda_toolchain_impl,
    doc = "A CUDA compiler.",
    attrs = {
        "compiler_executable": attr.string(doc = "Path of nvcc."),
        "compiler_files": attr.label_list(doc = "Files that the compiler reads.", allow_files = True),
        "nvcc_flags": attr.string_list(doc = "Options that make nvcc work on this machine."),
        "version": attr.string(doc = "Version of the toolkit, such as 13.0."),
    },
)

def _cuda_toolchain_missing_impl(ctx):
    fail("no CUDA toolkit that works was found. " + ctx.attr.why)

cuda_toolchain_missing = rule(
    implementation = _cuda_toolchain_missing_impl,
    doc = "In place of the toolchain where there is none: says why when somebody needs it.",
    attrs = {"why": attr.string(doc = "What was looked for, where, and what to do.", mandatory = True)},
)

_TOOLCHAIN_TYPE = Label("//cuda:toolchain_type")

def use_cuda_toolchain():
    """Value for a rule's `toolchains`."""
    return [_TOOLCHAIN_TYPE]

def find_cuda_toolchain(ctx):
    """The toolchain of a rule's context."""
    return ctx.toolchains[_TOOLCHAIN_TYPE]
