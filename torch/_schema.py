"""The schema of an operator as an object: `torch.ops.aten.add.Tensor._schema`.

Packages ask it for an operator's arguments, their types and defaults, and for what it changes. It
is parsed from the text that the dispatcher gives.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

# Dispatch sees these as numbers.
_NUMBERS = ("ScalarType", "Layout", "MemoryFormat")
_KINDS = {
    "number": "NumberType",
    "int": "IntType",
    "str": "StringType",
    "Device": "DeviceObjType",
    "float": "FloatType",
    "bool": "BoolType",
    "complex": "ComplexType",
}


@dataclass(frozen=True)
class SchemaType:
    """The type of an argument: `Tensor`, `Optional[int]`, `List[Tensor]`.

    Attributes:
      annotation_str: the text.
      element: what a list or an optional contains.
    """

    annotation_str: str
    element: SchemaType | None = None

    def kind(self) -> str:
        """Its class in TorchScript, such as "TensorType" or "ListType"."""
        if self.element is not None:
            return f"{self.annotation_str.partition('[')[0]}Type"
        return _KINDS.get(self.annotation_str, f"{self.annotation_str}Type")

    def getElementType(self) -> SchemaType:
        """Of a list or an optional, the type of what it contains."""
        if self.element is None:
            raise RuntimeError(f"{self.annotation_str} contains no other type")
        return self.element

    def containedTypes(self) -> list[SchemaType]:
        """The same as a list, which is empty for other types."""
        return [] if self.element is None else [self.element]

    def __str__(self) -> str:
        return self.annotation_str

    __repr__ = __str__


@dataclass(frozen=True)
class AliasInfo:
    """Which memory an argument or result shares, from `Tensor(a!)` or `Tensor(a -> *)`.

    Attributes:
      is_write: the operator changes it.
      before_set: the names of the memory that it has, without those of a list's elements.
      after_set: the same when the operator has run.
    """

    is_write: bool
    before_set: frozenset[str]
    after_set: frozenset[str]


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of an operator, or a result.

    Attributes:
      name: empty for most results.
      type: its type, with what dispatch sees: a dtype is an int.
      real_type: its type as the schema says it.
      N: the length that one number stands for, as in `int[2]`.
      default_value: None too where there is none; ask `has_default_value`.
      kwarg_only: it stands after `*`.
      alias_info: None for what shares no memory.
      is_out: the result is written to it.
    """

    name: str
    type: SchemaType
    real_type: SchemaType
    N: int | None
    default_value: Any
    kwarg_only: bool
    alias_info: AliasInfo | None
    is_out: bool
    _has_default: bool

    def has_default_value(self) -> bool:
        """Whether calls may leave it out."""
        return self._has_default

    @property
    def is_write(self) -> bool:
        """Whether the operator changes it."""
        return self.alias_info is not None and self.alias_info.is_write


class FunctionSchema:
    """What an operator takes and gives.

    Attributes:
      name: with the namespace, such as "aten::add".
      overload_name: such as "Tensor"; empty for an operator without one.
      arguments: all of them, in order.
      returns: the results.

    Example::

        >>> schema = torch.ops.aten.clamp.default._schema
        >>> schema
        aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor
        >>> [(a.name, a.type) for a in schema.arguments]
        [('self', Tensor), ('min', Optional[number]), ('max', Optional[number])]
    """

    def __init__(self, text: str) -> None:
        self._text = text
        head, results = text.rsplit(" -> ", 1)
        full_name, arguments = head.split("(", 1)
        self.name, _, self.overload_name = full_name.partition(".")
        self.arguments: list[Argument] = []
        kwarg_only = False
        for entry in _split(arguments[:-1]):
            if entry == "*":
                kwarg_only = True
            elif entry != "...":
                self.arguments.append(_argument(entry, kwarg_only))
        if results.startswith("(") and results.endswith(")"):
            results = results[1:-1]
        self.returns = [_argument(entry, False) for entry in _split(results) if entry != "..."]

    @property
    def is_mutable(self) -> bool:
        """Whether the operator changes an argument."""
        return any(argument.is_write for argument in self.arguments)

    def _is_view_op(self) -> bool:
        """Whether a result shares an argument's memory, which the operator does not change."""
        return not self.is_mutable and any(a.alias_info is not None for a in self.arguments)

    def __str__(self) -> str:
        return self._text

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionSchema) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


def _split(text: str) -> list[str]:
    """The parts between commas that stand in no bracket and in no string."""
    parts = []
    depth = start = 0
    quoted = ""
    for i, c in enumerate(text):
        if quoted:
            quoted = "" if c == quoted and text[i - 1] != "\\" else quoted
        elif c in "\"'":
            quoted = c
        elif c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


# What stands in the brackets of Tensor(a! -> *); those of Dict(int, float) have a comma.
_SET = r"\(([a-z*](?:[a-z0-9*!| ]|->)*)\)"


def _argument(entry: str, kwarg_only: bool) -> Argument:
    declaration, equals, default = entry.partition("=")
    alias = None
    marks = re.findall(_SET, declaration)
    if marks:
        of_elements = re.search(_SET + r"\[", declaration) is not None
        before, _, after = marks[0].replace("!", "").partition("->")
        sets = [frozenset(x.strip() for x in part.split("|")) for part in (before, after or before)]
        if of_elements:
            sets = [frozenset(), frozenset()]
        alias = AliasInfo("!" in marks[0], sets[0], sets[1])
        declaration = re.sub(_SET, "", declaration)
    named = re.fullmatch(r"(.*\S) +(\w+)", declaration.strip())
    written, name = named.groups() if named else (declaration.strip(), "")
    length = re.search(r"\[(\d+)\]", written)
    size = int(length[1]) if length else None
    value = _value(default) if equals else None
    if size is not None and isinstance(value, int | float):
        value = [value] * size
    return Argument(
        name=name,
        type=_type(written, real=False),
        real_type=_type(written, real=True),
        N=size,
        default_value=value,
        kwarg_only=kwarg_only,
        alias_info=alias,
        is_out=kwarg_only and alias is not None and alias.is_write,
        _has_default=bool(equals),
    )


@cache
def _type(written: str, real: bool) -> SchemaType:
    if written.endswith("?"):
        inside = _type(written[:-1], real)
        return SchemaType(f"Optional[{inside}]", inside)
    if written.endswith("]"):
        inside = _type(written[: written.rindex("[")], real)
        return SchemaType(f"List[{inside}]", inside)
    if written == "SymInt":
        return SchemaType("int")
    if written == "Scalar":
        return SchemaType("number")
    return SchemaType("int" if not real and written in _NUMBERS else written)


def _value(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        # A name such as Mean, or a number as C++ writes it.
        try:
            return float(text)
        except ValueError:
            return text
