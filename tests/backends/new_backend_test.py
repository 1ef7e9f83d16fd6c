"""A made-up backend with a device, a dispatch key and one kernel: what it takes to add it.

CONTRIBUTING.md says the same in words.
"""

from __future__ import annotations

import subprocess

from tests.budget.checkout import Checkout

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
