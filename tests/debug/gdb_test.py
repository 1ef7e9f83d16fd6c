"""gdb stops in a source of the tree and shows it; that source alone has symbols (.bazelrc)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# As the debug information names it: relative to where gdb starts, which is the checkout.
SOURCE = Path("torch/csrc/Module.cpp")


def test_gdb_stops_at_the_source_line() -> None:
    gdb = shutil.which("gdb", path="/usr/local/bin:/usr/bin:/bin")
    if not gdb:
        pytest.skip("this machine has no gdb: apt-get install --no-install-recommends gdb")
    commands = ["set breakpoint pending on", "b initModule", "run", "info source", "bt 1"]
    words = [gdb, "-nx", "-batch", *(word for one in commands for word in ("-ex", one))]
    program = "import sys; sys.path.insert(0, '.'); import torch"
    said = subprocess.run(
        [*words, "--args", sys.executable, "-c", program],
        check=False,
        env=os.environ | {"DEBUGINFOD_URLS": ""},
        stderr=subprocess.STDOUT,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    if "Could not trace the inferior process" in said:
        pytest.skip("programs may not be traced here (ptrace)")
    found = re.search(r"^Breakpoint 1.*, initModule \(\) at (\S+):(\d+)$", said, re.MULTILINE)
    assert found, said
    assert found[1].endswith(str(SOURCE))
    number = int(found[2])
    line = SOURCE.read_text(encoding="utf-8").splitlines()[number - 1]
    assert f"{number}\t{line}" in said
    assert "initModule" in said.split("#0")[1]
