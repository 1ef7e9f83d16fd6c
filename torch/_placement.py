"""Where PyTorch has a function or a class: what its `__module__` says, which pickles name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# The modules in which such functions and classes are written.
_homes: dict[Any, str] = {}


def home(value: Any) -> str | None:
    """The module in which a function or a class is written, wherever PyTorch has it."""
    return _homes.get(value) or getattr(value, "__module__", None)


def place(package: str, namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Says of functions and classes that they are `package`'s.

    A package here has files by subject that PyTorch has in one file. Whole models are pickled with
    the names of their functions and classes, which either of the two must find.

    Args:
        package: such as `torch.nn.functional`.
        namespace: its globals.
        names: of those that PyTorch has there.

    Example::

        >>> torch.nn.functional.relu.__module__, torch.optim.lr_scheduler.StepLR.__module__
        ('torch.nn.functional', 'torch.optim.lr_scheduler')
    """
    for name in names:
        value = namespace[name]
        if callable(value) and getattr(value, "__module__", None) != package:
            if value.__module__ is not None:
                _homes[value] = value.__module__
            value.__module__ = package
