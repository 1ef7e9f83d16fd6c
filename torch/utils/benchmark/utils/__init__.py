"""The parts of torch.utils.benchmark, in PyTorch's modules, whose names pickles have."""

from __future__ import annotations

__all__: list[str] = []
