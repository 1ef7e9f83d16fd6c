"""`torch.classes`: classes that libraries of C++ registered with `torch::class_`.

`torch.classes.NAMESPACE.NAME(...)` makes an object, whose methods and properties are those of the
registration; operators take and return such objects. `torch.classes.load_library("x.so")` loads a
library.
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any

from torch import _C
from torch._ops import ops

ScriptObject: Any = _C.ScriptObject

# Python looks these methods up on the type, and never on the object.
_OPERATORS = [
    "__abs__",
    "__call__",
    "__contains__",
    "__delitem__",
    "__enter__",
    "__exit__",
    "__float__",
    "__ge__",
    "__getitem__",
    "__gt__",
    "__index__",
    "__int__",
    "__invert__",
    "__iter__",
    "__le__",
    "__len__",
    "__lt__",
    "__neg__",
    "__next__",
    "__pos__",
    "__setitem__",
]
_BINARY = ["add", "and", "floordiv", "lshift", "matmul", "mod", "mul", "or", "pow", "rshift", "sub"]
_BINARY += ["truediv", "xor"]
_IN_PLACE = [f"__i{name}__" for name in _BINARY]


def _members(name: str) -> dict[str, tuple[str, str]]:
    found = _C._class_members(name)
    assert found is not None, name
    return found[1]


def _function(class_name: str, name: str, doc: str, *first: Any) -> Callable[..., Any]:
    def method(*args: Any, **kwargs: Any) -> Any:
        return _C._class_call(class_name, name, (*first, *args), kwargs)

    method.__name__ = name
    method.__qualname__ = f"{class_name.rpartition('.')[2]}.{name}"
    method.__doc__ = doc or None
    return method


def _attribute(self: Any, name: str) -> Any:
    class_name = self._qualified_name
    kind, doc = _members(class_name).get(name, ("", ""))
    if kind == "property":
        return _C._class_property(self, name)
    if kind == "method":
        return _function(class_name, name, doc, self)
    if kind == "static":
        return _function(class_name, name, doc)
    raise AttributeError(f"'{class_name}' object has no attribute or method '{name}'")


def _set_attribute(self: Any, name: str, value: Any) -> None:
    if _members(self._qualified_name).get(name, ("", ""))[0] != "property":
        raise AttributeError(f"'{self._qualified_name}' object has no property '{name}' to set")
    _C._class_property(self, name, value)


def _operator(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any) -> Any:
        if _members(self._qualified_name).get(name, ("", ""))[0] != "method":
            if name in _IN_PLACE:
                return NotImplemented  # Python tries the operator that makes a new object.
            raise NotImplementedError(f"'{name}' is not implemented for {self._qualified_name}")
        return _C._class_call(self._qualified_name, name, (self, *args), {})

    method.__name__ = name
    return method


def _equal(self: Any, other: Any) -> Any:
    if not isinstance(other, ScriptObject):
        return NotImplemented
    if "__eq__" in _members(self._qualified_name):
        return _C._class_call(self._qualified_name, "__eq__", (self, other), {})
    return self._identity == other._identity


def _unequal(self: Any, other: Any) -> Any:
    if isinstance(other, ScriptObject) and "__ne__" in _members(self._qualified_name):
        return _C._class_call(self._qualified_name, "__ne__", (self, other), {})
    equal = _equal(self, other)
    return equal if equal is NotImplemented else not equal


def _hash(self: Any) -> int:
    if "__hash__" in _members(self._qualified_name):
        return int(_C._class_call(self._qualified_name, "__hash__", (self,), {}))
    return hash(self._identity)


def _truth(self: Any) -> bool:
    members = _members(self._qualified_name)
    for name in ("__bool__", "__len__"):
        if name in members:
            return bool(_C._class_call(self._qualified_name, name, (self,), {}))
    return True


def _text(self: Any) -> str:
    for name in ("__str__", "__repr__"):
        if name in _members(self._qualified_name):
            return str(_C._class_call(self._qualified_name, name, (self,), {}))
    return f"<torch.ScriptObject object of {self._qualified_name}>"


def _reduce(self: Any, protocol: int = 0) -> tuple[Any, ...]:
    name = self._qualified_name
    if "__getstate__" not in _members(name):
        raise RuntimeError(
            f"Tried to serialize object {name} which does not have a __getstate__ method defined! "
            "Give its torch::class_ a def_pickle"
        )
    return _restore, (name, _C._class_call(name, "__getstate__", (self,), {}))


def _restore(name: str, state: Any) -> Any:
    """The object that `def_pickle` makes of a state."""
    if _C._class_members(name) is None:
        raise RuntimeError(
            f"Class {name} not registered! Load the library that registers it before the file"
        )
    return _C._class_call(name, "__setstate__", (state,), {})


def _complete() -> None:
    names = [*_OPERATORS, *(f"__{name}__" for name in _BINARY), *_IN_PLACE]
    members: dict[str, Any] = {name: _operator(name) for name in names}
    members |= {"__getattr__": _attribute, "__setattr__": _set_attribute, "__bool__": _truth}
    members |= {"__eq__": _equal, "__ne__": _unequal, "__hash__": _hash}
    members |= {"__repr__": _text, "__reduce_ex__": _reduce}
    for name, function in members.items():
        setattr(ScriptObject, name, function)


_complete()


class ScriptClass:
    """A class of C++: `torch.classes.NAMESPACE.NAME`."""

    def __init__(self, name: str) -> None:
        self._qualified_name = name
        self.__name__ = name.rpartition(".")[2]
        self.__doc__ = _C._class_members(name)[0] or None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if "__init__" not in _members(self._qualified_name):
            raise RuntimeError(
                f"{self._qualified_name} has no constructor for Python; its torch::class_ would have a def(torch::init<...>())"
            )
        return _C._class_call(self._qualified_name, "__init__", args, kwargs)

    def __getattr__(self, name: str) -> Any:
        kind, doc = _members(self._qualified_name).get(name, ("", ""))
        if kind != "static":
            raise AttributeError(f"Function {name} not found. Perhaps it's an instance method?")
        return _function(self._qualified_name, name, doc)

    def __repr__(self) -> str:
        return f"<torch.ScriptClass {self._qualified_name}>"


class _ClassNamespace(types.ModuleType):
    """The classes of one namespace."""

    def __init__(self, name: str) -> None:
        super().__init__(f"torch.classes.{name}")
        self.name = name

    def __getattr__(self, attr: str) -> ScriptClass:
        if attr.startswith("__"):
            raise AttributeError(attr)
        name = f"__torch__.torch.classes.{self.name}.{attr}"
        if _C._class_members(name) is None:
            raise RuntimeError(f"Class {self.name}.{attr} not registered!")
        found = self.__dict__[attr] = ScriptClass(name)
        return found


class _Classes(types.ModuleType):
    """`torch.classes` itself."""

    __file__ = "_classes.py"

    def __init__(self) -> None:
        super().__init__("torch.classes")

    def __getattr__(self, name: str) -> _ClassNamespace:
        if name.startswith("__"):
            raise AttributeError(name)
        namespace = _ClassNamespace(name)
        setattr(self, name, namespace)
        return namespace

    @property
    def loaded_libraries(self) -> set[str]:
        """The paths of the libraries that `load_library` loaded."""
        return ops.loaded_libraries

    def load_library(self, path: str | os.PathLike[str]) -> None:
        """Loads a library; OSError with the loader's words if it cannot be loaded."""
        ops.load_library(path)


classes = _Classes()
