"""PyTorch's path of the parts of the loader, by which packages import them."""

import sys

from torch.utils.data import collate, pin_memory, worker

sys.modules[f"{__name__}.collate"] = collate
sys.modules[f"{__name__}.pin_memory"] = pin_memory
sys.modules[f"{__name__}.worker"] = worker

__all__ = ["collate", "pin_memory", "worker"]
