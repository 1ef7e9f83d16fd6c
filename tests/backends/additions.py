"""What is written by hand for what conftest.py adds to a copy of the tree."""

from __future__ import annotations

from pathlib import Path

NATIVE = "aten/src/ATen/native"
TABLE = "config/backends.bzl"
YAML = f"{NATIVE}/native_functions.yaml"
LISTS = "build_variables.bzl"
FOLDER = f"{NATIVE}/abacus"

ENTRY = """\
    "abacus": _backend(
        title = "Abacus",
        doc = "Build the backend that counts on beads.",
        key = "Abacus",
        libraries = {"torch_abacus": "//aten/src/ATen/native/abacus:libtorch_abacus"},
    ),
"""

KERNEL = """\
#include <ATen/core/Tensor.h>
#include <ATen/ops/_local_scalar_dense_native.h>

namespace at::native {

Scalar _local_scalar_dense_abacus(const Tensor& self) { return Scalar(self.dim()); }

}  // namespace at::native
"""

BUILD = """\
load("//:build_variables.bzl", "aten_native_abacus_srcs")
load("//aten/src/ATen:operator_deps.bzl", "OPERATOR_DEPS")
load("//config:conditions.bzl", "requires_backend")
load("//tools/rules:cc.bzl", "torch_cc_shared_library")
load("//tools/rules:operators.bzl", "operator_sources")
load("//tools/rules:sources.bzl", "package_srcs")

package(default_visibility = ["//visibility:private"])

operator_sources(
    name = "native",
    srcs = package_srcs(aten_native_abacus_srcs),
    operator_deps = OPERATOR_DEPS,
    target_compatible_with = requires_backend("abacus"),
    deps = ["//aten/src/ATen:base_headers"],
)

torch_cc_shared_library(
    name = "libtorch_abacus",
    dynamic_deps = [
        "//aten:libtorch_cpu",
        "//c10:libc10",
    ],
    target_compatible_with = requires_backend("abacus"),
    visibility = ["//visibility:public"],
    deps = [
        ":native",
        "//aten/src/ATen:abacus_operators",
    ],
)

filegroup(
    name = "sources",
    srcs = glob(["*.cpp"]),
    visibility = ["//aten/src/ATen:__pkg__"],
)
"""

# An operator with a stub, whose kernels are written by hand for the processor and for CUDA.
SWELL_YAML = """
- func: swell(Tensor self, *, bool twice=False) -> Tensor
  dispatch:
    CPU, CUDA: swell
"""

SWELL = {
    f"{NATIVE}/Swell.h": """\
#pragma once

#include <ATen/native/DispatchStub.h>

namespace at {
struct TensorIteratorBase;
namespace native {

using swell_fn = void (*)(TensorIteratorBase&, bool twice);
DECLARE_DISPATCH(swell_fn, swell_stub)

}  // namespace native
}  // namespace at
""",
    f"{NATIVE}/Swell.cpp": """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Swell.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/swell_native.h>

namespace at::native {

DEFINE_DISPATCH(swell_stub);

Tensor swell(const Tensor& self, bool twice) {
  Tensor result = at::empty_like(self);
  TensorIterator iter = TensorIterator::unary_op(result, self);
  swell_stub(iter.device_type(), iter, twice);
  return result;
}

}  // namespace at::native
""",
    f"{NATIVE}/cpu/SwellKernel.cpp": """\
#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Swell.h>
#include <ATen/native/cpu/Loops.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void swell_kernel(TensorIteratorBase& iter, bool twice) {
  const float by = twice ? 4 : 2;
  cpu_kernel(iter, [by](float x) -> float { return by * x; });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(swell_stub, &CPU_CAPABILITY::swell_kernel)

}  // namespace at::native
""",
    f"{NATIVE}/cuda/SwellKernel.cu": """\
#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Swell.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

void swell_kernel_cuda(TensorIteratorBase& iter, bool twice) {
  const float by = twice ? 4 : 2;
  gpu_kernel(iter, [by] GPU_LAMBDA(float x) -> float { return by * x; });
}

}  // namespace

REGISTER_CUDA_DISPATCH(swell_stub, &swell_kernel_cuda)

}  // namespace at::native
""",
}

# Its in-place form, a method.
SWELL_FORM_YAML = """
- func: swell_(Tensor(a!) self, *, bool twice=False) -> Tensor(a!)
  variants: method
  dispatch:
    CPU, CUDA: swell_
"""

SWELL_FORM = """
Tensor& swell_(Tensor& self, bool twice) {
  TensorIterator iter = TensorIterator::unary_op(self, self);
  swell_stub(iter.device_type(), iter, twice);
  return self;
}

}  // namespace at::native
"""

# A function of Python that is no operator.
MODULE = "torch/csrc/Module.cpp"
STUB = "tools/codegen/python_stub_template.pyi"
PACKAGE = "torch/__init__.py"
OVERRIDES = "torch/overrides.py"

BINDING = {
    "torch/csrc/Beads.h": """\
#pragma once

#include <torch/csrc/python_headers.h>

// torch.count_beads
void THPBeads_init(PyObject* module);
""",
    "torch/csrc/Beads.cpp": """\
#include <torch/csrc/Beads.h>

#include <torch/csrc/Exceptions.h>

namespace {

PyObject* count_beads(PyObject* /*self*/, PyObject* /*unused*/) { return PyLong_FromLong(70); }

PyMethodDef kFunctions[] = {
    {"count_beads", count_beads, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void THPBeads_init(PyObject* module) {
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
}
""",
}

# A module of Python, imported when it is first named.
MODULES = "docs/python.md"

DICE = """\
\"\"\"Dice that a program throws.\"\"\"

from __future__ import annotations

import torch


def throw(count: int) -> torch.Tensor:
    \"\"\"Throws dice.

    Args:
        count: how many.

    Returns:
        (count,), int64, numbers from 1 to 6.

    Example::

        >>> torch.dice.throw(3).shape
        torch.Size([3])
    \"\"\"
    return torch.randint(1, 7, (count,))


__all__ = ["throw"]
"""

# Files in the wheel: one of the package, one of the libraries'.
INSTALLED = "torch/BUILD.bazel"

# Of the operator: its result's shape and dtype, and how an element is computed.
CHECKS = f"{NATIVE}/UnaryOps.cpp"
LOOP = f"{NATIVE}/ufunc/bell.h"
NUMBERS = f"{NATIVE}/shaders/glsl/operations.glsl"
SHADER = f"{NATIVE}/shaders/glsl/unary.comp"
LAUNCH = f"{NATIVE}/shaders/Pointwise.cpp"

DECLARATION = """
- func: bell(Tensor self) -> Tensor
  structured_delegate: bell.out

- func: bell.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: bell (Floating, Half)
  dispatch:
    Vulkan, MPS: bell_shader
"""

# For the processor and CUDA.
ELEMENT = """\
#pragma once

#include <c10/macros/Macros.h>

#if !defined(__CUDACC__)
#include <ATen/cpu/vec/vec.h>
#endif

#include <cmath>

namespace at::native::ufunc {

/// exp(-x^2)
template <typename T>
C10_HOST_DEVICE T bell(T self) {
  return std::exp(-self * self);
}

#if !defined(__CUDACC__)
template <typename T>
at::vec::Vectorized<T> bell(at::vec::Vectorized<T> self) {
  return (self * self).neg().exp();
}
#endif

}  // namespace at::native::ufunc
"""

LAUNCHER = """
TORCH_IMPL_FUNC(bell_shader)(const Tensor& self, const Tensor& out) {
  run(*this, "unary", UNARY_BELL, "bell", kFloats);
}

}  // namespace at::native
"""

# Of the option: what it is, who asks for it, its variable and a test of it.
OPTIONS = "config/options.bzl"
ASKS = f"{NATIVE}/random/BUILD.bazel"
VARIABLES = "tools/package/environment.py"
SWITCHES = "config/tests/switches_test.bzl"

OPTION = """\
    # Code generation.
    _switch(
        name = "loaded_dice",
        default = False,
        doc = "Throw dice that show six more often.",
    ),
"""

# Of the library: what it is, and the source that calls it.
LIBRARIES = "third_party/optional/libraries.bzl"
CALLS = f"{NATIVE}/cuda/libraries.bzl"

LIBRARY = f"""\
    "cudice": _library(
        title = "cuDice",
        cuda = 13,
        define = "USE_CUDICE",
        distribution = "nvidia-cudice-cu13",
        doc = "Throw dice on CUDA by cuDice, from NVIDIA's wheel; off uses our own kernels.",
        header = "include/cudice.h",
        licence = "LicenseRef-NVIDIA-Proprietary",
        linked = ["libcudice.so.1"],
        requires = ["cuda"],
        root = "nvidia/cudice",
        run_path = "../../nvidia/cudice/lib",
        sha256 = ["{64 * "0"}"],
        size = "6 MB",
        variable = "USE_MAGMA",
        version = "1.2.3",
        without = "our own dice",
    ),
"""


def replaced(text: str, old: str, new: str) -> str:
    """The text with the one occurrence of `old` replaced."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def backend(root: Path) -> dict[str, str]:
    """The files that whoever adds the backend writes, by path."""
    old = {path: (root / path).read_text(encoding="utf-8") for path in (TABLE, YAML, LISTS)}
    table = replaced(
        old[TABLE], '    "PrivateUse1": 20,\n', '    "PrivateUse1": 20,\n    "Abacus": 21,\n'
    )
    cuda = "    CUDA: _local_scalar_dense_cuda\n"
    return {
        TABLE: replaced(
            table, '    "privateuse1": _backend(\n', ENTRY + '    "privateuse1": _backend(\n'
        ),
        YAML: replaced(old[YAML], cuda, cuda + "    Abacus: _local_scalar_dense_abacus\n"),
        LISTS: f'{old[LISTS]}\naten_native_abacus_srcs = ["{FOLDER}/Scalar.cpp"]\n',
        f"{FOLDER}/BUILD.bazel": BUILD,
        f"{FOLDER}/Scalar.cpp": KERNEL,
    }


def after(text: str, line: str, new: str) -> str:
    """The text with a line more behind the only one that is `line`."""
    assert text.count(f"{line}\n") == 1, line
    return text.replace(f"{line}\n", f"{line}\n{new}\n")


def operator(root: Path) -> dict[str, str]:
    """The files that whoever adds the operator writes, by path."""
    old = {
        path: (root / path).read_text(encoding="utf-8")
        for path in (YAML, CHECKS, NUMBERS, SHADER, LAUNCH)
    }
    last = max(
        int(line.rstrip(";").rpartition(" ")[2])
        for line in old[NUMBERS].splitlines()
        if line.startswith("const int UNARY_")
    )
    launch = old[LAUNCH].removesuffix("\n}  // namespace at::native\n") + LAUNCHER
    return {
        YAML: old[YAML] + DECLARATION,
        CHECKS: after(
            after(
                old[CHECKS],
                "CREATE_UNARY_FLOAT_META_FUNC(atanh)",
                "CREATE_UNARY_FLOAT_META_FUNC(bell)",
            ),
            "#include <ATen/ops/atanh_native.h>",
            "#include <ATen/ops/bell_native.h>",
        ),
        LOOP: ELEMENT,
        NUMBERS: after(
            old[NUMBERS], f"const int UNARY_COSH = {last};", f"const int UNARY_BELL = {last + 1};"
        ),
        SHADER: after(
            old[SHADER],
            "    case UNARY_COSH: return cosh_of(x);",
            "    case UNARY_BELL: return exp_of(-x * x);",
        ),
        LAUNCH: after(
            launch,
            "#include <ATen/native/shaders/Launch.h>",
            "#include <ATen/ops/bell_native.h>",
        ),
    }


def kernels(root: Path) -> dict[str, str]:
    """The files that whoever adds an operator with kernels of two backends writes, by path."""
    old = {path: (root / path).read_text(encoding="utf-8") for path in (YAML, LISTS)}
    lists = replaced(
        old[LISTS], '    "TensorCompare.cpp",\n', '    "Swell.cpp",\n    "TensorCompare.cpp",\n'
    )
    for kernel in ("SoftMaxKernel.cpp", "SoftMaxKernel.cu"):
        new = kernel.replace("SoftMax", "Swell")
        lists = replaced(lists, f'    "{kernel}",\n', f'    "{kernel}",\n    "{new}",\n')
    return {YAML: old[YAML] + SWELL_YAML, LISTS: lists, **SWELL}


def form(root: Path) -> dict[str, str]:
    """The files that whoever adds a form of that operator writes, by path."""
    source = f"{NATIVE}/Swell.cpp"
    old = {path: (root / path).read_text(encoding="utf-8") for path in (YAML, source)}
    code = old[source].removesuffix("\n}  // namespace at::native\n") + SWELL_FORM
    return {YAML: old[YAML] + SWELL_FORM_YAML, source: code}


def binding(root: Path) -> dict[str, str]:
    """The files that whoever adds a function of Python writes, by path."""
    old = {
        path: (root / path).read_text(encoding="utf-8")
        for path in (MODULE, LISTS, STUB, PACKAGE, OVERRIDES)
    }
    # The import, the functions that get the name of the module, and __all__.
    package = old[PACKAGE]
    for line in ("    get_num_threads,", '        "get_num_threads",', '    "get_num_threads",'):
        package = after(package, f"\n{line}", line.replace("get_num_threads", "count_beads"))
    threads = '        "get_num_threads",'
    return {
        MODULE: after(
            after(old[MODULE], "#include <c10/util/Exception.h>", "#include <torch/csrc/Beads.h>"),
            "  THPScriptObject_init(module);",
            "  THPBeads_init(module);",
        ),
        LISTS: replaced(
            old[LISTS],
            '    "Device.cpp",\n    "Dtype.cpp"',
            '    "Beads.cpp",\n    "Device.cpp",\n    "Dtype.cpp"',
        ),
        STUB: after(
            old[STUB], "def get_num_threads() -> _int: ...", "def count_beads() -> _int: ..."
        ),
        PACKAGE: package,
        OVERRIDES: after(
            old[OVERRIDES], threads, threads.replace("get_num_threads", "count_beads")
        ),
        **BINDING,
    }


def module(root: Path) -> dict[str, str]:
    """The files that whoever adds a module of Python writes, by path."""
    old = {path: (root / path).read_text(encoding="utf-8") for path in (PACKAGE, MODULES)}
    return {
        "torch/dice.py": DICE,
        PACKAGE: after(old[PACKAGE], '        "cuda",', '        "dice",'),
        MODULES: replaced(old[MODULES], "`torch.futures`, ", "`torch.futures`, `torch.dice`, "),
    }


def packed(root: Path) -> dict[str, str]:
    """The files that whoever puts two files into the wheel writes, by path."""
    old = (root / INSTALLED).read_text(encoding="utf-8")
    folder = '        "//tools/package:torch.pc": "lib/pkgconfig",'
    return {
        INSTALLED: after(
            replaced(old, '["py.typed"]', '["dice.txt", "py.typed"]'),
            folder,
            '        ":dice.pc": "lib/pkgconfig",',
        ),
        "torch/dice.txt": "Six sides.\n",
        "torch/dice.pc": "Name: dice\n",
    }


def option(root: Path) -> dict[str, str]:
    """The files that whoever adds the option writes, by path."""
    old = {
        path: (root / path).read_text(encoding="utf-8")
        for path in (OPTIONS, ASKS, VARIABLES, SWITCHES)
    }
    load = 'load("//aten/src/ATen/native:subject.bzl", "native_subject")'
    defines = (
        '    source_defines = {"Dropout.cpp": if_option("loaded_dice", ["ATEN_LOADED_DICE"])},'
    )
    return {
        OPTIONS: replaced(old[OPTIONS], "    # Code generation.\n", OPTION),
        ASKS: after(
            after(old[ASKS], load, 'load("//config:conditions.bzl", "if_option")'),
            "    operator_deps = OPERATOR_DEPS,",
            defines,
        ),
        VARIABLES: after(
            old[VARIABLES],
            '    _switch("USE_DISTRIBUTED", "distributed", "torch.distributed"),',
            '    _switch("USE_LOADED_DICE", "loaded_dice", "dice that show six more often"),',
        ),
        SWITCHES: replaced(
            old[SWITCHES],
            '        str(Label("//config:blas")): "openblas",\n',
            '        str(Label("//config:blas")): "openblas",\n'
            '        str(Label("//config:loaded_dice")): True,\n',
        ),
    }


def library(root: Path) -> dict[str, str]:
    """The files that whoever adds the library writes, by path."""
    old = {path: (root / path).read_text(encoding="utf-8") for path in (LIBRARIES, CALLS)}
    call = '    "Distributions.cpp": _calls("cudice", "distributions_test.cpp"),\n'
    first = '    "Collectives.cpp": '
    return {
        LIBRARIES: replaced(
            old[LIBRARIES], '    "cudnn": _library(\n', LIBRARY + '    "cudnn": _library(\n'
        ),
        CALLS: replaced(old[CALLS], first, call + first),
    }
