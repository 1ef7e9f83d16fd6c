"""The list of outputs: Bazel reads from it what the generator writes, file by file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.codegen.cli import main
from tools.codegen.context import shard_of
from tools.codegen.includes import generated_includes, listed_operators, words

NATIVE = "aten/src/ATen/native"
RULES = Path("tools/rules/generated_files.bzl")
GROUPS = ("operator_headers", "tensor_headers", "sources", "autograd", "python")


def java_hash(text: str) -> int:
    """What Starlark's `hash` is."""
    value = 0
    for unit in text.encode("utf-16-be")[1::2]:
        value = (value * 31 + unit) % 2**32
    return value - 2**32 if value >= 2**31 else value


def starlark(path: Path, **scope: Any) -> dict[str, Any]:
    """The names a file of Starlark defines."""
    scope = {"hash": java_hash, "struct": SimpleNamespace, **scope}
    exec(path.read_text(encoding="utf-8"), scope)
    return scope


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Mapping[str, Any], Path]:
    """The list, the functions that read it, and what the generator writes."""
    folder = tmp_path_factory.mktemp("list")
    arguments = ["--derivatives", "tools/autograd/derivatives.yaml"]
    for group in GROUPS:
        arguments += ["--generate", group]
    assert main([*arguments, "--output-list", str(folder / "list.bzl")]) == 0
    assert main([*arguments, "--install-dir", str(folder / "out")]) == 0
    listed = starlark(folder / "list.bzl")["GENERATED_FILES"]
    return listed, starlark(RULES), folder / "out"


def written(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_each_operator_stands_once(generated: tuple[Any, Mapping[str, Any], Path]) -> None:
    listed, rules, out = generated
    names: Iterable[str] = rules["operators_of"](listed)
    headers = {p.name for p in (out / "aten/src/ATen/ops").iterdir()}
    assert sorted(set(names)) == list(names)
    assert {f"{name}_ops.h" for name in names} == {h for h in headers if h.endswith("_ops.h")}


def test_paths_are_those_of_the_files(generated: tuple[Any, Mapping[str, Any], Path]) -> None:
    listed, rules, out = generated
    paths = [path for group in GROUPS for path in rules["generated_paths"](listed, group)]
    assert len(set(paths)) == len(paths)
    assert set(paths) == written(out)
    assert rules["generated_paths"](listed, "nothing") is None


def test_headers_are_those_that_sources_read(
    generated: tuple[Any, Mapping[str, Any], Path],
) -> None:
    listed, rules, out = generated
    headers = rules["headers_by_source"](listed)
    operators = listed_operators(out.parent / "list.bzl")
    assert operators.names == set(rules["operators_of"](listed))
    sources = {path for path in written(out) if path.endswith(".cpp")}
    assert set(headers) == sources
    for path in sources:
        text = (out / path).read_text(encoding="utf-8")
        read = sorted(generated_includes(text, operators))
        assert rules["header_paths"](headers[path]) == read, path
        assert rules["header_paths"](words(read, operators)) == read, path


def test_an_operator_is_in_the_shard_that_starlark_finds() -> None:
    for name in ("add", "_softmax", "linalg_vector_norm", "z" * 99):
        for count in (1, 2, 7):
            assert shard_of(name, count) == java_hash(name) % count


def test_headers_of_a_backend_are_apart(tmp_path: Path) -> None:
    native = tmp_path / "native_functions.yaml"
    native.write_text(
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f_cpu\n    CUDA: f_cuda\n"
    )
    out = tmp_path / "list.bzl"
    arguments = ["--native-functions", str(native), "--tags", f"{NATIVE}/tags.yaml"]
    assert main([*arguments, "--cuda", "--output-list", str(out)]) == 0
    listed, rules = starlark(out)["GENERATED_FILES"], starlark(RULES)
    assert rules["headers_by_operator"](listed) == {
        "f": {
            "": ["f.h", "f_ops.h", "f_native.h", "f_cpu_dispatch.h"],
            "cuda": ["f_cuda_dispatch.h"],
        }
    }
    assert "aten/src/ATen/RegisterCUDA_3.cpp" in rules["generated_paths"](listed, "cuda_sources")
    assert rules["generated_paths"](listed, "cuda_headers") == [
        "aten/src/ATen/CUDAFunctions.h",
        "aten/src/ATen/ops/f_cuda_dispatch.h",
    ]
