"""Loads the library, and skips where Vulkan has no device; every test ends with all work done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

# How messages begin that say what a machine lacks.
LACKS = (
    "There is no Vulkan loader",
    "The Vulkan loader",
    "Vulkan finds no",
    "TORCH_VULKAN_VALIDATION is 1",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--library", type=Path, help="libtorch_vulkan.so; not for wheel_test.py")


@pytest.fixture(scope="session")
def library(request: pytest.FixtureRequest) -> Path:
    """The library's file."""
    path: Path | None = request.config.getoption("--library")
    if path is None:
        pytest.fail("name libtorch_vulkan.so: --library=bazel-bin/aten/libtorch_vulkan.so")
    return path.resolve()


@pytest.fixture(scope="session")
def device(library: Path, tmp_path_factory: pytest.TempPathFactory) -> torch.device:
    """The device, with compiled shaders kept in a folder of the test."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    torch.ops.load_library(library)
    try:
        torch.empty(1, device="vulkan")
    except RuntimeError as error:
        if str(error).startswith(LACKS):
            pytest.skip(str(error))
        raise
    return torch.device("vulkan:0")


@pytest.fixture(autouse=True)
def nothing_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Waits for what a test began: errors that are noticed late are that test's."""
    yield
    if "device" in request.fixturenames:
        torch.zeros(1, device="vulkan").cpu()
