"""2:4 sparse matrices of CUDA. Other sparse tensors are not here; `Tensor.is_sparse` is False."""

from __future__ import annotations

from torch import _absent
from torch.sparse.semi_structured import (
    SparseSemiStructuredTensor,
    SparseSemiStructuredTensorCUSPARSELT,
    to_sparse_semi_structured,
)

__getattr__ = _absent.names_of(
    __name__,
    _absent.SPARSE,
    classes="BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor"
    " IntTensor LongTensor ShortTensor SparseSemiStructuredTensorCUTLASS"
    " check_sparse_tensor_invariants",
    functions="addmm as_sparse_gradcheck log_softmax mm sampled_addmm softmax spdiags spsolve sum",
)

__all__ = [
    "SparseSemiStructuredTensor",
    "SparseSemiStructuredTensorCUSPARSELT",
    "to_sparse_semi_structured",
]
