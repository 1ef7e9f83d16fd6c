"""Names of attention with functions for scores and masks, which is not here."""

from __future__ import annotations

from torch import _absent

_DEFAULT_SPARSE_BLOCK_SIZE = 128

__getattr__ = _absent.names_of(
    __name__,
    _absent.FLEX,
    classes="AuxOutput AuxRequest BlockMask FlexKernelOptions",
    functions="and_masks create_block_mask create_mask create_nested_block_mask flex_attention"
    " noop_mask or_masks",
)

__all__: list[str] = []
