"""What the scenarios change, and how the actions of a build are counted."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.build.edits import DERIVATIVES, EDITS, TAGS, YAML, Relisted
from benchmarks.build.processor import ProcessorTime
from benchmarks.build.scenarios import row, table_head
from benchmarks.build.sides import (
    Bazel,
    actions_ran,
    began_without_classes,
    ccache_environment,
)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("INFO: 10 processes: 1 internal, 9 worker.\n", 9),
        ("INFO: 1 process: 1 internal.\n", 0),
        ("INFO: 8 processes: 5 disk cache hit, 1 remote cache hit, 2 linux-sandbox.\n", 2),
        ("[1/3] Building\n[2/3] Building\n[3/3] Linking\n", 3),
        ("ninja: no work to do.\n", 0),
    ],
)
def test_actions_are_counted(printed: str, expected: int) -> None:
    assert actions_ran(printed) == expected


_WORK = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\n"


@pytest.mark.parametrize("after", ["", "input()"])
def test_processor_time_of_what_a_server_starts(tmp_path: Path, after: str) -> None:
    """What has ended counts, and so does what still runs."""
    pid = tmp_path / "server/server.pid.txt"
    pid.parent.mkdir()
    spent, elsewhere = ProcessorTime(tmp_path), ProcessorTime()
    line = ["sh", "-c", '"$@"; read x', "sh", sys.executable, "-c", _WORK + after]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline() == "\n"
        pid.write_text(str(server.pid), encoding="utf-8")
        # It was started for this, and then it was there before.
        assert spent.seconds() > 0.2 > ProcessorTime(tmp_path).seconds()
        assert elsewhere.seconds() < 0.2
        server.communicate("\n\n")
    assert elsewhere.seconds() > 0.2


_MAKES = """
import fcntl, sys, time
lock = open(sys.argv[1] + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
print(flush=True)
time.sleep(0.5)
open(sys.argv[1] + ".aot", "w").close()
"""


def test_a_server_begins_with_its_classes(tmp_path: Path) -> None:
    line = tmp_path / "server/cmdline"
    line.parent.mkdir()
    line.write_bytes(b"bazel(x)\0-Xmx1g\0-cp\0x.jar\0")
    assert not began_without_classes(tmp_path)
    classes = tmp_path / "classes.aot"
    line.write_bytes(b"bazel(x)\0-XX:AOTCache=%b\0-cp\0x.jar\0" % bytes(classes))
    # A machine that makes none.
    assert not began_without_classes(tmp_path)
    making = [sys.executable, "-c", _MAKES, str(classes.with_suffix(""))]
    with subprocess.Popen(making, stdout=subprocess.PIPE, text=True) as maker:
        assert maker.stdout
        assert maker.stdout.readline() == "\n"
        assert began_without_classes(tmp_path)
    line.touch()
    assert not began_without_classes(tmp_path)


def test_processor_time_stands_in_the_table(tmp_path: Path) -> None:
    left, right = Bazel(tmp_path, tmp_path, [], 1), Bazel(tmp_path, tmp_path, [], 1)
    left.actions, left.processor, right.actions, right.processor = 3, 1.5, 4, 12.25
    line = row("no-op", ([2.0], [1.0]), [left, right])
    assert line == "| no-op | 2.00 | 1.00 | 0.50 | 3 | 4 | 1.50 | 12.25 |"
    head, rule = table_head("Bazel", "CMake").splitlines()
    assert head.endswith("| processor s of Bazel | of CMake |")
    assert head.count("|") == rule.count("|") == line.count("|")


def test_every_label_that_the_programs_name_exists() -> None:
    folder = Path("benchmarks/build")
    named = {
        node.value
        for program in folder.glob("*.py")
        if not program.name.endswith("_test.py")
        for node in ast.walk(ast.parse(program.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"//[\w/]+(:[\w.]+)?", node.value)
    }
    assert named == set((folder / "built_labels").read_text(encoding="utf-8").split())


def test_the_generator_starts_in_a_checkout(tmp_path: Path) -> None:
    # CMake starts it as `python -m` there; the launcher of this program sets PYTHONSAFEPATH.
    (tmp_path / "generator.py").write_text("print('starts')\n", encoding="utf-8")
    environment = ccache_environment(tmp_path, tmp_path, checkouts=True)
    line = [sys.executable, "-m", "generator"]
    assert subprocess.check_output(line, cwd=tmp_path, env=environment, text=True) == "starts\n"


def test_a_new_operator_is_in_the_lists(tmp_path: Path) -> None:
    for path in (YAML, TAGS, DERIVATIVES):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(Path(path).read_bytes())
    lists = [change for change in EDITS["new operator"] if isinstance(change, Relisted)]
    assert len(lists) == 3
    for change in lists:
        checked_in = Path(change.path + ".fresh").read_bytes()
        (tmp_path / change.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / change.path).write_bytes(checked_in)
        change.apply(tmp_path, 1)
        # The same groups and backends as `//tools:update`.
        assert (tmp_path / change.path).read_bytes() == checked_in
    with (tmp_path / YAML).open("a", encoding="utf-8") as file:
        file.write("\n- func: benchmark(Tensor self, int number=1) -> Tensor\n")
    for change in lists:
        change.apply(tmp_path, 1)
        named = '"benchmark",' in (tmp_path / change.path).read_text(encoding="utf-8")
        # It is a composite: autograd records what it calls.
        assert named == (change.path != "torch/csrc/autograd/generated_files.bzl")
