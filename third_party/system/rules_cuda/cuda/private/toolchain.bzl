"""A CUDA toolchain, its configuration, and the one where CUDA is off."""

load(":providers.bzl", "CudaToolchainConfigInfo", "CudaToolkitInfo")

def _config_impl(ctx):
    return [CudaToolchainConfigInfo(
        cuda_toolkit = ctx.attr.cuda_toolkit,
        toolchain_identifier = ctx.attr.toolchain_identifier,
    )]

cuda_toolchain_config = rule(
    implementation = _config_impl,
    attrs = {
        "cuda_toolkit": attr.label(
            doc = "The toolkit.",
            mandatory = True,
            providers = [CudaToolkitInfo],
        ),
        "nvcc_version_major": attr.int(doc = "Of nvcc: 13 of 13.0."),
        "nvcc_version_minor": attr.int(doc = "Of nvcc: 0 of 13.0."),
        "toolchain_identifier": attr.string(
            doc = "What it is.",
            mandatory = True,
            values = ["nvcc"],
        ),
    },
    doc = "The configuration of a toolchain with nvcc.",
    provides = [CudaToolchainConfigInfo],
)

def _cuda_toolchain_impl(ctx):
    config = ctx.attr.toolchain_config[CudaToolchainConfigInfo]
    return [platform_common.ToolchainInfo(
        name = ctx.label.name,
        all_files = depset(ctx.files.compiler_files),
        compiler_executable = ctx.attr.compiler_executable,
        cuda_toolkit = config.cuda_toolkit,
        toolchain_identifier = config.toolchain_identifier,
    )]

cuda_toolchain = rule(
    implementation = _cuda_toolchain_impl,
    attrs = {
        "compiler_executable": attr.string(
            doc = "Path of the compiler.",
            mandatory = True,
        ),
        "compiler_files": attr.label_list(
            allow_files = True,
            cfg = "exec",
            doc = "Files that the compiler reads.",
        ),
        "toolchain_config": attr.label(
            doc = "How it is configured.",
            mandatory = True,
            providers = [CudaToolchainConfigInfo],
        ),
    },
    doc = "A CUDA compiler.",
)

def _disabled_impl(_ctx):
    return [platform_common.ToolchainInfo()]

disabled_toolchain_config = rule(
    implementation = _disabled_impl,
    doc = "An empty toolchain.",
)
