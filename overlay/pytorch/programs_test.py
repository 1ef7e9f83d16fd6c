"""The small programs of the overlay: layout, configuration headers, comments, generated files."""

from __future__ import annotations

from pathlib import Path

import pytest

from overlay.pytorch.configure import configure
from overlay.pytorch.configure import main as configure_main
from overlay.pytorch.generate import difference
from overlay.pytorch.lay_over import lay_over
from overlay.pytorch.report import report
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
    "LISTS": ["core"],
    "GENERATED": ["torch/csrc/made.cpp"],
    "OTHER_BUILDS": ["/cuda"],
    "C10_GLOBS": ["c10/*.cpp"],
    "ATEN_GLOBS": [],
    "KERNEL_GLOBS": [],
    "CAFFE2_GLOBS": [],
    "DEFINES": ["WITH_A=1"],
    "OPTIONS": ["numa"],
    "OF_THE_BUILD": ["USE_CCACHE", "USE_SYSTEM_"],
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
    assert "build_variables.bzl has no list older" in report(tree, {**FACTS, "LISTS": ["older"]})


def test_a_version_with_another_option(tmp_path: Path) -> None:
    cmake = (
        'option(USE_CCACHE "")\ncmake_dependent_option(\n  USE_NUMA "" ON "LINUX" OFF)\n'
        'option(USE_SYSTEM_FMT "")\ncmake_dependent_option(\n  USE_ABACUS "" ON)\n'
    )
    cmake += "add_definitions(-DWITH_A)\n"
    tree = write(tmp_path, {"CMakeLists.txt": cmake, "build_variables.bzl": "core = []\n"})
    line = "option of CMake that overlay/pytorch/not_covered.bzl lacks: USE_ABACUS"
    assert report(tree, FACTS) == [line]


def test_a_version_without_a_macro(tmp_path: Path) -> None:
    cmake = "add_definitions(-DWITHOUT_A=1)\n"
    tree = write(tmp_path, {"CMakeLists.txt": cmake, "build_variables.bzl": "core = []\n"})
    assert report(tree, FACTS) == ["macro that no file of CMake sets: WITH_A"]
