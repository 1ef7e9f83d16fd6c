"""Python bindings and stubs: signatures, the order of overloads, what is emitted."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tools.codegen.context import Context, Options
from tools.codegen.parse import parse_native_yaml
from tools.codegen.python_bindings import _fetch
from tools.codegen.python_bindings import files as binding_files
from tools.codegen.python_signatures import PythonFunction, PythonModule, python_functions
from tools.codegen.python_stubs import files as stub_files
from tools.codegen.python_types import LISTS, VALUES, is_absent

_NATIVE = Path("aten/src/ATen/native")


@pytest.fixture(scope="module")
def context() -> Context:
    parsed = parse_native_yaml(_NATIVE / "native_functions.yaml", _NATIVE / "tags.yaml")
    return Context.make(parsed, Options())


def find(context: Context, module: PythonModule, name: str) -> PythonFunction:
    (found,) = (f for f in python_functions(context.functions, module) if f.name == name)
    return found


def signatures(context: Context, module: PythonModule, name: str) -> list[str]:
    return [o.signature_str() for o in find(context, module, name).overloads]


@pytest.mark.parametrize(
    "type_",
    [
        *(str(t.value) for t in VALUES),
        *(f"{t.value}?" for t in VALUES),
        *(f"{t.value}[]" for t in LISTS),
        *(f"{t.value}[]?" for t in LISTS),
        *("Tensor?[]", "bool[3]", "int[1]", "SymInt[2]?"),
    ],
)
def test_a_binding_reads_what_operators_of_the_tree_may_take(type_: str) -> None:
    text = f"- func: f({type_} x) -> Tensor\n"
    (f,) = parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text="[]").functions
    (argument,) = f.func.arguments.flat_all
    statement, _ = _fetch(argument, 0)
    found = re.search(r"_r\.(\w+)", statement)
    header = Path("torch/csrc/utils/python_arg_parser.h").read_text(encoding="utf-8")
    has = found is None or re.search(rf"\b{found[1]}\(", header) is not None
    assert has is not is_absent(argument.type), statement


@pytest.mark.parametrize(
    "word",
    [row.signature for row in VALUES.values() if row.accessor is not None]
    + [row.signature for row in LISTS.values() if row.accessor is not None],
)
def test_the_parser_knows_the_words_of_signatures(word: str) -> None:
    parser = Path("torch/csrc/utils/python_signatures.cpp").read_text(encoding="utf-8")
    assert f'{{"{word}", ParameterType::' in parser


def test_out_joins_its_functional_twin(context: Context) -> None:
    assert signatures(context, PythonModule.torch, "add") == [
        "add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
        "add(Tensor input, Scalar alpha, Tensor other, *, Tensor out=None)|deprecated",
    ]


def test_methods_have_no_self_and_no_out(context: Context) -> None:
    assert signatures(context, PythonModule.methods, "add") == [
        "add(Tensor other, *, Scalar alpha=1)",
        "add(Scalar alpha, Tensor other)|deprecated",
    ]


def test_factors_may_come_first(context: Context) -> None:
    assert signatures(context, PythonModule.methods, "addmm") == [
        "addmm(Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
        "addmm(Scalar beta, Scalar alpha, Tensor mat1, Tensor mat2)|deprecated",
        "addmm(Scalar beta, Tensor mat1, Tensor mat2)|deprecated",
    ]


def test_factories_take_options(context: Context) -> None:
    assert signatures(context, PythonModule.torch, "zeros") == [
        "zeros(SymIntArrayRef size, *, Tensor out=None, ScalarType dtype=None, "
        "Layout layout=None, Device device=None, bool pin_memory=False, bool requires_grad=False)"
    ]


def test_tensors_before_numbers(context: Context) -> None:
    assert signatures(context, PythonModule.methods, "pow") == [
        "pow(Tensor exponent)",
        "pow(Scalar exponent)",
    ]


def test_one_int_before_several(context: Context) -> None:
    assert signatures(context, PythonModule.methods, "squeeze") == [
        "squeeze()",
        "squeeze(int64_t dim)",
        "squeeze(IntArrayRef dim)",
    ]


def test_losses_are_in_nn(context: Context) -> None:
    assert signatures(context, PythonModule.nn, "mse_loss")[0].startswith(
        "mse_loss(Tensor input, Tensor target, int64_t reduction=at::Reduction::Mean"
    )
    assert all(
        f.name != "mse_loss" for f in python_functions(context.functions, PythonModule.torch)
    )


def test_every_function_is_in_one_shard(context: Context) -> None:
    texts = {f.path.rsplit("/", 1)[1]: f.render() for f in binding_files(context)}
    shards = [t for name, t in texts.items() if name.startswith("python_torch_functions_")]
    for function in python_functions(context.functions, PythonModule.torch):
        assert sum(f"TORCH_FUNCTION({function.name}, " in t for t in shards) == 1


def test_a_shard_includes_its_own_operators_alone(context: Context) -> None:
    for file in binding_files(context):
        if not file.path.endswith(".cpp"):
            continue
        text = file.render()
        for line in text.splitlines():
            if line.startswith("#include <ATen/ops/"):
                base = line.split("/")[-1].removesuffix("_ops.h>")
                assert f"at::_ops::{base}" in text


def test_stubs_are_python(context: Context) -> None:
    for file in stub_files(context):
        tree = ast.parse(file.render())
        assert any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree))
