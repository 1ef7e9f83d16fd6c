"""Which operators of PyTorch's database exist here."""

from __future__ import annotations

from typing import Any


def shipped(names: dict[str, str]) -> list[str]:
    """The operators of the database that this tree's torch has."""
    import torch

    def has(name: str) -> bool:
        for root in (torch, torch.Tensor):
            found: Any = root
            try:
                for part in name.split("."):
                    found = getattr(found, part)
            except AttributeError:
                continue
            return True
        return False

    # uniform_ and similar operators have an in-place form only.
    return [full for full, name in names.items() if has(name) or has(f"{name}_")]
