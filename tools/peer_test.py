"""Interpreters that a command line names."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from tools.peer import interpreter


def test_an_interpreter_with_its_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert interpreter("json", "sys")(sys.executable) == sys.executable
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    assert interpreter()("./python") == str(tmp_path / "python")


def test_what_is_wrong_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(
        argparse.ArgumentTypeError, match=r"^/no/x is no program\. .*pip install torch$"
    ):
        interpreter("torchgen")("/no/x")
    with pytest.raises(
        argparse.ArgumentTypeError, match=r"has no nosuch\. Type: .* -m pip install nosuch json$"
    ):
        interpreter("nosuch", "json")(sys.executable)
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\necho first >&2\necho broken >&2\nexit 3\n", encoding="utf-8")
    other.chmod(0o755)
    with pytest.raises(
        argparse.ArgumentTypeError, match=r"does not run as a Python; it says: broken$"
    ):
        interpreter()(str(other))
