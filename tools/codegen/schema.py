"""Names of operators, and schemas: `add.Tensor(Tensor self, Tensor other) -> Tensor`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from tools.codegen.arguments import Arguments
from tools.codegen.keys import SchemaKind
from tools.codegen.schema_error import SchemaError
from tools.codegen.schema_types import Return, is_name

__all__ = [
    "AUGMENTED_ASSIGNMENT_NAMES",
    "BaseOperatorName",
    "FunctionSchema",
    "OperatorName",
    "is_name",
]

AUGMENTED_ASSIGNMENT_NAMES = frozenset(
    {"add", "sub", "mul", "div", "mod", "pow", "lshift", "rshift", "and", "xor", "or"}
)


@dataclass(frozen=True, slots=True)
class BaseOperatorName:
    """The name before the dot: `add`, `add_`, `__iand__`, `_batch_norm_functional`."""

    base: str
    inplace: bool = False
    dunder_method: bool = False
    functional_overload: bool = False

    @staticmethod
    def parse(text: str) -> BaseOperatorName:
        """Splits off the marks of in-place and dunder names."""
        name = BaseOperatorName._parse(text)
        if not (is_name(text) and is_name(name.base)):
            raise SchemaError(f"'{text}' is not an operator name", text)
        return name

    @staticmethod
    def _parse(text: str) -> BaseOperatorName:
        if text.startswith("__") and text.endswith("__") and len(text) > 4:
            word = text[2:-2]
            if word.startswith("i") and word[1:] in AUGMENTED_ASSIGNMENT_NAMES:
                return BaseOperatorName(word[1:], inplace=True, dunder_method=True)
            return BaseOperatorName(word, dunder_method=True)
        functional = "_functional" in text and text.endswith("_functional")
        if functional:
            return BaseOperatorName(text.removesuffix("_functional"), functional_overload=True)
        if text.endswith("_"):
            return BaseOperatorName(text[:-1], inplace=True)
        return BaseOperatorName(text)

    def __str__(self) -> str:
        if self.dunder_method:
            return f"__{'i' if self.inplace else ''}{self.base}__"
        suffix = "_functional" if self.functional_overload else ""
        return f"{self.base}{suffix}{'_' if self.inplace else ''}"


@dataclass(frozen=True, slots=True)
class OperatorName:
    """`name` or `name.overload`."""

    name: BaseOperatorName
    overload_name: str = ""
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Kept: names are keys of most tables.
        object.__setattr__(self, "_hash", hash((self.name, self.overload_name)))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> OperatorName:
        """Reads `add_.Tensor`."""
        base, dot, overload = text.partition(".")
        if dot and not (overload.isascii() and overload.isidentifier()):
            raise SchemaError("expected an overload name after '.'", text, len(base) + 1)
        if overload == "default":
            raise SchemaError(
                "'default' is what PyTorch calls the overload without a name; choose another", text
            )
        return OperatorName(BaseOperatorName.parse(base), overload)

    def unambiguous_name(self) -> str:
        """A C++ identifier that no other operator has: `add__Tensor`."""
        return f"{self.name}_{self.overload_name}" if self.overload_name else str(self.name)

    def remove_inplace(self) -> OperatorName:
        """The name of the functional variant."""
        return OperatorName(replace(self.name, inplace=False), self.overload_name)

    def with_overload(self, overload: str) -> OperatorName:
        """The same operator, another overload."""
        return OperatorName(self.name, overload)

    def __str__(self) -> str:
        return f"{self.name}.{self.overload_name}" if self.overload_name else str(self.name)


@dataclass(frozen=True, slots=True)
class FunctionSchema:
    """`name.overload(arguments) -> returns`."""

    name: OperatorName
    arguments: Arguments
    returns: tuple[Return, ...]
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.arguments, self.returns)))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> FunctionSchema:
        """Reads a schema; raises `SchemaError` with the place that is wrong."""
        opening = text.find("(")
        if opening < 0:
            raise SchemaError("expected '(' after the operator name", text, len(text))
        name = OperatorName.parse(text[:opening])
        closing = text.rfind(") -> ")
        if closing < opening:
            raise SchemaError("expected ') -> ' and the return types", text, len(text))
        arguments = Arguments.parse(text[opening + 1 : closing])
        tail = text[closing + 5 :]
        if tail.startswith("(") and tail.endswith(")"):
            inner = tail[1:-1]
            returns = tuple(Return.parse(piece) for piece in inner.split(", ")) if inner else ()
        else:
            returns = (Return.parse(tail),)
        schema = FunctionSchema(name, arguments, returns)
        schema.check()
        if str(schema) != text:
            raise SchemaError(f"write it as '{schema}'", text)
        return schema

    def check(self) -> None:
        """Raises `SchemaError` for a schema whose parts contradict each other."""
        known = {
            name
            for a in self.arguments.flat_all
            if a.annotation is not None
            for name in (*a.annotation.alias_set, *a.annotation.alias_set_after)
        }
        with_default = None
        for argument in self.arguments.flat_non_out:
            if argument.default is not None:
                with_default = argument.name
            elif with_default is not None:
                raise SchemaError(
                    f"'{argument.name}' has no default value and stands after '{with_default}', which has one",
                    str(argument),
                )
        names: set[str] = set()
        for ret in self.returns:
            for alias in ret.annotation.alias_set if ret.annotation is not None else ():
                if alias not in known:
                    raise SchemaError(
                        f"a return is in the alias set '{alias}', which no argument is in", str(ret)
                    )
            if ret.name is not None and ret.name in names:
                raise SchemaError(f"two returns are named '{ret.name}'", str(ret))
            names.add(ret.name or "")
        out = self.arguments.out
        if out:
            if self.returns and len(self.returns) != len(out):
                raise SchemaError(
                    f"an out function returns its {len(out)} out arguments or nothing, not {len(self.returns)} values"
                )
            for arg, ret in zip(out, self.returns, strict=False):
                if ret.annotation != arg.annotation:
                    raise SchemaError(
                        f"out argument '{arg.name}' and its return differ in aliasing: "
                        f"({arg.annotation}) and ({ret.annotation})",
                        str(arg),
                    )
        if self.name.name.inplace:
            self_arg = self.arguments.self_arg
            if self_arg is None or not (
                self_arg.argument.is_write or self_arg.argument.type.is_list_like()
            ):
                raise SchemaError("an in-place operator writes to 'self': Tensor(a!) self", "self")

    def kind(self) -> SchemaKind:
        """Which variant this is."""
        if self.arguments.out:
            is_scratch = any(a.name.startswith("_scratch_") for a in self.arguments.out)
            return SchemaKind.scratch if is_scratch else SchemaKind.out
        if self.name.name.inplace:
            return SchemaKind.inplace
        if any(a.is_write for a in self.arguments.flat_positional):
            return SchemaKind.mutable
        return SchemaKind.functional

    def is_out_fn(self) -> bool:
        """True if there are out arguments."""
        return bool(self.arguments.out)

    def is_mutable(self) -> bool:
        """True if an argument is written to."""
        return any(a.is_write for a in self.arguments.flat_all)

    def modifies_arguments(self) -> bool:
        """True for in-place, out and mutable functions."""
        return self.kind() is not SchemaKind.functional

    def aliased_return_names(self) -> list[str | None]:
        """For each return, the argument it is, when it is one that was written to."""
        names: list[str | None] = []
        for ret in self.returns:
            match = [
                a.name
                for a in self.arguments.flat_all
                if a.annotation is not None and a.annotation == ret.annotation
            ]
            names.append(match[0] if len(match) == 1 else None)
        return names

    def signature(self, *, keep_names_and_defaults: bool = False) -> FunctionSchema:
        """What the variants of one operator share: names without in-place and out, no defaults.

        An argument that is written to and not returned counts as a return, the last one.
        """
        keep = keep_names_and_defaults
        arguments = self.arguments
        written = arguments.out + arguments.post_self_positional
        if arguments.self_arg is not None:
            written = (arguments.self_arg.argument, *written)
        returned = {r.annotation for r in self.returns}
        returns = tuple(Return(r.name if keep else None, r.type) for r in self.returns) + tuple(
            Return(f"{a.name}_out" if keep else None, a.type)
            for a in written
            if a.is_write and a.annotation not in returned
        )
        name = self.name.name
        base = BaseOperatorName(name.base, dunder_method=name.dunder_method)
        return FunctionSchema(OperatorName(base), arguments.signature(keep_defaults=keep), returns)

    def with_name(self, name: OperatorName) -> FunctionSchema:
        """The same schema under another name."""
        return replace(self, name=name)

    def __str__(self) -> str:
        return _schema_text(self)


@cache
def _schema_text(func: FunctionSchema) -> str:
    if len(func.returns) == 1:
        returns = str(func.returns[0])
    else:
        returns = f"({', '.join(map(str, func.returns))})"
    return f"{func.name}({func.arguments}) -> {returns}"
