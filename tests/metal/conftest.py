"""The files that the tests read."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--generated", nargs="*", type=Path, required=True)
    parser.addoption("--shaders", nargs="*", type=Path, required=True)
