"""Runs on a GPU; `--device=cpu` runs the same tests on the processor, which checks the tests."""

from __future__ import annotations

import os

import pytest
import torch


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", default="cuda", help="where the operators run: cuda, or cpu")
    parser.addoption("--no-skip", action="store_true", help="fail where there is no GPU")
    parser.addoption("--seed", type=int, default=None, help="of the inputs; a new one by default")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu_only: needs streams, a GPU's memory or its errors")
    if config.getoption("--seed") is None:
        config.option.seed = int.from_bytes(os.urandom(4), "little")


def pytest_report_header(config: pytest.Config) -> str:
    return f"inputs: --seed={config.getoption('--seed')}, torch {torch.__version__}"


def why_no_gpu() -> str:
    """Why tests on a GPU cannot run here, or an empty string."""
    cuda = getattr(torch, "cuda", None)
    if cuda is None:
        return "this torch has no torch.cuda"
    if not cuda.is_available():
        return "torch.cuda.is_available() is False: no GPU, no driver, or a build without CUDA"
    return ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    on_gpu = config.getoption("--device") != "cpu"
    why = why_no_gpu() if on_gpu else ""
    if why and config.getoption("--no-skip"):
        raise pytest.UsageError(why)
    for item in items:
        if item.path.name == "skip_test.py":
            continue  # tests of these tests
        if why:
            item.add_marker(pytest.mark.skip(reason=why))
        elif not on_gpu and item.get_closest_marker("gpu_only"):
            item.add_marker(pytest.mark.skip(reason="needs a GPU, not --device=cpu"))


@pytest.fixture
def device(request: pytest.FixtureRequest) -> torch.device:
    return torch.device(request.config.getoption("--device"))


@pytest.fixture(autouse=True)
def seed(request: pytest.FixtureRequest) -> int:
    """Every test has inputs of its own, made again by the seed that the header shows."""
    value = request.config.getoption("--seed")
    torch.manual_seed(value)
    return value
