"""The include graph of a small checkout, written by each test."""

from __future__ import annotations

from pathlib import Path

import pytest

from overlay.pytorch.index import Index, read_includes
from overlay.pytorch.tables import ATEN, OperatorHeaders, Reader, groups, table
from overlay.pytorch.write_tables import main, readable

FOLDERS = ("c10", ATEN, "caffe2", "torch/csrc", "torch/lib", "third_party/miniz-9.9")

YAML = """
- func: add.Tensor(Tensor self, Tensor other) -> Tensor
  variants: function, method
  dispatch:
    CPU: add_cpu
- func: mul(Tensor self) -> Tensor
  dispatch:
    CompositeExplicitAutograd: mul
"""
TEMPLATES = {
    "Function.h": "#include <ATen/core/Tensor.h>\n",
    "Operator.h": "#include <ATen/core/ATen_fwd.h>\n",
    "NativeFunction.h": "#include <ATen/core/Tensor.h>\n",
    "MethodOperators.h": "",
}


def checkout(folder: Path, files: dict[str, str]) -> Path:
    """A checkout with these files besides the operators and templates."""
    native = {
        f"{ATEN}/native/native_functions.yaml": YAML,
        f"{ATEN}/native/tags.yaml": "[]\n",
        f"{ATEN}/core/ATen_fwd.h": "",
        f"{ATEN}/core/Tensor.h": "#include <ATen/core/TensorBody.h>\n",
        **{f"{ATEN}/templates/{name}": text for name, text in TEMPLATES.items()},
    }
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for path, text in {**native, **files}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder


def test_a_copy_of_a_library_has_its_version_in_the_name(tmp_path: Path) -> None:
    files = {"caffe2/a.cc": '#include "miniz.h"\n', "third_party/miniz-9.9/miniz.h": ""}
    found = closure(checkout(tmp_path, files), "caffe2/a.cc")
    assert found == {"caffe2/a.cc", "third_party/miniz-9.9/miniz.h"}


def closure(source: Path, path: str, generated: tuple[str, ...] = ()) -> set[str]:
    """What a file reads by the table, itself among it."""
    native = source / ATEN / "native"
    operators = OperatorHeaders.of(native / "native_functions.yaml", native / "tags.yaml")
    scope: dict[str, list[str]] = {}
    reader = Reader(Index(source), readable(source, FOLDERS), generated, operators)
    exec(table(reader), scope)
    closures: list[set[str]] = []
    for line in scope["INCLUDES"]:
        names, _, below = line.partition("|")
        found = set(names.split())
        for number in below.split():
            found |= closures[int(number)]
        closures.append(found)
        if path in names.split():
            return found
    raise AssertionError(f"{path} is not in the table")


FUNCTIONS = tuple(f"{ATEN}/{name}.h" for name in ("Functions", "NativeFunctions"))


def views(source: Path, generated: tuple[str, ...] = FUNCTIONS) -> dict[str, str]:
    """The views of a checkout with a header of all operators, and one of their kernels."""
    native = source / ATEN / "native"
    operators = OperatorHeaders.of(native / "native_functions.yaml", native / "tags.yaml")
    scope: dict[str, dict[str, str]] = {}
    names = readable(source, FOLDERS)
    exec(table(Reader(Index(source), names, generated, operators, ["REVIEWED"])), scope)
    return scope["VIEWS"]


def test_a_view_has_the_operators_that_a_source_and_its_headers_spell(tmp_path: Path) -> None:
    files = {
        f"{ATEN}/templates/Functions.h": "#include <ATen/core/Tensor.h>\n",
        "torch/csrc/a.cpp": "#include <ATen/Functions.h>\nauto x = at::mul(y);\n",
        "torch/csrc/b.cpp": '#include "b.h"\n',
        "torch/csrc/b.h": "#include <ATen/Functions.h>\n#include <c10/c.h>\n",
        "c10/c.h": "void f(T t) { add_(t); }\n",
        "torch/csrc/c.cpp": "#include <ATen/NativeFunctions.h>\nauto x = add_cpu(y);\n",
        "torch/csrc/d.cpp": "auto x = at::mul(y);\n",
    }
    assert views(checkout(tmp_path, files)) == {
        "torch/csrc/a.cpp": f"{FUNCTIONS[0]}|mul",
        "torch/csrc/b.cpp": f"{FUNCTIONS[0]}|add",
        # By the name of its kernel.
        "torch/csrc/c.cpp": f"{FUNCTIONS[1]}|add",
    }


def test_what_a_view_includes_besides_operators_can_name_operators_too(tmp_path: Path) -> None:
    files = {
        f"{ATEN}/templates/Functions.h": "#include <c10/c.h>\ninline void f() { minus(); }\n",
        f"{ATEN}/templates/Function.h": "#include <c10/d.h>\n",
        "c10/c.h": "mul",
        "c10/d.h": "add",
        "torch/csrc/a.cpp": "#include <ATen/Functions.h>\n",
    }
    tree = checkout(tmp_path, files)
    native = tree / ATEN / "native/native_functions.yaml"
    native.write_text(f"{YAML}- func: minus() -> Tensor\n", encoding="utf-8")
    assert views(tree) == {"torch/csrc/a.cpp": f"{FUNCTIONS[0]}|add minus mul"}
    assert {"c10/c.h", "c10/d.h"} <= closure(tree, "torch/csrc/a.cpp", FUNCTIONS)
    # Bazel adds the headers of the view's operators.
    assert not any("/ops/" in path for path in closure(tree, "torch/csrc/a.cpp", FUNCTIONS))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("torch/csrc/a.cpp", "#define PASTE(a, b) a##b\n"),
        ("torch/csrc/a.cpp", "#include <pybind11/pybind11.h>\n"),
        ("torch/csrc/a.cpp", "#include <torch/csrc/generated.h>\n"),
        (f"{ATEN}/test/a_test.cpp", ""),
        (f"{ATEN}/native/cuda/a.cu", ""),
    ],
)
def test_a_source_that_may_name_any_operator_has_all(tmp_path: Path, path: str, text: str) -> None:
    generated = (*FUNCTIONS, "torch/csrc/generated.h")
    tree = checkout(tmp_path, {path: f"#include <ATen/Functions.h>\n{text}"})
    assert views(tree, generated) == {}
    assert {FUNCTIONS[0], f"{ATEN}/ops/mul.h"} <= closure(tree, path, generated)
    assert FUNCTIONS[1] not in closure(tree, path, generated)


def test_a_reviewed_macro_names_no_operator(tmp_path: Path) -> None:
    text = "#include <ATen/Functions.h>\n#define REVIEWED(a, b) a##b\n"
    tree = checkout(tmp_path, {"torch/csrc/a.cpp": text})
    assert views(tree) == {"torch/csrc/a.cpp": f"{FUNCTIONS[0]}|"}


def test_the_header_of_factories_names_them(tmp_path: Path) -> None:
    header = "torch/csrc/autograd/generated/variable_factories.h"
    text = f"#include <ATen/Functions.h>\n#include <{header}>\n"
    tree = checkout(tmp_path, {"torch/csrc/a.cpp": text})
    native = tree / ATEN / "native/native_functions.yaml"
    types = {"dtype": "ScalarType", "layout": "Layout", "device": "Device", "pin_memory": "bool"}
    options = ", ".join(f"{kind}? {name}=None" for name, kind in types.items())
    more = f"- func: ones(int[] size, *, {options}) -> Tensor\n"
    native.write_text(f"{YAML}{more}", encoding="utf-8")
    assert views(tree, (*FUNCTIONS, header)) == {"torch/csrc/a.cpp": f"{FUNCTIONS[0]}|ones"}
    found = closure(tree, header, (*FUNCTIONS, header))
    assert {path for path in found if "/ops/" in path} == {
        f"{ATEN}/ops/ones{kind}.h" for kind in ("", "_ops")
    }


def test_a_source_reads_the_operators_that_it_names(tmp_path: Path) -> None:
    source = f"{ATEN}/native/A.cpp"
    tree = checkout(tmp_path, {source: "#include <ATen/ops/add_native.h>\n#include <vector>\n"})
    assert closure(tree, source) == {
        source,
        f"{ATEN}/ops/add_native.h",
        f"{ATEN}/core/Tensor.h",
    }


def test_a_function_header_brings_its_operator(tmp_path: Path) -> None:
    found = closure(checkout(tmp_path, {}), f"{ATEN}/ops/mul.h")
    assert f"{ATEN}/ops/mul_ops.h" in found
    assert f"{ATEN}/ops/add.h" not in found


def test_methods_alone_are_in_the_header_of_methods(tmp_path: Path) -> None:
    header = f"{ATEN}/MethodOperators.h"
    found = closure(checkout(tmp_path, {}), header, (header,))
    assert f"{ATEN}/ops/add_ops.h" in found
    assert f"{ATEN}/ops/mul_ops.h" not in found


def test_headers_through_headers_and_beside_the_source(tmp_path: Path) -> None:
    files = {
        "torch/csrc/a.cpp": '#include "b.h"\n',
        "torch/csrc/b.h": "#include <c10/c.h>\n",
        "c10/c.h": "",
        "c10/d.h": "",
    }
    found = closure(checkout(tmp_path, files), "torch/csrc/a.cpp")
    assert found == {"torch/csrc/a.cpp", "torch/csrc/b.h", "c10/c.h"}


def test_a_cuda_source_reads_its_headers_and_what_torchgen_writes_for_cuda(tmp_path: Path) -> None:
    source = f"{ATEN}/native/cuda/A.cu"
    made = tuple(f"{ATEN}/CUDAFunctions{end}" for end in (".h", "_inl.h"))
    files = {
        source: "#include <ATen/native/cuda/L.cuh>\n#include <ATen/CUDAFunctions.h>\n",
        f"{ATEN}/native/cuda/L.cuh": "",
        f"{ATEN}/native/cuda/M.cuh": "",
        f"{ATEN}/templates/DispatchKeyFunctions.h": "",
        f"{ATEN}/templates/DispatchKeyFunctions_inl.h": "",
        f"{ATEN}/templates/DispatchKeyFunction.h": "",
    }
    tree = checkout(tmp_path, files)
    native = tree / ATEN / "native/native_functions.yaml"
    native.write_text(YAML.replace("CPU: add_cpu", "CPU: add_cpu\n    CUDA: add_cuda"), "utf-8")
    assert closure(tree, source, made) == {
        source,
        f"{ATEN}/native/cuda/L.cuh",
        *made,
        f"{ATEN}/ops/add_cuda_dispatch.h",
    }


def test_a_generated_kernel_reads_what_its_template_does(tmp_path: Path) -> None:
    kernel = f"{ATEN}/UfuncCUDA_add.cu"
    files = {
        f"{ATEN}/templates/UfuncCUDA.cu": "#include <c10/c.h>\n",
        f"{ATEN}/native/ufunc/add.h": "",
        f"{ATEN}/native/cuda/Loops.cuh": "",
        "c10/c.h": "",
    }
    assert closure(checkout(tmp_path, files), kernel, (kernel,)) == {
        kernel,
        "c10/c.h",
        f"{ATEN}/native/ufunc/add.h",
        f"{ATEN}/native/cuda/Loops.cuh",
    }


def test_a_generated_file_goes_before_one_that_cmake_left(tmp_path: Path) -> None:
    config = f"{ATEN}/Config.h"
    files = {
        f"{config}.in": "",
        config: "#include <c10/stale.h>\n",
        "c10/stale.h": "",
        "c10/a.cpp": "#include <ATen/Config.h>\n",
    }
    assert "c10/stale.h" not in closure(checkout(tmp_path, files), "c10/a.cpp", (config,))


def test_libraries_of_others(tmp_path: Path) -> None:
    text = "#include <fmt/format.h>\n#include <internal/pycore_code.h>\n#include <numpy/x.h>\n"
    found = closure(checkout(tmp_path, {"c10/a.cpp": text}), "c10/a.cpp")
    assert found == {"c10/a.cpp", "@fmt", "@numpy", "@python"}


def test_readers_of_an_option_are_those_that_can_see_its_macro(tmp_path: Path) -> None:
    config = f"{ATEN}/Config.h"
    files = {
        f"{config}.in": "#define AT_ABACUS_ENABLED() @AT_ABACUS_ENABLED@\n",
        "c10/a.cpp": '#include <ATen/Config.h>\n#include "b.h"\n',
        "c10/b.h": '#pragma once\n#include "c.h"\n',
        "c10/c.h": "#if AT_ABACUS_ENABLED()\n#endif\n",
        "c10/d.cc": "#include <ATen/Config.h>\nint AT_ABACUS_ENABLED_TOO;\n",
    }
    tree = checkout(tmp_path, files)
    native = tree / ATEN / "native"
    operators = OperatorHeaders.of(native / "native_functions.yaml", native / "tags.yaml")
    index = Index(tree, words=("AT_ABACUS_ENABLED",))
    scope: dict[str, dict[str, list[str]]] = {}
    exec(table(Reader(index, readable(tree, FOLDERS), (config,), operators)), scope)
    assert scope["READERS"] == {"AT_ABACUS_ENABLED": ["c10/a.cpp"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#ifndef AT_PER_OPERATOR_HEADERS\n#include <a>\n#else\n#include <b>\n#endif\n", ["b"]),
        ("#ifdef AT_PER_OPERATOR_HEADERS\n#include <a>\n#else\n#include <b>\n#endif\n", ["a"]),
        ("#if !defined(AT_PER_OPERATOR_HEADERS)\n#include <a>\n#endif\n#include <b>\n", ["b"]),
        ("#ifdef USE_CUDA\n#include <a>\n#else\n#include <b>\n#endif\n", ["a", "b"]),
        ("#ifndef AT_PER_OPERATOR_HEADERS\n#ifdef X\n#include <a>\n#endif\n#endif\n", []),
        ("// #include <a>\n  #  include <b>\n", ["b"]),
    ],
)
def test_conditions(text: str, expected: list[str]) -> None:
    assert [name for name, _ in read_includes(text)] == expected


def test_files_that_include_one_another_are_one_group() -> None:
    graph = {"a": ["b"], "b": ["c", "a"], "c": [], "d": ["a"]}
    assert groups(graph, "abcd") == [["c"], ["a", "b"], ["d"]]


def test_a_chain_as_long_as_no_recursion() -> None:
    graph = {str(i): [str(i + 1)] for i in range(5000)} | {"5000": []}
    assert len(groups(graph, ["0"])) == 5001


def test_a_mistake_in_the_operators_is_told_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = checkout(tmp_path, {})
    yaml = tree / ATEN / "native/native_functions.yaml"
    yaml.write_text(YAML.replace("Tensor other", "Tensr other"), encoding="utf-8")
    line = ["--source", str(tree), "--output", str(tmp_path / "tables.bzl")]
    assert main([*line, "--index", str(tmp_path / "index"), "--folders", *FOLDERS]) == 1
    message = capsys.readouterr().err
    assert "native_functions.yaml:2" in message
    assert "Tensr" in message
