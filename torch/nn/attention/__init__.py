"""Which algorithms `scaled_dot_product_attention` may use, and masks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum

from torch import _absent
from torch.backends import cuda

__getattr__ = _absent.explain(__name__)


class SDPBackend(IntEnum):
    """Algorithms of attention. Here there are two on the CPU: the fused one, FLASH_ATTENTION, and
    the formula, MATH."""

    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


_SWITCHES = {
    SDPBackend.MATH: (cuda.math_sdp_enabled, cuda.enable_math_sdp),
    SDPBackend.FLASH_ATTENTION: (cuda.flash_sdp_enabled, cuda.enable_flash_sdp),
    SDPBackend.EFFICIENT_ATTENTION: (
        cuda.mem_efficient_sdp_enabled,
        cuda.enable_mem_efficient_sdp,
    ),
    SDPBackend.CUDNN_ATTENTION: (cuda.cudnn_sdp_enabled, cuda.enable_cudnn_sdp),
}


def _cur_sdpa_kernel_backends() -> list[SDPBackend]:
    return [backend for backend, (enabled, _) in _SWITCHES.items() if enabled()]


@contextmanager
def sdpa_kernel(
    backends: Sequence[SDPBackend] | SDPBackend, set_priority: bool = False
) -> Iterator[None]:
    """Permits only the given algorithms in a block.

    All give the same up to rounding. The shapes decide which one runs: a fused one where it can,
    else the formula, so that a block without MATH is no error here.

    Example::

        >>> from torch.nn.attention import SDPBackend, sdpa_kernel
        >>> q = torch.ones(1, 2, 3, 4)
        >>> with sdpa_kernel(SDPBackend.MATH):
        ...     torch.nn.functional.scaled_dot_product_attention(q, q, q).shape
        torch.Size([1, 2, 3, 4])
    """
    del set_priority
    if not isinstance(backends, (list, tuple, SDPBackend)):
        raise AssertionError(
            f"Backend must be an instance of SDPBackend or a list of SDPBackend instances, but got {type(backends).__name__}"
        )
    wanted = {backends} if isinstance(backends, SDPBackend) else set(backends)
    before = set(_cur_sdpa_kernel_backends())
    try:
        for backend, (_, enable) in _SWITCHES.items():
            enable(backend in wanted)
        yield
    finally:
        for backend, (_, enable) in _SWITCHES.items():
            enable(backend in before)


__all__ = ["SDPBackend", "sdpa_kernel"]
