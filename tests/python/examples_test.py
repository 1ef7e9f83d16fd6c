"""The examples of all docstrings of the package run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
import re
import warnings
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pytest
import torch
from torch._docstrings import arguments, documented_by
from torch._placement import home


def _modules() -> list[str]:
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in pkgutil.walk_packages(torch.__path__, "torch.", onerror=lambda _: None):
            spec = importlib.util.find_spec(module.name)
            # Libraries stand beside the sources; a program is no module.
            if spec and (spec.origin or "").endswith(".py") and "__main__" not in module.name:
                found.append(module.name)
    return found


class _Finder(doctest.DocTestFinder):
    """Finds what is written in a module, whatever module it is PyTorch's by."""

    def _from_module(self, module: Any, object: Any) -> bool:
        where = home(object) if object.__hash__ else None
        if where is not None and not inspect.ismodule(object) and hasattr(object, "__doc__"):
            return bool(where == module.__name__)
        return bool(super()._from_module(module, object))  # type: ignore[misc]


def _examples(module: Any) -> list[doctest.DocTest]:
    return [one for one in _Finder().find(module, extraglobs={"torch": torch}) if one.examples]


@pytest.mark.parametrize("name", _modules())
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    torch.manual_seed(0)
    runner = doctest.DocTestRunner()
    assert [one.name for one in _examples(module) if runner.run(one).failed] == []


def test_there_are_examples() -> None:
    assert len(_examples(torch.nn.modules.conv)) >= 6
    assert len(_examples(torch.nn.functional.activation)) >= 20
    assert len(_examples(torch._settings)) >= 1


def _members(name: str) -> list[tuple[str, Any]]:
    module = importlib.import_module(name)
    return [
        (f"{name}.{member}", value)
        for member, value in vars(module).items()
        if (inspect.isclass(value) or inspect.isfunction(value)) and home(value) == name
    ]


@pytest.mark.parametrize("name", _modules())
def test_documented_arguments_are_parameters(name: str) -> None:
    wrong = []
    for member, value in _members(name):
        documented = arguments(value.__doc__ or "")
        if not documented:
            continue
        parameters = inspect.signature(value).parameters
        if not any(one.kind is one.VAR_KEYWORD for one in parameters.values()):
            wrong += [f"{member}: {one}" for one in documented if one not in parameters]
    assert wrong == []


def _public(name: str) -> Iterator[tuple[str, Any]]:
    """The public classes and functions that a module defines, and what these classes define."""
    for member, value in _members(name):
        if member.rpartition(".")[2].startswith("_"):
            continue
        yield member, value
        for own in vars(value) if inspect.isclass(value) else ():
            found = inspect.getattr_static(value, own)
            if not own.startswith("_") and isinstance(found, _DEFINED):
                yield f"{member}.{own}", getattr(value, own)


_DEFINED = (FunctionType, classmethod, staticmethod, property)
_PUBLIC = [name for name in _modules() if "._" not in name]


@pytest.mark.parametrize("name", _PUBLIC)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert [member for member, value in _public(name) if not inspect.getdoc(value)] == []


# The class of a layer documents what it takes; the names of others say it.
_TAKES_NO_MORE = re.compile(r"\.(forward|extra_repr|float|half|double|long|int|short|char|byte)$")
_WITH_ARGUMENTS = [
    name
    for name in _PUBLIC
    if re.match(r"torch\.(autograd|cuda|linalg|masked|nn|optim|profiler|utils)\b", name)
]


@pytest.mark.parametrize("name", _WITH_ARGUMENTS)
def test_who_takes_arguments_says_more_than_a_line(name: str) -> None:
    short = []
    for member, value in _public(name):
        function = vars(value).get("__init__") if inspect.isclass(value) else value
        if not inspect.isroutine(function) or _TAKES_NO_MORE.search(member):
            continue
        taken = [one for one in inspect.signature(function).parameters if one != "self"]
        if taken and "\n" not in (inspect.getdoc(value) or ""):
            short.append(member)
    assert short == []


def test_a_family_documents_its_members() -> None:
    class Family:
        """All of them.

        What they do.

        Args:
            size: of each.
            other: of none here.

        Shape:
            Any.

        Example::

            >>> 1
        """

    @documented_by(Family)
    class Member:
        """One of them.

        Args:
            extra: its own.
        """

        def __init__(self, size: int, extra: int) -> None: ...

    assert Member.__doc__ == (
        "One of them.\n\nWhat they do.\n\nArgs:\n    size: of each.\n    extra: its own.\n\n"
        "Shape:\n    Any."
    )
