"""A made-up function of Python that is no operator: seven files, of additions.py."""

from __future__ import annotations

import subprocess
import sysconfig

from tests.backends.new_operator_test import ATEN, QUICKLY
from tests.budget.checkout import Checkout

# Where torch itself uses the function that the made-up one is listed beside.
USERS = {"torch/__config__.py", "torch/utils/benchmark/utils/common.py"}


def test_its_source_is_in_the_library(checkout: Checkout) -> None:
    compiles = checkout.must("aquery", 'mnemonic("CppCompile", //torch/csrc:all)')
    assert "action 'Compiling torch/csrc/Beads.cpp'" in compiles


def test_the_compiler_accepts_it(checkout: Checkout) -> None:
    tables = "//torch/csrc/autograd:python_generated"
    checkout.must("build", *QUICKLY, f"{ATEN}/ops:generated", f"{ATEN}:ufunc", tables)
    python = sysconfig.get_paths()["include"]
    folders = [".", "aten/src", "bazel-bin", "bazel-bin/aten/src", python]
    for source in ("torch/csrc/Beads.cpp", "torch/csrc/Module.cpp"):
        subprocess.run(
            ["g++", "-std=c++20", "-fsyntax-only", *(f"-I{folder}" for folder in folders), source],
            cwd=checkout.root,
            check=True,
        )


def test_every_list_names_it(checkout: Checkout) -> None:
    """CONTRIBUTING's row names each file that lists functions such as get_num_threads."""
    listing = subprocess.run(
        ["grep", "-rlw", "--include=*.py", "--include=*.pyi", "get_num_threads", "torch", "tools"],
        cwd=checkout.root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    counts = {}
    for path in {*listing} - USERS:
        text = (checkout.root / path).read_text(encoding="utf-8")
        counts[path] = (text.count("get_num_threads"), text.count("count_beads"))
    assert counts
    assert all(listed == added for listed, added in counts.values()), counts


def test_the_stub_has_it(checkout: Checkout) -> None:
    checkout.must("build", "//torch:stubs")
    stub = (checkout.root / "bazel-bin/torch/_C/__init__.pyi").read_text(encoding="utf-8")
    assert "def count_beads() -> _int: ..." in stub
