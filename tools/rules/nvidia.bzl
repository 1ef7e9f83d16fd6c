"""Headers of NVIDIA's libraries, for the toolkit that they belong to."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//toolchains/cuda:toolchain.bzl", "find_cuda_toolchain", "use_cuda_toolchain")

def _nvidia_headers_impl(ctx):
    version = find_cuda_toolchain(ctx).version_major
    if version != ctx.attr.major:
        option = ctx.attr.option
        fail(("{on}{library} is for CUDA {wanted}, but the toolkit is CUDA {found}. Take NVIDIA's " +
              "packages with --repo_env=CUDA_TOOLKIT=wheels{off}").format(
            found = version,
            library = ctx.attr.library,
            off = ", or type: --{}=false".format(option) if option else "",
            on = "--{} is on: ".format(option) if option else "",
            wanted = ctx.attr.major,
        ))
    return [ctx.attr.headers[CcInfo]]

nvidia_headers = rule(
    implementation = _nvidia_headers_impl,
    attrs = {
        "headers": attr.label(
            doc = "The headers of the package.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "library": attr.string(
            doc = "What the message calls it: `cuBLAS 13.1`.",
            mandatory = True,
        ),
        "major": attr.int(
            doc = "The version of CUDA that they are for.",
            mandatory = True,
        ),
        "option": attr.string(
            doc = "The option that brings it: `cublas`; none if CUDA itself needs it.",
        ),
    },
    doc = "The headers, for a toolkit that they belong to.",
    provides = [CcInfo],
    toolchains = use_cuda_toolchain(),
)
