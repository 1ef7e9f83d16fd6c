"""Types of a schema, with aliasing: `Tensor(a!)?`, `int[2]`; arguments and returns of them."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from tools.codegen.schema_error import SchemaError


class BaseTy(Enum):
    """The atomic types of the schema language."""

    Generator = "Generator"
    ScalarType = "ScalarType"
    Tensor = "Tensor"
    int = "int"
    Dimname = "Dimname"
    DimVector = "DimVector"
    float = "float"
    str = "str"
    bool = "bool"
    Layout = "Layout"
    Device = "Device"
    DeviceIndex = "DeviceIndex"
    Scalar = "Scalar"
    MemoryFormat = "MemoryFormat"
    QScheme = "QScheme"
    Storage = "Storage"
    Stream = "Stream"
    SymInt = "SymInt"
    SymBool = "SymBool"
    GraphModule = "GraphModule"

    __hash__ = object.__hash__


_MOST_SUFFIXES = 4
# Names of C++, and of Python but for `from`, which random_ has in PyTorch.
_CPP_KEYWORDS = frozenset(
    [
        "alignas",
        "alignof",
        "asm",
        "auto",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "constexpr",
        "const_cast",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "nullptr",
        "operator",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
    ]
)
_KEYWORDS = (frozenset(keyword.kwlist) | _CPP_KEYWORDS) - {"from"}


def _is_ascii_word(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def is_name(text: str) -> bool:
    """True for what can be a name in C++."""
    return _is_ascii_word(text) and text not in _CPP_KEYWORDS


def _check_keyword(name: str, text: str, at: int) -> None:
    if name in _KEYWORDS:
        language = "C++" if name in _CPP_KEYWORDS else "Python"
        raise SchemaError(f"'{name}' is a keyword of {language}, choose another name", text, at)


_BASE_TYPES: Mapping[str, BaseTy] = {t.value: t for t in BaseTy}


class Type:
    """A schema type; the concrete ones are `BaseType`, `OptionalType`, `ListType`."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> Type:
        """The type written as `text`, without aliasing annotation."""
        return _parse_type(text)

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        """True if this is `base_ty`, or an optional or a list of it."""
        raise NotImplementedError

    def is_tensor_like(self) -> bool:
        """True for Tensor, Tensor?, Tensor[], Tensor?[]."""
        return self.is_base_ty_like(BaseTy.Tensor)

    def is_generator_like(self) -> bool:
        """True for Generator and Generator?."""
        return self.is_base_ty_like(BaseTy.Generator)

    def is_symint_like(self) -> bool:
        """True for SymInt in any form."""
        return self.is_base_ty_like(BaseTy.SymInt)

    def is_nullable(self) -> bool:
        """True if None is a value."""
        return False

    def is_list_like(self) -> ListType | None:
        """The list inside this type, if it is a list or an optional list."""
        return None


@dataclass(frozen=True, slots=True)
class BaseType(Type):
    """An atomic type."""

    name: BaseTy

    def __str__(self) -> str:
        return self.name.value

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.name is base_ty


@dataclass(frozen=True, slots=True)
class CustomClassType(Type):
    """A TorchScript class, `__torch__.torch.classes.ns.Name`."""

    class_name: str

    def __str__(self) -> str:
        return f"__torch__.torch.classes.{self.class_name}"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    """`T?`."""

    elem: Type

    def __str__(self) -> str:
        return f"{self.elem}?"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return True

    def is_list_like(self) -> ListType | None:
        return self.elem.is_list_like()


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """`T[]` or `T[N]`; with a size, one value stands for N equal ones."""

    elem: Type
    size: int | None = None

    def __str__(self) -> str:
        return f"{self.elem}[{'' if self.size is None else self.size}]"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return self.elem.is_nullable()

    def is_list_like(self) -> ListType | None:
        return self


@dataclass(frozen=True, slots=True)
class Annotation:
    """Aliasing: `(a)` may view, `(a!)` is written, `(a -> *)` enters every set."""

    alias_set: tuple[str, ...]
    is_write: bool
    alias_set_after: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> Annotation:
        """The annotation inside the parentheses."""
        before, arrow, after = text.partition(" -> ")
        is_write = before.endswith("!")
        names = tuple(n.strip() for n in before.removesuffix("!").split("|"))
        for name in names:
            if not _is_ascii_word(name) and name != "*":
                raise SchemaError(f"expected an alias set such as 'a' or 'a!', got '{text}'", text)
        later = tuple(after.split("|")) if arrow else ()
        for name in later:
            if not _is_ascii_word(name) and name != "*":
                raise SchemaError(f"expected an alias set behind '->', got '{after}'", text)
        return Annotation(names, is_write, later)

    def __str__(self) -> str:
        text = "|".join(self.alias_set) + ("!" if self.is_write else "")
        return f"{text} -> {'|'.join(self.alias_set_after)}" if self.alias_set_after else text


def _annotated(type_: Type, annotation: Annotation | None) -> str:
    """The type's text with the annotation after the word Tensor."""
    text = str(type_)
    return text if annotation is None else text.replace("Tensor", f"Tensor({annotation})", 1)


def _read_word(text: str, at: int) -> int:
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] in "_."):
        end += 1
    return end


_IN_LISTS = frozenset(
    {
        BaseTy.Dimname,
        BaseTy.Scalar,
        BaseTy.SymInt,
        BaseTy.Tensor,
        BaseTy.bool,
        BaseTy.float,
        BaseTy.int,
        BaseTy.str,
    }
)


def _check_element(type_: Type, text: str, at: int) -> None:
    """Raises `SchemaError` if neither C++ nor Python has lists of this type."""
    if type_.is_list_like() is not None:
        raise SchemaError(f"no type is a list of lists: '{type_}' is one already", text, at)
    base = type_.elem if isinstance(type_, OptionalType) else type_
    if not isinstance(base, BaseType):
        return
    if isinstance(type_, OptionalType) and base.name is not BaseTy.Tensor:
        raise SchemaError(f"of optional values only tensors are in lists, not '{type_}'", text, at)
    if base.name not in _IN_LISTS:
        known = ", ".join(sorted(base_ty.value for base_ty in _IN_LISTS))
        raise SchemaError(f"there are no lists of '{type_}' (known: {known})", text, at)


def _scan_type(text: str, at: int) -> tuple[Type, Annotation | None, int]:
    """Reads a type with its annotation at `text[at:]`; the offset behind it comes last."""
    end = _read_word(text, at)
    word = text[at:end]
    base = _BASE_TYPES.get(word)
    type_: Type
    if base is not None:
        type_ = BaseType(base)
    elif word.startswith("__torch__.torch.classes.") and all(map(_is_ascii_word, word.split("."))):
        type_ = CustomClassType(word.removeprefix("__torch__.torch.classes."))
    else:
        from tools.codegen.schema_error import nearest

        what = f"unknown type '{word}'" if word else "expected a type"
        raise SchemaError(what + nearest(word, _BASE_TYPES), text, at)
    annotation = None
    at = end
    suffixes = 0
    while at < len(text):
        char = text[at]
        suffixes += char in "?["
        if suffixes > _MOST_SUFFIXES or text.startswith("??", at):
            raise SchemaError("no type has so many '?' and '[]'", text, at)
        if char == "?":
            type_ = OptionalType(type_)
            at += 1
        elif char == "[":
            close = text.find("]", at)
            if close < 0:
                raise SchemaError("expected ']' after '['", text, at)
            size = text[at + 1 : close]
            if size and not (size.isascii() and size.isdecimal() and 0 < int(size[:3]) <= 99):
                raise SchemaError(f"expected a list size, got '{size}'; 1 to 99", text, at + 1)
            _check_element(type_, text, at)
            type_ = ListType(type_, int(size) if size else None)
            at = close + 1
        elif char == "(" and annotation is None:
            close = text.find(")", at)
            if close < 0:
                raise SchemaError("expected ')' after the alias set", text, at)
            try:
                annotation = Annotation.parse(text[at + 1 : close])
            except SchemaError as error:
                raise SchemaError(error.message, text, at + 1) from None
            if base is not BaseTy.Tensor:
                raise SchemaError(f"only tensors share memory: '{word}' has no alias set", text, at)
            at = close + 1
        else:
            break
    return type_, annotation, at


@cache
def _parse_type(text: str) -> Type:
    type_, annotation, end = _scan_type(text, 0)
    if end != len(text) or annotation is not None:
        raise SchemaError(f"unexpected '{text[end:]}' after the type", text, end)
    return type_


_INTEGER = re.compile(r"[-+]?\d+")
_FLOAT = re.compile(r"[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|inf|nan)")
_STRING = re.compile(r"""'([^'\\]|\\.)*'|"([^"\\]|\\.)*\"""", re.DOTALL)
_BOOLEANS = ("a boolean, True or False", re.compile("True|False"))
# Where a word is a value, it is one of C++ that the default is an expression of.
_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LITERALS: Mapping[BaseTy, tuple[str, re.Pattern[str]]] = {
    BaseTy.int: ("an integer", re.compile(rf"{_INTEGER.pattern}|Mean|Sum|None_")),
    BaseTy.SymInt: ("an integer", _INTEGER),
    BaseTy.float: ("a number", _FLOAT),
    BaseTy.Scalar: ("a number or a boolean", re.compile(rf"{_FLOAT.pattern}|True|False")),
    BaseTy.bool: _BOOLEANS,
    BaseTy.SymBool: _BOOLEANS,
    BaseTy.str: ("a string in quotes", _STRING),
    BaseTy.ScalarType: ("a dtype such as long", _WORD),
    BaseTy.Layout: ("a layout such as strided", _WORD),
    BaseTy.MemoryFormat: ("a memory format such as contiguous_format", _WORD),
    BaseTy.QScheme: ("a scheme such as per_tensor_affine", _WORD),
    BaseTy.DeviceIndex: ("an integer", _INTEGER),
}


def wrong_default(type_: Type, text: str) -> str | None:
    """What a default of this type looks like, if `text` does not; None if it is one."""
    if isinstance(type_, OptionalType):
        wanted = None if text == "None" else wrong_default(type_.elem, text)
        return None if wanted is None else f"None or {wanted}"
    if isinstance(type_, ListType):
        if text.startswith("[") and text.endswith("]"):
            items = [item.strip() for item in text[1:-1].split(",")] if text != "[]" else []
            wrong = [w for item in items if (w := wrong_default(type_.elem, item)) is not None]
            return f"a list whose items are each {wrong[0]}" if wrong else None
        if type_.size is not None and wrong_default(type_.elem, text) is None:
            return None  # One value for all of them.
        return "a list in brackets"
    literal = _LITERALS.get(type_.name) if isinstance(type_, BaseType) else None
    if literal is None:
        return "none, or the type with '?' and None"
    what, pattern = literal
    if not pattern.fullmatch(text):
        return what
    if _INTEGER.fullmatch(text) and not _fits_64_bits(text):
        return f"{what}, of 64 bits"
    return None


def _fits_64_bits(integer: str) -> bool:
    digits = integer.lstrip("+-").lstrip("0")
    return len(digits) < 20 and -(1 << 63) <= int(integer) < 1 << 63


class _Annotated:
    """What may carry an annotation: an argument or a return value."""

    __slots__ = ()
    annotation: Annotation | None

    @property
    def is_write(self) -> bool:
        """True if the operator writes to it."""
        return self.annotation is not None and self.annotation.is_write


@dataclass(frozen=True, slots=True)
class Argument(_Annotated):
    """One argument: type, name, default (schema text), aliasing."""

    name: str
    type: Type
    default: str | None = None
    annotation: Annotation | None = None
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Kept: arguments are keys of what is known of them.
        object.__setattr__(
            self, "_hash", hash((self.name, self.type, self.default, self.annotation))
        )

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> Argument:
        """Reads `Tensor(a!)? self=None`."""
        return _parse_argument(text)

    def __str__(self) -> str:
        text = f"{_annotated(self.type, self.annotation)} {self.name}"
        return text if self.default is None else f"{text}={self.default}"


@cache
def _parse_argument(text: str) -> Argument:
    type_, annotation, at = _scan_type(text, 0)
    if at >= len(text) or text[at] != " ":
        raise SchemaError("expected a space and an argument name after the type", text, at)
    end = _read_word(text, at + 1)
    name = text[at + 1 : end]
    if not _is_ascii_word(name):
        raise SchemaError("expected an argument name", text, at + 1)
    _check_keyword(name, text, at + 1)
    if end == len(text):
        return Argument(name, type_, None, annotation)
    if text[end] != "=" or end + 1 == len(text):
        raise SchemaError("expected '=' and a default value, or ','", text, end)
    default = text[end + 1 :]
    wanted = wrong_default(type_, default)
    if wanted is not None:
        raise SchemaError(f"'{default}' is no {type_}: expected {wanted}", text, end + 1)
    return Argument(name, type_, default, annotation)


@dataclass(frozen=True, slots=True)
class Return(_Annotated):
    """One return value; the name is optional."""

    name: str | None
    type: Type
    annotation: Annotation | None = None

    @staticmethod
    def parse(text: str) -> Return:
        """Reads `Tensor(a!) out`."""
        return _parse_return(text)

    def __str__(self) -> str:
        text = _annotated(self.type, self.annotation)
        return text if self.name is None else f"{text} {self.name}"


@cache
def _parse_return(text: str) -> Return:
    type_, annotation, at = _scan_type(text, 0)
    if at == len(text):
        return Return(None, type_, annotation)
    name = text[at + 1 :]
    if text[at] != " " or not _is_ascii_word(name):
        raise SchemaError("expected the end or a return name", text, at)
    _check_keyword(name, text, at + 1)
    return Return(name, type_, annotation)
