"""`.ci/run` counts what Bazel reports and fails whenever something did."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

GOOD = """\
//c10:device_test                          PASSED in 0.1s
//config/tests:choices_blas_test  (cached) PASSED in 0.0s
//tools/lint:buildifier_test               SKIPPED
"""
BAD = "//aten:add_test                            FAILED in 0.1s\n"
UNBUILT = "//aten:add_test                            NO STATUS\n"
TRAINED = "test accuracy: 0.972\n"


def run(
    directory: Path,
    tests: str,
    test_status: int,
    trained: str,
    run_status: int,
    pip_status: int = 0,
    analysis_status: int = 0,
    cuda_status: int = 0,
    emulator_status: int = 0,
    layering_status: int | None = None,
    mps_status: int = 0,
    pytorch_status: int | None = None,
    **environment: str,
) -> tuple[int, str]:
    """Runs the script in a tree whose Bazel says what it is told; gives status and last line."""
    (directory / ".ci").mkdir()
    shutil.copy(os.environ["CI_RUN"], directory / ".ci/run")
    (directory / "tests.txt").write_text(tests)
    (directory / "trained.txt").write_text(trained)
    programs = directory / "bin"
    programs.mkdir()
    clang = programs / "clang-19"
    here = [programs / name for name in ("glslangValidator", "spirv-cross")]
    for program in here if layering_status is None else [clang, *here]:
        program.write_text("#!/bin/sh\nexit 1\n")
        program.chmod(0o755)
    # Debian's packages are there or not, and none is installed.
    pytorch = 9 if pytorch_status is None else pytorch_status
    for name, status in (("dpkg-query", int(pytorch_status is None)), ("apt-get", 1)):
        (programs / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (programs / name).chmod(0o755)
    if layering_status is None:
        # Whatever compilers this machine has.
        clang = Path(
            shutil.which("clang-19") or shutil.which("clang") or shutil.which("clang-14") or clang
        )
    bazelw = directory / "bazelw"
    bazelw.write_text(
        "#!/bin/sh\n"
        f"[ \"$*\" = 'test //...' ] && {{ cat tests.txt; exit {test_status}; }}\n"
        f"[ \"$*\" = 'run //examples/digits:train' ] && {{ cat trained.txt; exit {run_status}; }}\n"
        f"[ \"$*\" = 'run //tests/package:from_source' ] && exit {pip_status}\n"
        f"[ \"$1 $2\" = 'build --config=cuda' ] && exit {analysis_status}\n"
        f"[ \"$1 $2\" = 'test --config=cuda' ] && exit {cuda_status}\n"
        f"[ \"$1 $2\" = 'test --config=cuda-emulator' ] && exit {emulator_status}\n"
        f"[ \"$1 $2\" = 'build --config=mps' ] && exit {mps_status}\n"
        f"[ \"$*\" = 'test //pytorch:ci_tests' ] && exit {pytorch}\n"
        f"[ \"$CC $1 $2\" = '{clang} build --config=layering' ] && exit {layering_status or 0}\n"
        'echo "not a command of the README: $*"; exit 9\n'
    )
    bazelw.chmod(0o755)
    done = subprocess.run(
        ["sh", ".ci/run"],
        capture_output=True,
        check=False,
        cwd=directory,
        env={
            "PATH": f"{directory}/bin:{os.environ['PATH']}",
            "HOME": str(directory),
            "CI": "true",
            **environment,
        },
        text=True,
    )
    return done.returncode, done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("tests", "test_status", "trained", "run_status", "expected"),
    [
        (GOOD, 0, TRAINED, 0, (0, "2 passed, 0 failed, 1 skipped")),
        (GOOD + BAD, 3, TRAINED, 0, (1, "2 passed, 1 failed, 1 skipped")),
        (GOOD + UNBUILT, 1, TRAINED, 0, (1, "2 passed, 1 failed, 1 skipped")),
        (GOOD + BAD, 0, TRAINED, 0, (1, "2 passed, 1 failed, 1 skipped")),
        (GOOD, 0, "Segmentation fault\n", 139, (1, "2 passed, 0 failed, 1 skipped")),
        (GOOD, 0, "nothing\n", 0, (1, "2 passed, 0 failed, 1 skipped")),
        ("", 0, TRAINED, 0, (1, "0 passed, 0 failed, 0 skipped")),
        ("ERROR: no such package\n", 1, TRAINED, 0, (1, "0 passed, 0 failed, 0 skipped")),
    ],
)
def test_status_and_closing_line(
    tmp_path: Path,
    tests: str,
    test_status: int,
    trained: str,
    run_status: int,
    expected: tuple[int, str],
) -> None:
    assert run(tmp_path, tests, test_status, trained, run_status) == expected


def test_pip_fails(tmp_path: Path) -> None:
    assert run(tmp_path, GOOD, 0, TRAINED, 0, 1) == (1, "2 passed, 0 failed, 1 skipped")


def test_cuda_fails(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, cuda_status=1)
    assert done == (1, "2 passed, 0 failed, 1 skipped")
    settings = (tmp_path / ".bazelrc.user").read_text(encoding="utf-8")
    assert "common --repo_env=CUDA_TOOLKIT=wheels" in settings


def test_analysis_with_cuda_fails(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, analysis_status=1)
    assert done == (1, "2 passed, 0 failed, 1 skipped")


def test_analysis_for_a_mac_fails(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, mps_status=1)
    assert done == (1, "2 passed, 0 failed, 1 skipped")


def test_kernels_fail(tmp_path: Path) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, emulator_status=3)
    assert done == (1, "2 passed, 0 failed, 1 skipped")


@pytest.mark.parametrize("status", [0, 1])
def test_pytorch_is_built_where_its_libraries_are(tmp_path: Path, status: int) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, pytorch_status=status)
    assert done == (status, "2 passed, 0 failed, 1 skipped")


@pytest.mark.parametrize("status", [0, 1])
def test_layering_is_checked_where_there_is_clang(tmp_path: Path, status: int) -> None:
    done = run(tmp_path, GOOD, 0, TRAINED, 0, layering_status=status)
    assert done == (status, "2 passed, 0 failed, 1 skipped")


def test_no_remote_cache_unless_it_is_named(tmp_path: Path) -> None:
    run(tmp_path, GOOD, 0, TRAINED, 0)
    assert "cache-endpoint" not in (tmp_path / ".bazelrc.user").read_text(encoding="utf-8")


@pytest.mark.parametrize("configuration", ["ci-writer", "remote-cache"])
def test_the_remote_cache_gets_its_token_and_no_other_host(
    tmp_path: Path, configuration: str
) -> None:
    cache = "grpcs://cache.example.com:9092/main"
    run(tmp_path, GOOD, 0, TRAINED, 0, REMOTE_CACHE=cache, REMOTE_CONFIG=configuration)
    settings = (tmp_path / ".bazelrc.user").read_text(encoding="utf-8").splitlines()
    assert f"build:cache-endpoint --remote_cache={cache}" in settings
    assert f"build --config={configuration}" in settings
    helper = "%workspace%/remote/credential-helper"
    assert f"common --credential_helper=cache.example.com={helper}" in settings


def test_commands_are_those_of_the_readme() -> None:
    readme = Path(os.environ["README"]).read_text(encoding="utf-8")
    script = Path(os.environ["CI_RUN"]).read_text(encoding="utf-8")
    for command in ("./bazelw test //...", "./bazelw run //examples/digits:train"):
        assert command in readme
        assert command in script
