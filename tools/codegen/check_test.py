"""An operator without a kernel, and a kernel without a definition, stop before C++ compiles."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.codegen.backends import FLAGS, HOST
from tools.codegen.check import Definitions, check_callable, check_defined
from tools.codegen.cli import main
from tools.codegen.model import DispatchKey
from tools.codegen.parse import parse_native_yaml
from tools.codegen.problems import Problems

YAML = """\
- func: f(Tensor self) -> Tensor
  dispatch:
    CUDA: f_cuda
- func: g(Tensor self) -> Tensor
  dispatch:
    CPU: g_cpu
- func: h(Tensor self) -> Tensor
  structured_delegate: h.out
- func: h.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: h_out
"""


def undefined(text: str, source: str, keys: Iterable[DispatchKey] = HOST) -> list[str]:
    """The problems of operators and one source."""
    problems = Problems()
    defined = Definitions()
    defined.add("x.cpp", source)
    check_defined(
        parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text="[]").functions,
        defined,
        problems,
        keys,
    )
    return [str(problem) for problem in problems]


def test_operator_without_kernel() -> None:
    problems = Problems()
    parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=YAML, tags_text="[]")
    check_callable(parsed.functions, DispatchKey.CPU, problems)
    assert [str(problem) for problem in problems] == [
        "ops.yaml:1: error in 'f': has no kernel for CPU: add 'CPU: <function in at::native>' or "
        "a composite key to its 'dispatch', or 'structured_delegate'"
    ]


def test_operator_of_another_backend() -> None:
    problems = Problems()
    text = "- func: {}(Tensor self) -> Tensor\n  dispatch:\n    CUDA: f_cuda\n"
    for name in ("_f", "f", "__f__"):
        parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=text.format(name), tags_text="[]")
        check_callable(parsed.functions, DispatchKey.CPU, problems)
    assert [str(problem).split(":")[2] for problem in problems] == [
        " error in 'f'",
        " error in '__f__'",
    ]


SOURCE = """\
TORCH_META_FUNC(h)
(const Tensor& self) {}
TORCH_IMPL_FUNC(h_out)
(const Tensor& self, const Tensor& out) {}
Tensor g_cpu(const Tensor& self) { return self; }
"""


def test_kernel_without_definition() -> None:
    # Only a check of CUDA's kernels asks for f_cuda.
    assert undefined(YAML, SOURCE) == []
    assert undefined(YAML, SOURCE.replace("g_cpu", "g_cpu(); f_cudax"), FLAGS["cuda"]) == [
        "ops.yaml:1: error in 'f': no source defines the CUDA kernel 'f_cuda'; did you mean "
        "'f_cudax'?"
    ]
    assert undefined(YAML, SOURCE.replace("g_cpu", "g_cpux")) == [
        "ops.yaml:4: error in 'g': no source defines the CPU kernel 'g_cpu'; did you mean 'g_cpux'?"
    ]


def test_kernel_of_a_key_that_c10_lacks() -> None:
    (problem,) = undefined(YAML.replace("CUDA: f_cuda", "SparseCUDA: f_cuda"), SOURCE)
    assert problem.startswith(
        "ops.yaml:1: error in 'f': c10 has no dispatch key SparseCUDA: its kernel would not "
        "compile. Keys that operators may name: CPU, CUDA, CompositeExplicitAutograd, "
    )
    assert problem.endswith("For a new one, add a backend to config/backends.bzl")


def test_type_that_this_tree_lacks() -> None:
    yaml = """\
- func: f(Tensor self, Dimname[1] dim, str[]? names=None) -> Tensor
  dispatch:
    CPU: g_cpu
"""
    assert undefined(yaml, "Tensor g_cpu(const Tensor& self);") == [
        f"ops.yaml:1: error in 'f': argument '{name}' is a {what}, which this tree does not have: "
        "its C++ would not compile. Leave the overload out"
        for name, what in [("dim", "Dimname[1]"), ("names", "str[]?")]
    ]


def test_structured_kernel_without_definition() -> None:
    assert undefined(YAML, SOURCE.replace("(h_out)", "(h_oot)")) == [
        "ops.yaml:9: error in 'h.out': no source defines the CPU kernel 'TORCH_IMPL_FUNC(h_out)'; "
        "did you mean 'h_oot'?",
        "x.cpp:3: error: TORCH_IMPL_FUNC of 'h_oot', but no operator in native_functions.yaml has "
        "'structured: True' and this kernel; did you mean 'h_out'?",
    ]


def test_meta_function_without_definition() -> None:
    assert undefined(YAML, SOURCE.replace("META_FUNC(h)", "META_FUNC2(h, out)")) == [
        "ops.yaml:9: error in 'h.out': no source defines the meta function 'TORCH_META_FUNC(h)'",
        "x.cpp:1: error: TORCH_META_FUNC of 'h_out', but no operator in native_functions.yaml has "
        "'structured: True'",
    ]
    overload = YAML.replace("h(Tensor self)", "h.Tensor(Tensor self)")
    assert undefined(overload, SOURCE)[0].startswith(
        "ops.yaml:9: error in 'h.out': no source defines the meta function "
        "'TORCH_META_FUNC2(h, Tensor)'"
    )


def test_names_that_macros_paste_are_defined() -> None:
    defined = Definitions()
    defined.add(
        "x.cpp",
        "#define UNARY(op, stub) \\\n"
        "  TORCH_IMPL_FUNC(op##_out)(const Tensor& self, const Tensor& out) { stub(self); }\n"
        "#define BOTH(op) UNARY(op, op##_stub) Tensor op##_twice(const Tensor& x)\n"
        "BOTH(neg)\nUNARY(abs, abs_stub)\n",
    )
    assert defined.impl == {"neg_out": None, "abs_out": None}
    assert "neg_twice" in defined.names
    assert "sin_out" not in defined.names


def test_derived_and_copying_kernels_need_no_definition() -> None:
    text = """\
- func: v(Tensor(a) self) -> Tensor(a)
  dispatch:
    CompositeExplicitAutograd: v
- func: v_copy(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutogradNonFunctional: v_copy
  tags: view_copy
  autogen: v_copy.out
"""
    problems = Problems()
    parsed = parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text="- tag: view_copy\n")
    assert [str(f.func.name) for f in parsed.derived] == ["v_copy.out"]
    defined = Definitions()
    defined.add("x.cpp", "Tensor v(const Tensor& self) { return self; }")
    check_defined((*parsed.functions, *parsed.derived), defined, problems)
    assert not list(problems)


def test_everything_is_reported_in_one_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    native = tmp_path / "ops.yaml"
    native.write_text(
        YAML
        + "- func: g(Tensor self) -> Tensor\n"
        + "- func: t(Tensor self) -> Tensor\n  tags: coer\n  dispatch:\n    CPUU: t_cpu\n"
        + "- func: broken(Tensr self) -> Tensor\n"
        + "- func: a(Tensor self) -> Tensor\n  dispatch:\n    CPU: a_cpu\n  autogen: a.oot\n"
    )
    (tmp_path / "tags.yaml").write_text("- tag: core\n")
    derivatives = tmp_path / "derivatives.yaml"
    derivatives.write_text(
        "- name: g(Tensor self) -> Tensor\n  slef: grad\n"
        "- name: broken(Tensor self) -> Tensor\n  self: grad\n"
        "- name: a(Tensor self) -> Tensor\n  self: grad * selv\n"
    )
    source = tmp_path / "x.cpp"
    source.write_text(SOURCE.replace("g_cpu", "g_cpx"))
    arguments = ["--native-functions", native, "--tags", tmp_path / "tags.yaml"]
    arguments += ["--derivatives", derivatives, "--kernel-sources", source]
    arguments += ["--require-kernels", "CPU", "--stamp", tmp_path / "stamp"]
    assert main([str(argument) for argument in arguments]) == 1
    message = capsys.readouterr().err
    expected = [
        f"{native}:13: error in 'g': the overload 'g' is already defined at {native}:4; ",
        f"{native}:15: error in 't': unknown tag 'coer'; did you mean 'core'?",
        f"{native}:17: error in 't': unknown dispatch key 'CPUU'; did you mean 'CPU'?",
        f"{native}:18: error in 'broken': unknown type 'Tensr'; did you mean 'Tensor'?",
        f"{native}:19: error in 'a': autogen names 'a.oot', which cannot be derived from this",
        f"{native}:1: error in 'f': has no kernel for CPU: ",
        f"{native}:14: error in 't': has no kernel for CPU: ",
        f"{native}:4: error in 'g': no source defines the CPU kernel 'g_cpu'; "
        "did you mean 'g_cpx'?",
        f"{native}:19: error in 'a': no source defines the CPU kernel 'a_cpu'",
        f"{derivatives}:2: error in 'g': no argument 'slef'; did you mean 'self'?",
        f"{derivatives}:6: error in 'a': the formula of 'self' uses unknown name 'selv'; "
        "did you mean 'self'?",
    ]
    missing = [line for line in expected if line not in message]
    assert not missing, message
    assert message.endswith(f"{len(expected)} errors\n")
    assert not (tmp_path / "stamp").exists()


def test_an_unknown_operator_to_keep(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--ops", "addd", "sub", "--dry-run"]) == 1
    message = capsys.readouterr().err
    assert "--ops names 'addd', which is no operator's base name; did you mean 'add'?" in message


def test_a_header_that_no_operator_has_stops_before_compiling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    native = tmp_path / "native_functions.yaml"
    native.write_text("- func: abs(Tensor self) -> Tensor\n  dispatch:\n    CPU: abs_cpu\n")
    (tmp_path / "tags.yaml").write_text("[]")
    source = tmp_path / "x.cpp"
    source.write_text("#include <ATen/ops/bas.h>\nTensor abs_cpu(const Tensor& self);\n")
    arguments = ["--native-functions", str(native), "--tags", str(tmp_path / "tags.yaml")]
    arguments += ["--require-kernels", "CPU", "--stamp", str(tmp_path / "stamp")]
    assert main([*arguments, "--kernel-sources", str(source)]) == 1
    assert (
        f"{source}:1: error: there is no header 'ATen/ops/bas.h': no operator is called 'bas'; "
        "did you mean 'abs'?\n1 error\n"
    ) == capsys.readouterr().err
    assert not (tmp_path / "stamp").exists()
