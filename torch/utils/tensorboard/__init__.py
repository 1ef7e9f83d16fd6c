"""Writes files that TensorBoard shows, through the package `tensorboard`.

    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter("runs/first") as writer:
        for step in range(100):
            writer.add_scalar("loss", 1 / (1 + step), step)

`tensorboard --logdir=runs` shows them.
"""

from __future__ import annotations

from torch import _absent

try:
    import tensorboard as _tensorboard  # noqa: F401
except ModuleNotFoundError as _error:
    raise ImportError(
        "torch.utils.tensorboard needs the package tensorboard: pip install tensorboard",
        name="tensorboard",
    ) from _error

from tensorboard.summary.writer.record_writer import RecordWriter
from torch.utils.tensorboard.writer import FileWriter, SummaryWriter

__getattr__ = _absent.explain(__name__)

__all__ = ["FileWriter", "RecordWriter", "SummaryWriter"]
