"""The schema language: every text comes back, and every mistake is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tools.codegen.model import (
    Annotation,
    Argument,
    BaseTy,
    BaseType,
    DispatchKey,
    FunctionSchema,
    ListType,
    NativeFunctionsGroup,
    OperatorName,
    OptionalType,
    SchemaKind,
    Type,
    Variant,
    group_functions,
)
from tools.codegen.parse import parse_native_yaml
from tools.codegen.schema_error import SchemaError

NATIVE = Path("aten/src/ATen/native")


def test_every_operator_of_the_tree_prints_as_it_was_written() -> None:
    parsed = parse_native_yaml(NATIVE / "native_functions.yaml", NATIVE / "tags.yaml")
    entries = yaml.safe_load((NATIVE / "native_functions.yaml").read_text())
    assert [str(f.func) for f in parsed.functions] == [entry["func"] for entry in entries]
    assert len(parsed.functions) > 400


# Forms that PyTorch's file has and ours need not.
@pytest.mark.parametrize(
    "text",
    [
        "__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
        "split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        "_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()",
        "cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output",
        "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
        'f(Tensor self, str s=", ", str t="\\"\'\\\\") -> (Tensor a, Tensor b)',
        "conv(Tensor self, int[2] stride=1, int[]? pad=None, bool[2] mask=[True,False]) -> int",
        "_functional_x_functional(Tensor self, *, Generator? generator=None) -> Tensor",
        "run(__torch__.torch.classes.ns.Context ctx, Stream s, Storage source) -> Scalar",
        "unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()",
    ],
)
def test_a_schema_prints_as_it_was_written(text: str) -> None:
    assert str(FunctionSchema.parse(text)) == text


def test_arguments_are_split_the_way_cpp_wants_them() -> None:
    func = FunctionSchema.parse(
        "empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
        "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"
    )
    arguments = func.arguments
    assert arguments.self_arg is not None
    assert arguments.self_arg.argument.name == "self"
    assert arguments.tensor_options is not None
    assert [a.name for a in arguments.tensor_options.all()] == [
        "dtype",
        "layout",
        "device",
        "pin_memory",
    ]
    assert [a.name for a in arguments.post_tensor_options_kwarg_only] == ["memory_format"]
    assert len(arguments.flat_all) == 6
    lone = FunctionSchema.parse("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor")
    assert lone.arguments.tensor_options is None


def test_types() -> None:
    assert Type.parse("Tensor?[]") == ListType(OptionalType(BaseType(BaseTy.Tensor)))
    assert Type.parse("int[2]?") == OptionalType(ListType(BaseType(BaseTy.int), 2))
    assert Type.parse("Tensor?[]").is_tensor_like()
    assert Type.parse("int[2]?").is_nullable()
    assert not Type.parse("int[2]").is_nullable()
    assert Type.parse("SymInt[1]?").is_symint_like()


def test_aliasing() -> None:
    argument = Argument.parse("Tensor(a!)[] self")
    assert argument.annotation == Annotation(("a",), is_write=True)
    assert argument.is_write
    assert Annotation.parse("a -> *").alias_set_after == ("*",)
    assert str(Annotation.parse("a|b!")) == "a|b!"


def test_names() -> None:
    name = OperatorName.parse("add_.Tensor")
    assert (name.name.base, name.name.inplace, name.overload_name) == ("add", True, "Tensor")
    assert name.unambiguous_name() == "add__Tensor"
    assert str(name.remove_inplace()) == "add.Tensor"
    assert OperatorName.parse("__iand__").name.base == "and"
    assert OperatorName.parse("__iand__").name.inplace
    assert OperatorName.parse("_x").name.base == "_x"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("f(Tensor self) -> Tensor", SchemaKind.functional),
        ("f_(Tensor(a!) self) -> Tensor(a!)", SchemaKind.inplace),
        ("f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", SchemaKind.out),
        ("f(Tensor x, Tensor(a!) running) -> Tensor", SchemaKind.mutable),
    ],
)
def test_kinds(text: str, kind: SchemaKind) -> None:
    assert FunctionSchema.parse(text).kind() is kind


def test_variants_share_a_signature() -> None:
    functional = FunctionSchema.parse("add.Tensor(Tensor self, Scalar alpha=1) -> Tensor")
    inplace = FunctionSchema.parse("add_.Tensor(Tensor(a!) self, Scalar alpha=1) -> Tensor(a!)")
    out = FunctionSchema.parse(
        "add.out(Tensor self, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)"
    )
    other = FunctionSchema.parse("add.Scalar(Tensor self, Tensor alpha) -> Tensor")
    assert functional.signature() == inplace.signature() == out.signature()
    assert functional.signature() != other.signature()


def test_groups_of_the_tree() -> None:
    parsed = parse_native_yaml(NATIVE / "native_functions.yaml", NATIVE / "tags.yaml")
    groups = group_functions(parsed.functions)
    add = next(
        g
        for g in groups
        if isinstance(g, NativeFunctionsGroup) and str(g.functional.func.name) == "add.Tensor"
    )
    assert add.inplace is not None
    assert str(add.inplace.func.name) == "add_.Tensor"
    assert str(add.out.func.name) == "add.out"
    assert add.structured
    assert add.functional.variants == {Variant.function, Variant.method}
    assert add.out.dispatch[DispatchKey.CPU].structured
    flat = [
        f for g in groups for f in (g.functions() if isinstance(g, NativeFunctionsGroup) else [g])
    ]
    assert len(flat) == len(parsed.functions)


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ("f(Tenso self) -> Tensor", "unknown type 'Tenso'; did you mean 'Tensor'?", "Tenso"),
        ("f(Tensor) -> Tensor", "expected a space and an argument name", ") ->"),
        ("f(int[x] a) -> Tensor", "expected a list size, got 'x'", "x]"),
        ("f(int[ a) -> Tensor", "expected ']' after '['", "[ a"),
        ("f(Tensor(a! self) -> Tensor", "expected ')' after the alias set", "(a!"),
        ("f(int a=) -> Tensor", "expected '=' and a default value", "=)"),
        ("f(Tensor self) Tensor", "expected ') -> ' and the return types", ""),
        ("f Tensor self", "expected '(' after the operator name", ""),
        ("f.(Tensor self) -> Tensor", "expected an overload name after '.'", ""),
        ("f(Tensor a, Tensor a) -> Tensor", "two arguments are named 'a'", "Tensor a"),
        ("f_(Tensor self) -> Tensor", "an in-place operator writes to 'self'", ""),
        ("f(Tensor a, *, int b, *, int c) -> Tensor", "'*' appears twice", ""),
        ("f(*, Tensor(a!) out) -> Tensor", "differ in aliasing: (a!) and (None)", ""),
        ('f(str s="x) -> Tensor', "does not end", ""),
    ],
)
def test_malformed_schema(text: str, message: str, at: str) -> None:
    with pytest.raises(SchemaError) as caught:
        FunctionSchema.parse(text)
    assert message in caught.value.message
    line, caret = caught.value.caret(text).split("\n")
    assert line == text
    if at:
        assert caret.index("^") == text.index(at)
