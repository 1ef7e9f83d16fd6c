"""2:4 sparse matrices: at most two of four neighbours in a row are not zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import torch
from torch import _absent
from torch._tensor import Tensor
from torch._torch_function import DisableTorchFunctionSubclass
from torch.autograd.function import once_differentiable

__all__ = [
    "SparseSemiStructuredTensor",
    "SparseSemiStructuredTensorCUSPARSELT",
    "to_sparse_semi_structured",
]

__getattr__ = _absent.names_of(
    __name__, _absent.SPARSE, classes="SparseSemiStructuredTensorCUTLASS"
)


_NO_LIBRARY = "{} has no library: use SparseSemiStructuredTensorCUSPARSELT"


class _Sizes(NamedTuple):
    """The sizes of the operands are multiples of these."""

    sparse_min_rows: int
    sparse_min_cols: int
    dense_min_rows: int
    dense_min_cols: int


class _Product(torch.autograd.Function):
    """sparse @ dense, or where `transposed` dense @ sparse.t() + bias."""

    @staticmethod
    def forward(
        ctx: Any,
        sparse: SparseSemiStructuredTensor,
        dense: Tensor,
        bias: Tensor | None,
        transposed: bool,
    ) -> Tensor:
        ctx.sparse, ctx.transposed = sparse, transposed
        ctx.save_for_backward(dense)
        if transposed:
            return sparse._mm(dense.t(), bias=bias, transpose_result=True)
        return sparse._mm(dense)

    @staticmethod
    @once_differentiable  # The gradient of `dense` depends on `sparse`, which is detached there.
    def backward(ctx: Any, *grads: Any) -> Any:
        (grad,) = grads
        (dense,) = ctx.saved_tensors
        wants_sparse, wants_dense, wants_bias, _ = ctx.needs_input_grad
        of_sparse = of_dense = of_bias = None
        if wants_sparse:
            of_sparse = grad.t() @ dense if ctx.transposed else grad @ dense.t()
        if wants_dense:
            sparse = ctx.sparse.detach().to_dense()
            of_dense = grad @ sparse if ctx.transposed else sparse.t() @ grad
        if wants_bias:
            of_bias = grad.sum(0)
        return of_sparse, of_dense, of_bias, None


class SparseSemiStructuredTensor(Tensor):
    """A 2:4 sparse matrix on CUDA, in a library's compressed form.

    It takes part in products (`@`, `mm`, `matmul`, `addmm`, `torch.nn.functional.linear`) and can
    be the weight of `torch.nn.Linear`. `t`, `detach`, `clone`, `values`, `indices`, `to_dense` and
    `cpu` work too; other operations raise NotImplementedError. The gradient of it is dense.

    `to_sparse_semi_structured` makes it; this class is the base of those of the libraries.

    Args:
        shape: of the matrix.
        packed: its compressed form.
        meta: metadata of `packed`, for libraries that keep them apart.
        packed_t: the compressed form of its transpose. One of the two may be None.
        meta_t: metadata of `packed_t`.
        compressed_swizzled_bitmask: kept for PyTorch's callers.
        fuse_transpose_cusparselt: kept for PyTorch's callers.
        alg_id_cusparselt: which of cuSPARSELt's algorithms multiplies.
        requires_grad: whether gradients are wanted.

    Raises:
        ValueError: both `packed` and `packed_t` are None.
    """

    _DEFAULT_ALG_ID = 0
    _DTYPE_SHAPE_CONSTRAINTS: ClassVar[dict[torch.dtype, _Sizes]] = {}

    BACKEND: ClassVar[str]

    packed: Tensor | None
    meta: Tensor | None
    packed_t: Tensor | None
    meta_t: Tensor | None
    compressed_swizzled_bitmask: Tensor | None
    fuse_transpose_cusparselt: bool
    alg_id_cusparselt: int

    def __new__(
        cls,
        shape: torch.Size,
        packed: Tensor | None,
        meta: Tensor | None,
        packed_t: Tensor | None,
        meta_t: Tensor | None,
        compressed_swizzled_bitmask: Tensor | None,
        fuse_transpose_cusparselt: bool = False,
        alg_id_cusparselt: int = 0,
        requires_grad: bool = False,
    ) -> SparseSemiStructuredTensor:
        held = packed if packed is not None else packed_t
        if held is None:
            raise ValueError("At least one of packed or packed_t must be provided")
        # The shape, and one element. Code that goes past this class reads NaN if the type has it.
        unread = float("nan") if held.is_floating_point() else 0
        data = held.new_full((), unread).expand(shape)
        tensor: Any = Tensor._make_subclass(cls, data, requires_grad)
        tensor.packed = packed
        tensor.meta = meta
        tensor.packed_t = packed_t
        tensor.meta_t = meta_t
        tensor.compressed_swizzled_bitmask = compressed_swizzled_bitmask
        tensor.fuse_transpose_cusparselt = fuse_transpose_cusparselt
        tensor.alg_id_cusparselt = alg_id_cusparselt
        result: SparseSemiStructuredTensor = tensor
        return result

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        name = _name_of(func)
        if name in _METADATA:
            with DisableTorchFunctionSubclass():
                return func(*args, **kwargs)
        operation = _OPERATIONS.get(name)
        if operation is None:
            raise NotImplementedError(
                f"{cls.__name__} only supports a specific set of operations, can't perform requested op ({name})"
            )
        return operation(*args, **kwargs)

    def __repr__(self, *, tensor_contents: str | None = None) -> str:  # type: ignore[override]
        return f"{type(self).__name__}(shape={self.shape})"

    @classmethod
    def from_dense(
        cls, original_tensor: Tensor, alg_id: int = _DEFAULT_ALG_ID
    ) -> SparseSemiStructuredTensor:
        """Compresses a dense matrix; `to_sparse_semi_structured` calls it.

        Args:
            original_tensor: the matrix.
            alg_id: which of the library's algorithms multiplies.

        Raises:
            NotImplementedError: this class has no library; those derived from it have.
        """
        raise NotImplementedError(_NO_LIBRARY.format(cls.__name__))

    def _mm(
        self, dense: Tensor, *, bias: Tensor | None = None, transpose_result: bool = False
    ) -> Tensor:
        """self @ dense + bias[:, None], or its transpose."""
        raise NotImplementedError(_NO_LIBRARY.format(type(self).__name__))

    def _like(self, **changes: Any) -> SparseSemiStructuredTensor:
        state = {
            "shape": self.shape,
            "packed": self.packed,
            "meta": self.meta,
            "packed_t": self.packed_t,
            "meta_t": self.meta_t,
            "compressed_swizzled_bitmask": self.compressed_swizzled_bitmask,
            "fuse_transpose_cusparselt": self.fuse_transpose_cusparselt,
            "alg_id_cusparselt": self.alg_id_cusparselt,
        }
        return type(self)(**(state | changes))

    def _without_gradient(self, name: str) -> None:
        if torch.is_grad_enabled() and self.requires_grad:
            raise NotImplementedError(
                f"{type(self).__name__} has no gradient of {name}(): call it after detach(), or inside torch.no_grad()"
            )

    def detach(self) -> SparseSemiStructuredTensor:
        """The same matrix, outside the graph."""
        return self._like()

    def clone(self, **kwargs: Any) -> SparseSemiStructuredTensor:
        """A copy of the compressed matrix.

        Args:
            **kwargs: not looked at.

        Raises:
            NotImplementedError: the matrix requires a gradient, which this has none of.
        """
        self._without_gradient("clone")
        names = ("packed", "meta", "packed_t", "meta_t", "compressed_swizzled_bitmask")
        parts = {name: getattr(self, name) for name in names}
        copies = {name: None if part is None else part.clone() for name, part in parts.items()}
        return self._like(**copies, requires_grad=self.requires_grad)

    def t(self) -> SparseSemiStructuredTensor:
        """The transpose, which shares the compressed matrix."""
        self._without_gradient("t")
        mask = self.compressed_swizzled_bitmask
        return self._like(
            shape=torch.Size((self.shape[1], self.shape[0])),
            packed=self.packed_t,
            meta=self.meta_t,
            packed_t=self.packed,
            meta_t=self.meta,
            compressed_swizzled_bitmask=None if mask is None else mask.transpose(0, 1),
        )

    def to_dense(self, *args: Any, **kwargs: Any) -> Tensor:
        """The matrix with its zeros, which a product with the identity computes.

        Args:
            *args, **kwargs: not looked at.

        Raises:
            NotImplementedError: the matrix requires a gradient, which this has none of.
        """
        self._without_gradient("to_dense")
        if self.packed is None:
            return self.t().to_dense().t()
        return self._mm(torch.eye(self.shape[1], dtype=self.dtype, device=self.device))

    def __deepcopy__(self, memo: dict[int, Any]) -> SparseSemiStructuredTensor:
        if id(self) not in memo:
            memo[id(self)] = self.detach().clone().requires_grad_(self.requires_grad)
            if getattr(self, "_is_param", False):
                memo[id(self)]._is_param = True
        result: SparseSemiStructuredTensor = memo[id(self)]
        return result

    def cpu(self, *args: Any, **kwargs: Any) -> Tensor:
        """The dense matrix, on the CPU.

        Args:
            *args, **kwargs: those of `Tensor.cpu`.

        Raises:
            NotImplementedError: the matrix requires a gradient, which this has none of.
        """
        return self.to_dense().cpu(*args, **kwargs)

    def _kept(self) -> tuple[Tensor, int]:
        if self.packed is None:
            raise NotImplementedError(
                f"{type(self).__name__} is compressed as its transpose: use .t()"
            )
        return self.packed, self.numel() // 2

    def values(self) -> Tensor:
        """The values that are kept, in the order of the rows.

        Returns:
            A matrix of as many rows and of half of the columns.
        """
        packed, kept = self._kept()
        return packed.ravel()[:kept].view(self.shape[0], -1)

    def indices(self) -> Tensor:
        """Where those values were, in the library's code."""
        packed, kept = self._kept()
        return packed.ravel()[kept:].view(self.shape[0], -1).view(torch.int16)


class SparseSemiStructuredTensorCUSPARSELT(SparseSemiStructuredTensor):
    """A 2:4 sparse matrix in the form of NVIDIA's cuSPARSELt, in builds with `--cusparselt`."""

    BACKEND = "cusparselt"
    _DTYPE_SHAPE_CONSTRAINTS: ClassVar[dict[torch.dtype, _Sizes]] = {
        torch.int8: _Sizes(32, 32, 16, 16),
        torch.float16: _Sizes(16, 16, 8, 8),
        torch.bfloat16: _Sizes(16, 16, 8, 8),
        torch.float32: _Sizes(8, 8, 4, 4),
    }

    @classmethod
    def from_dense(
        cls, original_tensor: Tensor, alg_id: int = SparseSemiStructuredTensor._DEFAULT_ALG_ID
    ) -> SparseSemiStructuredTensorCUSPARSELT:
        """Compresses a dense matrix; `to_sparse_semi_structured` calls it.

        Args:
            original_tensor: the matrix, on CUDA.
            alg_id: which of cuSPARSELt's algorithms multiplies.

        Raises:
            RuntimeError: it is not on CUDA, or its shape or dtype does not fit the library.
        """
        if not original_tensor.is_cuda:
            raise RuntimeError(
                f"Error original_tensor.device= {original_tensor.device} is not supported! "
                "Only CUDA tensors are currently supported."
            )
        _check(original_tensor, cls)
        found = cls(
            original_tensor.shape,
            packed=torch._cslt_compress(original_tensor.detach()),
            meta=None,
            packed_t=None,
            meta_t=None,
            compressed_swizzled_bitmask=None,
            alg_id_cusparselt=alg_id,
            requires_grad=original_tensor.requires_grad,
        )
        result: SparseSemiStructuredTensorCUSPARSELT = found
        return result

    def _mm(
        self, dense: Tensor, *, bias: Tensor | None = None, transpose_result: bool = False
    ) -> Tensor:
        if dense.dim() != 2 or dense.shape[0] != self.shape[1]:
            raise RuntimeError(
                f"mat1 and mat2 shapes cannot be multiplied ({_sizes(self)} and {_sizes(dense)})"
            )
        if self.packed is None:
            raise NotImplementedError(
                f"`{type(self).__name__}` matmul: operation is not supported: the matrix is compressed as its transpose, which multiplies from the other side"
            )
        if dense.dtype != self.dtype:
            raise NotImplementedError(
                f"`{type(self).__name__}` matmul: trying to do `A={_sizes(self)} @ B={_sizes(dense)}`, with A.dtype={self.dtype} and B.dtype={dense.dtype}. "
                "This operation is only supported when A and B have the same data type."
            )
        columns = dense.shape[1]
        step = self._DTYPE_SHAPE_CONSTRAINTS[self.dtype].dense_min_cols
        missing = -columns % step if columns else step
        if missing:
            dense = torch.nn.functional.pad(dense, (0, missing))
        result = torch._cslt_sparse_mm(
            self.packed,
            dense,
            bias=bias,
            transpose_result=transpose_result,
            alg_id=self.alg_id_cusparselt,
        )
        return result.narrow(0 if transpose_result else 1, 0, columns)


def to_sparse_semi_structured(
    original_tensor: Tensor,
    transposed: bool = False,
    alg_id: int = SparseSemiStructuredTensor._DEFAULT_ALG_ID,
) -> SparseSemiStructuredTensor:
    """Compresses a matrix of which at most two of four neighbours in a row are not zero.

    Products by it take about half of the time on GPUs of capability 8.0 or higher. A float32
    matrix has at most one of two neighbours.

    Args:
        original_tensor: a contiguous matrix on CUDA. Its sizes are multiples of 32 for int8, of 16
            for float16 and bfloat16, and of 8 for float32.
        transposed: PyTorch's deprecated argument; it changes nothing.
        alg_id: which of cuSPARSELt's algorithms multiplies; `torch._cslt_sparse_mm_search` finds
            the fastest.

    Returns:
        A `SparseSemiStructuredTensorCUSPARSELT`.

    Raises:
        RuntimeError: the tensor has another device, dtype, shape or pattern, or the build has no
            cuSPARSELt.
    """
    if transposed:
        import warnings

        warnings.warn(
            "Setting transpose from `to_sparse_semi_structured` is deprecated and will be removed in a future release. `SparseSemiStructuredTensor` only support contiguous input tensors.",
            FutureWarning,
            stacklevel=2,
        )
    return SparseSemiStructuredTensorCUSPARSELT.from_dense(original_tensor, alg_id=alg_id)


def _sizes(tensor: Tensor) -> str:
    return "x".join(str(size) for size in tensor.shape)


def _check(dense: Tensor, cls: type[SparseSemiStructuredTensor]) -> None:
    """Raises RuntimeError for a matrix that the library cannot compress."""
    if dense.dim() != 2:
        raise RuntimeError(
            f"Error original_tensor.dim = {dense.dim()} is not supported! "
            "Only 2d tensors are currently supported."
        )
    if not dense.is_contiguous():
        raise RuntimeError(
            "Error original_tensor is not contiguous!Only contiguous tensors are currently supported."
        )
    sizes = cls._DTYPE_SHAPE_CONSTRAINTS.get(dense.dtype)
    if sizes is None:
        raise RuntimeError(
            f"Error original_tensor.dtype {dense.dtype} is not a supported dtype for {cls}!"
        )
    rows, columns = sizes.sparse_min_rows, sizes.sparse_min_cols
    m, n = dense.shape
    if m == 0 or m % rows or n == 0 or n % columns:
        raise RuntimeError(
            f"Error original_tensor.shape {dense.shape} is not supported! Both dimensions must be larger or equal than and a multiple of ({rows}, {columns})"
        )
    # From a matrix that is not sparse enough the library silently drops values.
    group = 2 if dense.dtype == torch.float32 else 4
    found = int((dense.detach().view(-1, group) != 0).sum(1).max())
    if found > group // 2:
        raise RuntimeError(
            f"Error original_tensor has {found} of {group} neighbours in a row that are not zero. "
            f"Set all but {group // 2} to zero first"
        )


def _mm(input: Any, mat2: Any) -> Tensor:
    if input.dim() != 2 or mat2.dim() != 2:
        raise NotImplementedError(
            "`SparseSemiStructuredTensor` matmul: Broadcasting is not implemented"
        )
    if not isinstance(input, SparseSemiStructuredTensor):
        return _linear(input, mat2.t())
    if isinstance(mat2, SparseSemiStructuredTensor):
        mat2 = mat2.to_dense()
    result: Tensor = _Product.apply(input, mat2, None, False)
    return result


def _addmm(input: Tensor, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    if isinstance(mat1, SparseSemiStructuredTensor) or beta != 1 or alpha != 1:
        raise NotImplementedError(
            "`SparseSemiStructuredTensor` matmul: only operand B of `addmm` can be sparse, with beta and alpha of 1"
        )
    if input.dim() != 1:
        raise NotImplementedError(
            f"`SparseSemiStructuredTensor` matmul: only bias dim=1 supported. Shape={input.shape}"
        )
    return _linear(mat1, mat2.t(), input)


def _linear(input: Any, weight: Any, bias: Tensor | None = None) -> Tensor:
    if not isinstance(weight, SparseSemiStructuredTensor):
        raise NotImplementedError(
            "`SparseSemiStructuredTensor` matmul: only the weight of `linear` can be sparse"
        )
    rows = input.reshape(-1, input.shape[-1])
    result: Tensor = _Product.apply(weight, rows, bias, True)
    return result.view(*input.shape[:-1], weight.shape[0])


def _name_of(func: Callable[..., Any]) -> str:
    """`mm` of a function, `data` of a property that is read, `data.__set__` where it is set."""
    name: str = func.__name__
    owner = getattr(func, "__self__", None)
    if name == "__get__":
        return str(getattr(owner, "__name__", name))
    return f"{getattr(owner, '__name__', '')}.{name}" if name == "__set__" else name


# These read no elements.
_METADATA = frozenset(
    [
        "_backward_hooks",
        "_base",
        "_version",
        "device",
        "dim",
        "dtype",
        "element_size",
        "get_device",
        "grad",
        "grad_fn",
        "grad.__set__",
        "is_complex",
        "is_contiguous",
        "is_cpu",
        "is_cuda",
        "is_floating_point",
        "is_inference",
        "is_leaf",
        "is_meta",
        "is_mps",
        "is_nested",
        "is_quantized",
        "is_sparse",
        "is_vulkan",
        "itemsize",
        "layout",
        "names",
        "nbytes",
        "ndim",
        "ndimension",
        "nelement",
        "numel",
        "output_nr",
        "register_hook",
        "requires_grad",
        "requires_grad.__set__",
        "requires_grad_",
        "retain_grad",
        "retains_grad",
        "shape",
        "size",
    ]
)

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "__matmul__": _mm,
    "__rmatmul__": lambda mat2, input: _mm(input, mat2),
    "addmm": _addmm,
    "clone": lambda self, **kwargs: self.clone(**kwargs),
    "data": lambda self, *_: self.detach(),
    "detach": lambda self: self.detach(),
    "linear": _linear,
    "matmul": _mm,
    "mm": _mm,
    "t": lambda self: self.t(),
}
