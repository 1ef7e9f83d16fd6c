"""Names of nested tensors, which are not here; `Tensor.is_nested` is False."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.NESTED,
    functions="as_nested_tensor masked_select narrow nested_tensor nested_tensor_from_jagged"
    " to_padded_tensor",
)

__all__: list[str] = []
