"""Reads pickles that may come from anybody.

An interpreter of pickle's opcodes that makes containers, numbers, strings and tensors, and calls
nothing but the functions on its list: a file cannot run code of its own.
"""

from __future__ import annotations

import collections
import pickletools
from collections.abc import Callable
from pickle import UnpicklingError
from typing import IO, Any

import torch

# Modules whose functions reach the system; allowing single ones of them by name does not help.
_BLOCKED_MODULES = frozenset({"sys", "os", "posix", "nt"})

_user_globals: dict[str, Any] = {}


def qualified_name(obj: Any) -> str:
    """The name by which a pickle would refer to `obj`."""
    return f"{obj.__module__}.{obj.__qualname__}"


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Allows classes and functions; a pair is an object and the name that files have for it."""
    for item in safe_globals:
        obj, name = item if isinstance(item, tuple) else (item, qualified_name(item))
        _user_globals[name] = obj


def get_safe_globals() -> list[Any]:
    """What `add_safe_globals` allowed."""
    return list(_user_globals.values())


def clear_safe_globals() -> None:
    """Takes all that back."""
    _user_globals.clear()


def user_globals() -> dict[str, Any]:
    """The table that `add_safe_globals` fills."""
    return _user_globals


def _encode(text: str, encoding: str = "latin1") -> bytes:
    """What protocol 2 writes bytes as."""
    return text.encode(encoding)


_default_globals: dict[str, Any] = {}


def _allowed() -> dict[str, Any]:
    """Everything that a file may name without asking the user."""
    if _default_globals:
        return _default_globals
    from torch import _tensor, _utils, serialization, storage
    from torch.nn.parameter import Parameter

    rebuild = {k: f for k, f in vars(_utils).items() if k.startswith("_rebuild_")}
    table: dict[str, Any] = {f"torch._utils.{name}": f for name, f in rebuild.items()}
    table["torch._tensor._rebuild_from_type_v2"] = _tensor._rebuild_from_type_v2
    table.update({f"torch.{name}": cls for name, cls in storage.STORAGE_CLASSES.items()})
    for name, value in vars(torch).items():
        if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
            table[f"torch.{name}"] = value
            table[f"torch._C.{name}"] = value
    table.update(
        {
            "__builtin__.bytearray": bytearray,
            "__builtin__.complex": complex,
            "__builtin__.dict": dict,
            "__builtin__.set": set,
            "_codecs.encode": _encode,
            "builtins.bytearray": bytearray,
            "builtins.complex": complex,
            "builtins.dict": dict,
            "builtins.set": set,
            "collections.Counter": collections.Counter,
            "collections.OrderedDict": collections.OrderedDict,
            "collections.defaultdict": collections.defaultdict,
            "torch.Size": torch.Size,
            "torch.Tensor": torch.Tensor,
            "torch.device": torch.device,
            "torch.nn.parameter.Parameter": Parameter,
            "torch.serialization._get_layout": serialization._get_layout,
            "torch.storage.UntypedStorage": storage.UntypedStorage,
        }
    )
    _default_globals.update(table)
    return _default_globals


def is_allowed(name: str) -> bool:
    """Whether a file may name this class or function."""
    return name in _user_globals or name in _allowed()


class _Mark:
    """Where a list of unknown length starts on the stack."""


_MARK = _Mark()


class Unpickler:
    """One pickle; `persistent_load` turns the references to storages into storages."""

    def __init__(
        self, file: IO[bytes], persistent_load: Callable[[Any], Any], *, encoding: str = "ASCII"
    ) -> None:
        self.file = file
        self.encoding = encoding
        self.persistent_load = persistent_load
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def load(self) -> Any:
        """The object; UnpicklingError for anything that is not allowed."""
        for opcode, argument, _ in pickletools.genops(self.file):
            if opcode.name == "STOP":
                return self.stack.pop()
            step = _STEPS.get(opcode.name)
            if step is not None:
                step(self, argument)
            elif opcode.name in _VALUES:
                self.stack.append(argument)
            else:
                raise UnpicklingError(f"Unsupported operand {ord(opcode.code)}")
        raise EOFError

    def pop_to_mark(self) -> list[Any]:
        """What was pushed since the last mark."""
        index = len(self.stack) - 1
        while self.stack[index] is not _MARK:
            index -= 1
        items = self.stack[index + 1 :]
        del self.stack[index:]
        return items

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def old_string(self, text: str) -> None:
        """Pushes a string of Python 2, which pickletools reads as Latin-1."""
        raw = text.encode("latin1")
        self.push(raw if self.encoding == "bytes" else raw.decode(self.encoding))

    def find_global(self, name: str) -> None:
        """Pushes an allowed class or function."""
        module, _, attribute = name.partition(" ")
        full_name = f"{module}.{attribute}"
        if module.partition(".")[0] in _BLOCKED_MODULES:
            raise UnpicklingError(
                f"Trying to load unsupported GLOBAL {full_name} whose module {module} is blocked."
            )
        for table in (_user_globals, _allowed()):
            if full_name in table:
                self.push(table[full_name])
                return
        raise UnpicklingError(
            f"Unsupported global: GLOBAL {full_name} was not an allowed global by default. "
            f"Please use `torch.serialization.add_safe_globals([{full_name}])` or the `torch.serialization.safe_globals([{full_name}])` context manager to allowlist this global if you trust this class/function."
        )

    def stack_global(self, _: Any) -> None:
        """Protocol 4's way to name a global."""
        attribute, module = self.stack.pop(), self.stack.pop()
        self.find_global(f"{module} {attribute}")

    def reduce(self, _: Any) -> None:
        """Calls an allowed function or class."""
        arguments, function = self.stack.pop(), self.stack[-1]
        if not self.is_allowed(function):
            raise UnpicklingError(f"Trying to call reduce for unrecognized function {function}")
        self.stack[-1] = function(*arguments)

    def new_object(self, _: Any) -> None:
        """Makes an instance without calling its `__init__`."""
        arguments, cls = self.stack.pop(), self.stack.pop()
        if not (isinstance(cls, type) and self.is_allowed(cls)):
            raise UnpicklingError(f"Trying to create new object for unsupported class {cls}")
        if issubclass(cls, torch.Tensor):
            self.push(torch.Tensor._make_subclass(cls, torch.empty(0)))
        else:
            self.push(cls.__new__(cls, *arguments))

    def is_allowed(self, obj: Any) -> bool:
        """Whether `obj` came from one of the two tables."""
        return any(obj is known for t in (_user_globals, _allowed()) for known in t.values())

    def build(self, _: Any) -> None:
        """Gives an object its attributes."""
        state, instance = self.stack.pop(), self.stack[-1]
        if isinstance(instance, torch.Tensor):
            from torch._utils import _set_state

            _set_state(instance, state)
        elif isinstance(instance, collections.OrderedDict):
            instance.__dict__.update(state)
        elif type(instance) in _user_globals.values():
            if hasattr(instance, "__setstate__"):
                instance.__setstate__(state)
            else:
                instance.__dict__.update(state)
        else:
            raise UnpicklingError(
                f"Can only build Tensor, Parameter, OrderedDict or types allowlisted via `add_safe_globals`, but got {type(instance)}"
            )

    def extend(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.container(list).extend(items)

    def append(self, _: Any) -> None:
        item = self.stack.pop()
        self.container(list).append(item)

    def set_item(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self.container(dict)[key] = value

    def set_items(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.container(dict).update(zip(items[::2], items[1::2], strict=True))

    def add_items(self, _: Any) -> None:
        items = self.pop_to_mark()
        self.container(set).update(items)

    def container(self, kind: type) -> Any:
        """The top of the stack, which must be a container of this kind."""
        if not isinstance(self.stack[-1], kind):
            raise UnpicklingError(
                f"Can only fill a {kind.__name__}, but got {type(self.stack[-1])}"
            )
        return self.stack[-1]

    def tuple_of(self, count: int) -> None:
        items = tuple(self.stack[-count:])
        del self.stack[-count:]
        self.push(items)

    def recall(self, key: int) -> None:
        """Pushes what the memo has under a number."""
        if key not in self.memo:
            raise UnpicklingError(
                f"the pickle refers to entry {key} of its memo before it is there"
            )
        self.push(self.memo[key])

    def persistent_id(self, _: Any) -> None:
        reference = self.stack.pop()
        # Bytes: with `encoding="bytes"`, a file of Python 2.
        if type(reference) is tuple and reference and reference[0] not in ("storage", b"storage"):
            raise UnpicklingError(
                f"Only persistent_load of storage is allowed, but got {reference[0]}"
            )
        self.push(self.persistent_load(reference))


# Opcodes whose argument is the value itself.
_VALUES = frozenset(
    {
        "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT",
        "UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES",
        "BINBYTES8", "BYTEARRAY8",
    }
)  # fmt: skip

_STEPS: dict[str, Callable[[Unpickler, Any], None]] = {
    "PROTO": lambda self, _: None,
    "FRAME": lambda self, _: None,
    "NONE": lambda self, _: self.push(None),
    "NEWTRUE": lambda self, _: self.push(True),
    "NEWFALSE": lambda self, _: self.push(False),
    "MARK": lambda self, _: self.push(_MARK),
    "EMPTY_TUPLE": lambda self, _: self.push(()),
    "EMPTY_LIST": lambda self, _: self.push([]),
    "EMPTY_DICT": lambda self, _: self.push({}),
    "EMPTY_SET": lambda self, _: self.push(set()),
    "TUPLE": lambda self, _: self.push(tuple(self.pop_to_mark())),
    "TUPLE1": lambda self, _: self.tuple_of(1),
    "TUPLE2": lambda self, _: self.tuple_of(2),
    "TUPLE3": lambda self, _: self.tuple_of(3),
    "GLOBAL": Unpickler.find_global,
    "STACK_GLOBAL": Unpickler.stack_global,
    "REDUCE": Unpickler.reduce,
    "NEWOBJ": Unpickler.new_object,
    "BUILD": Unpickler.build,
    "APPEND": Unpickler.append,
    "APPENDS": Unpickler.extend,
    "SETITEM": Unpickler.set_item,
    "SETITEMS": Unpickler.set_items,
    "ADDITEMS": Unpickler.add_items,
    "BINPERSID": Unpickler.persistent_id,
    "STRING": Unpickler.old_string,
    "BINSTRING": Unpickler.old_string,
    "SHORT_BINSTRING": Unpickler.old_string,
    "BINPUT": lambda self, key: self.memo.__setitem__(key, self.stack[-1]),
    "LONG_BINPUT": lambda self, key: self.memo.__setitem__(key, self.stack[-1]),
    "MEMOIZE": lambda self, _: self.memo.__setitem__(len(self.memo), self.stack[-1]),
    "BINGET": Unpickler.recall,
    "LONG_BINGET": Unpickler.recall,
}
