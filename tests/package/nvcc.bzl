"""Where the nvcc of the build is, for tests that call it as users do."""

load("//toolchains/cuda:toolchain.bzl", "find_cuda_toolchain", "use_cuda_toolchain")

def _nvcc_path_impl(ctx):
    cuda = find_cuda_toolchain(ctx)
    path = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(path, cuda.nvcc)
    return [DefaultInfo(
        files = depset([path]),
        runfiles = ctx.runfiles([path], transitive_files = cuda.files),
    )]

nvcc_path = rule(
    implementation = _nvcc_path_impl,
    doc = "A file with nvcc's path, as actions name it; its toolkit is in the runfiles where the build brings one.",
    toolchains = use_cuda_toolchain(),
)
