"""The examples of all docstrings of the package run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import warnings

import pytest
import torch


def _modules() -> list[str]:
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for module in pkgutil.walk_packages(torch.__path__, "torch.", onerror=lambda _: None):
            spec = importlib.util.find_spec(module.name)
            # Libraries stand beside the sources; a program is no module.
            if spec and (spec.origin or "").endswith(".py") and "__main__" not in module.name:
                found.append(module.name)
    return found


@pytest.mark.parametrize("name", _modules())
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    torch.manual_seed(0)
    assert doctest.testmod(module, extraglobs={"torch": torch}).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [one for one in finder.find(torch.nn.modules.conv) if one.examples]
    assert len(found) >= 6
