"""The benchmark of PyTorch's builds, on checkouts and programs of the test's own."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest

from benchmarks.build.edits import YAML
from benchmarks.build.scenarios import Side
from benchmarks.build.sides import timed
from benchmarks.pytorch.checkout import (
    OPTIONS,
    Overlay,
    OwnCMake,
    copy_checkout,
    core_sources,
    edits_of,
    make_copies,
    problem_of,
    reading_compiler,
    scope_of,
)
from benchmarks.pytorch.pytorch import (
    SCOPES,
    by_the_guide,
    count,
    known_rows,
    largest,
    main,
    marker_of,
    scenarios,
    table,
    with_table,
    write_docs,
)

LOSS = "- func: margin_ranking_loss(Tensor a, float margin=0.0, int reduction=1) -> Tensor\n"


def checkout(root: Path) -> Path:
    """A checkout with one file for each scenario."""
    files = {
        "version.txt": "2.6.0a0",
        "torchgen/gen.py": "",
        "c10/core/DeviceType.h": "namespace c10 {\n} // namespace c10\n",
        "c10/core/GradMode.h": "namespace c10 {\n} // namespace c10\n",
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
    with pytest.raises(SystemExit, match=r"new operator: not in --scope c10, which has"):
        main(["--source", str(source), "--rows", "new operator"])
    assert "new operator" in scenarios("core", source)


def test_a_copy_has_the_sources_and_no_build(tmp_path: Path) -> None:
    source, copy = checkout(tmp_path / "a"), tmp_path / "b"
    copy_checkout(source, copy)
    assert not (copy / "build").exists()
    assert (copy / "torch/build/kept.py").exists()
    # Where CMake looks for the submodule.
    assert (copy / "third_party/pocketfft/pocketfft_hdronly.h").exists()


def test_copies_are_used_again_and_never_those_of_another_checkout(tmp_path: Path) -> None:
    source, other = checkout(tmp_path / "a"), checkout(tmp_path / "b")
    scratch = tmp_path / "scratch"
    (scratch / "checkouts/one/half").mkdir(parents=True)
    (copy,) = make_copies(source, scratch, ["one"])
    assert not (copy / "half").exists()
    (copy / "build").mkdir()
    (source / "build/more.o").touch()
    assert make_copies(source, scratch, ["one"]) == [copy]
    assert (copy / "build").exists()
    with pytest.raises(
        SystemExit, match=f"holds copies of {source} as it was, .* {other} as it is"
    ):
        make_copies(other, scratch, ["one"])
    (source / YAML).write_text("edited", encoding="utf-8")
    with pytest.raises(
        SystemExit, match=f"Name another folder with --scratch, or delete {scratch}"
    ):
        make_copies(source, scratch, ["one"])


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
    c10 = {"@pytorch_source//:c10/c10/core/Scalar", "@pytorch_source//:c10/c10/util/Exception"}
    assert {target for target in scope.bazel if ":c10/" in target} == c10
    assert "c10/CMakeFiles/c10.dir/core/Scalar.cpp.o" in scope.ninja
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


def test_a_compiler_that_only_reads_stands_in_on_both_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program(tmp_path / "bin/cmake", f'echo "$@" > {said}')
    program(tmp_path / "bin/ninja", "echo 'ninja: no work to do.'")
    compiler = reading_compiler(tmp_path / "scratch")
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
        tree = checkout(tmp_path / "tree")
        scope = scope_of("core", tree)
        OwnCMake(tree, tmp_path / "scratch", scope, jobs=1, compiler=compiler).build()
    bazel = Overlay(tree, tmp_path / "scratch", scope, 1, compiler)
    assert f"--repo_env=CC={compiler}" in bazel.options(debug=False)
    options = said.read_text(encoding="utf-8")
    assert "-DUSE_CCACHE=OFF" in options
    launcher = compiler.with_name("launcher.sh")
    assert f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher} " in options
    # As Ninja calls it: what is missing is missed, and what is no code is not.
    (tmp_path / "x.cpp").write_text("#include <x.h>\nsyntax error;\n", encoding="utf-8")
    line = [launcher, "c++", "-MD", "-MF", "x.d", "-o", "x.o", "-c", "x.cpp", "-I."]
    failed = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    assert "x.h" in failed.stderr
    (tmp_path / "x.h").touch()
    subprocess.run(line, cwd=tmp_path, check=True)
    assert "x.h" in (tmp_path / "x.d").read_text(encoding="utf-8")
    subprocess.run([launcher, "c++", "-shared", "x.o", "-o", "x.so"], cwd=tmp_path, check=True)
    assert (tmp_path / "x.so").exists()


def test_actions_are_counted_without_times(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = scope_of("c10", tmp_path)
    sides: list[Side] = [
        OwnCMake(tmp_path / "five", tmp_path, scope, 1),
        Overlay(tmp_path / "seventh", tmp_path, scope, 1),
    ]

    def run(side: Side, _: Path) -> float:
        side.actions = len(side.tree.name)
        return 60.0

    count("cold", run, sides, tmp_path)
    assert capsys.readouterr().out == "| cold | 4 | 7 |\n"


MEASURED = {"seconds": [[1.0, 3.0, 2.0], [4.0, 5.0, 6.0]], "actions": [7, 8], "processor": [1, 2]}
ROW = "2.00 | 5.00 | 2.50 | 7 | 8 |"


def test_a_table_has_medians_and_actions() -> None:
    assert table({"cold": MEASURED})[2:] == [f"| cold | {ROW}"]
    assert table({"cold": MEASURED}, {"cold": "core"})[2:] == [f"| cold | core | {ROW}"]
    for lines in (table({}), table({}, {"cold": "core"})):
        assert len({line.count("|") for line in lines}) == 1


def test_a_table_takes_the_place_of_the_last_one() -> None:
    marker = marker_of("core")
    before, after = f"Before.\n\n{marker}\n\n", "\n\nAfter.\n\n| kept |\n"
    page = f"{before}![old](a.svg)\n\n| old |\n| --- |\n| 1 |{after}"
    written = with_table(page, marker, ["| new |", "| --- |", "| 2 |"])
    assert written == f"{before}| new |\n| --- |\n| 2 |{after}"
    with pytest.raises(ValueError, match="Add this line: <!-- //benchmarks/pytorch --scope cpu"):
        with_table(page, marker_of("cpu"), [])


def test_each_row_of_the_largest_scope() -> None:
    core = {**MEASURED, "actions": [0, 9]}
    results = {
        "core, 2 jobs": {"new operator": core, "cold": core},
        "c10, 2 jobs": {"no-op": MEASURED, "cold": MEASURED},
    }
    rows, places = largest(results)
    assert list(rows) == ["new operator", "cold", "no-op"]
    assert places == {"cold": "core", "new operator": "core", "no-op": "c10"}
    assert rows["cold"] == core


def test_the_pages_have_places_for_the_tables(tmp_path: Path) -> None:
    for page in ("README.md", "docs/pytorch.md"):
        (tmp_path / page).parent.mkdir(exist_ok=True)
        (tmp_path / page).write_text(Path(page).read_text(encoding="utf-8"), encoding="utf-8")
    write_docs(tmp_path, {f"{scope}, 2 jobs": {"cold": MEASURED} for scope in SCOPES})
    text = (tmp_path / "docs/pytorch.md").read_text(encoding="utf-8")
    assert text.count(f"| cold | {ROW}") == len(SCOPES)
    assert f"| cold | cpu | {ROW}" in (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "<svg" in (tmp_path / "docs/pytorch.svg").read_text(encoding="utf-8")


def without_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is missing, and builds take a second."""
    monkeypatch.setattr("benchmarks.pytorch.pytorch.problem_of", lambda _: "")
    for side in (Overlay, OwnCMake):
        for name in ("prepare", "close", "clean"):
            monkeypatch.setattr(side, name, lambda _: None)
        monkeypatch.setattr(side, "build", lambda *_, **__: 1.0)


def test_a_run_goes_on_where_the_last_one_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, results = checkout(tmp_path / "source"), tmp_path / "results.json"
    without_programs(monkeypatch)
    line = ["--source", str(source), "--scratch", str(tmp_path / "scratch"), "--runs", "1"]
    line += ["--results", str(results)]
    assert main([*line, "--rows", "no-op"]) == 0
    assert "| no-op | 1.00 | 1.00 |" in capsys.readouterr().out
    (tmp_path / "scratch/checkouts/bazel/c10/core/Scalar.cpp").write_text("left", encoding="utf-8")
    assert main([*line, "--plot", str(tmp_path / "builds.svg")]) == 0
    printed = capsys.readouterr().out
    assert "no-op" not in printed
    assert "| cold |" in printed
    assert (tmp_path / "scratch/checkouts/bazel/c10/core/Scalar.cpp").read_text() == ""
    rows = known_rows(results, "c10, 2 jobs")
    assert list(rows) == list(scenarios("c10", source))
    assert all(row["seconds"] == [[1.0], [1.0]] for row in rows.values())
    assert "release" in (tmp_path / "builds.svg").read_text(encoding="utf-8")


def test_a_row_that_takes_too_long_is_stopped_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, results = checkout(tmp_path / "source"), tmp_path / "results.json"
    without_programs(monkeypatch)
    started = tmp_path / "started"

    def build(*_: object, **__: object) -> float:
        program = f"trap 'touch {started}.ended; exit 1' INT; touch {started}; sleep 60 & wait"
        return timed(["sh", "-c", program], tmp_path, os.environ)[0]

    monkeypatch.setattr(Overlay, "build", build)
    line = ["--source", str(source), "--results", str(results), "--limit", "1", "--rows", "no-op"]
    assert main(line) == 0
    assert "| no-op | stopped after 1 s |" in capsys.readouterr().out
    assert (tmp_path / "started.ended").exists()
    assert not results.exists()
    with pytest.raises(SystemExit, match="nothing was measured"):
        main([*line, "--docs"])


def test_ccache_as_in_the_guide_has_a_cache_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    program(tmp_path / "bin/cmake", "mkdir -p build")
    program(
        tmp_path / "bin/ninja", f'echo "$2 $CCACHE_DIR [$CCACHE_BASEDIR]" >> {said}; echo "[3/3] a"'
    )
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.delenv("CCACHE_BASEDIR", raising=False)
    tree, other, scratch = checkout(tmp_path / "tree"), tmp_path / "other", tmp_path / "scratch"
    other.mkdir()
    side = OwnCMake(tree, scratch, scope_of("c10", tree), jobs=1)
    assert by_the_guide(side, other) > 0
    assert side.actions == 3
    lines = said.read_text(encoding="utf-8").splitlines()
    cache = f"{scratch}/ccache-defaults []"
    assert lines == [f"{tree}/build {cache}", f"{tree}/build {cache}", f"{other}/build {cache}"]


def test_counting_writes_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.pytorch.pytorch.problem_of", lambda _: "")
    with pytest.raises(SystemExit, match="leave out --count"):
        main(["--source", str(checkout(tmp_path)), "--docs", "--count"])
