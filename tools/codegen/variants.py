"""Functions that `autogen` asks for: the functional or out variant that an operator lacks.

Each gets one kernel, at CompositeExplicitAutograd, which calls a variant that exists:
the functional one clones what would be written and calls the in-place or mutable one; the out one
calls the functional one and copies the results. `composite_kernels.py` writes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tools.codegen.model import (
    GENERATED_TAG,
    Annotation,
    Argument,
    BackendMetadata,
    BaseTy,
    BaseType,
    DeviceCheckType,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    OperatorName,
    Return,
    SchemaKind,
    Variant,
    by_signature,
)
from tools.codegen.problems import Problems

# The name of a kernel that nobody writes: it calls the functional variant and copies the results.
FUNCTIONAL_RESULT = "functional_result"
_INHERITED_TAGS = frozenset({"nondeterministic_seeded", "view_copy", "pt2_compliant_tag"})
_TENSOR = BaseType(BaseTy.Tensor)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def with_callees(functions: list[NativeFunction], problems: Problems) -> list[NativeFunction]:
    """The same functions; those whose kernel is `functional_result` know what it calls."""
    wanted = {f.root_name for f in functions if _copies(f)}
    callees: dict[OperatorName, OperatorName] = {}
    for kinds in by_signature([f for f in functions if f.root_name in wanted]):
        calls = (*kinds.get(SchemaKind.functional, ()), *kinds.get(SchemaKind.mutable, ()))
        if calls:
            callees |= {f.func.name: calls[0].func.name for f in kinds.get(SchemaKind.out, ())}
    result = []
    for f in functions:
        if _copies(f):
            callee = callees.get(f.func.name)
            if callee is None:
                problems.add(
                    f.loc,
                    str(f.func.name),
                    f"'{FUNCTIONAL_RESULT}' is the kernel of an out= variant, and calls a function with the same arguments that returns new tensors; there is none",
                )
            f = replace(f, generated_from=callee)
        result.append(f)
    return result


def _copies(f: NativeFunction) -> bool:
    kernel = f.dispatch.get(DispatchKey.CompositeExplicitAutograd)
    return kernel is not None and kernel.kernel == FUNCTIONAL_RESULT


def derived_variants(functions: Iterable[NativeFunction]) -> list[NativeFunction]:
    """The functions to add, in the order of the entries that ask for them."""
    groups = by_signature(functions)
    return [f for kinds in groups for f in _missing({kind: fs[0] for kind, fs in kinds.items()})]


def _missing(group: Mapping[SchemaKind, NativeFunction]) -> list[NativeFunction]:
    """The variants to derive for one signature."""
    members = group.values()
    if not any(f.autogen for f in members):
        return []
    if all(f.manual_cpp_binding for f in members):
        return []
    if any(f.is_view_op and str(f.func.name.name) != "set_" for f in members):
        return []
    composite = all(f.has_composite_implicit_autograd_kernel for f in members)
    if composite and not any("core" in f.tags for f in members):
        return []
    if len(group) == 1 and SchemaKind.out in group:
        return []  # Its functional form has another signature.
    order = (SchemaKind.mutable, SchemaKind.inplace, SchemaKind.out, SchemaKind.functional)
    base = next(group[kind] for kind in order if kind in group)
    has_out = SchemaKind.out in group
    makes_out = not has_out and _can_have_out(base) and any("out" in str(n) for n in base.autogen)
    functional = group.get(SchemaKind.functional)
    added = []
    if functional is None and (has_out or makes_out):
        functional = _derived(base, functional_schema(base.func), base.func.name)
        added.append(functional)
    if makes_out:
        assert functional is not None
        # The functional form of a mutable function would not write to its arguments.
        calls = base if base.func.kind() is SchemaKind.mutable else functional
        added.insert(0, _derived(base, out_schema(base.func), calls.func.name))
    return added


def _can_have_out(f: NativeFunction) -> bool:
    returns = f.func.returns
    return f.func.kind() is SchemaKind.inplace or any(r.type.is_tensor_like() for r in returns)


def functional_schema(func: FunctionSchema) -> FunctionSchema:
    """The same without writing: what would be written is returned."""
    name = func.name.name
    functional = replace(name, inplace=False, functional_overload=func.kind() is SchemaKind.mutable)
    return func.signature(keep_names_and_defaults=True).with_name(
        OperatorName(functional, func.name.overload_name)
    )


def out_schema(func: FunctionSchema) -> FunctionSchema:
    """The same with the results in given tensors."""
    overload = f"{func.name.overload_name}_out" if func.name.overload_name else "out"
    name = func.name.remove_inplace().with_overload(overload)
    arguments = func.arguments
    if func.kind() is SchemaKind.inplace:
        assert arguments.self_arg is not None
        own = arguments.self_arg.argument
        bare = replace(arguments.self_arg, argument=replace(own, annotation=None))
        given = (Argument("out", own.type, None, own.annotation),)
        return FunctionSchema(name, replace(arguments, self_arg=bare, out=given), func.returns)
    out, returns = _out_arguments(func)
    if func.kind() is SchemaKind.functional:
        arguments = arguments.signature(keep_defaults=True)
    return FunctionSchema(name, replace(arguments, out=out), returns)


def _out_arguments(func: FunctionSchema) -> tuple[tuple[Argument, ...], tuple[Return, ...]]:
    """An out argument for each tensor returned, and what is still returned."""
    used = {
        letter
        for a in func.arguments.flat_all
        if a.annotation is not None
        for letter in a.annotation.alias_set
    }
    free = [letter for letter in _LETTERS if letter not in used]
    only_tensors = all(r.type == _TENSOR for r in func.returns)
    out: list[Argument] = []
    returns: list[Return] = []
    for i, ret in enumerate(func.returns):
        if not ret.type.is_tensor_like():
            returns.append(ret)
            continue
        written = Annotation((free[i],), is_write=True)
        out.append(
            Argument("out" if len(func.returns) == 1 else f"out{i}", ret.type, None, written)
        )
        if only_tensors:
            returns.append(Return(None, ret.type, written))
    return tuple(out), tuple(returns)


def _derived(base: NativeFunction, func: FunctionSchema, calls: OperatorName) -> NativeFunction:
    tags = (base.tags & _INHERITED_TAGS) | {GENERATED_TAG}
    if func.is_out_fn():
        tags |= {"out"}
    return NativeFunction(
        func=func,
        loc=base.loc,
        namespace=base.namespace,
        variants=frozenset({Variant.function}),
        dispatch={
            DispatchKey.CompositeExplicitAutograd: BackendMetadata(func.name.unambiguous_name())
        },
        tags=tags,
        generated_from=calls,
        device_guard=False,
        device_check=DeviceCheckType.NoCheck,
        use_const_ref_for_mutable_tensors=base.use_const_ref_for_mutable_tensors,
    )
