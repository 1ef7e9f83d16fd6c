"""The wheel of a build with --vulkan, installed in a fresh environment, computes on the device."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import LACKS

from tests.package.environment import Environment, fresh_environment

MODELS = """
import torch
from models import Gpt, compare, mobile_net, resnet18

assert torch.is_vulkan_available()
compare(resnet18(), torch.randn(1, 3, 64, 64))
compare(mobile_net(), torch.randn(2, 3, 64, 64))
compare(Gpt(), torch.randint(0, 90, (2, 40)))
print("as the processor")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel."""
    made = fresh_environment(tmp_path_factory.mktemp("vulkan") / "e")
    made.install(*Path(os.environ["WHEEL"]).resolve().glob("*.whl"))
    return made


def test_models_compute_what_the_processor_does(environment: Environment) -> None:
    make = "import torch; torch.empty(1, device='vulkan')"
    made = environment.run(environment.python, "-c", make, check=False)
    last = made.stderr.strip().rpartition("RuntimeError: ")[2]
    if made.returncode != 0 and last.startswith(LACKS):
        pytest.skip(last)
    models = str(Path(__file__).parent)
    variables = {"PYTHONPATH": models, "TORCH_VULKAN_VALIDATION": "1"}
    done = environment.run(environment.python, "-c", MODELS, env=variables)
    assert done.stdout == "as the processor\n"


def test_torch_is_imported_where_there_is_no_loader(environment: Environment) -> None:
    program = "import torch; print(torch.is_vulkan_available(), torch.ones(2).sum().item())"
    nowhere = {"TORCH_VULKAN_LIBRARY": "/nowhere/libvulkan.so.1"}
    done = environment.run(environment.python, "-c", program, env=nowhere)
    assert done.stdout == "False 2.0\n"
