"""A library of operators that CMake builds against the installed wheel, and Python loads."""

from __future__ import annotations

from pathlib import Path

import cmake
import ninja

from tests.package.extension_environment import extension_environment, python

_CMAKE = Path(cmake.CMAKE_BIN_DIR) / "cmake"
# Not ninja.BIN_DIR, which finds what pip installed, and else nothing.
_NINJA = Path(ninja.__file__).parents[1] / "bin/ninja"
_PROJECT = """
cmake_minimum_required(VERSION 3.18)
project(operators CXX)
find_package(Caffe2 REQUIRED)
find_package(Torch REQUIRED)
add_library(operators SHARED operators.cpp)
target_link_libraries(operators PRIVATE ${Caffe2_MAIN_LIBS})
"""
# Kernels for the CPU and Meta, and a Function for autograd, as public extensions write them.
_SOURCE = """
#include <torch/library.h>
#include <torch/types.h>
#include <torch/csrc/autograd/custom_function.h>

at::Tensor axpy_cpu(const at::Tensor& x, const at::Tensor& y, double a) {
  TORCH_CHECK(x.sizes() == y.sizes(), "axpy: ", x.sizes(), " and ", y.sizes());
  const at::Tensor in = x.contiguous();
  at::Tensor out = y.contiguous().clone();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "axpy", [&] {
    const auto* from = in.data_ptr<scalar_t>();
    auto* to = out.data_ptr<scalar_t>();
    for (int64_t i = 0; i < in.numel(); ++i) to[i] += static_cast<scalar_t>(a) * from[i];
  });
  return out;
}
at::Tensor axpy_meta(const at::Tensor& x, const at::Tensor&, double) { return at::empty_like(x); }

at::Tensor axpy(const at::Tensor& x, const at::Tensor& y, double a) {
  static auto op = c10::Dispatcher::singleton()
                       .findSchemaOrThrow("my_cmake_ops::axpy", "")
                       .typed<decltype(axpy)>();
  return op.call(x, y, a);
}

struct Axpy : torch::autograd::Function<Axpy> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x,
                            const at::Tensor& y, double a) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->saved_data["a"] = a;
    return axpy(x, y, a);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    return {grads[0] * ctx->saved_data["a"].toDouble(), grads[0], at::Tensor()};
  }
};
at::Tensor axpy_autograd(const at::Tensor& x, const at::Tensor& y, double a) {
  return Axpy::apply(x, y, a);
}

TORCH_LIBRARY(my_cmake_ops, m) { m.def("axpy(Tensor x, Tensor y, float a) -> Tensor"); }
TORCH_LIBRARY_IMPL(my_cmake_ops, CPU, m) { m.impl("axpy", axpy_cpu); }
TORCH_LIBRARY_IMPL(my_cmake_ops, Meta, m) { m.impl("axpy", axpy_meta); }
TORCH_LIBRARY_IMPL(my_cmake_ops, Autograd, m) { m.impl("axpy", axpy_autograd); }
"""
_PROGRAM = """
import torch
torch.ops.load_library({library!r})
axpy = torch.ops.my_cmake_ops.axpy
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([10.0, 20.0], dtype=torch.float32)
out = axpy(x, y, 3.0)
out.sum().backward()
print(out.tolist(), x.grad.tolist(), tuple(axpy(x.detach().to("meta"), y.to("meta"), 1.0).shape))
try:
    axpy(x, y[:1], 1.0)
except RuntimeError as error:
    print(str(error).splitlines()[0])
"""


def test_cmake_builds_operators(tmp_path: Path) -> None:
    environment = extension_environment(tmp_path / "environment", ["setuptools"])
    prefix = python(environment, "import torch.utils; print(torch.utils.cmake_prefix_path)").strip()
    project = tmp_path / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(_PROJECT, encoding="utf-8")
    (project / "operators.cpp").write_text(_SOURCE, encoding="utf-8")
    words = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_NINJA}", f"-DCMAKE_PREFIX_PATH={prefix}"]
    build = project / "build"
    environment.run(_CMAKE, *words, "-S", str(project), "-B", str(build))
    environment.run(_CMAKE, "--build", str(build))
    said = python(environment, _PROGRAM.format(library=str(build / "liboperators.so")))
    assert said == "[13.0, 26.0] [3.0, 3.0] (2,)\naxpy: [2] and [1]\n"
