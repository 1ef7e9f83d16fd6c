"""The list of outputs: Bazel reads from it what the generator writes, file by file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.codegen.canonical import slice_of
from tools.codegen.cli import main
from tools.codegen.includes import (
    Includes,
    Operators,
    by_pattern,
    generated_includes,
    listed_operators,
)

NATIVE = "aten/src/ATen/native"
RULES = Path("tools/rules/generated_files.bzl")
# The groups of each list.
LISTS = (("operator_headers", "tensor_headers", "sources"), ("autograd",), ("python",))


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


@dataclass(frozen=True)
class Generated:
    """The lists of outputs, the functions that read them, and what the generator writes."""

    lists: list[Any]
    rules: Mapping[str, Any]
    out: Path
    operators: Operators


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    folder = tmp_path_factory.mktemp("list")
    lists = []
    for groups in LISTS:
        path = folder / f"{groups[0]}.bzl"
        arguments = ["--derivatives", "tools/autograd/derivatives.yaml", "--generate", *groups]
        assert main([*arguments, "--output-list", str(path)]) == 0
        assert main([*arguments, "--install-dir", str(folder / "out")]) == 0
        lists.append(starlark(path)["GENERATED_FILES"])
    operators = listed_operators(folder / f"{LISTS[0][0]}.bzl")
    return Generated(lists, starlark(RULES), folder / "out", operators)


def written(folder: Path) -> set[str]:
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}


def test_operators_are_those_that_have_headers(generated: Generated) -> None:
    listed = generated.lists[0]
    assert sorted(set(listed.operators)) == listed.operators
    headers = {p.name for p in (generated.out / "aten/src/ATen/ops").iterdir()}
    assert {f"{name}_ops.h" for name in listed.operators} == {
        header for header in headers if header.endswith("_ops.h")
    }
    assert generated.operators.names == frozenset(listed.operators)
    assert {f"{name}_meta.h" for name in generated.operators.structured} == {
        header for header in headers if header.endswith("_meta.h")
    }


def test_paths_are_those_of_the_files(generated: Generated) -> None:
    paths_of = generated.rules["generated_paths"]
    paths = [
        path
        for listed, groups in zip(generated.lists, LISTS, strict=True)
        for group in groups
        for path in paths_of(listed, group)
    ]
    assert len(set(paths)) == len(paths)
    assert set(paths) == written(generated.out)
    assert paths_of(generated.lists[0], "nothing") is None
    assert paths_of(generated.lists[0], "autograd") is None


def test_declared_headers_are_those_that_sources_include(generated: Generated) -> None:
    includes: dict[str, Includes] = {}
    for listed in generated.lists:
        includes |= listed.includes
    sources = {path for path in written(generated.out) if path.endswith(".cpp")}
    assert set(includes) == sources
    for path in sources:
        text = (generated.out / path).read_text(encoding="utf-8")
        read = generated_includes(text, generated.operators)
        assert generated.rules["header_paths"](includes[path]) == sorted(read), path
        assert includes[path] == by_pattern(read, generated.operators), path


def test_starlark_finds_the_slice(generated: Generated) -> None:
    for name in ("add", "_softmax", "slice_copy", "view_copy", "reshape", "_copy", "z" * 99):
        for count in (1, 16, 32, 64):
            assert slice_of(name, count) == generated.rules["slice_of"](name, count)


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
