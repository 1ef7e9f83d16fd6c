"""Every mistake in native_functions.yaml is reported, all in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.codegen.model import DispatchKey, NativeFunction, UfuncKey
from tools.codegen.parse import ParsedYaml, parse_native_yaml
from tools.codegen.problems import CodegenError

TAGS = "- tag: core\n  desc: |\n    x\n- tag: pointwise\n"


def parse(text: str, tags: str = TAGS) -> ParsedYaml:
    return parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text=tags)


def one(text: str) -> NativeFunction:
    (function,) = parse(text).functions
    return function


def errors(text: str, tags: str = TAGS) -> list[str]:
    with pytest.raises(CodegenError) as caught:
        parse(text, tags)
    return [str(problem) for problem in caught.value.problems]


def test_defaults() -> None:
    f = one("- func: f(Tensor self) -> Tensor\n")
    assert f.dispatch[DispatchKey.CompositeImplicitAutograd].kernel == "f"
    assert f.device_guard
    assert str(f.loc) == "ops.yaml:1"
    out = one("- func: f.out(*, Tensor(a!) out) -> Tensor(a!)\n")
    assert out.dispatch[DispatchKey.CompositeImplicitAutograd].kernel == "f_out"


def test_all_keys() -> None:
    f = one(
        "# comment\n\n"
        "- func: add.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)\n"
        "  device_check: NoCheck   # TensorIterator\n"
        "  structured: True\n"
        "  structured_inherits: TensorIteratorBase\n"
        "  precomputed:\n  - dim -> int dim, DimVector sizes\n  - bool last\n"
        "  ufunc_inner_loop:\n    Generic: add (AllAndComplex, Half)\n"
        "  dispatch:\n    SparseCPU: ns::add_sparse\n"
        "  tags: [core, pointwise]\n  python_module: special\n"
        "  category_override: factory\n  device_guard: False\n"
        "  cpp_no_default_args: ['dim']\n  manual_cpp_binding: True\n"
    )
    assert f.loc.line == 3
    assert f.dispatch[DispatchKey.CPU].structured
    assert f.dispatch[DispatchKey.CUDA].kernel == "ufunc_add_CUDA"
    sparse = f.dispatch[DispatchKey.SparseCPU]
    assert (sparse.structured, sparse.cpp_namespace, sparse.kernel) == (False, "ns", "add_sparse")
    assert f.precomputed is not None
    assert [a.name for a in f.precomputed.replace["dim"]] == ["dim", "sizes"]
    assert [a.name for a in f.precomputed.add] == ["last"]
    assert f.ufunc_inner_loop[UfuncKey.Generic].supported_dtypes == ("AllAndComplex", "Half")
    assert f.tags == {"core", "pointwise"}
    assert f.cpp_no_default_args == {"dim"}


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("  dispach:\n    CPU: f\n", 2, "unknown key 'dispach'; did you mean 'dispatch'?"),
        (
            "  dispatch:\n    CPU: f\n    CUDAA: f\n",
            4,
            "unknown dispatch key 'CUDAA'; did you mean 'CUDA'?",
        ),
        ("  tags: [core, pointwize]\n", 2, "unknown tag 'pointwize'; did you mean 'pointwise'?"),
        (
            "  variants: metod\n",
            2,
            "unknown variant 'metod' (known: function, method); did you mean 'method'?",
        ),
        ("  structured: yess\n", 2, "'structured' is True or False, not 'yess'"),
        ("  dispatch: f\n", 2, "'dispatch' is a table of lines 'CPU: kernel_name'"),
        ("  dispatch:\n    CPU: f(x)\n", 3, "the kernel of CPU is a C++ function name, not 'f(x)'"),
        ("  dispatch:\n    CPU: f\n    CPU, CUDA: g\n", 4, "dispatch key 'CPU' has two kernels"),
        (
            "  dispatch:\n    CompositeImplicitAutograd: f\n",
            2,
            "this 'dispatch' says what is meant without it (CompositeImplicitAutograd: f); "
            "remove it",
        ),
        (
            "  structured_delegate: g.out\n",
            1,
            "structured_delegate names 'g.out', which is not defined",
        ),
        (
            "  structured_inherits: TensorIteratorBase\n",
            2,
            "'structured_inherits' needs 'structured: True'",
        ),
        ("  structured: True\n", 2, "'structured: True' belongs to an out= variant"),
        (
            "  device_check: Nocheck\n",
            2,
            "unknown device_check 'Nocheck' (known: NoCheck, ExactSame); did you mean 'NoCheck'?",
        ),
        (
            "  cpp_no_default_args: [slef]\n",
            2,
            "cpp_no_default_args names 'slef', which is not an argument; did you mean 'self'?",
        ),
        ("  autogen: a.1x\n", 2, "expected an overload name after '.'"),
        ("  python_module: [nn]\n", 2, "'python_module' is a word, not ['nn']"),
        ("  tags: 3\n", 2, "'tags' is a word or a list of words, not 3"),
        ("  precomputed: [x]\n", 2, "'precomputed' is a list and needs 'structured: True'"),
        (
            "  ufunc_inner_loop:\n    Generik: add (Bool)\n",
            3,
            "unknown ufunc key 'Generik'; did you mean 'Generic'?",
        ),
        (
            "  ufunc_inner_loop:\n    Generic: add (Flot)\n",
            3,
            "unknown dtype 'Flot'; did you mean 'Float'?",
        ),
    ],
)
def test_mistakes(lines: str, line: int, message: str) -> None:
    found = errors("- func: f(Tensor self) -> Tensor\n" + lines)
    assert found[0].startswith(f"ops.yaml:{line}: error in 'f': {message}"), found


def test_malformed_schema_has_a_caret() -> None:
    (found,) = errors("\n- func: f(Tensor self, Scaler s) -> Tensor\n")
    assert found == (
        "ops.yaml:2: error in 'f': unknown type 'Scaler'; did you mean 'Scalar'?\n"
        "f(Tensor self, Scaler s) -> Tensor\n"
        "               ^"
    )


def test_all_mistakes_in_one_run() -> None:
    found = errors(
        "- func: f(Tensor self) -> Tensor\n  tagz: core\n"
        "- func: g(Tensro self) -> Tensor\n"
        "- func: f(Tensor self) -> Tensor\n"
        "- name: h\n",
        tags=TAGS + "- tga: x\n",
    )
    assert [message.split(" error")[0] for message in found] == [
        "tags.yaml:5:",
        "ops.yaml:2:",
        "ops.yaml:3:",
        "ops.yaml:4:",
        "ops.yaml:5:",
    ]
    assert "the overload 'f' is already defined at ops.yaml:1" in found[-2]
    assert "expected an entry that starts with '- func:" in found[-1]
    assert "expected '- tag: <name>'" in found[0]


def test_method_needs_self() -> None:
    (found,) = errors("- func: f(Tensor x) -> Tensor\n  variants: method\n")
    assert found == "ops.yaml:2: error in 'f': a method variant needs an argument named 'self'"


def test_structured_delegate_must_fit() -> None:
    (found,) = errors(
        "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n"
        "- func: f.out(Tensor self, int x, *, Tensor(a!) out) -> Tensor(a!)\n"
        "  structured: True\n  dispatch:\n    CPU: f_out\n"
    )
    assert "structured_delegate names 'f.out', whose signature differs" in found
    (found,) = errors(
        "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n"
        "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
    )
    assert "which lacks 'structured: True'" in found


def test_unreadable_files(tmp_path: Path) -> None:
    (found,) = errors("- func: 'f(\n  x: [\n")
    assert found.startswith("ops.yaml:")
    assert "not readable as YAML" in found
    (found,) = errors("func: f\n")
    assert found == "ops.yaml:1: error: expected a list: every entry starts with '- '"
    with pytest.raises(CodegenError) as caught:
        parse_native_yaml(tmp_path / "none.yaml", tmp_path / "tags.yaml")
    assert "none.yaml:1: error: cannot be read: No such file or directory" in str(caught.value)
    assert str(caught.value).endswith("2 errors")
