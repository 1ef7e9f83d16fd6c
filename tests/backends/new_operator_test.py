"""A made-up elementwise operator of CPU, CUDA, Vulkan and Metal: six files, of additions.py.

Where its kernels would run, this stops: each backend registers one, the compiler accepts what is
new for the processor and for shaders, and the shader is there in both languages.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.budget.checkout import Checkout

ATEN = "//aten/src/ATen"
# The compiler only has to accept it.
QUICKLY = ("--copt=-O0", "--//tools/rules:every_capability=false")


def requires_shaders() -> None:
    """Skips where the machine has no compilers of shaders."""
    for program in ("glslangValidator", "spirv-cross"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}: install glslang-tools, libvulkan-dev, spirv-cross")


def generated(checkout: Checkout, pattern: str) -> str:
    """The text of all generated sources whose name fits."""
    files = sorted((checkout.root / "bazel-bin/aten/src/ATen").glob(pattern))
    return "".join(file.read_text(encoding="utf-8") for file in files)


def test_each_backend_has_a_kernel(checkout: Checkout) -> None:
    checkout.must("build", f"{ATEN}:generated_sources")
    assert "ufunc_bell_CPU" in generated(checkout, "RegisterCPU_*.cpp")
    checkout.must("build", "--config=cuda", f"{ATEN}:cuda_generated_sources")
    assert "ufunc_bell_CUDA" in generated(checkout, "RegisterCUDA_*.cpp")
    assert "return ufunc::bell(" in generated(checkout, "UfuncCUDA_bell.cu")
    requires_shaders()
    checkout.must("build", f"{ATEN}:vulkan_generated_sources")
    assert "structured_bell_shader" in generated(checkout, "RegisterVulkan_*.cpp")


def test_the_compiler_accepts_it(checkout: Checkout) -> None:
    checkout.must("build", *QUICKLY, f"{ATEN}:ufunc", f"{ATEN}:ufunc_kernels")
    source = checkout.root / "aten/src/ATen/native/shaders/Pointwise.cpp"
    folders = [".", "aten/src", "bazel-bin", "bazel-bin/aten/src"]
    for key, device in (("Vulkan", "vulkan"), ("MPS", "mps")):
        names = [f"-DTORCH_SHADERS_BACKEND={key}", f"-DTORCH_SHADERS_DEVICE={device}"]
        subprocess.run(
            ["g++", "-std=c++20", "-fsyntax-only", *names, *(f"-I{f}" for f in folders), source],
            cwd=checkout.root,
            check=True,
        )


def test_its_shader_is_there(checkout: Checkout) -> None:
    requires_shaders()
    target = "//aten/src/ATen/native/shaders:glsl"
    checkout.must("build", "--output_groups=spirv,metal", target)
    folder = checkout.root / "bazel-bin/aten/src/ATen/native/shaders/glsl"
    for file in ("unary_float.spv", "unary_half.spv", "unary_float.metal", "unary_half.metal"):
        assert (folder / file).stat().st_size > 0
