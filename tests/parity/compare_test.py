"""The comparison sees each kind of difference, and the processes survive a crash."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import compare
import pytest
import run
import torch
import values
from processes import Runner, records


def _case(name: str = "torch.mul", **kwargs: Any) -> dict[str, Any]:
    """Two tensors that are not contiguous, the first with a gradient."""
    encoder = values.Encoder()
    tensors = []
    for number in range(2):
        data = torch.arange(6, dtype=torch.float64) + number + 1
        description = {
            "dtype": "float64",
            "shape": (2, 3),
            "strides": (1, 2),
            "offset": 0,
            "requires_grad": number == 0,
            "storage": number,
        }
        encoder.storages.append(values.bytes_of(data))
        tensors.append(description)
    return {
        "steps": [
            (
                name,
                {"kind": "tuple", "items": [{"kind": "input", "index": i} for i in range(2)]},
                encoder.encode(kwargs),
            )
        ],
        "storages": encoder.storages,
        "tensors": tensors,
        "result": None,
        "targets": None,
        "gradients": True,
        "second": True,
    }


def _record() -> dict[str, Any]:
    case = _case()
    record = {"operator": "mul", "case": case, "outcome": run.run(case), "rtol": 0.0, "atol": 0.0}
    return record | {"check": "function", "number": 0, "dtype": "float64"}


def _kinds(record: dict[str, Any], ours: dict[str, Any]) -> set[str]:
    return {difference.kind for difference in compare.differences(record, ours)}


def test_the_same_outcome_has_no_differences() -> None:
    record = _record()
    assert set(record["outcome"]) == {"result", "written", "gradients", "second"}
    assert _kinds(record, run.run(record["case"])) == set()


@pytest.mark.parametrize(
    ("fact", "value", "kind"),
    [
        ("dtype", "float32", "dtype"),
        ("shape", (3, 2), "shape"),
        ("strides", (3, 1), "strides"),
        ("requires_grad", False, "requires_grad"),
        ("view", True, "view"),
    ],
)
def test_a_fact_of_the_result(fact: str, value: Any, kind: str) -> None:
    record = _record()
    ours = copy.deepcopy(record["outcome"])
    ours["result"][fact] = value
    assert kind in _kinds(record, ours)


@pytest.mark.parametrize("part", ["result", "gradients", "second"])
def test_elements(part: str) -> None:
    record = _record()
    ours = copy.deepcopy(record["outcome"])
    found = [ours[part]] if part == "result" else ours[part]
    tensor = next(one for one in found if one["kind"] == "tensor")
    changed = compare.array_of(tensor).copy()
    changed.flat[3] += 1e-3
    tensor["data"] = changed.tobytes()
    assert _kinds(record, ours) == {"values" if part == "result" else part}


def test_exceptions() -> None:
    record = _record()
    error = {"error": "RuntimeError", "message": "argument 'other'"}
    assert _kinds(record, error) == {"raises"}
    assert _kinds(record, {"died": "killed"}) == {"crash"}
    record["case"]["regex"] = "argument 'other'"
    expected = record | {"outcome": error}
    assert _kinds(expected, error) == set()
    assert _kinds(expected, record["outcome"]) == {"accepts"}
    assert _kinds(expected, error | {"error": "TypeError"}) == {"error type"}
    assert _kinds(expected, error | {"message": "no"}) == {"message"}


def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "cases.pickle"
    with path.open("wb") as file:
        for name in ("torch.mul", "torch.no_such_function"):
            pickle.dump({"case": _case(name)}, file)
    first, second = (offset for offset, _ in records(path))
    runner = Runner()
    assert "result" in runner.run(path, first)
    assert runner.run(path, second) == {"absent": "torch.no_such_function"}
    assert runner.process is not None
    runner.process.kill()
    assert runner.run(path, first) == {"died": "the process ended with status -9"}
    assert "result" in runner.run(path, first)
    runner.close()
