"""A made-up operator with a stub, and kernels of CPU and CUDA: six files, of additions.py.

Its in-place form is an edit of two of them.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from tests.backends.new_operator_test import ATEN, QUICKLY, generated
from tests.budget.checkout import Checkout

NATIVE = f"{ATEN}/native"


def test_its_kernel_is_compiled_for_each_capability(checkout: Checkout) -> None:
    compiles = checkout.must("aquery", f'mnemonic("CppCompile", {NATIVE}:all)')
    compiled = re.split(r"^action ", compiles, flags=re.MULTILINE)
    kernel = [action for action in compiled if "cpu/SwellKernel.cpp'" in action.split("\n")[0]]
    capabilities = [re.findall(r"-DCPU_CAPABILITY=(\w+)", action) for action in kernel]
    assert sorted(capabilities) == [["AVX2"], ["AVX512"], ["DEFAULT"]]


def test_its_kernel_is_compiled_for_each_architecture(checkout: Checkout) -> None:
    if shutil.which("nvcc") is None:
        pytest.skip("there is no nvcc: install a CUDA toolkit")
    flags = ("--config=cuda", "--cuda_archs=8.0;9.0")
    query = f'mnemonic("CudaDevice", {NATIVE}/cuda:all)'
    devices = checkout.must("aquery", *flags, query)
    assert len(re.findall(r"^action .*SwellKernel\.cu.*$", devices, re.MULTILINE)) == 2


def test_both_backends_register_it(checkout: Checkout) -> None:
    checkout.must("build", f"{ATEN}:generated_sources")
    registered = generated(checkout, "RegisterCPU_*.cpp")
    assert "at::native::swell(self, twice)" in registered
    assert "at::native::swell_(self, twice)" in registered
    checkout.must("build", "--config=cuda", f"{ATEN}:cuda_generated_sources")
    assert "at::native::swell(self, twice)" in generated(checkout, "RegisterCUDA_*.cpp")


def test_the_compiler_accepts_it(checkout: Checkout) -> None:
    checkout.must("build", *QUICKLY, f"{ATEN}/ops:generated", f"{ATEN}:ufunc")
    folders = [".", "aten/src", "bazel-bin", "bazel-bin/aten/src"]
    native = "aten/src/ATen/native"
    for source in (f"{native}/Swell.cpp", f"{native}/cpu/SwellKernel.cpp"):
        subprocess.run(
            ["g++", "-std=c++20", "-fsyntax-only", "-DCPU_CAPABILITY=DEFAULT",
             *(f"-I{folder}" for folder in folders), source],
            cwd=checkout.root,
            check=True,
        )  # fmt: skip
