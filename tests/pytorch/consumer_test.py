"""Another workspace builds on the c10 of a checkout, and is told what is wrong with one."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.pytorch.checkouts import consumer, small_checkout, whole_checkout
from tests.remote.workspace import Workspace
from tools.lint.tree import source_root

_ATEN = "aten/src/ATen"
SYSTEM = Path("/usr/share/bazel/embedded_tools").exists()
# What c10 is compiled with, and what all of it: docs/pytorch.md.
LIBRARIES = [Path("/usr/include", name) for name in ("cpuinfo.h", "fmt", "nlohmann")]
MORE = [Path("/usr/include", name) for name in ("onnx", "google/protobuf", "flatbuffers")]
pytestmark = [
    pytest.mark.skipif(not SYSTEM, reason="needs the distribution's Bazel"),
    pytest.mark.skipif(
        not all(path.exists() for path in LIBRARIES),
        reason="needs libcpuinfo-dev, libfmt-dev and nlohmann-json3-dev",
    ),
]


@dataclass
class Trial:
    """A checkout and who uses it.

    Attributes:
      source: the checkout.
      workspace: of somebody else.
    """

    source: Path
    workspace: Workspace

    def write(self, name: str, text: str) -> None:
        """Changes a file of the checkout."""
        (self.source / name).write_text(text, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        """Changes a part of a file of the checkout."""
        text = (self.source / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def fails(self, *arguments: str) -> str:
        """What a build says that must fail."""
        built = self.workspace.build("--nobuild", *arguments)
        assert built.status != 0, built.said
        return built.said

    @property
    def visible(self) -> str:
        """An option: Bazel's sandbox hides /tmp, where the checkout is."""
        return f"--sandbox_add_mount_pair={self.source}"

    def prints(self, name: str = "program") -> str:
        """What a program prints."""
        built = self.workspace.build(self.visible, f"//:{name}")
        assert built.status == 0, built.said
        program = self.workspace.root / "bazel-bin" / name
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(scope="module")
def server() -> Iterator[Trial]:
    """The workspace; its server starts once."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory).resolve()
        workspace = consumer(source_root(), scratch / "pytorch", scratch / "workspace")
        yield Trial(scratch / "pytorch", workspace)
        workspace.close()


@pytest.fixture
def trial(server: Trial) -> Trial:
    """The same with the checkout as it was."""
    shutil.rmtree(server.source, ignore_errors=True)
    small_checkout(server.source)
    return server


def test_a_program_follows_the_checkout(trial: Trial) -> None:
    assert trial.prints() == "42"
    trial.replace("c10/core/Answer.cpp", "41", "11")
    assert trial.prints() == "12"
    # A new file, and an unknown version.
    trial.write("c10/core/More.cpp", "namespace c10 {\nint more() { return 5; }\n}\n")
    trial.replace(
        "c10/core/Answer.cpp",
        "int answer() { return 11; }",
        "int more();\nint answer() { return more(); }",
    )
    assert trial.prints() == "6"
    # A header that nothing included before, and then another text of it.
    trial.write("c10/core/Base.h", "#pragma once\n#define BASE 20\n")
    trial.replace("c10/core/Answer.cpp", "#include", '#include "Base.h"\n#include')
    trial.replace("c10/core/Answer.cpp", "return more();", "return more() + BASE;")
    assert trial.prints() == "26"
    trial.replace("c10/core/Base.h", "20", "30")
    assert trial.prints() == "36"


@pytest.mark.skipif(
    not all(path.exists() for path in MORE),
    reason="needs the libraries of libtorch_cpu: docs/pytorch.md",
)
def test_programs_and_tests_on_all_of_it(trial: Trial) -> None:
    """Every layer, of a checkout whose files are empty but for one function."""
    whole_checkout(trial.source)
    assert trial.prints("of_objects") == "42"
    assert trial.prints("of_libraries") == "42"
    assert b"libc10.so" in (trial.workspace.root / "bazel-bin/of_libraries").read_bytes()
    tested = trial.workspace.bazel("test", trial.visible, "--test_output=all", "//:torch_test")
    assert tested.status == 0, tested.said
    trial.replace("c10/core/Answer.cpp", "41", "11")
    tested = trial.workspace.bazel("test", trial.visible, "--test_output=all", "//:torch_test")
    assert tested.status != 0
    assert "AssertionError: 11" in tested.said


def test_a_version_that_nobody_knows_is_built_with_a_warning(trial: Trial) -> None:
    trial.write("version.txt", "2.99.0a0\n")
    built = trial.workspace.build("--nobuild", "@pytorch//:libc10")
    assert built.status == 0, built.said
    assert f"./bazelw run //overlay/pytorch:report -- {trial.source}" in built.said


@pytest.mark.skipif(
    not all(path.exists() for path in MORE),
    reason="needs the libraries of libtorch_cpu: docs/pytorch.md",
)
def test_another_version_has_facts_of_its_own(trial: Trial) -> None:
    """Of a checkout that becomes another version in place."""
    whole_checkout(trial.source)
    assert trial.workspace.build("--nobuild", "@pytorch//:libc10").status == 0
    trial.write("version.txt", "2.7.0a0\n")
    third_party = trial.source / "third_party"
    (third_party / "miniz-3.0.2").rename(third_party / "miniz-9.9")
    sources = f"@pytorch//:aten/{_ATEN}/Register"
    built = trial.workspace.build(
        "--nobuild", f"{sources}CPU_3", "@pytorch//:caffe2", "@pytorch//:miniz"
    )
    assert built.status == 0, built.said
    assert "is none of those" not in built.said
    assert "RegisterCPU' not declared" in trial.fails(f"{sources}CPU")


def test_a_checkout_that_moves(trial: Trial) -> None:
    at_first = trial.workspace.build("--nobuild", "@pytorch//:libc10")
    assert at_first.status == 0, at_first.said
    moved = trial.source.with_name("moved")
    trial.source.rename(moved)
    try:
        assert f"{trial.source} is no longer an existing directory" in trial.fails("@pytorch//:c10")
        found = trial.workspace.build(
            "--nobuild", f"--repo_env=PYTORCH_SOURCE={moved}", "@pytorch//:libc10"
        )
        assert found.status == 0, found.said
        gone = f"--repo_env=PYTORCH_SOURCE={moved}/pytorch"
        said = trial.fails(gone, "@pytorch//:libc10")
        assert f"PYTORCH_SOURCE is {moved}/pytorch, and there is no such folder" in said
    finally:
        shutil.rmtree(moved)


def test_what_another_build_left_in_a_checkout(trial: Trial) -> None:
    trial.write("c10/macros/cmake_macros.h", "#error of another build\n")
    assert trial.prints() == "42"


def test_no_source(trial: Trial, tmp_path: Path) -> None:
    """The network is gone, and nothing was fetched before."""
    module = trial.workspace.root / "MODULE.bazel"
    text = module.read_text(encoding="utf-8")
    chosen = f'pytorch_source.path(path = "{trial.source}")'
    assert chosen in text
    debian = 'pytorch_source.debian(version = "2.6.0+dfsg-7")'
    module.write_text(text.replace(chosen, debian), encoding="utf-8")
    try:
        built = trial.workspace.build(
            "--nobuild",
            f"--repository_cache={tmp_path}",
            "//...",
            https_proxy="http://proxy.invalid:9",
        )
    finally:
        module.write_text(text, encoding="utf-8")
    assert built.status == 0, built.said
    assert "no sources of PyTorch, so //pytorch is skipped: Debian's source package" in built.said
    assert "Name a checkout instead: --repo_env=PYTORCH_SOURCE=/path/to/pytorch" in built.said


def test_a_list_that_the_checkout_lacks(trial: Trial) -> None:
    trial.replace("build_variables.bzl", "torch_cpp_srcs", "torch_cpp_sources")
    assert "has no torch_cpp_srcs in its build_variables.bzl" in trial.fails("@pytorch//:libc10")


def test_a_configuration_header_that_the_checkout_has_elsewhere(trial: Trial) -> None:
    (trial.source / "c10/macros/cmake_macros.h.in").unlink()
    said = trial.fails("@pytorch//:libc10")
    assert "has no c10/macros/cmake_macros.h.in, which the BUILD files of overlay/pytorch" in said
    assert f"./bazelw run //overlay/pytorch:report -- {trial.source}" in said


def test_a_submodule_that_the_checkout_lacks(trial: Trial) -> None:
    said = trial.fails("@pytorch//:torch_cpu")
    assert "git submodule update --init third_party/kineto" in said


def test_an_optional_library_reaches_those_that_read_its_macro(trial: Trial) -> None:
    numa = "--@torch//overlay/pytorch:numa={}"
    trial.write("c10/core/More.cpp", "#ifdef C10_USE_NUMA\nint node() { return 0; }\n#endif\n")
    if not Path("/usr/include/numa.h").exists():
        said = trial.fails(numa.format("on"), "@pytorch//:libc10")
        assert "numa was not found by pkg-config" in said
        assert "libnuma-dev" in said
        # Nobody asked: it is off.
        assert trial.workspace.build("--nobuild", "@pytorch//:libc10").status == 0
        return
    asked = [trial.visible, "@pytorch//:c10"]
    assert trial.workspace.build(*asked, numa.format("off")).status == 0
    on = trial.workspace.build("--subcommands", *asked, numa.format("on"))
    assert on.status == 0, on.said
    compiled = re.findall(r"action 'Compiling \S*?(c10/core/\w+\.cpp)'", on.said)
    assert set(compiled) == {"c10/core/More.cpp"}


def test_a_library_in_a_folder_of_its_own_is_linked_and_found(trial: Trial, tmp_path: Path) -> None:
    for name in ("numa.h", "numaif.h"):
        (tmp_path / "include").mkdir(exist_ok=True)
        (tmp_path / "include" / name).write_text("int numa_available();\n", encoding="utf-8")
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib/libnuma.so"
    line = ["c++", "-shared", "-fPIC", "-Wl,-soname,libnuma.so"]
    line += ["-x", "c++", "-", "-o", str(library)]
    text = '__attribute__((visibility("default"))) int numa_available() { return 0; }'
    subprocess.run(line, input=text, text=True, check=True)
    trial.write(
        "c10/core/More.cpp",
        "#ifdef C10_USE_NUMA\n#include <numa.h>\nint node() { return numa_available(); }\n#endif\n",
    )
    built = trial.workspace.build(
        trial.visible,
        f"--sandbox_add_mount_pair={tmp_path}",
        f"--repo_env=NUMA_ROOT={tmp_path}",
        "@pytorch//:libc10",
    )
    assert built.status == 0, built.said
    (made,) = (trial.workspace.root / "bazel-bin/external").glob("*pytorch_source/libc10.so")
    dynamic = subprocess.run(["readelf", "-d", made], capture_output=True, text=True, check=True)
    assert re.search(rf"RUNPATH.*[:\[]{tmp_path}/lib[:\]]", dynamic.stdout), dynamic.stdout
    assert "[libnuma.so]" in dynamic.stdout


def test_an_optional_library_has_three_values(trial: Trial) -> None:
    said = trial.fails("--@torch//overlay/pytorch:numa=yes", "@pytorch//:libc10")
    assert "invalid value 'yes'. Allowed values are " in said
    assert '"auto", "off", "on"' in said


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("gloo", "torch.distributed is not built"),
        ("kineto", "Build it with CMake, or leave the option out"),
        ("mkldnn", "type --//overlay/pytorch:onednn=on"),
    ],
)
def test_an_option_that_is_not_covered(trial: Trial, name: str, instead: str) -> None:
    option = f"--@torch//overlay/pytorch:{name}"
    said = trial.fails(f"{option}=on", "@pytorch//:libc10")
    assert f"do not cover USE_{name.upper()} of PyTorch's CMake" in said
    assert instead in said
    assert trial.workspace.build("--nobuild", f"{option}=off", "@pytorch//:libc10").status == 0


def test_a_blas_that_pytorch_is_not_linked_with(trial: Trial) -> None:
    header = trial.source / "third_party/kineto/libkineto/include/ActivityType.h"
    header.parent.mkdir(parents=True)
    header.touch()
    said = trial.fails("--@torch//config:blas=mkl", "@pytorch//:torch_cpu")
    assert "--blas=mkl is not among the libraries that PyTorch's own sources are linked" in said
    assert "Type: --blas=atlas, blis, flexiblas, openblas" in said


def test_an_option_that_the_overlay_lacks(trial: Trial) -> None:
    trial.replace("c10/macros/cmake_macros.h.in", "C10_USE_NUMA", "C10_USE_ABACUS")
    built = trial.workspace.build(trial.visible, "@pytorch//:libc10")
    assert built.status != 0
    assert "uses C10_USE_ABACUS, for which overlay/pytorch has no value" in built.said
    assert "overlay/pytorch/options.bzl" in built.said
