"""derivatives.yaml as typed values: which node an operator has, and what the node saves.

`autograd_parse.py` reads PyTorch's format and reports every mistake with file and line. What the
emitters get is, for each operator, a `NodeInfo` (a class of the backward graph) or nothing.
Forward-mode formulas (`result:`) and gradients of dispatch keys other than Default are accepted
and not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.codegen.api.types import value_type
from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    FunctionSchema,
    ListType,
    Location,
    NativeFunction,
    OperatorName,
    OptionalType,
    SchemaKind,
    Type,
)

_TENSOR = BaseType(BaseTy.Tensor)

# Facts about a tensor that are saved in its place: (pattern, name, C++ member type, expression).
_FACTS: tuple[tuple[str, str, str, str], ...] = (
    (r"{}\.(?:sym_)?sizes\(\)", "{}_sizes", "std::vector<int64_t>", "{}.sizes().vec()"),
    (r"{}\.(?:sym_)?strides\(\)", "{}_strides", "std::vector<int64_t>", "{}.strides().vec()"),
    (r"{}\.(?:sym_)?numel\(\)", "{}_numel", "int64_t", "{}.numel()"),
    (r"{}\.options\(\)", "{}_options", "at::TensorOptions", "{}.options()"),
    (r"{}\.scalar_type\(\)", "{}_scalar_type", "at::ScalarType", "{}.scalar_type()"),
    (r"{}\.dim\(\)", "{}_dim", "int64_t", "{}.dim()"),
    (r"{}\.layout\(\)", "{}_layout", "at::Layout", "{}.layout()"),
    (r"{}\.device\(\)", "{}_device", "at::Device", "{}.device()"),
    (r"{}\.is_conj\(\)", "{}_conj", "bool", "{}.is_conj()"),
    (
        r"(?:at::)?TensorGeometry\({}\)",
        "{}_geometry",
        "at::TensorGeometry",
        "at::TensorGeometry({})",
    ),
    (
        r"to_args_sizes(?:_symint)?\({}\)",
        "{}_args_sizes",
        "std::vector<std::vector<int64_t>>",
        "to_args_sizes({})",
    ),
    (
        r"to_args_scalartypes\({}\)",
        "{}_args_scalartypes",
        "std::vector<at::ScalarType>",
        "to_args_scalartypes({})",
    ),
)
_SIZE = r"{}\.(?:sym_)?size\(\s*(-?\w+)\s*\)"

_IDENTIFIER = re.compile(r"(?<![\w.:>])([A-Za-z_]\w*)(?!\s*::)(?!\w)")
_METHOD_OR_CALL = re.compile(r"\s*\(")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Saved:
    """A member of a node: what the forward keeps for the backward.

    `type` is the schema type of a whole argument or output; None for a fact such as `self_sizes`,
    whose member is `cpp_type`. `expr` computes it in the forward.
    """

    name: str
    type: Type | None
    cpp_type: str
    expr: str
    is_output: bool = False
    # The input tensor a fact is about, to know what the forward reads.
    source: str | None = None

    @property
    def is_tensor(self) -> bool:
        """Kept as SavedVariable: a Tensor or Tensor?."""
        return self.type == _TENSOR or self.type == OptionalType(_TENSOR)

    @property
    def is_tensor_list(self) -> bool:
        """Kept as a vector of SavedVariables: Tensor[] or Tensor?[]."""
        return self.type is not None and self.type.is_tensor_like() and not self.is_tensor


@dataclass(frozen=True, slots=True)
class Derivative:
    """The formula of one or more arguments, its facts replaced by members' names."""

    formula: str
    var_names: tuple[str, ...]
    saved: tuple[Saved, ...]

    @property
    def is_not_implemented(self) -> bool:
        """True for `not_implemented("name")`."""
        return "not_implemented(" in self.formula


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """What derivatives.yaml says of one operator.

    `op` is the node's class, None when no argument is differentiable. `inputs` are the arguments
    with a formula, in schema order: the outputs of the node. `outputs` are the positions of the
    differentiable results: the inputs of the node.
    """

    schema: FunctionSchema
    location: Location
    op: str | None
    root: str
    derivatives: tuple[Derivative, ...]
    inputs: tuple[Argument, ...]
    non_differentiable: frozenset[str]
    output_differentiability: tuple[bool, ...] | None
    # C++ conditions in place of booleans, one an output.
    output_conditions: tuple[str, ...] | None
    outputs: tuple[int, ...]
    saved: tuple[Saved, ...]

    def derivative_of(self, name: str) -> Derivative | None:
        """The formula of an argument."""
        return next((d for d in self.derivatives if name in d.var_names), None)

    def uses_of(self, saved: Saved) -> tuple[str, ...]:
        """The arguments whose gradients need a member, in schema order."""
        users = {
            name
            for d in self.derivatives
            if any(s.name == saved.name for s in d.saved)
            for name in d.var_names
        }
        return tuple(a.name for a in self.inputs if a.name in users)


@dataclass(frozen=True, slots=True)
class Derivatives:
    """All of derivatives.yaml."""

    infos: tuple[NodeInfo, ...]
    by_name: Mapping[OperatorName, NodeInfo]
    by_signature: Mapping[FunctionSchema, NodeInfo]

    def of(self, f: NativeFunction) -> NodeInfo | None:
        """The entry that serves an operator: its own, or that of its functional form."""
        own = self.by_name.get(f.func.name)
        if own is not None or f.func.kind() is SchemaKind.out:
            return own
        return self.by_signature.get(f.func.signature())

    def nodes_of_root(self, roots: Iterable[str]) -> Iterator[NodeInfo]:
        """The entries with a node whose operators have these base names, in file order."""
        wanted = set(roots)
        return (i for i in self.infos if i.op is not None and i.root in wanted)


def node_prefix(base_name: str) -> str:
    """`nll_loss_forward` -> `NllLossBackward`."""
    camel = "".join(part.title() for part in base_name.split("_"))
    return f"{camel}Backward".replace("ForwardBackward", "Backward")


def strip_comments(formula: str) -> str:
    """The formula without /* comments */ and with strings emptied."""
    return _STRING.sub('""', _COMMENT.sub(" ", formula))


def identifiers(formula: str) -> list[str]:
    """Names used in a formula: no methods, no qualified names, no strings."""
    return _IDENTIFIER.findall(strip_comments(formula))


def called_functions(formula: str) -> set[str]:
    """Names called as functions, `at::` or unqualified; not methods."""
    text = strip_comments(formula)
    return set(re.findall(r"(?:(?<![\w.:>])|(?<=at::))([A-Za-z_]\w*)\s*\(", text))


def unbalanced(formula: str) -> str | None:
    """What is wrong with the brackets of a formula, or None."""
    pairs = {")": "(", "]": "[", "}": "{"}
    stack: list[str] = []
    text = strip_comments(formula)
    if '"' in text.replace('""', ""):
        return "a string without its closing '\"'"
    for char in text:
        if char in "([{":
            stack.append(char)
        elif char in pairs:
            if not stack or stack[-1] != pairs[char]:
                return f"'{char}' without '{pairs[char]}'"
            stack.pop()
        elif char == ";" and not stack:
            return "';' ends it before its end"
    return f"'{stack[-1]}' is never closed" if stack else None


def output_names(func: FunctionSchema) -> list[str]:
    """The names of the results in formulas: their own, or result, result0, result1..."""
    count = len(func.returns)
    names = []
    for i, ret in enumerate(func.returns):
        fallback = "result" if count == 1 else f"result{i}"
        names.append(fallback if ret.name is None else ret.name)
    return names


def is_differentiable_type(type_: Type) -> bool:
    """Tensor, Tensor?, and lists of them."""
    return type_.is_tensor_like()


def differentiable_outputs(
    func: FunctionSchema, flags: tuple[bool, ...] | None, derivatives: Iterable[Derivative]
) -> tuple[int, ...]:
    """Positions of the outputs that take a gradient."""
    tensors = [i for i, r in enumerate(func.returns) if is_differentiable_type(r.type)]
    if flags is not None:
        return tuple(i for i in tensors if flags[i])
    uses_grad = any("grad" in identifiers(d.formula) for d in derivatives)
    return tuple(tensors[:1]) if uses_grad else tuple(tensors)


def _whole(name: str, type_: Type, *, is_output: bool, expr: str) -> Saved:
    if type_ in (_TENSOR, OptionalType(_TENSOR)):
        cpp_type = "SavedVariable"
    elif type_.is_tensor_like():
        cpp_type = "std::vector<SavedVariable>"
    else:
        cpp_type = value_type(type_).replace("::std::", "std::")
    return Saved(name, type_, cpp_type, expr, is_output)


def save_variables(func: FunctionSchema, formula: str) -> tuple[str, tuple[Saved, ...]]:
    """The formula with facts replaced by members' names, and the members."""
    saved: dict[str, Saved] = {}
    arguments = {a.name: a.type for a in func.arguments.flat_non_out}
    outputs = dict(zip(output_names(func), (r.type for r in func.returns), strict=True))
    for name, type_ in {**arguments, **outputs}.items():
        if not type_.is_tensor_like():
            continue
        is_output = name in outputs and name not in arguments
        word = rf"(?<![\w.:>]){re.escape(name)}"
        for pattern, member, cpp_type, expr in _FACTS:
            call = pattern.format(re.escape(name))
            if not call.startswith("("):
                call = rf"(?<![\w.:>]){call}"
            if re.search(call, formula):
                fact = member.format(name)
                formula = re.sub(call, fact, formula)
                saved[fact] = Saved(fact, None, cpp_type, expr.format(name), is_output, name)
        for match in reversed(list(re.finditer(word + _SIZE.format(""), formula))):
            dim = match.group(1)
            fact = f"{name}_size_{dim.replace('-', 'm')}"
            formula = formula[: match.start()] + fact + formula[match.end() :]
            expr = f"{name}.size({dim})"
            saved[fact] = Saved(fact, None, "int64_t", expr, is_output, name)
    for name in identifiers(formula):
        if name in saved:
            continue
        if name in arguments:
            saved[name] = _whole(name, arguments[name], is_output=False, expr=name)
        elif name in outputs:
            saved[name] = _whole(name, outputs[name], is_output=True, expr=name)
    return formula, tuple(saved.values())


def all_saved(func: FunctionSchema, derivatives: Iterable[Derivative]) -> tuple[Saved, ...]:
    """The members of the node: arguments in schema order, then outputs."""
    members = {s.name: s for d in derivatives for s in d.saved}
    order = {a.name: i for i, a in enumerate(func.arguments.flat_non_out)}

    def key(saved: Saved) -> tuple[bool, int, str]:
        return (saved.is_output, order.get(saved.source or saved.name, 0), saved.name)

    return tuple(sorted(members.values(), key=key))


def differentiable_list(type_: Type) -> bool:
    """True for arguments that take several edges: Tensor[] and Tensor?[]."""
    return isinstance(type_, ListType)
