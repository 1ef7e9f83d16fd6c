"""What the machine and the build offer, by backend."""

from torch.backends import cpu as cpu

__all__ = ["cpu"]
