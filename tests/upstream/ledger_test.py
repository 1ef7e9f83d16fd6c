"""The runner and the ledger, on a test file made here."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cpp
import pytest
from ledger import Ledger, compared, improvements, regressions
from processes import run_file

TESTS = """
import os, time, unittest
import torch

class TestMade(unittest.TestCase):
    def test_passes(self):
        self.assertEqual((torch.ones(2) + 1).tolist(), [2.0, 2.0])
    def test_fails(self):
        self.assertEqual(torch.ones(1).item(), 2.0, "not\\nthis")
    def test_crashes(self):
        os.abort()
    def test_hangs(self):
        time.sleep(600)
    def test_is_absent(self):
        torch.sparse_coo_tensor(size=(2,))
    def test_lacks_a_name(self):
        torch.no_such_function_of_torch()
    def test_is_skipped(self):
        self.skipTest("no reason")
    def test_sub(self):
        for i in range(3):
            with self.subTest(i):
                self.assertNotEqual(i, 1)
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def test_every_outcome_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "test_made.py"
    file.write_text(TESTS)
    found = run_file([sys.executable], file, environment(), patience=15)
    outcomes = {name.removeprefix("TestMade.test_"): value for name, value in found.items()}
    assert {name: outcome for name, (outcome, _) in outcomes.items()} == {
        "passes": "passed",
        "fails": "failed",
        "crashes": "crashed",
        "hangs": "hung",
        "is_absent": "absent",
        "lacks_a_name": "failed",
        "is_skipped": "skipped",
        "sub": "failed",
    }
    assert outcomes["crashes"][1] == "signal SIGABRT"
    assert "1.0 != 2.0" in outcomes["fails"][1] and "\n" not in outcomes["fails"][1]
    only = run_file([sys.executable], file, environment(), only="passes")
    assert list(only) == ["TestMade.test_passes"]


def test_a_sample_is_the_same_in_every_run(tmp_path: Path) -> None:
    file = tmp_path / "test_made.py"
    methods = "".join(f"    def test_{i}(self): pass\n" for i in range(200))
    file.write_text(f"import unittest\nclass TestMade(unittest.TestCase):\n{methods}")

    def names(share: float, seed: str) -> set[str]:
        return set(run_file([sys.executable], file, environment(), share=share, seed=seed))

    first = names(0.3, "a")
    assert 30 < len(first) < 90
    assert names(0.3, "a") == first != names(0.3, "b")
    assert len(names(1, "a")) == 200
    entry = Ledger({"passed": 2}, {}, share=0.3, seed="a")
    assert str(entry).startswith("a sample of 30 %: 2 of 2, 100.0 %")
    entry.write(tmp_path / "made.json")
    assert Ledger.read(tmp_path / "made.json") == entry


def test_a_file_that_cannot_be_imported_says_why(tmp_path: Path) -> None:
    file = tmp_path / "test_made.py"
    file.write_text("import no_such_module_of_anybody")
    with pytest.raises(RuntimeError, match="No module named 'no_such_module_of_anybody'"):
        run_file([sys.executable], file, environment())


def test_names_that_later_helpers_lost_come_from_the_files_own_tree(tmp_path: Path) -> None:
    later, own = (
        tmp_path / "site/torch/testing/_internal",
        tmp_path / "tree/torch/testing/_internal",
    )
    for directory in (later, own, tmp_path / "tree/test", tmp_path / "site/torchgen"):
        directory.mkdir(parents=True)
    for package in (later, own, tmp_path / "site/torchgen"):
        (package / "__init__.py").touch()
    (tmp_path / "site/torchgen/beside.py").write_text("BESIDE = 3\n")
    (later / "made.py").write_text("from torchgen.beside import BESIDE\nKEPT = BESIDE\n")
    (own / "made.py").write_text("KEPT = 4\nLOST = KEPT * 2\ndef lost(): return KEPT\n")
    file = tmp_path / "tree/test/test_made.py"
    file.write_text(
        "import unittest\n"
        "from torch.testing._internal.made import KEPT, LOST, lost\n"
        "class TestMade(unittest.TestCase):\n"
        "    def test_values(self):\n"
        "        self.assertEqual((KEPT, LOST, lost()), (3, 6, 3))\n"
    )
    helpers = tmp_path / "site/torch"
    found = run_file([sys.executable], file, environment(), helpers=helpers)
    assert found == {"TestMade.test_values": ("passed", "")}


def test_the_ledger_only_improves(tmp_path: Path) -> None:
    peer = dict.fromkeys("abcd", ("passed", "")) | {"e": ("failed", "there too")}
    first = compared(
        peer,
        {
            "a": ("passed", ""),
            "b": ("failed", "x"),
            "c": ("absent", "y"),
            "d": ("passed", ""),
            "e": ("failed", ""),
        },
    )
    assert first.counts == {"absent": 1, "failed": 1, "passed": 2}
    assert str(first) == (
        "2 of 4, 66.7 % of the 3 about parts that exist here (1 absent, 1 failed)"
    )
    path = tmp_path / "made.json"
    assert Ledger.read(path) is None
    first.write(path)
    assert Ledger.read(path) == first

    worse = compared(
        peer,
        {"a": ("failed", "new"), "b": ("crashed", "z"), "c": ("passed", ""), "d": ("passed", "")},
    )
    assert set(regressions(first, worse)) == {"a", "b"}
    assert improvements(first, worse) == ["c"]
    assert regressions(None, worse) == {}
    lost = compared(peer, {"a": ("passed", ""), "c": ("failed", "y"), "d": ("passed", "")})
    assert lost.known["b"] == ("failed", "the test does not exist here")
    assert not regressions(first, lost)


def test_a_cpp_file_that_does_not_compile(tmp_path: Path) -> None:
    file = tmp_path / "made_test.cpp"
    file.write_text('#include "no_such_header.h"\nint main() {}\n')
    outcomes, error = cpp.run_file(tmp_path, file, {"include": [], "libraries": []}, 10)
    assert not outcomes
    assert error == "made_test.cpp:1:10: fatal error: no_such_header.h: No such file or directory"
    peer = {"Made.Passes": ("passed", "")}
    assert cpp.without(peer, error) == {
        "Made.Passes": ("failed", f"does not compile: {error}"),
    }
    refused = 'error: #error "torch/nn.h: this release is without PyTorch\'s C++ front end"'
    assert cpp.without(peer, refused)["Made.Passes"][0] == "absent"


def test_cpp_tests_are_read_from_their_list() -> None:
    listed = "Running main()\nFirst.\n  Passes\nTyped/0.  # TypeParam = float\n  Fails  # x\n"
    assert cpp.test_names(listed) == ["First.Passes", "Typed/0.Fails"]
