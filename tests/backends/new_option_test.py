"""A made-up option and a made-up library out of a wheel, which additions.py adds."""

from __future__ import annotations

import re

from tests.budget.checkout import Checkout

RANDOM = "//aten/src/ATen/native/random"
CUDA = "//aten/src/ATen/native/cuda"


def test_the_option_reaches_its_source_alone(checkout: Checkout) -> None:
    compiles = f'mnemonic("CppCompile", {RANDOM}:all)'
    on = checkout.must("aquery", "--loaded_dice", compiles)
    assert on.count("-DATEN_LOADED_DICE") == 1
    assert "-DATEN_LOADED_DICE" not in checkout.must("aquery", compiles)


def test_the_source_and_the_link_of_the_library(checkout: Checkout) -> None:
    native = checkout.must("query", "--output=build", f"{CUDA}:all")
    assert native.count('"//config:cudice_on": ["USE_CUDICE"]') == 1
    library = checkout.must("query", "--output=build", "//aten:all")
    assert re.search(r'"//config:cudice_on": \["[^"]+//cudice:libcudice\.so\.1"\]', library)


def test_the_library_needs_cuda(checkout: Checkout) -> None:
    refused = checkout.bazel("build", "--nobuild", "--cudice", "//config:checked_complete")
    assert refused.returncode != 0
    assert "--cudice needs --cuda, but --cuda is off. Type: --cudice --cuda" in refused.stderr


def test_both_are_documented(checkout: Checkout) -> None:
    options = (checkout.root / "docs/options.md").read_text(encoding="utf-8")
    assert "| `--loaded_dice` | off | Throw dice that show six" in options
    assert "| `--cudice` | off | Throw dice on CUDA by cuDice" in options
    facts = "cuDice 1.2.3 | 6 MB | LicenseRef-NVIDIA-Proprietary | our own dice |"
    assert f"| `--cudice` | {facts}" in options


def test_both_have_a_variable(checkout: Checkout) -> None:
    table = checkout.must("run", "//tools/summary", "--", "--env")
    assert re.search(r"USE_LOADED_DICE\s+--loaded_dice\s+dice that show six", table)
    # Without the library this version refuses the variable.
    assert re.search(r"USE_MAGMA\s+--cudice\s+cuDice", table)
    assert table.count("USE_MAGMA") == 1


def test_nothing_else_asks_for_more(checkout: Checkout) -> None:
    tests = ("//config/...", "//tools/package:environment_test")
    # All additions together are more options than a tree may have.
    checkout.must("test", "--test_output=errors", "--", *tests, "-//config/tests:declared_test_0")
