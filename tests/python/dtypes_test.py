"""The dtypes in docstrings are those that the functions take: aten/src/ATen/native/dtypes.yaml."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from tests.python import dtypes

REFRESH = "type ./bazelw run //tests/python:dtypes"


@pytest.fixture(scope="module")
def found() -> Iterator[dict[str, list[str]]]:
    yield dict(dtypes.table(dtypes.functions()))


def test_the_file_says_what_the_functions_take(found: dict[str, list[str]]) -> None:
    lines = {dtypes.line(name, taken) for name, taken in found.items() if taken}
    written = set(dtypes.FILE.read_text(encoding="utf-8").splitlines(keepends=True)[2:])
    assert sorted(written - lines) == [], f"the file is out of date: {REFRESH}"
    assert sorted(lines - written) == [], f"the file is out of date: {REFRESH}"


def test_most_functions_are_measured(found: dict[str, list[str]]) -> None:
    assert len([name for name, taken in found.items() if taken]) > 0.97 * len(found) > 1000


def test_known_functions(found: dict[str, list[str]]) -> None:
    assert dtypes.line("f", found["torch.add"]) == '- f: "all"\n'
    assert dtypes.line("f", found["torch.bitwise_not"]) == '- f: "integer bool"\n'
    assert found["torch.linalg.cholesky"] == ["float32", "float64", "complex64", "complex128"]
    assert found["Tensor.exp_"] == [d for d in found["torch.exp"] if "float" in d or "complex" in d]


def test_help_tells_them() -> None:
    assert torch.neg.__doc__ is not None
    line = "Dtypes: floating point, complex, integer, of `input` on the CPU"
    assert line in torch.neg.__doc__
    assert torch.Tensor.exp_.__doc__ is not None
    assert "Dtypes: floating point, complex, of the tensor on the CPU" in torch.Tensor.exp_.__doc__
    assert torch.zeros.__doc__ is not None
    assert "Dtypes: all, on the CPU" in torch.zeros.__doc__
