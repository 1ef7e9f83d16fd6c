"""clangd finds no error in sources of every layer, nor in the headers that the generator writes."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.budget.checkout import Checkout
from tools.lint.tree import source_root

LAYERS = {
    "c10": "c10/",
    "ATen": "aten/src/ATen/core/",
    "native": "aten/src/ATen/native/",
    "csrc": "torch/csrc/",
}
SAMPLE = 10


def _clangd() -> str | None:
    """The newest clangd; C++20 needs a recent one."""
    names = ["clangd", *(f"clangd-{version}" for version in range(30, 15, -1))]
    found = [path for path in map(shutil.which, names) if path]
    versions = {path: _version(path) for path in found}
    usable = [path for path in found if versions[path] >= 16]
    return max(usable, key=versions.__getitem__, default=None)


def _version(path: str) -> int:
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"version (\d+)", text)
    return int(number[1]) if number else 0


CLANGD = _clangd()
pytestmark = pytest.mark.skipif(
    CLANGD is None,
    reason="needs clangd 16 or later: apt-get install --no-install-recommends clangd-19",
)


@pytest.fixture(scope="module")
def checkout() -> Iterator[Checkout]:
    """A copy of the tree in which `//tools:compile_commands` was run."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory).resolve()
        result = Checkout.of(source_root(), scratch / "tree", scratch / "output_base", ())
        # The tool calls ./bazelw itself, which must find the same server.
        settings = f"startup --output_base={result.output_base}\n"
        (result.root / ".bazelrc.user").write_text(settings, encoding="utf-8")
        with contextlib.ExitStack() as server:
            server.callback(result.bazel, "shutdown")
            targets = ("//c10/...", "//aten/...", "//torch/csrc/...")
            result.must("run", "//tools:compile_commands", "--", *targets)
            yield result


def _sources(checkout: Checkout) -> list[str]:
    text = (checkout.root / "compile_commands.json").read_text(encoding="utf-8")
    return [entry["file"] for entry in json.loads(text)]


def _errors(checkout: Checkout, source: str) -> list[str]:
    """What clangd finds wrong with a source; its refactorings are not asked for."""
    assert CLANGD is not None
    done = subprocess.run(
        [CLANGD, f"--check={source}", "--check-lines=1-1"],
        cwd=checkout.root,
        env={**os.environ, "HOME": str(checkout.root.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stderr.splitlines() if re.match(r"E\[.*\] \[[a-z_]", line)]
    return lines or ([] if done.returncode == 0 else [done.stderr[-2000:]])


@pytest.mark.parametrize("layer", LAYERS)
def test_a_sample_of_a_layer_has_no_error(checkout: Checkout, layer: str) -> None:
    below = str(checkout.root / LAYERS[layer])
    sources = [source for source in _sources(checkout) if source.startswith(below)]
    assert len(sources) >= SAMPLE
    seed = random.randrange(1000)
    sample = random.Random(seed).sample(sources, SAMPLE)

    def check(source: str) -> tuple[str, list[str]]:
        return source, _errors(checkout, source)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = {source: found for source, found in pool.map(check, sample) if found}
    assert errors == {}, f"seed {seed}"


def test_an_error_is_found(checkout: Checkout) -> None:
    source = next(source for source in _sources(checkout) if source.endswith("/BinaryOps.cpp"))
    broken = Path(source)
    text = broken.read_text(encoding="utf-8")
    assert "<ATen/ops/add_native.h>" in text
    broken.write_text(text.replace("<ATen/ops/add_native.h>", "<ATen/ops/no_such_operator.h>"))
    try:
        assert any("no_such_operator" in line for line in _errors(checkout, source))
    finally:
        broken.write_text(text, encoding="utf-8")
