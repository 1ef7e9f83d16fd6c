"""Measures which dtypes each function takes, for `help()`: aten/src/ATen/native/dtypes.yaml.

    ./bazelw run //tests/python:dtypes              # writes the file
    ./bazelw run //tests/python:dtypes -- hypot     # shows what it finds of some functions

A kernel registers itself for all dtypes and decides when it is called, so this calls it. Calls are
random and the same in each run; every tensor has sizes of 2, so that most of them fit together. A
call that works with one dtype is repeated with all others.
"""

from __future__ import annotations

import argparse
import os
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from tools.codegen.docstrings import OWNERS, public_name
from tools.codegen.dtypes import DTYPE_GROUPS
from tools.codegen.model import BaseTy, BaseType, ListType, NativeFunction, OptionalType, Type
from tools.codegen.parse import parse_native_yaml
from tools.codegen.python_signatures import PythonFunction, PythonModule, python_functions

FILE = Path("aten/src/ATen/native/dtypes.yaml")
_HEAD = """\
# Which dtypes the first tensor of each function may have on the CPU, for help(). Measured by
# `./bazelw run //tests/python:dtypes`; do not edit. //tests/python:dtypes_test compares it.
"""
_NAMES = [name for names in DTYPE_GROUPS.values() for name in names]
# Of calls that work, how many are enough; how many random ones are made with the dtypes that find
# most of them, and with each other dtype.
_ENOUGH = 12
_FEWEST = 6  # Of fewer it says nothing: whether a dtype is taken would be a matter of luck.
_PROBES = {"float32": 2000, "int64": 400}
_TRIES = 80
_STRINGS = ("none", "mean", "sum", "amax", "constant", "reflect", "trunc", "floor", "tanh", "ij")
_INDICES = ("index", "indices", "target")
# What they do does not end with the call, or has nothing to do with a tensor's values.
_LEFT_OUT = {"set_", "share_memory_", "requires_grad_"}


@dataclass(frozen=True)
class _Tensor:
    """An argument: its shape, and its dtype if that does not change."""

    shape: tuple[int, ...]
    dtype: str | None

    def made(self, dtype: str) -> torch.Tensor:
        wanted = getattr(torch, self.dtype or dtype)
        if not (wanted.is_floating_point or wanted.is_complex):
            return torch.randint(0, 2, self.shape).to(wanted)
        values = torch.rand(self.shape) * 0.2 + 0.2
        if len(self.shape) > 1:
            values += torch.eye(2)
        return values.to(wanted)


class _Dtype:
    """An argument that is the dtype itself."""


# Positional ones, and those by name.
_Arguments = tuple[list[Any], dict[str, Any]]


class _Calls:
    """Random arguments of a function."""

    def __init__(self, seed: str) -> None:
        self._pick = random.Random(seed)

    def arguments(self, function: NativeFunction) -> _Arguments:
        self._dims = self._pick.randint(0, 4)
        self._first = True
        schema = function.func.arguments
        positional: list[Any] = []
        keyword: dict[str, Any] = {}
        tensors = any(a.type.is_tensor_like() for a in schema.flat_non_out)
        named = {argument.name for argument in schema.flat_kwarg_only}
        for argument in schema.flat_non_out:
            option = argument.name == "dtype" and not tensors
            optional = argument.default is not None
            # With a dtype of the result the tensor is converted first.
            converts = argument.name == "dtype" and tensors and optional
            if converts or (optional and not option and self._pick.random() < 0.8):
                named |= {a.name for a in schema.flat_positional}
                continue
            if argument.name in ("layout", "device", "pin_memory", "generator"):
                continue
            if argument.name in _INDICES and not self._first and self._pick.random() < 0.9:
                value: Any = _Tensor((2,) * self._dims, "int64")
            else:
                value = _Dtype() if option else self._value(argument.type)
            if argument.name in named:
                keyword[argument.name] = value
            else:
                positional.append(value)
        return positional, keyword

    def _value(self, type_: Type) -> Any:
        pick = self._pick
        if isinstance(type_, OptionalType):
            return None if pick.random() < 0.6 else self._value(type_.elem)
        if isinstance(type_, ListType):
            if type_.elem == BaseType(BaseTy.bool):
                return [pick.random() < 0.5 for _ in range(type_.size or 1)]
            if type_.is_tensor_like():
                return [self._value(type_.elem) for _ in range(pick.choice((1, 2, 3)))]
            if type_.elem in (BaseType(BaseTy.int), BaseType(BaseTy.SymInt)):
                shapes = ([1], [2], [0], [2, 2], [1, 1], [0, 1], [0, 0], [1] * 3, [2] * self._dims)
                return list(pick.choice(shapes))
            return [self._value(type_.elem) for _ in range(pick.choice((0, 1, 2)))]
        assert isinstance(type_, BaseType), type_
        match type_.name:
            case BaseTy.Tensor:
                dims = self._dims if pick.random() < 0.6 else pick.randint(0, 4)
                others = ("int64", "bool", "float32")
                fixed = None if self._first or pick.random() < 0.7 else pick.choice(others)
                self._first = False
                return _Tensor((2,) * dims, fixed)
            case BaseTy.int | BaseTy.SymInt:
                return pick.choice((0, 1, 1, 2, -1))
            case BaseTy.bool | BaseTy.SymBool:
                return pick.random() < 0.5
            case BaseTy.float:
                return pick.choice((0.5, 1.0, 0.0))
            case BaseTy.Scalar:
                return pick.choice((1, 0, 2, 0.5, True))
            case BaseTy.str:
                return pick.choice(_STRINGS)
            case BaseTy.ScalarType:
                return pick.choice((torch.float32, torch.int64, torch.float64, torch.complex64))
        return None


def _made(value: Any, dtype: str) -> Any:
    if isinstance(value, _Tensor):
        return value.made(dtype)
    if isinstance(value, _Dtype):
        return getattr(torch, dtype)
    if isinstance(value, list):
        return [_made(item, dtype) for item in value]
    return value


def _works(call: Callable[..., Any], arguments: _Arguments, dtype: str) -> bool:
    positional, keyword = arguments
    try:
        result = call(*_made(positional, dtype), **{n: _made(v, dtype) for n, v in keyword.items()})
    except Exception:  # Any refusal.
        return False
    # Random numbers of any dtype can be drawn where there are none to draw.
    return not isinstance(result, torch.Tensor) or result.numel() > 0 or _has_tensor(arguments)


def _has_tensor(arguments: _Arguments) -> bool:
    return any(isinstance(value, _Tensor) for value in (*arguments[0], *arguments[1].values()))


def working_calls(
    function: PythonFunction, dtype: str, *, tries: int, enough: int
) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Arguments of calls that work with one dtype, the first `enough` of `tries` random ones."""
    call = callable_of(function)
    calls = _Calls(function.name)
    overloads = [o.base.function for o in function.overloads if not o.base.deprecated]
    found = 0
    for attempt in range(tries):
        if found == enough:
            return
        positional, keyword = calls.arguments(overloads[attempt % len(overloads)])
        if _works(call, (positional, keyword), dtype):
            found += 1
            yield _made(positional, dtype), {n: _made(v, dtype) for n, v in keyword.items()}


def functions() -> list[PythonFunction]:
    """Every public function that the generator makes."""
    native = FILE.parent
    parsed = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
    return [
        function
        for module in PythonModule
        for function in python_functions(parsed.functions, module)
        if not function.name.startswith("_") and function.name not in _LEFT_OUT
    ]


def callable_of(function: PythonFunction) -> Callable[..., Any]:
    """What the function is in torch."""
    of_torch = function.module is PythonModule.torch
    owner = "_VariableFunctions" if of_torch else OWNERS[function.module][1]
    found: Callable[..., Any] = getattr(getattr(torch._C, owner), function.name)
    return found


def measured(function: PythonFunction) -> list[str]:
    """The dtypes that a function takes; none if hardly a random call worked."""
    call = callable_of(function)
    calls = _Calls(function.name)
    overloads = [o.base.function for o in function.overloads if not o.base.deprecated]
    working: list[_Arguments] = []
    for name in [*_PROBES, *(name for name in _NAMES if name not in _PROBES)]:
        found = sum(_works(call, one, name) for one in working)
        for attempt in range(_PROBES.get(name, 0 if found else _TRIES)):
            if found >= _ENOUGH or (found and name not in _PROBES):
                break
            arguments = calls.arguments(overloads[attempt % len(overloads)])
            values = (*arguments[0], *arguments[1].values())
            if not any(isinstance(value, (_Tensor, _Dtype, list)) for value in values):
                continue
            if _works(call, arguments, name):
                working.append(arguments)
                found += 1
    if len(working) < _FEWEST:
        return []
    return [name for name in _NAMES if any(_works(call, one, name) for one in working)]


def table(wanted: Iterable[PythonFunction]) -> Iterator[tuple[str, list[str]]]:
    """Public names and the dtypes that were found."""
    state = torch.get_rng_state()
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        for function in wanted:
            torch.manual_seed(0)
            yield public_name(function), measured(function)
    torch.set_rng_state(state)


def line(name: str, dtypes: list[str]) -> str:
    """A line of the file: groups that are whole by their names, then single dtypes."""
    if dtypes == _NAMES:
        return f'- {name}: "all"\n'
    words = []
    for group, names in DTYPE_GROUPS.items():
        found = [one for one in names if one in dtypes]
        words += [group] if found == list(names) else found
    return f'- {name}: "{" ".join(words)}"\n'


def main() -> None:
    """Writes the file, or shows some of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="show these functions, and write nothing")
    names = parser.parse_args().names
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    os.chdir(root)
    wanted = [f for f in functions() if not names or f.name in names]
    lines = [line(name, dtypes) for name, dtypes in table(wanted) if dtypes or names]
    if names:
        print("".join(lines), end="")
        return
    (root / FILE).write_text(_HEAD + "".join(lines), encoding="utf-8")
    print(f"{FILE}: {len(lines)} of {len(wanted)} functions")


if __name__ == "__main__":
    main()
