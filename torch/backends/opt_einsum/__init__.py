"""opt_einsum, by which `torch.einsum` could choose the order of products; it does not here."""

from __future__ import annotations

enabled = False
strategy = None


def is_available() -> bool:
    """Whether `torch.einsum` asks opt_einsum: no, it contracts from left to right."""
    return False


__all__ = ["enabled", "is_available", "strategy"]
