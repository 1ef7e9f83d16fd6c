"""The operator model: what one entry of native_functions.yaml means.

Names follow torchgen.model, so that people who know PyTorch's generator find their way. Everything
is an immutable value. Nothing here reads files: `parse.py` builds these values and reports errors,
`api/` spells them in C++. The parts of a schema have modules of their own, `schema.py`,
`arguments.py`, `schema_types.py` and `keys.py`; their names are here too.

What an emitter usually needs:

* `FunctionSchema` (`f.func`): `name` (`OperatorName`: `.name.base`, `.name.inplace`,
  `.overload_name`, `unambiguous_name()` -> ``add_Tensor``), `arguments` (`Arguments`), `returns`
  (tuple of `Return`), `kind()` (`SchemaKind`), `is_out_fn()`, `aliased_return_names()`,
  `signature()` (what functional, in-place and out variants share) and `str(f.func)`, which is the
  text of the YAML again.
* `Arguments`: `flat_all`, `flat_positional`, `flat_kwarg_only`, `flat_non_out` (tuples of
  `Argument`, schema order), `out`, `self_arg`, `tensor_options` (`TensorOptionsArguments`, set when
  the schema has dtype, layout, device and pin_memory together), and `all`, `positional`,
  `kwarg_only` where self and the options are single items.
* `Argument`: `name`, `type` (`BaseType`, `OptionalType`, `ListType`), `default` (schema text or
  None), `annotation` (aliasing, or None), `is_write`.
* `Type`: `is_base_ty_like(BaseTy.Tensor)` looks through optional and list, `is_tensor_like()`,
  `is_nullable()`, `is_list_like()`.
* `NativeFunction`: `func`, `variants`, `dispatch`, `structured`, `structured_delegate`, `tags`,
  `python_module`, `manual_cpp_binding`, `is_view_op`, `root_name` (base name: the stem of the
  per-operator headers and the key of every shard).
* `NativeFunctionsGroup`: the functional, in-place, out (and mutable) variants of one signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tools.codegen.arguments import Arguments, SelfArgument, TensorOptionsArguments
from tools.codegen.keys import (
    DeviceCheckType,
    DispatchKey,
    Location,
    SchemaKind,
    UfuncKey,
    Variant,
)
from tools.codegen.schema import BaseOperatorName, FunctionSchema, OperatorName
from tools.codegen.schema_types import (
    Annotation,
    Argument,
    BaseTy,
    BaseType,
    CustomClassType,
    ListType,
    OptionalType,
    Return,
    Type,
)

__all__ = [
    "Annotation",
    "Argument",
    "Arguments",
    "BackendMetadata",
    "BaseOperatorName",
    "BaseTy",
    "BaseType",
    "CustomClassType",
    "DeviceCheckType",
    "DispatchKey",
    "FunctionSchema",
    "ListType",
    "Location",
    "NativeFunction",
    "NativeFunctionsGroup",
    "OperatorName",
    "OptionalType",
    "Precompute",
    "Return",
    "SchemaKind",
    "SelfArgument",
    "Tag",
    "TensorOptionsArguments",
    "Type",
    "UfuncInnerLoop",
    "UfuncKey",
    "Variant",
    "by_signature",
    "group_functions",
]

# The value of a tag is checked against tags.yaml by the parser, not by a type.
Tag = str
# What `autogen` makes has this tag.
GENERATED_TAG = "generated"


@dataclass(frozen=True, slots=True)
class BackendMetadata:
    """The kernel of one operator at one dispatch key."""

    kernel: str
    structured: bool = False
    cpp_namespace: str = "at::native"


@dataclass(frozen=True, slots=True)
class UfuncInnerLoop:
    """`Generic: add (AllAndComplex, BFloat16)`: a scalar function and the types it covers."""

    name: str
    key: UfuncKey
    supported_dtypes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Precompute:
    """Arguments a meta function replaces by values it has computed.

    `replace` maps the argument to what stands in its place; `add` comes behind all arguments.
    """

    replace: Mapping[str, tuple[Argument, ...]]
    add: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """One entry of native_functions.yaml."""

    func: FunctionSchema
    loc: Location = field(compare=False)
    namespace: str = "aten"
    variants: frozenset[Variant] = frozenset({Variant.function})
    dispatch: Mapping[DispatchKey, BackendMetadata] = field(default_factory=dict)
    tags: frozenset[Tag] = frozenset()
    structured: bool = False
    structured_delegate: OperatorName | None = None
    structured_inherits: str | None = None
    precomputed: Precompute | None = None
    ufunc_inner_loop: Mapping[UfuncKey, UfuncInnerLoop] = field(default_factory=dict)
    autogen: tuple[OperatorName, ...] = ()
    # For a variant that `autogen` asked for: the function its kernel calls.
    generated_from: OperatorName | None = None
    device_guard: bool = True
    device_check: DeviceCheckType = DeviceCheckType.ExactSame
    python_module: str | None = None
    category_override: str | None = None
    cpp_no_default_args: frozenset[str] = frozenset()
    use_const_ref_for_mutable_tensors: bool = False
    manual_kernel_registration: bool = False
    manual_cpp_binding: bool = False

    @property
    def root_name(self) -> str:
        """The base name: stem of the per-operator headers, key of every shard."""
        return self.func.name.name.base

    @property
    def is_view_op(self) -> bool:
        """True if a return views an argument that is not written to."""
        # Resizing changes the storage too: its functional form is a copy.
        resizes = self.func.name.name.base in ("resize", "resize_as")
        inplace_view = "inplace_view" in self.tags and not resizes
        is_non_mutating_view = any(
            r.annotation is not None and not r.is_write for r in self.func.returns
        )
        is_wildcard = any(
            a.annotation is not None and "*" in a.annotation.alias_set_after
            for a in self.func.arguments.flat_all
        )
        return is_non_mutating_view or inplace_view or is_wildcard

    @property
    def has_composite_implicit_autograd_kernel(self) -> bool:
        """True if autograd comes from the operators the kernel calls."""
        return DispatchKey.CompositeImplicitAutograd in self.dispatch

    @property
    def has_composite_kernel(self) -> bool:
        """True if any composite key has a kernel."""
        return any(key.is_composite for key in self.dispatch)

    @property
    def part_of_structured_group(self) -> bool:
        """True for structured operators and those that delegate to one."""
        return self.structured or self.structured_delegate is not None


@dataclass(frozen=True, slots=True)
class NativeFunctionsGroup:
    """The variants of one signature: functional, in-place, out, mutable."""

    functional: NativeFunction
    inplace: NativeFunction | None
    mutable: NativeFunction | None
    out: NativeFunction

    @property
    def structured(self) -> bool:
        """True if the out variant holds the kernel and the others are generated from it."""
        return self.out.structured

    def functions(self) -> Iterator[NativeFunction]:
        """The variants that exist, functional first."""
        for f in (self.functional, self.inplace, self.mutable, self.out):
            if f is not None:
                yield f

    @property
    def signature(self) -> FunctionSchema:
        """The shared signature."""
        return self.out.func.signature()

    @property
    def root_name(self) -> str:
        """Base name of the functional variant."""
        return self.functional.root_name


def by_signature(
    functions: Iterable[NativeFunction],
    signature: Callable[[NativeFunction], FunctionSchema] = lambda f: f.func.signature(),
) -> list[dict[SchemaKind, list[NativeFunction]]]:
    """The functions that share a signature, by kind, in the order of their first members."""
    by_name: dict[BaseOperatorName, list[NativeFunction]] = {}
    for f in functions:
        name = f.func.name.name
        by_name.setdefault(BaseOperatorName(name.base, False, name.dunder_method), []).append(f)
    result: dict[tuple[BaseOperatorName, FunctionSchema | None], _Kinds] = {}
    for f in functions:
        name = f.func.name.name
        key = BaseOperatorName(name.base, False, name.dunder_method)
        # Signatures take time: an operator alone with its name needs none.
        shared = signature(f) if len(by_name[key]) > 1 else None
        result.setdefault((key, shared), {}).setdefault(f.func.kind(), []).append(f)
    return list(result.values())


def group_functions(
    functions: Iterable[NativeFunction],
    signature: Callable[[NativeFunction], FunctionSchema] = lambda f: f.func.signature(),
) -> list[NativeFunction | NativeFunctionsGroup]:
    """Groups functions that share a signature and have at least a functional and an out variant.

    The order is that of the first member of each group.
    """
    result: list[NativeFunction | NativeFunctionsGroup] = []
    for kinds in by_signature(functions, signature):
        first = {kind: fs[0] for kind, fs in kinds.items()}
        if SchemaKind.functional in first and SchemaKind.out in first:
            group = NativeFunctionsGroup(
                first[SchemaKind.functional],
                first.get(SchemaKind.inplace),
                first.get(SchemaKind.mutable),
                first[SchemaKind.out],
            )
            result.append(group)
            member = set(map(id, group.functions()))
            result += [f for fs in kinds.values() for f in fs if id(f) not in member]
        else:
            result += [f for fs in kinds.values() for f in fs]
    return result


_Kinds = dict[SchemaKind, list[NativeFunction]]
