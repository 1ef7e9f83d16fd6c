"""The program prints a number and the function it came from, twice."""

from __future__ import annotations

import re

import pytest

from examples.hello_world import hello_world


def test_prints_grad_fns(capsys: pytest.CaptureFixture[str]) -> None:
    hello_world.main()
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"tensor\(\[0\.\d{4}\], grad_fn=<SigmoidBackward0>\)", first)
    assert re.fullmatch(r"tensor\(\S+, grad_fn=<MseLossBackward0>\)", second)
