"""ATEN_CPU_CAPABILITY chooses the kernels, and says so when it cannot."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_LEVELS = ["DEFAULT", "AVX2", "AVX512"]


def _run(program: str, capability: str | None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment.pop("ATEN_CPU_CAPABILITY", None)
    if capability is not None:
        environment["ATEN_CPU_CAPABILITY"] = capability
    return subprocess.run(
        [sys.executable, "-c", f"import torch\n{program}"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _capability(wanted: str | None) -> str:
    done = _run("print(torch.backends.cpu.get_cpu_capability())", wanted)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("unset", [None, ""])
def test_the_best_there_is_by_default(unset: str | None) -> None:
    assert _capability(unset) in _LEVELS


def test_every_capability_up_to_the_best_can_be_chosen() -> None:
    best = _LEVELS.index(_capability(None))
    for level in _LEVELS[: best + 1]:
        assert _capability(level.lower()) == level
        assert _capability(level) == level


def test_a_capability_the_processor_lacks() -> None:
    best = _capability(None)
    for level in _LEVELS[_LEVELS.index(best) + 1 :]:
        done = _run("torch.ones(2) + 1", level.lower())
        assert done.returncode != 0
        assert (
            f"ValueError: ATEN_CPU_CAPABILITY is '{level.lower()}', but this processor supports "
            f"at most {best}. Set it to a lower capability, or unset it."
        ) in done.stderr


@pytest.mark.parametrize(
    "program", ["torch.ones(2) + 1", "torch.backends.cpu.get_cpu_capability()"]
)
def test_an_unknown_capability(program: str) -> None:
    done = _run(program, "sse9")
    assert done.returncode != 0
    assert (
        "ValueError: ATEN_CPU_CAPABILITY is 'sse9', which is no capability. Set it to default, "
        "avx2 or avx512, or unset it."
    ) in done.stderr
