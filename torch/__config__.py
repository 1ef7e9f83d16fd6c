"""What this build was made with."""

from __future__ import annotations

import torch


def show() -> str:
    """A text for people, one fact a line."""
    return "\n".join(
        [
            "torch built with:",
            f"  - version {torch.__version__}",
            f"  - threads: {'OpenMP' if torch._C.has_openmp else 'native'}",
            f"  - CUDA: {torch.version.cuda or 'off'}",
        ]
    )


__all__ = ["show"]
