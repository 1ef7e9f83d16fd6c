"""Which family an operator of the database belongs to."""

from __future__ import annotations

import re

# The first that matches.
_FAMILIES = [
    (
        "linear algebra",
        r"linalg\.|cholesky|lu$|lu_|logdet|svd|qr$|pinverse|inverse|triangular_solve|geqrf|ormqr"
        r"|matrix_exp|norm\.nuc",
    ),
    (
        "products",
        r"m[mv]$|addm[mv]|matmul|__rmatmul__|bmm|dot$|vdot|outer|inner|einsum|tensordot|kron|addr"
        r"|addbmm|baddbmm|nn\.functional\.(bi)?linear|cross$|cdist|trapz|trapezoid|cov$|corrcoef",
    ),
    ("convolution and pooling", r"nn\.functional\.(conv|.*pool|.*unpool|unfold|fold)"),
    (
        "padding, upsampling, pixels",
        r"nn\.functional\.(pad|interpolate|upsample|pixel|channel|grid|affine)|grid_|constant_pad",
    ),
    (
        "normalisation",
        r".*norm$|.*batch_norm|nn\.functional\.(.*_norm|normalize|local_resp)|native_.*norm|renorm",
    ),
    ("losses", r"nn\.functional\.(.*loss|.*entropy.*|kl_div|cosine_similarity|pairwise|pdist)"),
    (
        "attention, dropout, embedding",
        r"nn\.functional\.(.*attention|multi_head|.*dropout|embedding|one_hot)",
    ),
    ("activations", r"nn\.functional\.|softmax|log_softmax|relu|_softmax|sigmoid|tanh$"),
    ("special functions", r"special\.|polygamma|mvlgamma|digamma|lgamma|igamma|erf|i0$|xlogy|sinc"),
    (
        "reductions, order, statistics",
        r"(nan)?(sum|mean|median|quantile|prod|std|var|amax|amin|argmax|argmin|aminmax|all|any)\b"
        r"|(std|var)(_mean)?\b|max\.red|min\.red|max$|min$|mode|kthvalue|sort|msort|argsort|topk"
        r"|cum|logcum|logsumexp|norm\.|norm$|count_nonzero|unique|histc|histogram|bincount|diff|gradient"
        r"|searchsorted|bucketize|dist$|sum_to_size",
    ),
    (
        "factories, random",
        r"empty|zeros|ones|full|new_|rand|arange|linspace|logspace|eye|scalar_tensor|bernoulli"
        r"|normal|multinomial|uniform|exponential|cauchy|geometric|log_normal|tri[lu]_indices"
        r"|complex$|polar$|signal|fill|zero_|resize|poisson",
    ),
    (
        "indexing",
        r"index|gather|scatter|take|masked|where|nonzero|argwhere|__getitem__|put|select$|narrow"
        r"|diag|tri[lu]$|isin$",
    ),
    (
        "views, shapes, copies",
        r".*_copy|view|reshape|permute|transpose|t$|T$|m[TH]$|H$|expand|squeeze|unsqueeze|flatten"
        r"|unflatten|ravel|split|chunk|tensor_split|[hvd]split|cat$|concat|stack|[hvd]stack|unbind"
        r"|movedim|swap|roll|rot90|flip|repeat|tile|unfold|as_strided|broadcast|clone|contiguous|to$"
        r"|item|atleast|meshgrid|block_diag|cartesian|combinations|vander|column_stack|row_stack"
        r"|adjoint|unsafe|real$|imag$|conj|resolve|double|float$|half|bfloat16|bool$|byte|char|c?int"
        r"|long|short|cfloat|cdouble|chalf|equal$|allclose",
    ),
    ("elementwise", r""),
]


def family(operator: str) -> str:
    """The family of an operator by its full name."""
    return next(name for name, pattern in _FAMILIES if re.match(pattern, operator))


def names() -> list[str]:
    """All families, in the order of the table."""
    return [name for name, _ in _FAMILIES]
