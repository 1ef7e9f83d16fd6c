"""torch.classes, Dict(K, V) and SymInt of an extension."""

from __future__ import annotations

import copy
import io
import os
import pickle
from typing import Any

import pytest
import torch

torch.classes.load_library(os.environ["EXTENSION"])
ops = torch.ops.class_ops


def table(**rows: float) -> Any:
    return torch.classes.class_ops.Table({name: torch.tensor(x) for name, x in rows.items()})


def test_methods_and_properties() -> None:
    found = table(b=2.0, a=1.0)
    assert isinstance(found, torch.ScriptObject)
    assert found.names == ["b", "a"]
    assert found.get("a") == 1
    assert found.put(name="c", row=torch.tensor(3.0)) is None
    assert len(found) == 3
    found.scale = 2.5
    assert found.scale == 2.5
    same, row = found.both("b")
    assert same == found
    assert hash(same) == hash(found)
    assert same != table()
    assert row == 2
    assert len(torch.classes.class_ops.Table.empty()) == 0
    assert found.put.__doc__ == "Adds or replaces a row."


def test_operators_take_and_give_objects_and_dicts() -> None:
    found = table(b=2.0, a=1.0)
    found.scale = 10
    assert {k: float(v) for k, v in ops.scaled(found).items()} == {"b": 20, "a": 10}
    assert list(ops.scaled(found)) == ["b", "a"]
    assert len(ops.fresh()) == 0
    assert ops.count([3, 1, 3]) == {3: 2.0, 1: 1.0}
    assert ops.count([3], start={7: 0.5}) == {7: 0.5, 3: 1.0}
    assert str(ops.count.default._schema) == (
        "class_ops::count(int[] keys, Dict(int, float)? start=None) -> Dict(int, float)"
    )


def test_symint_kernels() -> None:
    x = torch.arange(12.0).reshape(4, 3).requires_grad_()
    assert ops.crop(x, 1, [1]).shape == (2, 3)
    ops.crop_grad(x, 2).sum().backward()
    assert x.grad is not None
    assert x.grad.sum(1).tolist() == [3, 3, 0, 0]
    with pytest.raises(RuntimeError, match="crop: 5 rows of 4"):
        ops.crop(x, 5)


def test_copies_and_files() -> None:
    found = table(b=2.0)
    found.scale = 3
    for other in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert other != found
        assert (other.names, other.scale, float(other.get("b"))) == (["b"], 3, 2)
    file = io.BytesIO()
    torch.save({"table": found}, file)
    file.seek(0)
    assert torch.load(file, weights_only=False)["table"].names == ["b"]


def test_errors() -> None:
    found = table(b=2.0)
    with pytest.raises(RuntimeError, match=r"Class class_ops\.Nobody not registered!"):
        _ = torch.classes.class_ops.Nobody
    with pytest.raises(AttributeError, match="has no attribute or method 'nothing'"):
        _ = found.nothing
    with pytest.raises(AttributeError, match="has no property 'nothing' to set"):
        found.nothing = 1
    with pytest.raises(TypeError, match="names of .*Table cannot be set"):
        found.names = []
    with pytest.raises(
        RuntimeError, match=r"put\(\) Expected a value of type 'Tensor' for argument 'row'"
    ):
        found.put("x", 1)
    with pytest.raises(RuntimeError, match=r"Expected a value of type 'Dict\(str, Tensor\)'"):
        torch.classes.class_ops.Table({"a": 1})
    with pytest.raises(RuntimeError, match="Expected a value of type '__torch__"):
        ops.scaled(torch.ones(1))
    with pytest.raises(RuntimeError, match="not in the map"):
        found.get("z")
    with pytest.raises(TypeError, match="No constructor defined"):
        torch.ScriptObject()
    with pytest.raises(NotImplementedError, match="'__iter__' is not implemented for"):
        iter(found)


def test_operators_of_python() -> None:
    number = torch.classes.class_ops.Number
    three = number(3)
    assert abs(number(-2)) == 2
    assert three << 4 == 48
    assert three != number(4)
    assert (three != number(3)) is False
    same = three
    three += 5
    assert three == same
    assert same.value == 8
    with pytest.raises(NotImplementedError, match="'__sub__' is not implemented for"):
        three -= 1


# PyTorch calls operators, constructors and static methods through pybind11.
@pytest.mark.parametrize(
    ("kind", "error", "text"),
    [
        (0, IndexError, "out_of_range"),
        (1, ValueError, "invalid_argument"),
        (2, ValueError, "domain_error"),
        (3, ValueError, "length_error"),
        (4, ValueError, "range_error"),
        (5, OverflowError, "overflow_error"),
        (6, RuntimeError, "runtime_error"),
    ],
)
def test_exceptions_of_the_standard_library(kind: int, error: type[Exception], text: str) -> None:
    for call in (ops.fail, torch.classes.class_ops.Table.fails):
        with pytest.raises(error, match=f"^{text}$"):
            call(kind)
    with pytest.raises(RuntimeError, match=f"^{text}$"):
        table().fail(kind)
