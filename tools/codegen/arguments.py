"""The arguments of a schema, split the way C++ wants them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tools.codegen.schema_error import SchemaError
from tools.codegen.schema_types import (
    Argument,
    BaseTy,
)


@dataclass(frozen=True, slots=True)
class SelfArgument:
    """The argument a method is called on."""

    argument: Argument


@dataclass(frozen=True, slots=True)
class TensorOptionsArguments:
    """dtype, layout, device, pin_memory: one `TensorOptions` in convenient C++ signatures."""

    dtype: Argument
    layout: Argument
    device: Argument
    pin_memory: Argument

    def all(self) -> tuple[Argument, ...]:
        """The four, in schema order."""
        return (self.dtype, self.layout, self.device, self.pin_memory)


_TENSOR_OPTIONS = (
    ("dtype", BaseTy.ScalarType),
    ("layout", BaseTy.Layout),
    ("device", BaseTy.Device),
    ("pin_memory", BaseTy.bool),
)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a schema, split the way C++ wants them."""

    pre_self_positional: tuple[Argument, ...]
    self_arg: SelfArgument | None
    post_self_positional: tuple[Argument, ...]
    pre_tensor_options_kwarg_only: tuple[Argument, ...]
    tensor_options: TensorOptionsArguments | None
    post_tensor_options_kwarg_only: tuple[Argument, ...]
    out: tuple[Argument, ...]

    @staticmethod
    def make(
        positional: Iterable[Argument], kwarg_only: Iterable[Argument], out: Iterable[Argument]
    ) -> Arguments:
        """Finds self and the tensor options in plain lists."""
        positional, kwarg_only = tuple(positional), tuple(kwarg_only)
        pre_self: tuple[Argument, ...] = ()
        self_arg = None
        rest = positional
        for i, arg in enumerate(positional):
            if arg.name == "self":
                pre_self, self_arg, rest = positional[:i], SelfArgument(arg), positional[i + 1 :]
                break
        options = None
        before = kwarg_only
        after: tuple[Argument, ...] = ()
        for i, arg in enumerate(kwarg_only):
            four = kwarg_only[i : i + 4]
            if (
                arg.name == "dtype"
                and len(four) == 4
                and all(
                    a.name == name and a.type.is_base_ty_like(ty)
                    for a, (name, ty) in zip(four, _TENSOR_OPTIONS, strict=True)
                )
            ):
                options = TensorOptionsArguments(*four)
                before, after = kwarg_only[:i], kwarg_only[i + 4 :]
                break
        return Arguments(pre_self, self_arg, rest, before, options, after, tuple(out))

    @staticmethod
    def parse(text: str) -> Arguments:
        """Reads what stands between the parentheses of a schema."""
        positional: list[Argument] = []
        kwarg_only: list[Argument] = []
        out: list[Argument] = []
        target = positional
        seen: set[str] = set()
        for piece in _split_arguments(text):
            if piece == "*":
                if target is not positional:
                    raise SchemaError("'*' appears twice", text, text.rfind("*"))
                target = kwarg_only
                continue
            arg = Argument.parse(piece)
            if arg.name in seen:
                raise SchemaError(f"two arguments are named '{arg.name}'", piece)
            seen.add(arg.name)
            if arg.is_write and target is not positional:
                out.append(arg)
            elif out:
                raise SchemaError(f"'{arg.name}' stands after the out arguments", piece)
            else:
                target.append(arg)
        return Arguments.make(positional, kwarg_only, out)

    @property
    def flat_positional(self) -> tuple[Argument, ...]:
        """Positional arguments, self in its place."""
        self_ = () if self.self_arg is None else (self.self_arg.argument,)
        return self.pre_self_positional + self_ + self.post_self_positional

    @property
    def flat_kwarg_only(self) -> tuple[Argument, ...]:
        """Keyword-only arguments without out."""
        options = () if self.tensor_options is None else self.tensor_options.all()
        return self.pre_tensor_options_kwarg_only + options + self.post_tensor_options_kwarg_only

    @property
    def flat_non_out(self) -> tuple[Argument, ...]:
        """Everything but out."""
        return self.flat_positional + self.flat_kwarg_only

    @property
    def flat_all(self) -> tuple[Argument, ...]:
        """Everything, in schema order."""
        return self.flat_positional + self.flat_kwarg_only + self.out

    @property
    def positional(self) -> tuple[Argument | SelfArgument, ...]:
        """Positional arguments with self marked."""
        self_ = () if self.self_arg is None else (self.self_arg,)
        return self.pre_self_positional + self_ + self.post_self_positional

    @property
    def kwarg_only(self) -> tuple[Argument | TensorOptionsArguments, ...]:
        """Keyword-only arguments with the options as one item."""
        options = () if self.tensor_options is None else (self.tensor_options,)
        return self.pre_tensor_options_kwarg_only + options + self.post_tensor_options_kwarg_only

    @property
    def non_out(self) -> tuple[Argument | SelfArgument | TensorOptionsArguments, ...]:
        """`positional` then `kwarg_only`."""
        return self.positional + self.kwarg_only

    @property
    def all(self) -> tuple[Argument | SelfArgument | TensorOptionsArguments, ...]:
        """`non_out` then out."""
        return self.positional + self.kwarg_only + self.out

    def signature(self, *, keep_defaults: bool = False) -> Arguments:
        """What the variants of one operator have in common: types and names.

        No aliasing, no out, and no tensor options: with out= the tensor has them.
        """

        def strip(args: tuple[Argument, ...]) -> tuple[Argument, ...]:
            return tuple(
                a
                if a.annotation is None and (keep_defaults or a.default is None)
                else Argument(a.name, a.type, a.default if keep_defaults else None)
                for a in args
            )

        self_arg = self.self_arg
        if self_arg is not None:
            self_arg = SelfArgument(strip((self_arg.argument,))[0])
        return Arguments(
            strip(self.pre_self_positional),
            self_arg,
            strip(self.post_self_positional),
            strip(self.pre_tensor_options_kwarg_only),
            None,
            strip(self.post_tensor_options_kwarg_only),
            (),
        )

    def __str__(self) -> str:
        pieces = [str(a) for a in self.flat_positional]
        keywords = self.flat_kwarg_only + self.out
        if keywords:
            pieces.append("*")
            pieces += [str(a) for a in keywords]
        return ", ".join(pieces)


_COMMA_IN_BRACKETS = re.compile(r"\[[^\]]*, ")


def _split_arguments(text: str) -> list[str]:
    """Splits at `, `, but not inside quotes or brackets."""
    if '"' not in text and "'" not in text and not _COMMA_IN_BRACKETS.search(text):
        return text.split(", ") if text else []
    pieces: list[str] = []
    start = 0
    quote = ""
    depth = 0
    i = 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "[]":
            depth += 1 if char == "[" else -1
        elif char == "," and depth == 0 and text.startswith(", ", i):
            pieces.append(text[start:i])
            start = i + 2
        i += 1
    if quote:
        raise SchemaError(f"a string that starts with {quote} does not end", text, len(text))
    pieces.append(text[start:])
    return pieces
