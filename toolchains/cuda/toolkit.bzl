"""A CUDA toolkit as rules_cuda's toolchains describe it, and its absence."""

# Public rules of rules_cuda provide it, and its public files do not name it.
# buildifier: disable=bzl-visibility
load("@rules_cuda//cuda/private:providers.bzl", _CudaToolkitInfo = "CudaToolkitInfo")

CudaToolkitInfo = _CudaToolkitInfo

NvccFlagsInfo = provider(
    doc = "What a toolkit's nvcc needs on this machine.",
    fields = {"flags": "List of strings, options of every compile."},
)

def _cuda_toolkit_impl(ctx):
    major, minor = ctx.attr.version.split(".")
    return [
        CudaToolkitInfo(
            path = ctx.attr.path,
            version_major = int(major),
            version_minor = int(minor),
            # nvcc finds its programs beside itself.
            bin2c = None,
            cicc = None,
            fatbinary = None,
            libdevice = None,
            link_stub = None,
            nvlink = None,
            ptxas = None,
        ),
        NvccFlagsInfo(flags = ctx.attr.nvcc_flags),
    ]

cuda_toolkit = rule(
    implementation = _cuda_toolkit_impl,
    attrs = {
        "nvcc_flags": attr.string_list(doc = "Options that make nvcc work on this machine."),
        "path": attr.string(
            doc = "The toolkit's directory.",
            mandatory = True,
        ),
        "version": attr.string(
            doc = "Version of the toolkit, such as `13.0`.",
            mandatory = True,
        ),
    },
    doc = "A toolkit that rules_cuda's toolchains accept.",
    provides = [CudaToolkitInfo],
)

def _cuda_toolkit_missing_impl(ctx):
    fail("no CUDA toolkit that works was found. " + ctx.attr.why)

cuda_toolkit_missing = rule(
    implementation = _cuda_toolkit_missing_impl,
    attrs = {
        "why": attr.string(
            doc = "What was looked for, where, and what to do.",
            mandatory = True,
        ),
    },
    doc = "In place of the toolchain where there is no toolkit: says why when somebody needs it.",
)
