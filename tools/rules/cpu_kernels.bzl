"""CPU kernels: one source, compiled once for each capability, chosen at run time.

The file ATen/native/DispatchStub.h explains how a kernel is registered and chosen.
"""

load("@rules_cc//cc:cc_library.bzl", "cc_library")
load(":cc.bzl", "torch_cc_test")
load(":operators.bzl", "operator_sources")

# GCC's -O2 makes vectors only of loops whose number of steps it knows. Nobody reads errno or the
# exception flags of floating point after a kernel. Without optimisation these change nothing. GCC 12's modref
# forgets that a loop reads what its function captured by value: powers of complex numbers had any exponent.
_LOOPS = ["-fno-math-errno", "-fno-trapping-math"] + select({
    "@rules_cc//cc/compiler:gcc": ["-fno-ipa-modref", "-fvect-cost-model=dynamic", "-fversion-loops-for-strides"],
    "//conditions:default": [],
})

# What Highway's targets of the same generation need.
_AVX2 = ["-mavx2", "-mfma", "-mf16c", "-mbmi", "-mbmi2", "-maes", "-mpclmul"]
_CAPABILITIES = {
    "DEFAULT": [],
    "AVX2": _AVX2,
    "AVX512": _AVX2 + ["-mavx512f", "-mavx512bw", "-mavx512cd", "-mavx512dq", "-mavx512vl"],
}

def _built_for(capability, local_defines):
    """What every target of one capability says."""
    return {
        "copts": _LOOPS + _CAPABILITIES[capability],
        "local_defines": local_defines + [
            "CPU_CAPABILITY=" + capability,
            "CPU_CAPABILITY_" + capability,
        ],
    } | ({} if capability == "DEFAULT" else {"target_compatible_with": ["@platforms//cpu:x86_64"]})

def cpu_kernels(name, srcs, visibility = None, local_defines = [], **kwargs):
    """Kernels compiled for every capability of the target's processor.

    Args:
      name: a library of all of them.
      srcs: sources of this package.
      visibility: of the library.
      local_defines: further definitions.
      **kwargs: further arguments of `operator_sources`.
    """
    for capability in _CAPABILITIES:
        operator_sources(
            name = name + "_" + capability,
            srcs = srcs,
            tags = [] if capability == "DEFAULT" else ["manual"],
            **(kwargs | _built_for(capability, local_defines))
        )
    cc_library(
        name = name,
        visibility = visibility,
        deps = select({
            Label("//tools/rules:every_x86_capability"): [":{}_{}".format(name, c) for c in _CAPABILITIES],
            "//conditions:default": [":" + name + "_DEFAULT"],
        }),
    )

def cpu_kernel_test(name, srcs, local_defines = [], **kwargs):
    """A GoogleTest program for each capability of the target's processor.

    Args:
      name: prefix of the tests' names, and the name of the suite of all of them.
      srcs: sources of this package.
      local_defines: further definitions.
      **kwargs: further arguments of `torch_cc_test`.
    """
    for capability in _CAPABILITIES:
        torch_cc_test(
            name = name + "_" + capability,
            srcs = srcs,
            **(kwargs | _built_for(capability, local_defines))
        )
    native.test_suite(
        name = name,
        tests = [name + "_" + capability for capability in _CAPABILITIES],
    )
