"""Tensors shared with other array libraries."""

from __future__ import annotations

from typing import Any

from torch import _C, _absent, from_dlpack
from torch._tensor import Tensor


def to_dlpack(tensor: Tensor) -> Any:
    """A capsule on the memory of a tensor, by the DLPack standard.

    Args:
        tensor: stays alive as long as the capsule, or what took it.

    Returns:
        The capsule; what takes it, such as `from_dlpack`, does so once.

    Example::

        >>> x = torch.ones(2)
        >>> y = torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(x))
        >>> y.data_ptr() == x.data_ptr()
        True
    """
    return _C._to_dlpack(tensor)


__getattr__ = _absent.explain(__name__)

__all__ = ["from_dlpack", "to_dlpack"]
