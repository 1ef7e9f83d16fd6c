"""The small programs of the overlay: layout, configuration headers, comments, generated files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from overlay.pytorch.budget import INPUTS, PYTHON_INPUTS
from overlay.pytorch.configure import configure
from overlay.pytorch.configure import main as configure_main
from overlay.pytorch.generate import difference
from overlay.pytorch.lay_over import lay_over
from overlay.pytorch.report import generated, known_facts, report
from overlay.pytorch.report import main as report_main
from overlay.pytorch.strip_comments import strip_comments


def write(root: Path, files: dict[str, str]) -> Path:
    """A folder with these files."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def test_build_files_are_replaced_and_all_else_is_linked(tmp_path: Path) -> None:
    source = write(
        tmp_path / "source",
        {
            "BUILD.bazel": "theirs",
            "c10/BUILD": "theirs",
            "c10/a.h": "",
            "torch/b/c.py": "",
            ".git/x": "",
        },
    )
    overlay = write(tmp_path / "overlay", {"BUILD.bazel": "ours"})
    out = tmp_path / "out"
    made = lay_over(source, overlay, out)
    assert made == [Path(), Path("c10")]
    assert (out / "BUILD.bazel").read_text() == "ours"
    assert not (out / "c10/BUILD").exists()
    assert not (out / ".git").exists()
    assert (out / "torch").is_symlink()
    (source / "c10/a.h").write_text("edited")
    assert (out / "c10/a.h").read_text() == "edited"


def test_a_layout_is_made_again_over_itself(tmp_path: Path) -> None:
    source = write(tmp_path / "source", {"a.h": "1"})
    overlay = write(tmp_path / "overlay", {"BUILD.bazel": ""})
    lay_over(source, overlay, tmp_path / "out")
    write(source, {"b.h": "2"})
    lay_over(source, overlay, tmp_path / "out")
    assert (tmp_path / "out/b.h").read_text() == "2"


def test_configuration() -> None:
    text = "#cmakedefine A\n#cmakedefine B\n#define C() @C@\n#cmakedefine01 D\n{${E}}\n"
    values = {"A": "1", "B": "OFF", "C": "0", "D": "1", "E": "x"}
    assert configure(text, values) == (
        "#define A\n/* #undef B */\n#define C() 0\n#define D 1\n{x}\n"
    )


def test_an_option_that_the_overlay_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (
        write(tmp_path, {"Config.h.in": "#define X() @AT_NEW_ENABLED@ @AT_OLD@\n"}) / "Config.h.in"
    )
    monkeypatch.setattr("sys.argv", ["configure", str(source), str(tmp_path / "out"), "AT_OLD=1"])
    assert configure_main() == 1
    message = capsys.readouterr().err
    assert "uses AT_NEW_ENABLED, for which overlay/pytorch has no value" in message
    assert "AT_OLD" not in message
    assert not (tmp_path / "out").exists()


def test_comments_are_left_out() -> None:
    text = "# a\n- func: f(str x=' #') -> Tensor # kept\n\n  # b\n  dispatch:\n    CPU: f\n"
    stripped = "- func: f(str x=' #') -> Tensor # kept\n  dispatch:\n    CPU: f\n"
    assert strip_comments(text) == stripped
    assert strip_comments(text.replace("# b", "# another")) == stripped


def test_a_block_of_text_is_refused() -> None:
    with pytest.raises(ValueError, match="line 2 begins a block of text"):
        strip_comments("- func: f\n  doc: |\n    # no comment\n")


def test_outputs_other_than_declared() -> None:
    assert difference({"a"}, {"a"}) == ""
    message = difference({"a", "new"}, {"a", "old"})
    assert "  new: written, and not declared" in message
    assert "  old: declared, and not written" in message
    assert "versions.bzl" in message


def test_a_long_difference_is_cut() -> None:
    assert "and 30 more" in difference({f"file{i}" for i in range(50)}, set())


FACTS = {
    "lists": ["core"],
    "generated": ["torch/csrc/made.cpp"],
    "other_builds": ["/cuda"],
    "c10_globs": ["c10/*.cpp"],
    "aten_globs": [],
    "kernel_globs": [],
    "caffe2_globs": [],
    "configured": [],
    "cuda_configured": [],
    "defines": ["WITH_A=1"],
    "read_folders": ["c10"],
    "standard": "17",
    "options": ["numa"],
    "of_the_build": ["USE_CCACHE", "USE_SYSTEM_"],
    "variables": {"AT_OLD"},
}


def test_a_version_whose_lists_differ(tmp_path: Path) -> None:
    files = {
        "build_variables.bzl": 'core = ["torch/csrc/a.cpp", "torch/csrc/gone.cpp"]\n'
        'other = ["torch/csrc/b.cpp"]\n',
        "CMakeLists.txt": "",
        "cmake/a.cmake": "add_definitions(-DWITH_A=1)\n",
        "c10/x.cpp": "",
        "torch/csrc/a.cpp": "",
        "torch/csrc/b.cpp": "",
        "torch/csrc/cuda/c.cpp": "",
        "torch/csrc/made.cpp": "",
    }
    tree = write(tmp_path, files)
    assert report(tree, FACTS) == ["listed, and not there: torch/csrc/gone.cpp"]
    write(tree, {"torch/csrc/new.cpp": "", "torch/csrc/gone.cpp": ""})
    assert report(tree, FACTS) == ["in no list: torch/csrc/new.cpp"]
    assert "build_variables.bzl has no list older" in report(tree, {**FACTS, "lists": ["older"]})


def test_a_version_with_another_option(tmp_path: Path) -> None:
    cmake = (
        'option(USE_CCACHE "")\ncmake_dependent_option(\n  USE_NUMA "" ON "LINUX" OFF)\n'
        'option(USE_SYSTEM_FMT "")\ncmake_dependent_option(\n  USE_ABACUS "" ON)\n'
    )
    cmake += "add_definitions(-DWITH_A)\n"
    files = {"CMakeLists.txt": cmake, "build_variables.bzl": "core = []\n", "torch/library.h": ""}
    tree = write(tmp_path, files)
    line = "option of CMake that overlay/pytorch/not_covered.bzl lacks: USE_ABACUS"
    assert report(tree, FACTS) == [line]


def test_a_version_without_a_macro(tmp_path: Path) -> None:
    cmake = "add_definitions(-DWITHOUT_A=1)\n"
    files = {"CMakeLists.txt": cmake, "build_variables.bzl": "core = []\n", "torch/library.h": ""}
    tree = write(tmp_path, files)
    assert report(tree, FACTS) == ["macro that no file of CMake sets: WITH_A"]


def test_a_version_with_another_variable(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "add_definitions(-DWITH_A=1)\n",
        "build_variables.bzl": "core = []\n",
        "torch/library.h": "",
        "c10/Config.h.in": "#define X() @AT_NEW@ @AT_OLD@\n#cmakedefine AT_NEWER\n",
    }
    tree = write(tmp_path, files)
    facts = {**FACTS, "configured": ["c10/Config.h", "c10/gone.h"]}
    lacks = "variable of c10/Config.h.in that overlay/pytorch/options.bzl lacks: AT_NEW"
    gone = "configuration header that is not there: c10/gone.h.in"
    assert report(tree, facts) == [lacks, f"{lacks}ER", gone]


def test_a_version_with_another_folder_of_headers(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "add_definitions(-DWITH_A=1)\n",
        "build_variables.bzl": "core = []\n",
        "c10/CMakeLists.txt": 'set(CMAKE_CXX_STANDARD 20 CACHE STRING "")\n',
        "c10/macros/Macros.h": "#include <torch/headeronly/Macros.h>\n#include <vector>\n",
        "c10/x.cpp": '#include "macros/Macros.h"\n#include <c10/macros/Macros.h>\n',
        "torch/headeronly/Macros.h": "",
        "vector/x.h": "",
    }
    assert report(write(tmp_path, files), FACTS) == [
        "CMake compiles C++20, overlay/pytorch/cc.bzl C++17",
        "folder that is in no list, and c10/macros/Macros.h includes from it: torch/headeronly",
    ]
    assert known_facts("2.6.0")["standard"] == "17"


_NATIVE = "aten/src/ATen/native"


def checkout_with_generators(root: Path) -> Path:
    """What the generators read; nothing of it runs."""
    files = {
        **dict.fromkeys((*INPUTS, *PYTHON_INPUTS), ""),
        f"{_NATIVE}/native_functions.yaml": "- func: twice(Tensor self) -> Tensor\n",
        f"{_NATIVE}/tags.yaml": "- tag: core\n  desc: In the core.\n",
    }
    return write(root, files)


def test_a_version_whose_generators_write_other_files(tmp_path: Path) -> None:
    tree = checkout_with_generators(tmp_path)
    facts = known_facts("2.6.0")
    asked = []

    def run(source: Path, operators: str, kinds: Sequence[str], _: Sequence[str]) -> dict[str, str]:
        asked.append((source, operators, tuple(kinds)))
        lists = {name for name in facts if name.endswith(("_headers", "_sources", "_kernels"))}
        lists.discard("flatbuffers_headers")
        written = [path for name in lists for path in facts[name]]
        written += facts["annotated_arguments"] + facts["python_files"]
        written += [f"aten/src/ATen/ops/twice{end}.h" for end in ("", "_native", "_ops")]
        written += ["aten/src/ATen/ops/twice_compositeimplicitautograd_dispatch.h"]
        written += ["aten/src/ATen/RegisterCPUEverything.cpp", "aten/src/ATen/RegisterCPU_0.cpp"]
        return dict.fromkeys(set(written) - {"aten/src/ATen/RegisterCPU.cpp"}, "")

    assert generated(tree, facts, run) == [
        "generated, and in no list: aten/src/ATen/RegisterCPU_0.cpp",
        "in a list, and not generated: aten/src/ATen/RegisterCPU.cpp",
    ]
    kinds = ("headers", "sources", "autograd", "python")
    assert asked == [(tree, "- func: twice(Tensor self) -> Tensor\n", kinds)]


def test_a_version_without_an_input_of_its_generators(tmp_path: Path) -> None:
    tree = checkout_with_generators(tmp_path)
    (tree / "torch/_torch_docs.py").unlink()
    line = "input of a generator that is not there: torch/_torch_docs.py"
    assert generated(tree, known_facts("2.6.0")) == [line]


def test_a_version_with_operators_that_cannot_be_read(tmp_path: Path) -> None:
    tree = checkout_with_generators(tmp_path)
    write(tree, {f"{_NATIVE}/native_functions.yaml": "- func: twice(Abacus self) -> Tensor\n"})
    (line,) = generated(tree, known_facts("2.6.0"))
    assert line.startswith("native_functions.yaml that tools/codegen cannot read: ")
    assert "Abacus" in line


def test_what_differs_from_version_to_version() -> None:
    known = known_facts("2.7.0a0")
    assert "aten/src/ATen/RegisterCPU_3.cpp" in known["aten_sources"]
    assert "aten/src/ATen/RegisterCPU.cpp" not in known["generated"]
    assert "aten/src/ATen/RegisterCPU.cpp" in known_facts("2.6.0")["generated"]
    # An unknown version has the facts of the last known one before it.
    assert [known_facts(v)["known_version"] for v in ("1.0", "2.6.1", "2.99.0", "3.0")] == [
        *("2.6", "2.6", "2.7", "2.7")
    ]
    assert known_facts("2.99.0")["aten_sources"] == known["aten_sources"]


def test_a_folder_that_is_no_checkout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        report_main([str(tmp_path)])
    said = capsys.readouterr().err
    assert f"{tmp_path} has no build_variables.bzl: name a checkout of PyTorch" in said
    write(tmp_path, {"build_variables.bzl": ""})
    with pytest.raises(SystemExit):
        report_main([str(tmp_path)])
    assert "has no version.txt" in capsys.readouterr().err
