"""A made-up backend with a device, a dispatch key and one kernel: what it takes to add it.

CONTRIBUTING.md says the same in words.
"""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.budget.checkout import Checkout
from tools.lint.tree import source_root

TABLE = "config/backends.bzl"
YAML = "aten/src/ATen/native/native_functions.yaml"
LISTS = "build_variables.bzl"
FOLDER = "aten/src/ATen/native/abacus"

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

PROBE = """\
#include <c10/core/Backend.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>

using c10::DispatchKey;
static_assert(static_cast<int>(c10::kAbacus) == 21);
static_assert(c10::isBackendDispatchKey(DispatchKey::Abacus));
static_assert(c10::autograd_dispatch_keyset.has(DispatchKey::AutogradAbacus));
static_assert(c10::isAutogradDispatchKey(DispatchKey::AutogradAbacus));
static_assert(DispatchKey::Abacus < DispatchKey::PrivateUse1);
static_assert(static_cast<int>(c10::Backend::PrivateUse1) - static_cast<int>(c10::Backend::CPU) ==
              static_cast<int>(DispatchKey::PrivateUse1) - static_cast<int>(DispatchKey::CPU));
"""


def replaced(text: str, old: str, new: str) -> str:
    """The text with the one occurrence of `old` replaced."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def edits(root: Path) -> dict[str, str]:
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


@pytest.fixture(scope="module")
def checkout() -> Iterator[Checkout]:
    """A copy of the tree with the backend in it, and the generated files refreshed."""
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as server:
        scratch = Path(directory).resolve()
        result = Checkout.of(source_root(), scratch / "tree", scratch / "output_base", ())
        files = edits(result.root)
        assert len(files) <= 6
        result.write(files)
        server.callback(result.bazel, "shutdown")
        result.update()
        yield result


def test_the_whole_is_analysed(checkout: Checkout) -> None:
    checkout.must("build", "--nobuild", "--config=abacus", "//torch:_C", "//torch")
    libraries = checkout.must("cquery", "--config=abacus", "filter(libtorch_, deps(//torch:_C))")
    assert "//aten/src/ATen/native/abacus:libtorch_abacus" in libraries


def test_off_is_as_before(checkout: Checkout) -> None:
    libraries = checkout.must("cquery", "filter(libtorch_, deps(//torch:_C))")
    assert "//aten:libtorch_cpu" in libraries
    assert "abacus" not in libraries


def test_its_kernel_is_registered(checkout: Checkout) -> None:
    target = "//aten/src/ATen:abacus_generated_sources"
    checkout.must("build", "--config=abacus", target, "//aten/src/ATen/ops:abacus_generated")
    files = sorted(checkout.root.glob("bazel-bin/aten/src/ATen/RegisterAbacus_*.cpp"))
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert len(files) == 4
    assert "TORCH_LIBRARY_IMPL(aten, Abacus, m)" in text
    assert "return at::native::_local_scalar_dense_abacus(self);" in text


def test_c10_knows_it(checkout: Checkout) -> None:
    probe = checkout.root / "probe.cpp"
    probe.write_text(PROBE, encoding="utf-8")
    sources = ["Device", "DeviceType", "DispatchKey", "DispatchKeySet"]
    subprocess.run(
        ["g++", "-std=c++20", "-fsyntax-only", "-I.", "-Ibazel-bin", "probe.cpp"]
        + [f"c10/core/{name}.cpp" for name in sources],
        cwd=checkout.root,
        check=True,
    )


def test_its_option_is_documented(checkout: Checkout) -> None:
    options = (checkout.root / "docs/options.md").read_text(encoding="utf-8")
    assert "| `--abacus` | off | Build the backend that counts" in options
