"""The benchmark of PyTorch's builds, on checkouts and programs of the test's own."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from benchmarks.build.edits import YAML
from benchmarks.pytorch.checkout import (
    OPTIONS,
    OwnCMake,
    copy_checkout,
    core_sources,
    edits_of,
    problem_of,
    scope_of,
)
from benchmarks.pytorch.pytorch import main, scenarios

LOSS = "- func: margin_ranking_loss(Tensor a, float margin=0.0, int reduction=1) -> Tensor\n"


def checkout(root: Path) -> Path:
    """A checkout with one file for each scenario."""
    files = {
        "version.txt": "2.6.0a0",
        "torchgen/gen.py": "",
        "c10/core/DeviceType.h": "namespace c10 {\n} // namespace c10\n",
        "c10/core/TensorImpl.h": "namespace c10 {\n} // namespace c10\n",
        "c10/core/Scalar.cpp": "",
        "c10/util/Exception.cpp": "",
        "aten/src/ATen/core/Dimname.cpp": "",
        "aten/src/ATen/core/Dimname_test.cpp": "",
        "aten/src/ATen/native/A.cpp": "",
        "aten/src/ATen/native/B.cpp": "",
        "build/left.o": "",
        "torch/build/kept.py": "",
        "debian/pocketfft/pocketfft_hdronly.h": "",
        "third_party/README": "",
        YAML: LOSS,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def test_what_is_missing_is_named_with_the_command_that_installs_it(tmp_path: Path) -> None:
    assert "apt-get source pytorch" in problem_of(tmp_path)
    source = checkout(tmp_path)
    assert problem_of(source, lambda _: "there", lambda _: True) == ""
    told = problem_of(source, lambda name: name == "cmake", lambda name: name != "libfp16-dev")
    assert "apt-get install --no-install-recommends ninja-build ccache" in told
    assert told.endswith("apt-get install --no-install-recommends -t testing libfp16-dev")


def test_a_scenario_that_the_scope_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = checkout(tmp_path)
    monkeypatch.setattr("benchmarks.pytorch.pytorch.problem_of", lambda _: "")
    with pytest.raises(SystemExit, match=r"TensorImpl.h changed: not in --scope c10, which has"):
        main(["--source", str(source), "--scenarios", "TensorImpl.h changed"])
    assert "TensorImpl.h changed" in scenarios("core", source)


def test_a_copy_has_the_sources_and_no_build(tmp_path: Path) -> None:
    source, copy = checkout(tmp_path / "a"), tmp_path / "b"
    copy_checkout(source, copy)
    assert not (copy / "build").exists()
    assert (copy / "torch/build/kept.py").exists()
    # Where CMake looks for the submodule.
    assert (copy / "third_party/pocketfft/pocketfft_hdronly.h").exists()
    (copy / YAML).write_text("mine", encoding="utf-8")
    copy_checkout(source, copy)
    assert (copy / YAML).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("scope", ["c10", "core", "cpu"])
def test_each_edit_differs_each_time_and_is_taken_back(tmp_path: Path, scope: str) -> None:
    source, copy = checkout(tmp_path / "a"), tmp_path / "b"
    copy_checkout(source, copy)
    paths = [path for path in source.rglob("*") if path.is_file() and path.name != "left.o"]
    before = {path: path.read_bytes() for path in paths}

    def now() -> dict[Path, bytes]:
        return {path: (copy / path.relative_to(source)).read_bytes() for path in paths}

    for changes in edits_of(scope, source).values():
        seen = [before]
        for number in (1, 2):
            for change in changes:
                change.apply(copy, number)
            assert now() not in seen
            seen.append(now())
        for change in changes:
            change.undo(copy)
        assert now() == before


def test_both_sides_build_the_same_sources(tmp_path: Path) -> None:
    source = checkout(tmp_path)
    sources = core_sources(source, count=1)
    assert sources[0] == "aten/src/ATen/core/Dimname.cpp"
    assert len(sources) == 2
    scope = scope_of("core", source)
    assert "@pytorch_source//:aten/aten/src/ATen/native/A" in scope.bazel
    assert "caffe2/CMakeFiles/torch_cpu.dir/__/aten/src/ATen/native/A.cpp.o" in scope.ninja
    assert len(scope.bazel) == len(scope.ninja)


def program(path: Path, text: str) -> None:
    """A program of the test's own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


def test_cmake_runs_before_the_first_build_and_for_another_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program(tmp_path / "bin/cmake", f'echo "cmake $CCACHE_BASEDIR $@" >> {said}')
    program(tmp_path / "bin/ninja", f'echo "ninja $@" >> {said}; echo "[1/2] a"; echo "[2/2] b"')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    tree = checkout(tmp_path / "tree")
    side = OwnCMake(tree, tmp_path / "scratch", scope_of("c10", tree), jobs=3)
    side.build()
    side.build()
    side.build(debug=True)
    assert side.actions == 2
    lines = said.read_text(encoding="utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["cmake", "ninja", "ninja", "cmake", "ninja"]
    assert all(option in lines[0] for option in OPTIONS)
    assert str(tmp_path / "scratch") in lines[0]
    assert "-DCMAKE_BUILD_TYPE=Release -DBLAS_LIBRARIES=" in lines[0]
    assert "-DCMAKE_BUILD_TYPE=Debug" in lines[3]
    assert lines[1] == f"ninja -C {tree}/build -j3 c10"
    defaults = OwnCMake(tree, tmp_path / "scratch", side.scope, jobs=3, checkouts=False)
    assert "CCACHE_BASEDIR" not in defaults.environment()
    assert defaults.cache != side.cache


def test_the_next_build_after_clean_is_configured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "bin/cmake", "mkdir -p build")
    program(tmp_path / "bin/ninja", "echo 'ninja: no work to do.'")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    tree = checkout(tmp_path / "tree")
    side = OwnCMake(tree, tmp_path / "scratch", scope_of("c10", tree), jobs=1)
    side.build()
    side.clean()
    assert not (tree / "build").exists()
    side.build()
    assert (tree / "build").exists()
    assert side.actions == 0
