"""What an edit of the operators changes among generated files, and what is made of that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.budget.budget import (
    TENSOR_CLASS,
    YAML,
    CompileAction,
    Tree,
    comment,
    compile_actions,
    function_default,
    method_default,
    new_operator,
    rename_kernel,
    replaced,
    rerun,
)
from tools.codegen.cli import main

GROUPS = ("headers", "sources", "autograd", "python")
LISTS = '    "aten/src/ATen/native/Activation.cpp",\n'
SCALAR = "aten/src/ATen/native/Scalar.cpp"


def generate(folder: Path, text: str) -> dict[str, str]:
    """What the generator writes for these operators, by path."""
    folder.mkdir()
    yaml = folder / "native_functions.yaml"
    yaml.write_text(text, encoding="utf-8")
    out = folder / "out"
    command = [
        *("--native-functions", str(yaml), "--install-dir", str(out)),
        *("--tags", str(Path(YAML).with_name("tags.yaml"))),
        *("--tensor-body-template", "aten/src/ATen/templates/TensorBody.h"),
        *("--derivatives", "tools/autograd/derivatives.yaml"),
    ]
    assert main([*command, *(word for group in GROUPS for word in ("--generate", group))]) == 0
    return {
        str(path.relative_to(out)): path.read_text(encoding="utf-8")
        for path in out.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def text() -> str:
    return Path(YAML).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory, text: str) -> dict[str, str]:
    return generate(tmp_path_factory.mktemp("before") / "tree", text)


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The files that differ, new ones among them."""
    return {path for path in before | after if before.get(path) != after.get(path)}


def kinds(paths: set[str]) -> list[str]:
    """Sharded sources without their numbers; a kind that comes twice has two shards."""
    return sorted(Path(path).stem.rstrip("0123456789") for path in paths if path.endswith(".cpp"))


def test_a_comment_changes_nothing(before: dict[str, str], text: str, tmp_path: Path) -> None:
    after = generate(tmp_path / "after", comment({YAML: text})[YAML])
    assert changed(before, after) == set()


def test_a_kernel_renamed_changes_its_registration(
    before: dict[str, str], text: str, tmp_path: Path
) -> None:
    tree = {YAML: text, SCALAR: "Scalar _local_scalar_dense_cpu(const Tensor& self) {}"}
    after = generate(tmp_path / "after", rename_kernel(tree)[YAML])
    files = changed(before, after)
    assert kinds(files) == ["RegisterCPU_"]
    assert {Path(path).name for path in files if path.endswith(".h")} == {
        "_local_scalar_dense_native.h"
    }


@pytest.mark.parametrize("edit", [function_default, method_default])
def test_a_default_value_changes_one_shard_of_each_kind(
    before: dict[str, str], text: str, tmp_path: Path, edit: Callable[[Tree], Tree]
) -> None:
    files = changed(before, generate(tmp_path / "after", edit({YAML: text})[YAML]))
    found = kinds(files)
    assert len(found) == len(set(found)), f"two shards of one kind: {found}"
    assert "RegisterSchema" in found
    # The tensor class declares methods with their default values.
    assert (TENSOR_CLASS in files) == (edit is method_default)


@pytest.mark.parametrize("variants", ["function", "function, method"])
def test_an_operator_more_changes_one_shard_of_each_kind(
    before: dict[str, str], text: str, tmp_path: Path, variants: str
) -> None:
    tree = {YAML: text, "build_variables.bzl": LISTS}
    after = generate(tmp_path / "after", new_operator(variants)(tree)[YAML])
    files = changed(before, after)
    found = kinds(files)
    assert len(found) == len(set(found)), f"two shards of one kind: {found}"
    # The tensor class changes for methods alone.
    assert (TENSOR_CLASS in files) == ("method" in variants)
    operators = {path for path in files if "/ops/" in path}
    assert {Path(path).name for path in operators} == {
        "budget_example.h",
        "budget_example_native.h",
        "budget_example_ops.h",
    }


def test_an_example_that_is_gone() -> None:
    with pytest.raises(SystemExit, match="needs another example"):
        replaced("text", "word", "other")


def test_what_runs_again() -> None:
    before = {
        "a.o": CompileAction("k", frozenset({"a.h"})),
        "b.o": CompileAction("k", frozenset({"b.h"})),
        "c.o": CompileAction("k", frozenset({"c.h"})),
    }
    after = {**before, "c.o": CompileAction("other", frozenset()), "d.o": before["a.o"]}
    digests = {"a.h": "1", "b.h": "1", "c.h": "1"}
    assert rerun(before, after, digests, {**digests, "a.h": "2"}) == {"a.o", "c.o", "d.o"}
    assert rerun(before, before, digests, {"b.h": "1", "c.h": "1"}) == {"a.o"}
    assert rerun(before, before, digests, digests) == set()


def test_the_action_graph_is_read() -> None:
    graph = {
        "pathFragments": [
            {"id": 1, "label": "dir"},
            {"id": 2, "label": "x.o", "parentId": 1},
            {"id": 3, "label": "x.h", "parentId": 1},
            {"id": 4, "label": "x.d", "parentId": 1},
        ],
        "artifacts": [{"id": i, "pathFragmentId": i + 1} for i in (1, 2, 3)],
        "depSetOfFiles": [
            {"id": 1, "transitiveDepSetIds": [2]},
            {"id": 2, "directArtifactIds": [2]},
        ],
        "actions": [{"actionKey": "k", "inputDepSetIds": [1], "outputIds": [3, 1]}],
    }
    assert compile_actions(graph) == {"dir/x.o": CompileAction("k", frozenset({"dir/x.h"}))}
