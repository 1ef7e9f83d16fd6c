"""Names of sparse tensors, which are not here; `Tensor.is_sparse` is False."""

from __future__ import annotations

from torch import _absent

__getattr__ = _absent.names_of(
    __name__,
    _absent.SPARSE,
    classes="BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor"
    " IntTensor LongTensor ShortTensor SparseSemiStructuredTensor"
    " SparseSemiStructuredTensorCUSPARSELT SparseSemiStructuredTensorCUTLASS"
    " check_sparse_tensor_invariants",
    functions="addmm as_sparse_gradcheck log_softmax mm sampled_addmm softmax spdiags spsolve"
    " sum to_sparse_semi_structured",
)

__all__: list[str] = []
