"""The layers as the loader sees them: what each loads, where it looks, what it exports."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from elf import SharedLibrary, owner, read_shared_library

# Each layer with the layers right below it and all those under it.
LAYERS = {
    "libc10.so": [],
    "libtorch_cpu.so": ["libc10.so"],
    "libtorch_python.so": ["libc10.so", "libtorch_cpu.so"],
}

# What comes with every C++ compiler, and the libraries that options choose.
SYSTEM = re.compile(
    r"^(ld-linux.*|libc|libdl|libgcc_s|libgomp|libm|libopenblas|libpthread|librt|libstdc\+\+)\.so"
)

# Namespaces that belong to this project; libstdc++ exports its own templates' instances.
OURS = {"at", "c10", "caffe2", "torch"}
STANDARD = {"std", "__gnu_cxx"}

# The C interface of the stable ABI.
STABLE_NAME = re.compile(r"(aoti_)?torch_\w+$")
# What extensions link against, so that one of another version fails to load.
VERSION = re.compile(r"compiled_for_torch_\w+_compile_this_extension_again$")

# The types of functions that return nothing of ours.
FUNCTION_TYPE = re.compile(r"typeinfo (name )?for (bool|double|long|void) ")

# PyTorch's names for Python's objects, which stand in no namespace.
PYTHON_NAMES = re.compile(r"^(ParameterClass|THP\w+|initModule|python_error)\b")


def find(name: str) -> SharedLibrary:
    """One of the libraries that Bazel handed over."""
    return read_shared_library(Path(os.environ[name]))


@pytest.fixture(scope="module")
def libraries() -> dict[str, SharedLibrary]:
    """The layers, by file name, from the lowest."""
    found = [find(name) for name in ("C10", "TORCH_CPU", "TORCH_PYTHON")]
    return {library.path.name: library for library in found}


@pytest.fixture(scope="module")
def extension() -> SharedLibrary:
    """The Python extension `torch._C`."""
    return find("EXTENSION")


def test_files_have_their_names(libraries: dict[str, SharedLibrary]) -> None:
    assert list(libraries) == list(LAYERS)
    assert [library.soname for library in libraries.values()] == list(LAYERS)


def test_each_loads_only_those_below(libraries: dict[str, SharedLibrary]) -> None:
    for name, below in LAYERS.items():
        ours = [needed for needed in libraries[name].needed if not SYSTEM.match(needed)]
        assert sorted(ours) == below, f"{name} loads {ours}"


def test_extension_loads_the_python_layer(extension: SharedLibrary) -> None:
    ours = [needed for needed in extension.needed if not SYSTEM.match(needed)]
    assert "libtorch_python.so" in ours
    assert set(ours) <= set(LAYERS), f"{extension.path.name} loads {ours}"


def test_siblings_are_found_beside(
    libraries: dict[str, SharedLibrary], extension: SharedLibrary
) -> None:
    # The package keeps the layers in a folder beside the extension.
    beside = dict.fromkeys(libraries.values(), "$ORIGIN") | {extension: "$ORIGIN/lib"}
    for library, place in beside.items():
        if set(library.needed) & set(LAYERS):
            assert place in library.run_paths, f"{library.path.name}: {library.run_paths}"
        elsewhere = [path for path in library.run_paths if not path.startswith("$ORIGIN")]
        assert not elsewhere, f"{library.path.name} looks in {elsewhere}"


def test_siblings_define_what_is_missing(libraries: dict[str, SharedLibrary]) -> None:
    for name, below in LAYERS.items():
        have = {symbol for sibling in below for symbol in libraries[sibling].defined}
        missing = sorted(
            symbol for symbol in libraries[name].undefined - have if owner(symbol) in OURS
        )
        assert not missing, f"{name}: no layer below defines\n" + "\n".join(missing[:20])


def test_exports_are_ours(libraries: dict[str, SharedLibrary]) -> None:
    for name, library in libraries.items():
        python = name == "libtorch_python.so"
        foreign = sorted(
            symbol
            for symbol in library.defined
            if owner(symbol) not in OURS | STANDARD
            and not FUNCTION_TYPE.match(symbol)
            and not VERSION.match(symbol)
            and not (name == "libtorch_cpu.so" and STABLE_NAME.match(symbol))
            and not (python and PYTHON_NAMES.match(owner(symbol)))
        )
        assert not foreign, f"{name} exports\n" + "\n".join(foreign[:20])
        assert any(owner(symbol) in OURS for symbol in library.defined), f"{name} exports nothing"


def test_kernels_of_one_capability_are_hidden(libraries: dict[str, SharedLibrary]) -> None:
    kernels = re.compile(r"at::native::(\(anonymous namespace\)|DEFAULT|AVX2|AVX512)::")
    found = [s for s in libraries["libtorch_cpu.so"].defined if kernels.match(s)]
    assert not found, "\n".join(found[:20])


def test_extension_exports_its_entry_point_alone(extension: SharedLibrary) -> None:
    ours = [symbol for symbol in extension.defined if owner(symbol) not in STANDARD]
    assert ours == ["PyInit__C"]


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("at::add(at::Tensor const&)", "at"),
        ("vtable for c10::Error", "c10"),
        ("std::vector<c10::IValue, std::allocator<c10::IValue> >::push_back(int)", "std"),
        ("std::string c10::str<char const*>(char const* const&)", "c10"),
        ("guard variable for at::(anonymous namespace)::once", "at"),
        ("non-virtual thunk to torch::Node::~Node()", "torch"),
        ("typeinfo for at::Tensor (c10::Scalar const&)", "at"),
        ("PyInit__C", "PyInit__C"),
    ],
)
def test_owner(symbol: str, expected: str) -> None:
    assert owner(symbol) == expected
