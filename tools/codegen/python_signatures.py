"""Which Python functions exist, and the argument signatures the run-time parser reads.

The names and the order of overloads are those of `torchgen.api.python`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from tools.codegen.model import (
    GENERATED_TAG,
    Argument,
    BaseTy,
    BaseType,
    ListType,
    NativeFunction,
    OptionalType,
    Type,
    Variant,
)
from tools.codegen.python_types import LISTS, OPTIONS, VALUES

# Operators that Python reaches through hand-written code, or not at all.
_SKIPPED = re.compile(
    "|".join(
        (
            "__.*__",
            "alias",
            "contiguous",
            "copy_",
            "data",
            "index",
            "is_leaf",
            "item",
            "mH",
            "mT",
            "matrix_H",
            "nonzero(_numpy)?",
            "numpy_T",
            "requires_grad_",
            "size",
            "slice",
            "stride",
            "tensor",
            "to",
            "_local_scalar_dense",
            "_reshape_alias",
            "_to_copy",
            "_unsafe_view",
            "_cumsum.*",
            "_sum.*",
            ".*_backward",
            ".*_forward",
        )
    )
)
# Overloads that a Tensor overload with numbers allowed already covers.
_SKIPPED_OVERLOADS = frozenset(
    f"{name}{inplace}.Scalar" for name in ("add", "sub", "mul", "div") for inplace in ("", "_")
)


class PythonModule(Enum):
    """Where a binding lives."""

    torch = "torch"
    nn = "nn"
    linalg = "linalg"
    special = "special"
    fft = "fft"
    methods = "methods"


def argument_type_str(type_: Type) -> str:
    """The parser's spelling of a schema type."""
    if isinstance(type_, OptionalType):
        return argument_type_str(type_.elem) + "?"
    if isinstance(type_, ListType):
        if isinstance(type_.elem, OptionalType):
            return "c10::List<std::optional<Tensor>>"
        assert isinstance(type_.elem, BaseType), type_
        if type_.elem.name is BaseTy.bool and type_.size is not None:
            return f"std::array<bool,{type_.size}>"
        size = f"[{type_.size}]" if type_.size is not None else ""
        return LISTS[type_.elem.name].signature + size
    assert isinstance(type_, BaseType), type_
    return VALUES[type_.name].signature


@dataclass(frozen=True)
class PythonArgument:
    """One parameter of a Python signature. `default` is the parser's text."""

    name: str
    type_str: str
    default: str | None
    argument: Argument | None

    def __str__(self) -> str:
        text = f"{self.type_str} {self.name}"
        return text if self.default is None else f"{text}={self.default}"


def _default(argument: Argument) -> str | None:
    text = argument.default
    if text is None:
        return None
    return {
        "Mean": "at::Reduction::Mean",
        "contiguous_format": "torch.contiguous_format",
        "long": "torch.int64",
    }.get(text, text)


def _python_argument(argument: Argument, *, method: bool) -> PythonArgument:
    type_str = argument_type_str(argument.type)
    name = "input" if argument.name == "self" and type_str == "Tensor" else argument.name
    default = _default(argument)
    if default == "None" and type_str.endswith("?"):
        # None as the default already says that None is allowed, except where PyTorch repeats it.
        type_str = type_str.removesuffix("?")
    return PythonArgument(name, type_str, default, argument)


@dataclass(frozen=True)
class PythonSignature:
    """A native function as Python calls it."""

    function: NativeFunction
    method: bool
    positional: tuple[PythonArgument, ...]
    keyword_only: tuple[PythonArgument, ...]
    outputs: tuple[Argument, ...]
    takes_options: bool
    deprecated: bool = False

    @property
    def name(self) -> str:
        return python_name(self.function)

    def key(self) -> tuple[str, ...]:
        """Equal for the variants of one signature with and without `out`."""
        pieces = [str(a) for a in self.positional] + ["*"] + [str(a) for a in self.keyword_only]
        return (self.name, *pieces)

    def output_argument(self) -> PythonArgument | None:
        """The `out=` parameter, when the function writes into given tensors."""
        if not self.outputs:
            return None
        if len(self.outputs) == 1:
            output = self.outputs[0]
            return PythonArgument("out", argument_type_str(output.type), "None", output)
        return PythonArgument("out", f"TensorList[{len(self.outputs)}]", "None", None)

    def arguments(self, out: PythonArgument | None) -> list[PythonArgument]:
        """All parameters in the order the parser numbers them."""
        arguments = [*self.positional, *self.keyword_only]
        if out is not None:
            arguments.append(out)
        if self.takes_options:
            arguments += tensor_options_arguments()
        return arguments

    def signature_str(self, out: PythonArgument | None = None) -> str:
        """What `PythonArgParser` reads: `add(Tensor input, Tensor other, *, ...)`."""
        pieces = [str(a) for a in self.positional]
        keywords = self.arguments(out)[len(self.positional) :]
        if keywords:
            pieces.append("*")
            pieces += [str(a) for a in keywords]
        mark = "|deprecated" if self.deprecated else ""
        return f"{self.name}({', '.join(pieces)}){mark}"


def tensor_options_arguments() -> list[PythonArgument]:
    """The parameters that choose what kind of tensor a factory makes."""
    return [
        PythonArgument(
            name, VALUES[type_].signature, "False" if type_ is BaseTy.bool else "None", None
        )
        for name, type_ in OPTIONS.items()
    ]


def python_name(function: NativeFunction) -> str:
    """The name Python calls the operator by."""
    return str(function.func.name.name)


def _has_python_type(type_: Type) -> bool:
    """False for classes of TorchScript and the like, which the parser does not know."""
    while isinstance(type_, OptionalType | ListType):
        type_ = type_.elem
    return isinstance(type_, BaseType) and type_.name in VALUES


def has_python_binding(function: NativeFunction) -> bool:
    """False for the operators with hand-written bindings or none."""
    name = python_name(function)
    if GENERATED_TAG in function.tags:
        return False  # Made of slower operators: for transforms, not for people.
    if not all(_has_python_type(a.type) for a in function.func.arguments.flat_all):
        return False
    return not _SKIPPED.fullmatch(name) and str(function.func.name) not in _SKIPPED_OVERLOADS


def signature(function: NativeFunction, *, method: bool = False) -> PythonSignature:
    """The Python signature of a function or of a method of Tensor."""
    arguments = function.func.arguments
    positional = list(arguments.flat_positional)
    if method:
        positional = [a for a in positional if a.name != "self"]
    keyword_only = [
        *arguments.pre_tensor_options_kwarg_only,
        *arguments.post_tensor_options_kwarg_only,
    ]
    base = function.func.name.name.base
    returns_tensor = any(r.type.is_tensor_like() for r in function.func.returns)
    takes_tensor = any(a.type.is_tensor_like() for a in arguments.flat_non_out)
    takes_options = returns_tensor and (
        not takes_tensor or base.startswith("new_") or base.endswith("_like")
    )
    if arguments.tensor_options is not None and not takes_options:
        keyword_only += arguments.tensor_options.all()
    return PythonSignature(
        function,
        method,
        tuple(_python_argument(a, method=method) for a in positional),
        tuple(_python_argument(a, method=method) for a in keyword_only),
        tuple(arguments.out),
        takes_options,
    )


# Operators that Python also calls with their factors before the tensors that these multiply:
# add(self, alpha, other), addmm(beta, self, alpha, mat1, mat2), addmm(beta, self, mat1, mat2).
_FACTORS_FIRST = frozenset(
    ("add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addr", "baddbmm", "sub")
)


def _factors_first(item: PythonSignature) -> list[PythonSignature]:
    """The deprecated signatures of an operator, in which its factors are positional."""
    name = item.function.func.name
    if name.name.base not in _FACTORS_FIRST or name.overload_name not in ("", "Tensor", "out"):
        return []
    factors = {a.name: replace(a, default=None) for a in item.keyword_only}
    own = [a for a in item.positional if a.argument is not None and a.argument.name == "self"]
    others = [a for a in item.positional if a not in own]
    beta = [factors[n] for n in ("beta",) if n in factors]
    alpha = [factors[n] for n in ("alpha", "value") if n in factors]
    orders = [[*beta, *own, *alpha, *others]]
    if beta:
        orders.append([*beta, *own, *others])
    return [
        replace(item, positional=tuple(order), keyword_only=(), deprecated=True) for order in orders
    ]


@dataclass(frozen=True)
class PythonOverload:
    """A signature and the functions behind it: the functional one, the out one, or both."""

    base: PythonSignature
    out: PythonSignature | None

    @property
    def output_argument(self) -> PythonArgument | None:
        return None if self.out is None else self.out.output_argument()

    def signature_str(self) -> str:
        return self.base.signature_str(self.output_argument)

    def arguments(self) -> list[PythonArgument]:
        return self.base.arguments(self.output_argument)


@dataclass(frozen=True)
class PythonFunction:
    """Everything Python reaches under one name of one module."""

    name: str
    module: PythonModule
    overloads: tuple[PythonOverload, ...]

    @property
    def method(self) -> bool:
        return self.module is PythonModule.methods


def _is_arg_smaller(first: str, second: str) -> bool:
    first, second = first.removesuffix("?"), second.removesuffix("?")
    return (
        (first == "Scalar" and second == "Tensor")
        or (first.startswith(("IntArrayRef", "SymIntArrayRef")) and second in ("int64_t", "SymInt"))
        or (first == "TensorList" and "ArrayRef" in second)
    )


def _is_smaller(first: PythonSignature, second: PythonSignature) -> bool:
    ours = [a.type_str for a in (*first.positional, *first.keyword_only)]
    theirs = [a.type_str for a in (*second.positional, *second.keyword_only)]
    if len(ours) != len(theirs) or ours == theirs:
        return False
    return all(a == b or _is_arg_smaller(a, b) for a, b in zip(ours, theirs, strict=True))


def sort_overloads(overloads: Iterable[PythonOverload]) -> list[PythonOverload]:
    """Sorts by signature text, then moves each overload behind the ones that accept more exactly.

    `f(Tensor)` must be tried before `f(Scalar)`, since a tensor of one element is a Scalar too.
    """
    waiting = sorted(overloads, key=lambda o: (o.base.deprecated, o.base.signature_str()))
    result: list[PythonOverload] = []
    while waiting:
        for overload in waiting:
            if not any(_is_smaller(overload.base, other.base) for other in waiting):
                result.append(overload)
                waiting.remove(overload)
                break
        else:
            raise AssertionError(f"the overloads of {waiting[0].base.name} have no order")
    return result


def _pair(signatures: Sequence[PythonSignature]) -> list[PythonOverload]:
    bases: dict[tuple[str, ...], PythonSignature] = {}
    outs: dict[tuple[str, ...], PythonSignature] = {}
    for item in signatures:
        (outs if item.outputs else bases)[item.key()] = item
    # An out variant without a functional twin cannot be called by keyword `out` alone: skip it.
    return [PythonOverload(base, outs.get(key)) for key, base in bases.items()]


def python_functions(
    functions: Iterable[NativeFunction], module: PythonModule
) -> list[PythonFunction]:
    """The functions of one Python module, by name."""
    method = module is PythonModule.methods
    grouped: dict[str, list[PythonSignature]] = {}
    for function in functions:
        if not has_python_binding(function):
            continue
        if method:
            chosen = Variant.method in function.variants and not function.func.is_out_fn()
        else:
            wanted = None if module is PythonModule.torch else module.value
            chosen = Variant.function in function.variants and function.python_module == wanted
        if chosen:
            item = signature(function, method=method)
            grouped.setdefault(python_name(function), []).extend((item, *_factors_first(item)))
    result = []
    for name in sorted(grouped):
        overloads = sort_overloads(_pair(grouped[name]))
        if overloads:
            result.append(PythonFunction(name, module, tuple(overloads)))
    return result
