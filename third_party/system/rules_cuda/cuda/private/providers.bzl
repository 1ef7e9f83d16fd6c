"""Providers of rules_cuda."""

CudaToolkitInfo = provider(
    doc = "A CUDA toolkit.",
    fields = {
        "bin2c": "File of that program, or None.",
        "cicc": "File of that program, or None.",
        "fatbinary": "File of that program, or None.",
        "libdevice": "File of the library libdevice.10.bc, or None.",
        "link_stub": "File link.stub, or None.",
        "nvlink": "File of that program, or None.",
        "path": "String, the toolkit's directory.",
        "ptxas": "File of that program, or None.",
        "version_major": "Int, 13 of 13.0.",
        "version_minor": "Int, 0 of 13.0.",
    },
)

CudaToolchainConfigInfo = provider(
    doc = "How a toolchain is configured.",
    fields = {
        "cuda_toolkit": "Target with CudaToolkitInfo.",
        "toolchain_identifier": "String, `nvcc`.",
    },
)
