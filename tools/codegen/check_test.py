"""An operator without a kernel, and a kernel without a definition, stop before C++ compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.codegen.check import check_kernels, defined_names
from tools.codegen.parse import ParsedYaml, parse_native_yaml
from tools.codegen.problems import CodegenError

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


def parsed(text: str) -> ParsedYaml:
    return parse_native_yaml("ops.yaml", "tags.yaml", text=text, tags_text="")


def test_operator_without_kernel() -> None:
    with pytest.raises(CodegenError) as caught:
        check_kernels(parsed(YAML), "CPU")
    assert str(caught.value) == (
        "ops.yaml:1: error in 'f': has no kernel for CPU: add 'CPU: <function in at::native>' or "
        "a composite key to its 'dispatch', or 'structured_delegate'\n1 error"
    )


def test_kernel_without_definition(tmp_path: Path) -> None:
    source = tmp_path / "g.cpp"
    source.write_text(
        "TORCH_IMPL_FUNC(h_out)\n(const Tensor& self, const Tensor& out) {}\n"
        "Tensor g_cpux(const Tensor& self) { return self; }\n"
    )
    text = YAML.split("\n", 3)[3]
    with pytest.raises(CodegenError) as caught:
        check_kernels(parsed(text), "CPU", [source])
    assert str(caught.value) == (
        "ops.yaml:1: error in 'g': no source defines the CPU kernel 'g_cpu'; "
        "did you mean 'g_cpux'?\n1 error"
    )
    source.write_text(source.read_text().replace("g_cpux", "g_cpu"))
    check_kernels(parsed(text), "CPU", [source])


def test_names_that_macros_paste_are_defined() -> None:
    names = defined_names(
        [
            "#define UNARY(op, stub) \\\n"
            "  TORCH_IMPL_FUNC(op##_out)(const Tensor& self, const Tensor& out) { stub(self); }\n"
            "#define BOTH(op) UNARY(op, op##_stub) Tensor op##_twice(const Tensor& x)\n"
            "BOTH(neg)\nUNARY(abs, abs_stub)\n"
        ]
    )
    assert {"neg_out", "abs_out", "neg_twice"} <= names
    assert "sin_out" not in names
