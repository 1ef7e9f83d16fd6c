"""What the emitters write, on a few operators."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.codegen.cli import main
from tools.codegen.context import (
    DEFAULT_SHARDS,
    TENSOR_CLASS,
    Context,
    Options,
    shard_of,
)
from tools.codegen.groups import GROUPS
from tools.codegen.includes import (
    Operators,
    by_pattern,
    check_includes,
    generated_includes,
    operator_deps,
)
from tools.codegen.includes import main as write_table
from tools.codegen.parse import parse_native_yaml
from tools.codegen.problems import Problems

YAML = """\
- func: add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: add.out
  variants: function, method
- func: add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  structured_delegate: add.out
  variants: method
- func: add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: add_out
    CUDA: add_out_cuda
- func: zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: zeros
- func: nll(Tensor self, Tensor? weight, int reduction=Mean, *, str? mode='x') -> (Tensor, Tensor)
- func: top.values(Tensor self, int k, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))
  structured: True
  precomputed:
  - k -> int size
  dispatch:
    CPU: top_out
- func: top(Tensor self, int k) -> (Tensor, Tensor)
  structured_delegate: top.values
- func: join.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  dispatch:
    CPU: join_out
- func: join(Tensor[] tensors) -> Tensor
  structured_delegate: join.out
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "native").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "native" / "native_functions.yaml").write_text(YAML)
    (tmp_path / "native" / "tags.yaml").write_text("- tag: core\n")
    (tmp_path / "templates" / "TensorBody.h").write_text(
        "class Tensor {\n  ${tensor_method_declarations}\n};\n"
    )
    return tmp_path


@pytest.fixture
def outputs(source: Path) -> dict[str, str]:
    native = source / "native"
    parsed = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
    context = Context.make(
        parsed, Options(tensor_body_template=source / "templates" / "TensorBody.h")
    )
    groups = ("operator_headers", "tensor_headers", "sources")
    return {
        file.path.removeprefix("aten/src/ATen/"): file.render()
        for group in groups
        for file in GROUPS[group](context)
    }


def all_shards(outputs: dict[str, str], stem: str) -> str:
    return "".join(text for path, text in sorted(outputs.items()) if path.startswith(stem + "_"))


def test_functions(outputs: dict[str, str]) -> None:
    add = outputs["ops/add.h"]
    assert (
        "inline at::Tensor add(const at::Tensor & self, const at::Tensor & other, "
        "const at::Scalar & alpha=1) {\n  return at::_ops::add_Tensor::call(self, other, alpha);"
    ) in add
    assert "add_out(at::Tensor & out, const at::Tensor & self" in add
    assert (
        "add_outf(const at::Tensor & self, const at::Tensor & other, "
        "const at::Scalar & alpha, at::Tensor & out)"
    ) in add
    assert "add_(" not in add  # In-place is a method only.
    zeros = outputs["ops/zeros.h"]
    assert "inline at::Tensor zeros(at::IntArrayRef size, at::TensorOptions options={}) {" in zeros
    assert "c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt()" in zeros
    assert "::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout" in zeros
    nll = outputs["ops/nll.h"]
    assert "int64_t reduction=at::Reduction::Mean" in nll
    assert '::std::optional<::std::string_view> mode="x"' in nll
    assert "#include <ATen/core/Reduction.h>" in nll
    assert "Reduction.h" not in add


def test_methods(outputs: dict[str, str]) -> None:
    body = outputs["core/TensorBody.h"]
    assert "  at::Tensor add(const at::Tensor & other, const at::Scalar & alpha=1) const;" in body
    assert "  at::Tensor & add_(const at::Tensor & other" in body
    assert "${" not in body
    methods = all_shards(outputs, "TensorMethods")
    assert "at::_ops::add__Tensor::call(const_cast<Tensor&>(*this), other, alpha);" in methods


def test_structured_classes(outputs: dict[str, str]) -> None:
    meta = outputs["ops/add_meta.h"]
    assert "struct TORCH_API structured_add_Tensor : public TensorIteratorBase {" in meta
    native = outputs["ops/add_native.h"]
    assert "#include <ATen/ops/add_meta.h>" in native
    assert "struct TORCH_API structured_add_out : public at::meta::structured_add_Tensor" in native
    assert "structured_add_out_cuda" in native
    top = outputs["ops/top_meta.h"]
    assert "public at::impl::MetaBase" in top
    assert "meta_return_ty meta(const at::Tensor & self, int64_t k);" in top
    assert "precompute_out<true> set_size(int64_t value)" in top
    impl = "void impl(const at::Tensor & self, int64_t size, const at::Tensor & values"
    assert impl in outputs["ops/top_native.h"]
    assert "ops/zeros_meta.h" not in outputs


def test_registrations(outputs: dict[str, str]) -> None:
    cpu = all_shards(outputs, "RegisterCPU")
    for name in ("add.Tensor", "add_.Tensor", "add.out", "top", "top.values"):
        assert f'm.impl("{name}", TORCH_FN(wrapper_CPU_' in cpu
    assert "InplaceKernel<at::native::structured_add_out, at::impl::CPUOutputs> op(self);" in cpu
    assert "auto precompute = op.meta(self, k);" in cpu
    assert "op.impl(self, precompute.size, op.maybe_get_output(0)" in cpu
    meta = all_shards(outputs, "RegisterMeta")
    assert "FunctionalKernel<at::meta::structured_add_Tensor, 1, at::impl::MetaOutputs>" in meta
    checks = re.findall(r"check_and_update_common_device\(common_device, (\w+), \"(\w+)\"", meta)
    assert checks == [("tensors", "wrapper_Meta_join_out"), ("tensors", "wrapper_Meta_join")]
    assert "op.impl" not in meta
    assert 'm.impl("zeros"' in all_shards(outputs, "RegisterCompositeExplicitAutograd")
    assert 'm.impl("nll"' in all_shards(outputs, "RegisterCompositeImplicitAutograd")
    assert not any(path.startswith("RegisterCUDA") for path in outputs)
    schema = outputs["RegisterSchema.cpp"]
    assert 'm.def("zeros(SymInt[] size, *, ScalarType? dtype=None, ' in schema
    assert schema.count("m.def(") == 9


def test_a_shard_includes_only_its_own_operators(outputs: dict[str, str]) -> None:
    known = frozenset({"add", "zeros", "nll", "top", "join"})
    count = DEFAULT_SHARDS["Operators"]
    for index in range(count):
        included = generated_includes(outputs[f"Operators_{index}.cpp"], Operators(known))
        own = {f"ops/{name}_ops.h" for name in known if shard_of(name, count) == index}
        assert included - {TENSOR_CLASS} == own


def test_operators(outputs: dict[str, str]) -> None:
    header = outputs["ops/add_ops.h"]
    assert 'static constexpr const char* name = "aten::add_";' in header
    assert 'static constexpr const char* overload_name = "Tensor";' in header
    source = all_shards(outputs, "Operators")
    assert ".findSchemaOrThrow(add_Tensor::name, add_Tensor::overload_name)" in source
    assert "return add_Tensor_handle().redispatch(dispatchKeySet, self, other, alpha);" in source


def run(source: Path, *args: str) -> int:
    return main(["--source-path", str(source), *args])


def test_cuda_adds_guarded_registrations(source: Path) -> None:
    out = source / "out"
    assert run(source, "--install-dir", str(out), "--cuda") == 0
    text = "".join(p.read_text() for p in (out / "aten/src/ATen").glob("RegisterCUDA_*.cpp"))
    assert "const c10::OptionalDeviceGuard device_guard(at::device_of(self));" in text
    assert "check_and_update_common_device(common_device, other" in text


def test_outputs_are_listed_without_generating(source: Path) -> None:
    listed = source / "list.txt"
    assert run(source, "--output-dependencies", str(listed)) == 0
    out = source / "out"
    assert run(source, "--install-dir", str(out)) == 0
    written = sorted(str(p.relative_to(out)) for p in out.rglob("*") if p.is_file())
    assert listed.read_text().split() == written


@pytest.mark.parametrize("started_by_bazel_run", [True, False])
def test_paths_are_from_where_it_was_typed(
    source: Path, tmp_path: Path, *, started_by_bazel_run: bool
) -> None:
    typed = source if started_by_bazel_run else tmp_path / "elsewhere"
    command = [sys.executable, "-m", "tools.codegen", "--source-path", ".", "--install-dir", "out"]
    path = os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path)
    env = {**os.environ, "PYTHONPATH": path, "BUILD_WORKING_DIRECTORY": str(typed)}
    # `bazel run` starts programs, as `bazel test` does, among their runfiles.
    subprocess.run(command, check=True, env=env, cwd=None if started_by_bazel_run else source)
    assert (source / "out/aten/src/ATen/ops/top.h").is_file()


@pytest.mark.parametrize(
    "option", ["--install-dir", "--output-dependencies", "--output-list", "--canonical"]
)
def test_a_path_that_cannot_be_written(
    source: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "file").touch()
    assert run(source, option, str(source / "file/below"), "--slices", "1") == 1
    message = capsys.readouterr().err
    assert message.startswith(f"{source}/file/below")
    assert ": error: Not a directory. Give another path, by --install-dir or" in message


def test_files_are_written_only_when_they_change(source: Path) -> None:
    out = source / "out"
    run(source, "--install-dir", str(out))
    stamps = {p: p.stat().st_mtime_ns for p in out.rglob("*.h")}
    yaml = source / "native" / "native_functions.yaml"
    yaml.write_text("# a comment\n" + YAML.replace("Scalar alpha=1", "Scalar alpha=2"))
    run(source, "--install-dir", str(out))
    changed = {p.name for p, stamp in stamps.items() if p.stat().st_mtime_ns != stamp}
    keys = ("cpu", "meta", "compositeexplicitautogradnonfunctional")
    dispatch = {f"add_{key}_dispatch.h" for key in keys}
    assert changed == {"add.h", "add_ops.h", "TensorBody.h"} | dispatch


def test_dry_run_writes_nothing(source: Path) -> None:
    assert run(source, "--install-dir", str(source / "out"), "--dry-run") == 0
    assert not (source / "out").exists()


def test_selected_operators_keep_their_delegates(source: Path) -> None:
    out = source / "out"
    assert run(source, "--install-dir", str(out), "--ops", "top") == 0
    assert {p.name for p in (out / "aten/src/ATen/ops").iterdir()} == {
        "top.h",
        "top_ops.h",
        "top_native.h",
        "top_meta.h",
        "top_cpu_dispatch.h",
        "top_meta_dispatch.h",
        "top_compositeexplicitautogradnonfunctional_dispatch.h",
    }


def test_problems_are_printed(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (source / "native" / "native_functions.yaml").write_text("- func: f(\n- func: g(\n")
    assert run(source) == 1
    assert "2 errors" in capsys.readouterr().err


def test_a_schema_has_one_spelling(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    yaml = source / "native" / "native_functions.yaml"
    yaml.write_text("- func: f(int[02] x) -> Tensor\n")
    assert run(source) == 1
    assert "error in 'f': write it as 'f(int[2] x) -> Tensor'" in capsys.readouterr().err


def test_a_stale_list_names_the_updater(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ["aten/src/ATen/ops/add.h", "aten/src/ATen/ops/gone.h"]
    assert run(source, "--generate", "operator_headers", "--only", *only) == 1
    message = capsys.readouterr().err
    assert "ops/gone.h:1: error: is not an output of these operators" in message
    assert "ops/add_ops.h:1: error: is an output that the list of outputs lacks" in message
    assert "./bazelw run //tools:update" in message


def test_direct_calls(outputs: dict[str, str]) -> None:
    header = outputs["ops/add_cpu_dispatch.h"]
    assert "namespace at {\nnamespace cpu {" in header
    assert "TORCH_API at::Tensor & add_out(at::Tensor & out, const at::Tensor & self" in header
    assert "const at::Scalar & alpha=1);" in header
    source = all_shards(outputs, "RegisterCPU")
    assert "#include <ATen/ops/add_cpu_dispatch.h>" in source
    assert "return wrapper_CPU_add_Tensor(self, other, alpha);" in source
    assert "wrapper_CPU_add_out(self, other, alpha, out);" in source
    # Which keys an operator has says which headers it has.
    assert "ops/zeros_cpu_dispatch.h" not in outputs
    assert "#include <ATen/ops/add_cpu_dispatch.h>" in outputs["CPUFunctions.h"]
    assert "zeros" not in outputs["CPUFunctions.h"]


def test_structured_operators_need_the_out_kernel_only(outputs: dict[str, str]) -> None:
    text = all_shards(outputs, "RegisterCompositeExplicitAutogradNonFunctional")
    assert "FunctionalKernel<at::meta::structured_add_Tensor, 1, at::impl::DefaultOutputs>" in text
    assert "at::_ops::add_out::call(self, other, alpha, out0);" in text
    assert "at::_ops::top_values::call(self, k, out0, out1);" in text
    for name in ("add.Tensor", "add_.Tensor", "top"):
        assert f'm.impl("{name}", ' in text
    assert 'm.impl("add.out", ' not in text


def test_a_backend_has_groups_of_its_own(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = source / "out"
    groups = ("--generate", "cuda_sources", "--generate", "cuda_headers")
    assert run(source, "--install-dir", str(out), "--cuda", *groups) == 0
    names = {p.name for p in out.rglob("*") if p.is_file()}
    assert names == {
        *(f"RegisterCUDA_{i}.cpp" for i in range(DEFAULT_SHARDS["RegisterCUDA"])),
        "CUDAFunctions.h",
        "add_cuda_dispatch.h",
    }
    assert run(source, "--dry-run", *groups) == 1
    assert "the group 'cuda_sources' needs --cuda or --rocm" in capsys.readouterr().err


def test_rocm_has_the_outputs_of_cuda(source: Path) -> None:
    for flag in ("cuda", "rocm"):
        assert run(source, f"--{flag}", "--output-dependencies", str(source / flag)) == 0
    assert (source / "rocm").read_text() == (source / "cuda").read_text()
    assert "RegisterCUDA_0.cpp" in (source / "rocm").read_text()


def test_tags_are_defined_and_stated(source: Path, tmp_path: Path) -> None:
    (source / "native" / "tags.yaml").write_text("- tag: core\n- tag: out\n")
    yaml = YAML.replace("    CPU: top_out\n", "    CPU: top_out\n  tags: core\n")
    (source / "native" / "native_functions.yaml").write_text(yaml)
    out = tmp_path / "out"
    assert run(source, "--install-dir", str(out)) == 0
    aten = out / "aten/src/ATen"
    assert "enum class Tag {\n  core,\n  out,\n};" in (aten / "core/enum_tag.h").read_text()
    schema = (aten / "RegisterSchema.cpp").read_text()
    assert "const std::vector<at::Tag> tags_1 = {at::Tag::core, at::Tag::out};" in schema
    assert '-> (Tensor(a!), Tensor(b!))", tags_1);' in schema
    assert '-> Tensor(a!)", tags_0);' in schema
    assert 'm.def("top(Tensor self, int k) -> (Tensor, Tensor)");' in schema


def test_in_place_operators_keep_their_shape_on_meta(source: Path, tmp_path: Path) -> None:
    (source / "native" / "native_functions.yaml").write_text(
        "- func: fill_(Tensor(a!) self) -> Tensor(a!)\n  variants: method\n"
        "  dispatch:\n    CPU: fill_\n"
    )
    out = tmp_path / "out"
    assert run(source, "--install-dir", str(out)) == 0
    text = "".join(p.read_text() for p in (out / "aten/src/ATen").glob("RegisterMeta_*.cpp"))
    assert 'm.impl("fill_", TORCH_FN(wrapper_Meta_fill_));' in text
    assert "Cannot inplace into non-meta tensor with meta tensor argument" in text


def test_includes_are_followed_through_headers() -> None:
    texts = {
        "a/w.cpp": "#include <ATen/core/TensorBase.h>\n",
        "a/x.cpp": "#include <ATen/ops/add_native.h>\n#include <a/x.h>\n",
        "a/x.h": "#include <ATen/ops/mul.h>\n#include <ATen/y.h>\n",
        "aten/src/ATen/y.h": (
            "#include <a/x.h>\n// #include <ATen/ops/no.h>\n#include <ATen/ops/div.h>\n"
        ),
    }
    operators = Operators(frozenset({"add", "mul", "div"}), frozenset({"add"}))
    deps = operator_deps(["a/w.cpp", "a/x.cpp"], texts, operators)
    assert deps == {
        "a/w.cpp": [],
        "a/x.cpp": [
            TENSOR_CLASS,
            *("ops/add_meta.h", "ops/add_native.h"),
            *("ops/div.h", "ops/div_ops.h", "ops/mul.h", "ops/mul_ops.h"),
        ],
    }


def test_headers_of_kernels_are_in_the_table() -> None:
    texts = {
        "aten/src/ATen/native/x.cpp": "#include <ATen/native/cpu/a.h>\n",
        "aten/src/ATen/native/cpu/a.h": "#include <ATen/native/b.h>\n",
        "aten/src/ATen/native/b.h": "",
        "aten/src/ATen/native/c.h": "",
    }
    deps = operator_deps(["aten/src/ATen/native/x.cpp"], texts, Operators(frozenset()))
    assert deps == {"aten/src/ATen/native/x.cpp": ["native/b.h", "native/cpu/a.h"]}


def test_headers_by_pattern() -> None:
    operators = Operators(frozenset({"add", "mul", "f_native"}), frozenset({"mul"}))
    headers = ["ops/add.h", "ops/add_native.h", "ops/mul_ops.h", "ops/add_ops.h", "ops/f_native.h"]
    assert by_pattern([*headers, "core/TensorBody.h", "native/cpu/a.h"], operators) == {
        "core/{}.h": ["TensorBody"],
        "native/{}.h": ["cpu/a"],
        "ops/{}.h": ["add", "f_native"],
        "ops/{}_native.h": ["add"],
        "ops/{}_ops.h": ["add", "mul"],
    }
    assert by_pattern([], operators) == {}


def test_a_table_is_of_the_sources_of_its_folder(tmp_path: Path) -> None:
    texts = {
        "list.bzl": 'OPERATORS = ["add"]\nHEADERS = {"operator_headers": {}}\n',
        "a/x.cpp": "#include <ATen/ops/add_native.h>\n",
        "b/y.cpp": "#include <ATen/ops/add.h>\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    table, folder = tmp_path / "table.bzl", tmp_path / "a"
    files = [str(tmp_path / path) for path in texts if path.endswith(".cpp")]
    arguments = ["--output", str(table), "--list", str(tmp_path / "list.bzl")]
    assert write_table([*arguments, "--folder", str(folder), *files]) == 0
    scope: dict[str, Any] = {}
    exec(table.read_text(), scope)
    assert scope["OPERATOR_DEPS"] == {
        f"{folder}/x.cpp": {"core/{}.h": ["TensorBody"], "ops/{}_native.h": ["add"]}
    }


def test_a_header_of_no_operator() -> None:
    operators = Operators(frozenset({"addmm", "mul"}), frozenset({"addmm"}))
    problems = Problems()
    text = (
        "#include <ATen/ops/addmm_native.h>\n"
        "#include <ATen/ops/adm_native.h>\n"
        "#include <ATen/ops/mul_meta.h>\n"
        "#include <ATen/ops/addmm_meta.h>\n"
        "#include <ATen/ops/mul_cpu_dispatch.h>\n"
        "#include <ATen/core/Tensor.h>\n"
    )
    check_includes("a.cpp", text, operators, problems)
    assert [str(problem) for problem in problems] == [
        "a.cpp:2: error: there is no header 'ATen/ops/adm_native.h': no operator is called 'adm'; "
        "did you mean 'addmm'?",
        "a.cpp:3: error: there is no header 'ATen/ops/mul_meta.h': 'mul' is not structured",
    ]


def test_a_name_that_ends_like_a_suffix_is_an_operator_when_it_is_one() -> None:
    text = "#include <ATen/ops/x_native.h>\n"
    plain, named = Operators(frozenset({"x"})), Operators(frozenset({"x_native"}))
    assert generated_includes(text, plain) == {TENSOR_CLASS, "ops/x_native.h"}
    assert generated_includes(text, named) == {
        *(TENSOR_CLASS, "ops/x_native.h", "ops/x_native_ops.h"),
    }
    assert generated_includes("#include <ATen/ops/x_cpu_dispatch.h>\n", plain) == {
        *(TENSOR_CLASS, "ops/x_cpu_dispatch.h"),
    }
    assert generated_includes("#include <ATen/core/enum_tag.h>\n", plain) == {"core/enum_tag.h"}


UFUNC = """\
- func: mix.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: mix (Floating, Half)
    ScalarOnly: mix_bool (Bool)
- func: mix(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
  structured_delegate: mix.out
"""


def test_kernels_made_of_loops(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native/native_functions.yaml").write_text(UFUNC)
    (tmp_path / "native/tags.yaml").write_text("[]")
    arguments = ["--generate", "sources", "--install-dir", str(tmp_path)]
    assert run(tmp_path, "--cuda", *arguments) == 0
    out = tmp_path / "aten/src/ATen"
    kernel = (out / "UfuncCPU_mix.cpp").read_text()
    assert "#include <ATen/ops/mix_native.h>" in kernel
    assert "TORCH_IMPL_FUNC(ufunc_mix_CPU)" in kernel
    assert "mix_stub(device_type(), *this, alpha);" in kernel

    loops = (out / "UfuncCPUKernel_mix.cpp").read_text()
    assert "ATen/ops" not in loops
    assert re.findall(r"ScalarType::(\w+), \[&\] \{ (\w+)<", loops) == [
        *(("Bool", "loop_0"), ("Float", "loop_1"), ("Double", "loop_1"), ("Half", "loop_1")),
    ]
    elements, vectors = loops.split("void loop_1")
    assert "cpu_kernel(iter, [=](scalar_t self, scalar_t other)" in elements
    assert "ufunc::mix_bool(self, other, alpha_value)" in elements
    assert "vector_t" not in elements
    assert "ufunc::mix(self, other, alpha_vector)" in vectors
    assert "REGISTER_DISPATCH(mix_stub, &mix_kernel)" in vectors

    cuda = (out / "UfuncCUDA_mix.cu").read_text()
    assert "struct CUDAFunctor_mix {" in cuda
    assert "return ufunc::mix_bool(static_cast<opmath_t>(self), static_cast<opmath_t>(" in cuda
    assert "REGISTER_CUDA_DISPATCH(mix_stub, &mix_kernel)" in cuda
    assert "TORCH_IMPL_FUNC(ufunc_mix_CUDA)" in cuda


def test_kernels_made_of_loops_are_cudas_only_with_cuda(tmp_path: Path) -> None:
    (tmp_path / "native").mkdir()
    (tmp_path / "native/native_functions.yaml").write_text(UFUNC)
    (tmp_path / "native/tags.yaml").write_text("[]")
    assert run(tmp_path, "--generate", "sources", "--install-dir", str(tmp_path)) == 0
    names = {path.name for path in (tmp_path / "aten/src/ATen").glob("Ufunc*")}
    assert names == {"UfuncCPU_mix.cpp", "UfuncCPUKernel_mix.cpp"}
