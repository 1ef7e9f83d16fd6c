"""Operators and methods of Sequential, ModuleList, ModuleDict, ParameterList and ParameterDict."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import nn


def kinds(modules: Any) -> str:
    return " ".join(type(m).__name__ for m in modules)


def test_sequential() -> None:
    a, b = nn.Sequential(nn.Tanh()), nn.Sequential(nn.ReLU(), nn.GELU())
    assert kinds(a + b) == "Tanh ReLU GELU"
    assert kinds(b * 2) == kinds(2 * b) == "ReLU GELU ReLU GELU"
    c = b
    c *= 2
    assert c is b
    assert kinds(b) == "ReLU GELU ReLU GELU"
    b += a
    assert kinds(b) == "ReLU GELU ReLU GELU Tanh"
    assert type(b.pop(-1)) is nn.Tanh
    b.insert(1, nn.Mish()).insert(-1, nn.SiLU())
    assert kinds(b) == "ReLU Mish GELU ReLU SiLU GELU"
    assert list(b._modules) == [str(i) for i in range(6)]
    with pytest.raises(ValueError, match="add operator supports only objects of Sequential"):
        _ = a + [nn.Tanh()]
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = a * 1.5  # type: ignore[operator]
    with pytest.raises(ValueError, match="Non-positive multiplication factor 0"):
        _ = a * 0
    with pytest.raises(IndexError, match="Index out of range: 9"):
        a.insert(9, nn.Tanh())
    with pytest.raises(AssertionError, match="module should be of type"):
        a.insert(0, 3)  # type: ignore[arg-type]


def test_module_list_and_dict() -> None:
    layers = nn.ModuleList([nn.Tanh(), nn.ReLU()])
    layers += [nn.GELU()]
    assert kinds(layers + [nn.Mish()]) == "Tanh ReLU GELU Mish"
    assert type(layers.pop(0)) is nn.Tanh
    assert kinds(layers) == "ReLU GELU"
    del layers[0:1]
    assert kinds(layers) == "GELU"
    with pytest.raises(TypeError, match="should be called with an iterable, but got int"):
        layers.extend(3)  # type: ignore[arg-type]
    by_name = nn.ModuleDict()
    by_name.update([("b", nn.Tanh()), ("a", nn.ReLU())])
    assert list(by_name) == ["b", "a"]
    by_name.update(nn.ModuleDict({"c": nn.GELU()}))
    assert list(by_name) == ["b", "a", "c"]
    with pytest.raises(TypeError, match="should be called with an iterable of key/value"):
        by_name.update(3)
    with pytest.raises(ValueError, match="#0 has length 3; 2 is required"):
        by_name.update([("a", nn.Tanh(), 1)])


def test_parameter_list() -> None:
    values = nn.ParameterList([torch.ones(1), torch.ones(2)])
    values += [torch.ones(3)]
    assert [len(v) for v in values] == [1, 2, 3]
    assert [len(v) for v in values[1:]] == [2, 3]
    assert isinstance(values[0:2], nn.ParameterList)
    with pytest.raises(TypeError, match="should be called with an iterable, but got Tensor"):
        values.extend(torch.ones(2))
    values.append(3)
    assert "Object of type: int" in repr(values)
    with pytest.raises(RuntimeError, match="ParameterList should not be called"):
        values(1)


def test_parameter_dict() -> None:
    values = nn.ParameterDict({"b": torch.ones(1), "a": torch.zeros(2)})
    assert list(values) == ["a", "b"]
    assert list(reversed(values)) == ["b", "a"]
    joined = values | nn.ParameterDict({"c": torch.ones(3)})
    assert list(joined) == ["a", "b", "c"]
    assert joined["a"] is values["a"]
    assert list(values) == ["a", "b"]
    values |= nn.ParameterDict({"d": torch.ones(4)})
    assert values.popitem()[0] == "d"
    assert values.get("zz") is None
    assert values.get("zz", 3) == 3
    assert len(values.setdefault("e", torch.ones(5))) == 5
    assert type(values["e"]) is nn.Parameter
    assert list(values.copy()) == ["a", "b", "e"]
    assert list(values.fromkeys(["x", "y"], 7).items()) == [("x", 7), ("y", 7)]
    values.clear()
    assert len(values) == 0
    assert list(values.parameters()) == []
    with pytest.raises(KeyError, match="ParameterDict is empty"):
        values.popitem()
    with pytest.raises(RuntimeError, match="ParameterDict should not be called"):
        values(1)


@pytest.mark.parametrize("name", ["ModuleDict", "ParameterDict"])
def test_dicts_say_what_is_no_pair(name: str) -> None:
    for given, kind, message in (
        (3, TypeError, "update should be called with an iterable of key/value pairs, but got int"),
        ([3], TypeError, "update sequence element #0 should be Iterable; isint"),
        ([("a", 1, 2)], ValueError, "update sequence element #0 has length 3; 2 is required"),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            getattr(torch.nn, name)(given)


def test_arguments_have_pytorch_names() -> None:
    relu = nn.ReLU()
    model = nn.Sequential(relu, nn.Sequential(relu))
    assert len(list(model.modules())) == 3
    assert list(model.modules(remove_duplicate=False)).count(relu) == 2
    model.extend(sequential=[nn.Tanh()])
    assert type(model.pop(key=2)) is nn.Tanh
    assert len(model) == 2
