"""What an edit of the operators changes among generated files, and what is made of that."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.budget.budget import (
    YAML,
    comment,
    function_default,
    method_default,
    misses,
    new_operator,
    rename_argument,
    rename_kernel,
    replaced,
    unread,
)
from tests.budget.checkout import (
    COMPILER,
    TENSOR_CLASS,
    Checkout,
    Compilation,
    Tree,
    actions_ran,
    compilations,
    linked,
    links,
)
from tools.codegen.cli import main

GROUPS = ("headers", "sources", "autograd", "python")
LISTS = '    "Activation.cpp",\n'
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


def test_an_argument_renamed_changes_what_holds_its_name(
    before: dict[str, str], text: str, tmp_path: Path
) -> None:
    files = changed(before, generate(tmp_path / "after", rename_argument({YAML: text})[YAML]))
    assert kinds(files) == [
        "Operators_",
        "RegisterCompositeImplicitAutograd_",
        "RegisterSchema",
        "python_nn_functions",
    ]
    headers = {Path(path).name for path in files if path.endswith(".h")}
    assert headers == {
        "cross_entropy_loss.h",
        "cross_entropy_loss_compositeimplicitautograd_dispatch.h",
        "cross_entropy_loss_native.h",
        "cross_entropy_loss_ops.h",
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
        "budget_example_compositeexplicitautograd_dispatch.h",
        "budget_example_native.h",
        "budget_example_ops.h",
    }


def test_an_example_that_is_gone() -> None:
    with pytest.raises(SystemExit, match="needs another example"):
        replaced("text", "word", "other")


def test_the_execution_log_is_read() -> None:
    entry = {
        "cacheHit": True,
        "inputs": [{"path": "x.cpp"}, {"path": "x.h"}],
        "listedOutputs": ["bazel-out/cpu-opt/bin/dir/x.pic.d", "bazel-out/cpu-opt/bin/dir/x.pic.o"],
        "mnemonic": "CppCompile",
    }
    log = json.dumps(entry, indent=1) + "\n" + json.dumps({**entry, "mnemonic": "CppArchive"})
    (found,) = compilations(log)
    assert found == Compilation("dir/x.pic.o", frozenset({"x.cpp", "x.h"}), True)
    assert found.source == "x"
    assert misses([found]) == []
    assert compilations("") == []
    assert actions_ran(log) == {}
    assert actions_ran(json.dumps({**entry, "cacheHit": False})) == {"CppCompile": 1}


def test_links_stop_at_an_interface_unless_symbols_change() -> None:
    def entry(mnemonic: str, output: str, *inputs: str) -> str:
        below = "bazel-out/cpu-opt/bin/"
        files = [{"path": below + path} for path in inputs]
        return json.dumps(
            {"mnemonic": mnemonic, "inputs": files, "listedOutputs": [below + output]}
        )

    log = "".join(
        [
            entry("CppArchive", "c/libc.lo", "c/x.pic.o"),
            entry("CppLink", "c/libc.so", "c/libc.lo"),
            entry("InterfaceLibrary", "c/libc.ifso", "c/libc.so"),
            entry("CppLink", "t/libt.so", "t/y.pic.o", "_solib_k8/_U_S_Sc/libc.ifso"),
        ]
    )
    edited = [Compilation("c/x.pic.o", frozenset(), False)]
    assert linked(edited, links(log), symbols=False) == {"c/libc.so"}
    assert linked(edited, links(log), symbols=True) == {"c/libc.so", "t/libt.so"}
    assert linked([], links(log), symbols=True) == set()


def test_a_header_that_may_be_read_and_is_not(tmp_path: Path) -> None:
    header = "bazel-out/cpu-opt/bin/aten/src/ATen/ops/{}.h"
    checkout = Checkout(tmp_path, tmp_path, ())
    compilation = Compilation(
        "dir/x.pic.o", frozenset({"x.cpp", header.format("add"), header.format("mul")}), False
    )
    written = tmp_path / "bazel-bin/dir/x.pic.d"
    written.parent.mkdir(parents=True)
    written.write_text(f"dir/x.o: x.cpp \\\n {header.format('add')}\n")
    assert unread(checkout, [compilation]) == [
        f"dir/x.pic.o may read {header.format('mul')} and does not"
    ]


def test_the_reading_compiler_reads_and_makes_no_code(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("#pragma once\n")
    (tmp_path / "x.cpp").write_text("#include <x.h>\nsyntax error;\n")
    out = tmp_path / "x.o"
    command = [COMPILER, "-MD", "-MF", str(out.with_suffix(".d")), "-o", str(out)]
    command += ["-c", str(tmp_path / "x.cpp")]
    failed = subprocess.run(command, capture_output=True, text=True)
    assert failed.returncode != 0
    assert "x.h: No such file or directory" in failed.stderr
    subprocess.run([*command, f"-I{tmp_path}"], check=True)
    assert out.read_bytes() == b""
    assert str(tmp_path / "x.h") in out.with_suffix(".d").read_text()
