"""The GPU architectures of this build, read once."""

load("@bazel_skylib//rules:common_settings.bzl", "BuildSettingInfo")
load("//config:cuda_archs.bzl", "parse_cuda_archs")
load("//toolchains/cuda:toolchain.bzl", "cuda_version", "use_cuda_toolchain")

CudaArchsInfo = provider(
    doc = """The architectures of `--cuda_archs`.

The option is a list joined by `;`, `,` or blanks:

    list  = entry { (";" | "," | " ") entry }
    entry = (number | name) ["+PTX"]
    number = major "." minor ["a" | "f"]     8.0, 9.0a, 10.0f
    name = "All" | "Common" | "Ampere" | ...

`a` is code for one GPU, `f` for its family; `+PTX` also keeps intermediate code, which serves newer GPUs.
""",
    fields = {
        "archs": "list of structs of `code` (`80`, `90a`) and `ptx` (bool), in the order written",
        "option": "the list as it was written",
        "version": "of the toolkit whose nvcc compiles for them",
    },
)

def _cuda_archs_impl(ctx):
    option = ctx.attr.setting[BuildSettingInfo].value
    version = cuda_version(ctx)
    if not version:
        # CUDA is off, and whoever asks nevertheless has an error of its own.
        return [CudaArchsInfo(archs = [], option = option, version = version)]
    parsed = parse_cuda_archs(option, version)
    if parsed.errors:
        fail("\n  ".join([""] + parsed.errors))
    return [CudaArchsInfo(archs = parsed.archs, option = option, version = version)]

cuda_archs = rule(
    implementation = _cuda_archs_impl,
    attrs = {
        "setting": attr.label(
            doc = "The build setting that has the list.",
            mandatory = True,
            providers = [BuildSettingInfo],
        ),
    },
    doc = "Reads the architectures of a setting; fails where this nvcc does not compile for one of them.",
    toolchains = use_cuda_toolchain(),
)

# For a rule that compiles for the architectures of the build.
CUDA_ARCHS_ATTRS = {
    "_cuda_archs": attr.label(
        default = "//tools/rules:cuda_archs",
        providers = [CudaArchsInfo],
    ),
}

_ARCH_LIST = """#include <c10/cuda/CUDAArchList.h>

namespace c10::cuda {{

const char* const kArchList = "{listed}";
const char* const kArchOption = "{option}";

}}  // namespace c10::cuda
"""

def _cuda_arch_list_impl(ctx):
    asked = ctx.attr._cuda_archs[CudaArchsInfo]
    listed = ["sm_" + arch.code for arch in asked.archs]
    listed += ["compute_" + arch.code for arch in asked.archs if arch.ptx]
    ctx.actions.write(ctx.outputs.out, _ARCH_LIST.format(listed = " ".join(listed), option = asked.option))

cuda_arch_list = rule(
    implementation = _cuda_arch_list_impl,
    attrs = CUDA_ARCHS_ATTRS | {
        "out": attr.output(
            doc = "A C++ source.",
            mandatory = True,
        ),
    },
    doc = "Writes the values of c10/cuda/CUDAArchList.h.",
)
