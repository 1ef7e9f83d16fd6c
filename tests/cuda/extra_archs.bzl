"""Architectures of single files, which a library has beside those asked for."""

load("//:build_variables.bzl", "aten_native_cuda_attention_kernel_extra_archs")

# As an environment variable of a test.
EXTRA_ARCHS = " ".join([
    arch
    for archs in aten_native_cuda_attention_kernel_extra_archs.values()
    for arch in archs
])
