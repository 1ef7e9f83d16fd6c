"""Extensions built against the installed wheel in a fresh environment: setup.py and load()."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.package.environment import Environment
from tests.package.extension_environment import extension_environment, python, refused

# Packages of the build that the environment may use; each is in a directory of its own.
_TOOLS = (
    *("iniconfig", "ninja", "numpy", "packaging", "pluggy", "pygments", "pytest", "setuptools"),
    *("imageio", "lazy_loader", "networkx", "PIL", "scipy", "skimage", "tifffile"),
)
_PROJECT = Path(os.environ["PROJECT"]).resolve().parent


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return extension_environment(tmp_path_factory.mktemp("extension") / "environment", _TOOLS)


def test_setup_py(environment: Environment, tmp_path: Path) -> None:
    """The texture example, with the tests that Bazel runs on its own build of it."""
    project = tmp_path / "texture project"
    shutil.copytree(_PROJECT, project, symlinks=False)
    options = ("--no-build-isolation", "--no-deps", "--disable-pip-version-check")
    environment.pip("install", *options, str(project))
    tests = tmp_path / "texture_test.py"
    shutil.copy(os.environ["TEXTURE_TEST"], tests)
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    said = environment.run(environment.python, *words, cwd=tmp_path).stdout
    assert " passed" in said
    assert "failed" not in said
    where = python(environment, "import texture; print(texture._C.__file__)")
    assert Path(where.strip()).is_relative_to(environment.site_packages)


_INLINE = """
from torch.utils import cpp_extension
import torch
module = cpp_extension.load_inline(
    "inline", {source!r}, functions={{"f": "A \\"quoted\\" text"}}, build_directory={directory!r},
    extra_cflags=["-O0"])
print(module.f(torch.ones(2, 2), [2, 1], 3.5, torch.float64, "cpu").tolist(), module.__name__)
"""
_SOURCE = """
torch::Tensor f(torch::Tensor x, std::vector<int64_t> sizes, c10::Scalar scale, torch::Dtype dtype,
                torch::Device device) {
  TORCH_CHECK(device.is_cpu(), "no CPU");
  return (x.sum() * scale).to(dtype).expand(sizes) + ADDED;
}
"""


def test_load_inline_and_what_it_builds_again(environment: Environment, tmp_path: Path) -> None:
    def run(added: str) -> tuple[str, int]:
        program = _INLINE.format(source=_SOURCE.replace("ADDED", added), directory=str(tmp_path))
        return python(environment, program), (tmp_path / "main.o").stat().st_mtime_ns

    first, built = run("1")
    assert first == "[[15.0], [15.0]] inline\n"
    again, kept = run("1")
    assert (again, kept) == (first, built)
    changed, rebuilt = run("2")
    assert changed == "[[16.0], [16.0]] inline\n"
    assert rebuilt > built


# As extensions were written before TORCH_LIBRARY, and many still are.
_OLDER = """
#include <torch/script.h>
#define CHECK_CPU(x) AT_ASSERTM(x.device().is_cpu(), #x " must be CPU tensor")
using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

class Times : public torch::autograd::Function<Times> {
 public:
  static variable_list forward(AutogradContext* ctx, Variable x, std::optional<int64_t> times) {
    CHECK_CPU(x);
    ctx->saved_data["times"] = times.value_or(2);
    ctx->saved_data["shape"] = x.sizes();
    return {x * times.value_or(2), x.detach()};
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    auto shape = ctx->saved_data["shape"].toIntList();
    assert(shape.size() == 1);
    return {torch::ones(shape.vec()) * ctx->saved_data["times"].toInt() * grads[0], Variable()};
  }
};
std::tuple<torch::Tensor, std::optional<torch::Tensor>> times(
    torch::Tensor x, std::optional<int64_t> times, std::string which) {
  auto results = Times::apply(x, times);
  if (which == "none") return std::make_tuple(results[0], std::nullopt);
  return std::make_tuple(results[0], results[1]);
}
static auto registry = torch::RegisterOperators()
                           .op("older::times", &times)
                           .op("older::version", [] { return int64_t(7); });
"""
_OLDER_PROGRAM = """
import torch
from torch.utils.cpp_extension import load
load("older", [{source!r}], build_directory={directory!r}, is_python_module=False,
     extra_cflags=["-O0", "-UNDEBUG"])
x = torch.ones(3, requires_grad=True)
torch.ops.older.times(x, 5, "both")[0].sum().backward()
print(torch.ops.older.version(), torch.ops.older.times(x, None, "none")[1], x.grad.tolist())
"""


def test_code_that_was_written_for_pytorch(environment: Environment, tmp_path: Path) -> None:
    source = tmp_path / "older.cpp"
    source.write_text(_OLDER, encoding="utf-8")
    program = _OLDER_PROGRAM.format(source=str(source), directory=str(tmp_path))
    assert python(environment, program) == "7 None [5.0, 5.0, 5.0]\n"


_STABLE_PROGRAM = """
import torch
from torch.utils.cpp_extension import load
load("stable", [{source!r}], build_directory={directory!r}, is_python_module=False,
     extra_cflags=["-O0"])
scaled = torch.ops.my_stable_ops.scaled
print(scaled(torch.arange(3.0), 1.5).tolist())
try:
    scaled(torch.arange(3.0).double(), 1.5)
except RuntimeError as error:
    print(str(error).split(", ")[-1])
"""


def test_the_stable_headers_that_the_wheel_brings(environment: Environment, tmp_path: Path) -> None:
    """The program of docs/own_operator.md refers to nothing of the library but C functions."""
    page = Path(os.environ["PAGE"]).read_text(encoding="utf-8")
    (text,) = re.findall(r"```c\+\+\n(.*?)```", page, re.DOTALL)
    source = tmp_path / "stable.cpp"
    source.write_text(text, encoding="utf-8")
    program = _STABLE_PROGRAM.format(source=str(source), directory=str(tmp_path))
    assert python(environment, program) == (
        "[0.0, 1.5, 3.0]\nexpected scalar type Float but found Double\n"
    )
    words = ["nm", "--dynamic", "--undefined-only", "--demangle", str(tmp_path / "stable.so")]
    symbols = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    assert "torch_call_dispatcher" in symbols
    assert not re.search(r"\b(c10|at|torch)::", symbols)


# What extensions do with the classes around tensors. The text is PyTorch 2.13's.
_VALUES = """
#include <torch/extension.h>
#include <torch/script.h>
#include <ATen/DLConvertor.h>
#include <ATen/Operators.h>
#include <ATen/native/TensorIterator.h>
#include <ATen/native/cpu/Loops.h>

namespace {

at::Tensor times_plus_one(const at::Tensor& a, const at::Tensor& b) {
  at::Tensor out;
  auto it = at::TensorIteratorConfig()
                .add_output(out)
                .add_const_input(a)
                .add_const_input(b)
                .promote_inputs_to_common_dtype(true)
                .build();
  AT_DISPATCH_ALL_TYPES(it.common_dtype(), "times_plus_one", [&] {
    at::native::cpu_kernel(it, [](scalar_t x, scalar_t y) -> scalar_t { return x * y + 1; });
  });
  return it.output();
}

at::Tensor vector_product(const at::Tensor& a, const at::Tensor& b) {
  auto out = at::empty_like(a);
  auto it = at::TensorIterator::binary_op(out, a, b);
  using Vec = at::vec::Vectorized<float>;
  at::native::cpu_kernel_vec(it, [](float x, float y) { return x * y; },
                             [](Vec x, Vec y) { return x * y; });
  return out;
}

struct Doubled final : c10::OperatorKernel {
  explicit Doubled(int64_t offset) : offset(offset) {}
  at::Tensor operator()(const at::Tensor& x) { return x * 2 + offset; }
  int64_t offset;
};

using c10::DispatchKey;
auto registry = torch::RegisterOperators()
                    .op("values::doubled(Tensor x) -> Tensor",
                        torch::RegisterOperators::options().kernel<Doubled>(DispatchKey::CPU, 3))
                    .op("values::sum", [](const at::Tensor& x) { return x.sum(); });

int64_t size_of(const at::Tensor& x) { return x.numel(); }
torch::RegisterOperators by_constructor("values::size(Tensor x) -> int", &size_of);

void boxed_negative(const c10::OperatorHandle&, torch::jit::Stack* stack) {
  at::Tensor x;
  torch::jit::pop(stack, x);
  torch::jit::push(stack, -x, x.dim());
}
auto boxed = torch::RegisterOperators().op(
    "values::negative(Tensor x) -> (Tensor, int)",
    torch::RegisterOperators::options().kernel<&boxed_negative>(DispatchKey::CPU));

std::string exchange() {
  std::ostringstream out;
  const auto x = torch::arange(6, torch::kFloat).view({2, 3});
  int deleted = 0;
  {
    DLManagedTensor* managed = at::toDLPack(x);
    const at::Tensor same = at::fromDLPack(managed, [&](void* self) {
      ++deleted;
      static_cast<DLManagedTensor*>(self)->deleter(static_cast<DLManagedTensor*>(self));
    });
    out << same.is_alias_of(x) << (same.data_ptr() == x.data_ptr()) << same.equal(x) << deleted;
  }
  out << deleted;
  {
    const at::Tensor same = at::fromDLPackVersioned(at::toDLPackVersioned(x.t()));
    out << same.strides();
  }
  DLManagedTensor* managed = at::toDLPack(x);
  managed->dl_tensor.strides[0] = -3;
  try {
    at::fromDLPack(managed);
  } catch (const c10::ValueError& error) {
    out << error.what_without_backtrace();
  }
  managed->deleter(managed);

  at::DeprecatedTypeProperties& type = x.type();
  out << " " << (&type == &at::CPU(at::kFloat)) << type.toScalarType(at::kLong).toString();
  out << ATEN_FN2(add, Tensor)(x, x, 1).m([](const at::Tensor& t) { return t.sum(); }).item<float>();
  out << x.toBackend(at::Backend::CPU).equal(x);
  c10::Dict<std::string, int64_t> a, b;
  a.insert("one", 1);
  a.insert("two", 2);
  b.insert("two", 2);
  out << (a == b);
  b.insert("one", 1);
  out << (a == b);
  return out.str();
}

std::string run() {
  std::ostringstream out;
  const c10::IValue tuple(std::make_tuple(int64_t{1}, 2.5, std::string("x")));
  out << tuple << " " << *tuple.type() << " " << tuple.toTuple()->elements()[1] << "\\n";
  const c10::IValue list(std::vector<int64_t>{1, 2});
  out << list.type()->annotation_str() << " " << (list == list.deepcopy()) << list.isAliasOf(list)
      << "\\n";
  const auto x = torch::arange(8, torch::kFloat).view({2, 2, 2}) * 1000.5;
  out << x << torch::tensor({0.001, 0.0025}, torch::kDouble) << x.sizes().vec() << "\\n";
  out << torch::tensor(1234567.25, torch::kDouble) << "\\n";
  const auto y = torch::ones({2}, torch::requires_grad());
  out << y._version() << at::zeros({1}, torch::ones({1}).to(torch::kLong).type()).dtype() << "\\n";
  const auto t = torch::ones({2, 2}).t();
  out << *t.expect_contiguous() << "\\n";
  const c10::complex<double> z(3, 4);
  out << std::abs(z) << std::exp(c10::complex<double>(0, 0)) << at::tensor(z).dtype()
      << torch::TensorOptions({torch::kCUDA, 1}).device() << "\\n";
  try {
    TORCH_CHECK_EQ(1, 2) << "streamed";
  } catch (const c10::Error& error) {
    const std::string what = error.what_without_backtrace();
    const size_t begin = what.find("Check failed");
    out << what.substr(begin, what.find("streamed") - begin) << "\\n";
  }
  return out.str();
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(values, m) {
  m.set_python_module("values.fakes", "It is in the package.");
  m.def("times_plus_one", &times_plus_one);
  m.def("abstract(Tensor x) -> Tensor");
  m.def("by_key(Tensor x) -> Tensor");
  m.impl("by_key", DispatchKey::CPU, [](const at::Tensor& x) { return x + 1; });
  m.impl("by_key", c10::kMeta, [](const at::Tensor& x) { return at::empty_like(x); });
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("run", &run);
  m.def("exchange", &exchange);
  m.def("vector_product", &vector_product);
}
"""
_VALUES_PROGRAM = """
import torch
from torch.utils.cpp_extension import load
module = load("values_ext", [{source!r}], build_directory={directory!r}, extra_cflags=["-O0"])
print(module.run())
f = torch.arange(6.0).view(2, 3)
print(torch.ops.values.times_plus_one(f, torch.ones(3, dtype=torch.int32)).tolist())
print(module.vector_product(f.T, f.T).tolist())
print(torch.ops.values.doubled(torch.ones(2)).tolist(), torch.ops.values.sum(f).item())
print(torch.ops.values.size(f), torch.ops.values.negative(torch.ones(2)))
print(torch.ops.values.by_key(torch.ones(1)), torch.ops.values.by_key(f.to("meta")).device)
print(module.exchange())
try:
    torch.ops.values.abstract(f.to("meta"))
except NotImplementedError as error:
    print(error)
torch.library.register_fake("values::abstract", lambda x: torch.empty_like(x))
try:
    torch.ops.values.abstract(f.to("meta"))
except RuntimeError as error:
    print(str(error).partition(". Please")[0])
"""
_VALUES_SAID = """\
(1, 2.5, x) (int, float, str) 2.5
List[int] 11
(1,.,.) =\x20
    0.0000  1000.5000
  2001.0000  3001.5000

(2,.,.) =\x20
 4002.0000  5002.5000
  6003.0000  7003.5000
[ CPUFloatType{2,2,2} ]0.001 *
 1.0000
 2.5000
[ CPUDoubleType{2} ]2 2 2
1234567.25
[ CPUDoubleType{} ]
0long int
 1  1
 1  1
[ CPUFloatType{2,2} ]
5(1,0)c10::complex<double>cuda:1
Check failed: 1 == 2 (1 vs. 2).\x20

[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
[[0.0, 9.0], [1.0, 16.0], [4.0, 25.0]]
[5.0, 5.0] 15.0
6 (tensor([-1., -1.]), 1)
tensor([2.]) meta
01101[1, 3]tensors with negative strides are not supported 1CPULongType30101
values::abstract: We could not find the fake impl for this operator. The operator specified that \
you may need to import the 'values.fakes' Python module to load the fake impl. It is in the package.
Operator 'values::abstract' specified that its python fake impl is in the Python module \
'values.fakes' but it was actually found in '__main__'
"""


def test_values_iterators_and_what_prints(environment: Environment, tmp_path: Path) -> None:
    source = tmp_path / "values_ext.cpp"
    source.write_text(_VALUES, encoding="utf-8")
    program = _VALUES_PROGRAM.format(source=str(source), directory=str(tmp_path))
    assert python(environment, program) == _VALUES_SAID


# An empty module whose function nothing marks as exported, beside operators that it registers.
_UNMARKED = """
#include <Python.h>
#include <torch/extension.h>

extern "C" PyObject* PyInit_unmarked(void) {
  static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "unmarked", NULL, -1, NULL};
  return PyModule_Create(&definition);
}

at::Tensor twice(const at::Tensor& x) { return x + x; }
TORCH_LIBRARY(unmarked, m) { m.def("twice(Tensor x) -> Tensor", &twice); }
"""
_UNMARKED_SETUP = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension
setup(
    name="unmarked",
    ext_modules=[CppExtension("unmarked", ["unmarked.cpp"], extra_compile_args=["-O0"])],
    cmdclass={"build_ext": BuildExtension},
)
"""


def test_a_module_whose_function_is_not_marked(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "unmarked.cpp").write_text(_UNMARKED, encoding="utf-8")
    (tmp_path / "setup.py").write_text(_UNMARKED_SETUP, encoding="utf-8")
    build: list[str | Path] = [environment.python, "setup.py", "build_ext", "--inplace"]
    environment.run(*build, cwd=tmp_path)
    program = f"import sys, torch; sys.path.insert(0, {str(tmp_path)!r}); import unmarked; "
    program += "print(torch.ops.unmarked.twice(torch.ones(2)).tolist())"
    assert python(environment, program) == "[2.0, 2.0]\n"


_CUDA = """
import torch
torch.version.cuda = {version!r}  # As a build with CUDA says; nothing is linked.
from pathlib import Path
from torch.utils import _cpp_commands as c
from torch.utils.cpp_extension import include_paths
work = Path({work!r})
c.run(work, c.compile_steps("x", work, [{source!r}], ["x.o"], include_paths("cuda"), [], []))
"""


def test_cuda_source_compiles(environment: Environment, tmp_path: Path) -> None:
    """The texture example's kernels, by the nvcc of this machine with this machine's headers."""
    cuda = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    if not Path(cuda, "bin/nvcc").exists():
        pytest.skip("this machine has no nvcc in CUDA_HOME or /usr/local/cuda")
    source = str(_PROJECT / "src/texture_cuda.cu")
    said = environment.run(f"{cuda}/bin/nvcc", "--version").stdout
    version = said.partition("release ")[2].partition(",")[0]
    program = _CUDA.format(source=source, version=version, work=str(tmp_path))
    python(environment, program, CUDA_HOME=cuda, TORCH_CUDA_ARCH_LIST="8.0")
    assert b"sobel_backward_kernel" in (tmp_path / "x.o").read_bytes()


_OPERATOR = """
#include <ATen/core/Tensor.h>
#include <ATen/ops/mul.h>
#include <torch/library.h>
at::Tensor thrice(const at::Tensor& x) { return at::mul(x, 3); }
TORCH_LIBRARY(loaded, m) { m.def("thrice", &thrice); }
"""
_LOAD = """
import torch, torch.utils._cpp_build
from torch.utils.cpp_extension import load
torch.utils._cpp_build.find_ninja = lambda: None
path = load("loaded", [{source!r}], build_directory={directory!r}, is_python_module=False,
            extra_cflags=["-O0"])
print(torch.ops.loaded.thrice(torch.ones(2)).tolist(), path in torch.ops.loaded_libraries)
"""


def test_the_ninja_of_the_package_or_of_the_machine(
    environment: Environment, tmp_path: Path
) -> None:
    """The package says "" where it does not find its program."""
    program = """
import ninja, torch.utils._cpp_build as build
for ninja.BIN_DIR in ("/of/the/package", ""):
    print(build.find_ninja())
"""
    of_machine = tmp_path / "ninja"
    of_machine.write_text("#!/bin/sh\n")
    of_machine.chmod(0o755)
    found = python(environment, program, PATH=str(tmp_path)).split()
    assert found == ["/of/the/package/ninja", str(of_machine)]
    assert python(environment, program, PATH="/nowhere").split()[1] == "None"


def test_load_without_ninja(environment: Environment, tmp_path: Path) -> None:
    source = tmp_path / "loaded.cpp"
    source.write_text(_OPERATOR, encoding="utf-8")
    program = _LOAD.format(source=str(source), directory=str(tmp_path / "build"))
    assert python(environment, program) == "[3.0, 3.0] True\n"
    built = (tmp_path / "build/loaded.o").stat().st_mtime_ns
    assert python(environment, program) == "[3.0, 3.0] True\n"
    assert (tmp_path / "build/loaded.o").stat().st_mtime_ns == built


def test_compiled_against_another_version(environment: Environment, tmp_path: Path) -> None:
    """A module of the texture example that asks for another version's symbol."""
    (module,) = environment.site_packages.glob("texture/_C.*.so")
    data = module.read_bytes()
    assert b"compiled_for_torch_2_13_0_bazel_0_1_" in data
    other = tmp_path / module.name
    other.write_bytes(
        data.replace(
            b"compiled_for_torch_2_13_0_bazel_0_1_", b"compiled_for_torch_2_13_0_bazel_0_9_"
        )
    )
    program = f"import sys, torch; sys.path.insert(0, {str(tmp_path)!r}); import _C"
    said = refused(environment, program)
    assert (
        "undefined symbol: compiled_for_torch_2_13_0_bazel_0_9_compile_this_extension_again" in said
    )
