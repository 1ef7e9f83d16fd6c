"""Tables that are made again from the files that changed: the same as those made of all files."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from overlay.pytorch import index as index_module
from overlay.pytorch import write_tables
from overlay.pytorch.index import Index, load, save, state_of

ATEN = "aten/src/ATen"
YAML = f"{ATEN}/native/native_functions.yaml"
FILES = {
    YAML: "- func: add(Tensor self) -> Tensor\n",
    f"{ATEN}/native/tags.yaml": "- tag: core\n  desc: |\n    # No comment.\n",
    f"{ATEN}/templates/Function.h": "#include <c10/core/B.h>\n",
    "c10/a.cpp": "#include <c10/core/A.h>\n",
    "c10/core/A.h": "#include <fmt/format.h>\n",
    "c10/core/B.h": "",
    "torch/library.h": "",
}
FOLDERS = ("c10", ATEN)


class Checkout:
    """A checkout whose tables are made again and again.

    Attributes:
      more: further arguments.
      reads: how many files the last run read.
    """

    more: Sequence[str] = ()

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.source = root / "source"
        self.scratch = root
        self.reads = 0
        for name, text in FILES.items():
            self.write(name, text)
        self._read = index_module._read
        monkeypatch.setattr(index_module, "_read", self._counted)

    def _counted(self, path: Path, words: frozenset[str]) -> object:
        self.reads += 1
        return self._read(path, words)

    def write(self, name: str, text: str) -> None:
        """Writes a file."""
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        # The clock of files ticks before anything reads it.
        time.sleep(0.02)

    def table(self, index: str = "index") -> str:
        """What a run writes."""
        self.reads = 0
        output = self.scratch / "tables.bzl"
        line = ["--source", str(self.source), "--output", str(output)]
        line += ["--index", str(self.scratch / index), "--folders", *FOLDERS, *self.more]
        assert write_tables.main(line) == 0
        return output.read_text(encoding="utf-8")

    def table_of_all(self) -> str:
        """What a run without an index writes."""
        return self.table(f"index{time.monotonic_ns()}")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A checkout with a table, on a machine whose file times have a fine resolution."""
    monkeypatch.setattr(index_module, "_COARSEST_NS", 0)
    made = Checkout(tmp_path, monkeypatch)
    made.table()
    assert made.reads == len(FILES)
    return made


def test_nothing_is_read_where_nothing_changed(checkout: Checkout) -> None:
    first = checkout.table()
    assert checkout.reads == 0
    assert first == checkout.table_of_all()


@pytest.mark.parametrize(
    ("name", "text", "reads"),
    [
        ("c10/a.cpp", "#include <c10/core/A.h>\nint a;\n", 1),
        ("c10/a.cpp", "#include <c10/core/B.h>\n", 1),
        ("torch/library.h", "#include <c10/core/B.h>\n", 1),
        (f"{ATEN}/templates/Function.h", "", 1),
        (YAML, "# A comment.\n- func: add(Tensor self) -> Tensor\n", 1),
        (YAML, "- func: mul(Tensor self) -> Tensor\n", 1),
        (f"{ATEN}/native/tags.yaml", "- tag: core\n  desc: |\n    # Another text.\n", 1),
        ("c10/core/New.h", "#include <c10/core/B.h>\n", 1),
    ],
)
def test_an_edit_reads_one_file_and_gives_the_table_of_all(
    checkout: Checkout, name: str, text: str, reads: int
) -> None:
    checkout.write(name, text)
    table = checkout.table()
    assert checkout.reads == reads
    assert table == checkout.table_of_all()
    # And what was learnt is kept.
    assert checkout.table() == table
    assert checkout.reads == 0


def test_an_edit_that_changes_no_include_keeps_the_table(checkout: Checkout) -> None:
    before = checkout.table()
    checkout.write("c10/a.cpp", "// A comment.\n#include <c10/core/A.h>\n")
    checkout.write(YAML, "\n# A comment.\n- func: add(Tensor self) -> Tensor\n")
    assert checkout.table() == before
    checkout.write("c10/a.cpp", "#include <c10/core/B.h>\n")
    assert checkout.table() != before


def test_a_file_that_is_gone(checkout: Checkout) -> None:
    (checkout.source / "c10/core/B.h").unlink()
    assert checkout.table() == checkout.table_of_all()
    assert "c10/core/B.h" not in checkout.table()


def test_the_same_size_and_time_of_another_text(checkout: Checkout) -> None:
    path = checkout.source / "c10/a.cpp"
    times = path.stat()
    path.write_text("#include <c10/core/B.h>\n", encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_mtime_ns == times.st_mtime_ns
    assert path.stat().st_size == times.st_size
    assert checkout.table() == checkout.table_of_all()


def test_a_file_that_has_just_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.write_text("#include <a>\n", encoding="utf-8")
    index = Index(tmp_path)
    assert index.includes("a.cpp") == [("a", False)]
    # The clock of files has not ticked: the text may change, and its times stay.
    saved = json.loads(json.dumps(index.to_json()))
    assert saved["a.cpp"][0] == []
    assert Index(tmp_path, saved).holds()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"made_for": 1}'])
def test_an_index_of_another_form_is_not_believed(checkout: Checkout, text: str) -> None:
    expected = checkout.table()
    (checkout.scratch / "index/facts.json").write_text(text, encoding="utf-8")
    assert checkout.table() == expected
    assert checkout.reads > 1


def test_a_table_that_is_gone_is_made_again(checkout: Checkout) -> None:
    expected = checkout.table()
    (checkout.scratch / "index/tables.bzl").unlink()
    assert checkout.table() == expected


def test_another_program_believes_nothing(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_tables, "programs", lambda: ["another"])
    checkout.table()
    assert checkout.reads > 1


def test_an_index_is_of_one_checkout(checkout: Checkout, tmp_path: Path) -> None:
    checkout.source.rename(tmp_path / "moved")
    checkout.source = tmp_path / "moved"
    checkout.table()
    assert checkout.reads > 1


def test_the_names_of_operators_are_kept(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    header = f"{ATEN}/Functions.h"
    monkeypatch.setattr(checkout, "more", ["--generated", header])
    checkout.write("c10/a.cpp", "#include <ATen/Functions.h>\nauto x = add(y);\n")
    table = checkout.table()
    assert f'"c10/a.cpp": "{header}|add"' in table
    # A word that names no operator.
    checkout.write("c10/a.cpp", "#include <ATen/Functions.h>\nauto x = add(yes);\n")
    assert checkout.table() == table
    # Another one that does.
    checkout.write(YAML, "- func: add(Tensor self) -> Tensor\n- func: yes() -> Tensor\n")
    assert checkout.table() == checkout.table_of_all()
    assert f'"c10/a.cpp": "{header}|add yes"' in checkout.table()
    checkout.write("c10/a.cpp", "#include <ATen/Functions.h>\nauto x = yes();\n")
    assert f'"c10/a.cpp": "{header}|yes"' in checkout.table()
    assert checkout.table() == checkout.table_of_all()


def test_save_and_load(tmp_path: Path) -> None:
    save(tmp_path / "folder/a.json", {"a": [1]})
    assert load(tmp_path / "folder/a.json") == {"a": [1]}
    assert load(tmp_path / "folder/b.json") is None
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["a.json"]


def test_the_state_of_no_file(tmp_path: Path) -> None:
    assert state_of(tmp_path / "none") == []
