"""Counting what an edit compiles again: on small tables, and with a generator of the test's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from overlay.pytorch.budget import (
    EDITS,
    Compilation,
    Table,
    changed,
    generate,
    main,
    not_in_view,
    of_functions,
    replaced,
    sample_of,
    summary,
    undeclared,
)
from overlay.pytorch.spelling import Spelling
from overlay.pytorch.tables import OperatorHeaders

TABLE = """
INCLUDES = [
    "c10/a.h|",
    "ops/b.h ops/c.h|0",
    "x.cpp|1",
    "y.cpp|0",
    "z.cpp|",
]
"""
YAML = "aten/src/ATen/native/native_functions.yaml"
# Writes a file for each line of the operators that has a name.
GENERATOR = f"""
import pathlib, re, sys
kind = "_".join(word for word in sys.argv if word in ("headers", "sources"))
pathlib.Path("out").mkdir(exist_ok=True)
for line in pathlib.Path({YAML!r}).read_text().splitlines():
    name = re.match(r"- func: (\\w+)", line)
    if name:
        pathlib.Path("out", f"{{name[1]}}_{{kind}}.h").write_text(line)
"""


def test_readers_are_those_that_may_read_a_changed_file() -> None:
    table = Table(TABLE)
    lines = ["lib/x x.cpp", "lib_AVX2/x x.cpp", "lib/y y.cpp", "lib/z z.cpp"]
    assert table.readers(lines, {"ops/c.h"}) == lines[:2]
    assert table.readers(lines, {"c10/a.h"}) == lines[:3]
    assert table.readers(lines, {"z.cpp"}) == lines[3:]
    assert table.readers(lines, {"new.h"}) == []


VIEWS = """
INCLUDES = [
    "aten/src/ATen/ops/f.h|",
    "aten/src/ATen/ops/g.h|",
    "aten/src/ATen/ops/g_native.h|",
    "aten/src/ATen/Functions.h|0 1",
    "v.cpp|",
    "w.cpp|3",
]
VIEWS = {"v.cpp": "aten/src/ATen/Functions.h|g h"}
"""


def test_a_view_has_its_operators_alone() -> None:
    table = Table(VIEWS)
    lines = ["lib/v v.cpp", "lib/w w.cpp"]
    assert table.readers(lines, {"aten/src/ATen/ops/g.h"}) == lines
    assert table.readers(lines, {"aten/src/ATen/ops/f.h"}) == lines[1:]
    # The view is another file, which does not change with it.
    assert table.readers(lines, {"aten/src/ATen/Functions.h"}) == lines[1:]
    assert table.readers(lines, {"aten/src/ATen/ops/g_native.h"}) == []


def test_the_headers_of_a_function_reach_fewer_sources_by_views(tmp_path: Path) -> None:
    native = tmp_path / "native_functions.yaml"
    both = "- func: {}(Tensor self) -> Tensor\n  variants: function, method\n"
    native.write_text("- func: f() -> Tensor\n- func: g() -> Tensor\n" + both.format("m"), "utf-8")
    (tmp_path / "tags.yaml").write_text("[]\n", encoding="utf-8")
    operators = OperatorHeaders.of(native, tmp_path / "tags.yaml")
    counts = of_functions(Table(VIEWS), ["lib/v v.cpp", "lib/w w.cpp"], operators)
    assert counts == {"f": (1, 2), "g": (2, 2)}
    assert "2 operators are functions and no methods" in summary(counts)[0]
    assert summary(counts)[2] == "Times fewer: 1.5 in the median, 1.0 at the 10th percentile"


def test_what_macros_become_is_checked_against_the_view(tmp_path: Path) -> None:
    files = {
        "v.cpp": '#include "m.h"\n#include "aten/src/ATen/Functions.h"\nPASTE(t, wice)(g());\n',
        "m.h": "#define PASTE(a, b) a##b\n",
        # Declarations are no names.
        "aten/src/ATen/Functions.h": "void thrice();\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    compilation = Compilation(f"c++ -o v.o -c {tmp_path}/v.cpp", tmp_path, [tmp_path])
    spelling = Spelling(["g", "twice", "thrice"], {})
    found = not_in_view(Table(VIEWS), spelling, compilation, compilation.read())
    assert found == ["v.cpp names twice by twice, which the view of v.cpp lacks"]
    complete = Table(VIEWS.replace("|g h", "|g twice"))
    assert not_in_view(complete, spelling, compilation, compilation.read()) == []
    # Where the header is whole nothing is missing.
    assert not_in_view(Table(TABLE), spelling, compilation, compilation.read()) == []
    assert undeclared(Table(VIEWS), [compilation.read()]) == []


def test_changed_files_are_new_and_gone_ones_too() -> None:
    assert changed({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}) == {
        "b",
        "c",
        "d",
    }


def test_an_edit_without_an_example() -> None:
    assert (
        replaced("- func: f(int x=1)\n", r"^(- func: f\(int x=)1", r"\g<1>2")
        == "- func: f(int x=2)\n"
    )
    with pytest.raises(SystemExit, match="the edit needs another one"):
        replaced("text", "^other", "")


def test_each_edit_changes_the_operators_or_a_header() -> None:
    text = (
        "- func: margin_ranking_loss(Tensor input1, float margin=0.0) -> Tensor\n"
        "- func: _convert_indices_from_coo_to_csr(int size, bool out_int32=False) -> Tensor\n"
        "- func: _convert_indices_from_coo_to_csr.out(int size, bool out_int32=False) -> Tensor\n"
        "- func: allclose(Tensor self, Tensor other, float rtol=1e-05) -> bool\n"
    )
    assert all((edit.operators(text) != text) != bool(edit.header) for edit in EDITS.values())


def checkout(root: Path) -> Path:
    """A checkout whose generators are the one above."""
    for script in ("torchgen/gen.py", "tools/setup_helpers/generate_code.py"):
        (root / script).parent.mkdir(parents=True)
        (root / script).write_text(GENERATOR, encoding="utf-8")
    for folder in ("aten/src/ATen/templates", "torch/csrc/inductor/aoti_torch/generated"):
        (root / folder).mkdir(parents=True)
    (root / YAML).parent.mkdir(parents=True)
    for name in (
        "aten/src/ATen/native/tags.yaml",
        "aten/src/ATen/native/ts_native_functions.yaml",
        "torch/csrc/lazy/core/shape_inference.h",
        "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
        "torch/csrc/lazy/ts_backend/ts_node.h",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("", encoding="utf-8")
    return root


def test_the_checkout_s_generators_run_before_and_after(tmp_path: Path) -> None:
    source = checkout(tmp_path)
    before = generate(source, "- func: f\n- func: g\n")
    assert sorted(before) == [
        f"out/{name}_{kind}.h" for name in "fg" for kind in ("", "headers", "sources")
    ]
    after = generate(source, "- func: f\n- func: g(int x)\n")
    assert changed(before, after) == {"out/g_.h", "out/g_headers.h", "out/g_sources.h"}
    assert not (source / "out").exists()


def test_a_generator_that_fails(tmp_path: Path) -> None:
    source = checkout(tmp_path)
    (source / "torchgen/gen.py").write_text(
        "raise ValueError('no such operator')", encoding="utf-8"
    )
    with pytest.raises(SystemExit, match=r"(?s)torchgen/gen.py of .* failed:.*no such operator"):
        generate(source, "- func: f\n")


def test_what_the_compiler_reads_is_checked_against_the_table(tmp_path: Path) -> None:
    home, build = tmp_path / "home", tmp_path / "home/build"
    build.mkdir(parents=True)
    (home / "c10").mkdir()
    (home / "c10/a.h").write_text("", encoding="utf-8")
    for name in "yz":
        (home / f"{name}.cpp").write_text(
            "#include <c10/a.h>\n#include <stdio.h>\n", encoding="utf-8"
        )
    (build / "CMakeCache.txt").write_text(
        f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n", encoding="utf-8"
    )
    commands = [
        {
            "command": f"c++ -I{home} -o x/torch_cpu.dir/{name}.o -c {home}/{name}.cpp",
            "directory": str(build),
            "file": f"{home}/{name}.cpp",
        }
        for name in "yz"
    ] + [{"command": "false -o x/c10.dir/w.o", "directory": str(build), "file": "w.cpp"}]
    (build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    sample = [compilation.read() for compilation in sample_of(build, 5, seed=1)]
    assert sorted(read for found in sample for read in found if read.endswith(".cpp")) == [
        "y.cpp",
        "z.cpp",
    ]
    assert undeclared(Table(TABLE), sample) == ["z.cpp reads c10/a.h"]


def arguments(root: Path, compilations: str) -> list[str]:
    """Files of a checkout whose header nine of ten sources may read, at most."""
    table = """INCLUDES = ["c10/core/TensorImpl.h|", "x.cpp|0", "y.cpp|"]\n"""
    texts = {"tables.bzl": table, "torch_cpu_compilations.txt": compilations, "version.txt": ""}
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8")
    (root / YAML).parent.mkdir(parents=True)
    (root / YAML).write_text("- func: f\n", encoding="utf-8")
    return [*(str(root / name) for name in texts), "--edits", "comment", "header"]


@pytest.mark.parametrize(
    ("compilations", "status", "said"),
    [
        ("lib/x x.cpp\nlib/y y.cpp\n", 0, "| c10/core/TensorImpl.h | 1 | 1 | 1 |"),
        ("lib/x x.cpp\nlib/z x.cpp\n", 1, "TensorImpl.h: 2 compilations, not 1 to 1"),
        ("lib/y y.cpp\nlib/z y.cpp\n", 1, "TensorImpl.h: 0 compilations, not 1 to 1"),
    ],
)
def test_an_edit_over_its_budget_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], compilations: str, status: int, said: str
) -> None:
    assert main(arguments(tmp_path, compilations)) == status
    assert said in capsys.readouterr().out
