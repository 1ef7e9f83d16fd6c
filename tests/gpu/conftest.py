"""Runs on a GPU; `--device=cpu` runs the same tests on the processor, which checks the tests.

`--device=vulkan` and `--device=mps` skip a test of an operator or type that the backend has no
kernel for, and say how many ran.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

# Backends without a kernel of every operator.
PARTIAL = ("mps", "vulkan")
# What else says by name that it is not for such a backend: autocast, and optimizers of one launch.
REFUSALS = (
    "User specified an unsupported autocast device_type",
    "`fused=True` requires all the params to be floating point Tensors of supported devices",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--device",
        default="cuda",
        choices=("cuda", "cpu", *PARTIAL),
        help="where the operators run",
    )
    parser.addoption("--library", type=Path, help="libtorch_vulkan.so, for a torch without it")
    parser.addoption("--no-skip", action="store_true", help="fail where there is no GPU")
    parser.addoption("--seed", type=int, default=None, help="of the inputs; a new one by default")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu_only: needs streams, a GPU's memory or its errors")
    if config.getoption("--seed") is None:
        config.option.seed = int.from_bytes(os.urandom(4), "little")


def pytest_report_header(config: pytest.Config) -> str:
    return f"inputs: --seed={config.getoption('--seed')}, torch {torch.__version__}"


def why_no_gpu(device: str) -> str:
    """Why tests on a GPU cannot run here, or an empty string."""
    if device in PARTIAL:
        if torch._C._device_count(device) is None:
            return f"this torch has no {device} backend: build it with --config={device}"
        try:
            torch.empty(1, device=device)
        except RuntimeError as error:
            return str(error).partition("\n")[0]
        return ""
    cuda = getattr(torch, "cuda", None)
    if cuda is None:
        return "this torch has no torch.cuda"
    if not cuda.is_available():
        return "torch.cuda.is_available() is False: no GPU, no driver, or a build without CUDA"
    return ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    device = config.getoption("--device")
    library = config.getoption("--library")
    if library is not None:
        torch.ops.load_library(library.resolve())
    why = why_no_gpu(device) if device != "cpu" else ""
    if why and config.getoption("--no-skip"):
        raise pytest.UsageError(why)
    for item in items:
        if item.path.name == "skip_test.py":
            continue  # tests of these tests
        if why:
            item.add_marker(pytest.mark.skip(reason=why))
        elif device != "cuda" and item.get_closest_marker("gpu_only"):
            item.add_marker(pytest.mark.skip(reason=f"needs a GPU, not --device={device}"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """What a backend lacks is skipped by name; a wrong result is not."""
    outcome: Any = yield
    error = outcome.excinfo[1] if outcome.excinfo else None
    lacks = isinstance(error, NotImplementedError) or (
        isinstance(error, RuntimeError) and str(error).startswith(REFUSALS)
    )
    if lacks and item.config.getoption("--device") in PARTIAL:
        outcome.force_exception(pytest.skip.Exception(f"no kernel: {str(error).splitlines()[0]}"))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The share of the tests that there are kernels for."""
    device = config.getoption("--device")
    if device not in PARTIAL:
        return
    ran = sum(len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed"))
    lacking = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and "no kernel: " in report.longrepr[2]
    ]
    terminalreporter.write_line(
        f"{device} has kernels for {ran} of {ran + len(lacking)} tests that it can run"
    )


@pytest.fixture
def device(request: pytest.FixtureRequest) -> torch.device:
    return torch.device(request.config.getoption("--device"))


@pytest.fixture(autouse=True)
def seed(request: pytest.FixtureRequest) -> int:
    """Every test has inputs of its own, made again by the seed that the header shows."""
    value = request.config.getoption("--seed")
    torch.manual_seed(value)
    return value
