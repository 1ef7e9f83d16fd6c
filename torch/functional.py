"""Functions of torch written in Python."""

from __future__ import annotations

import builtins
import importlib
import math
from collections.abc import Sequence
from typing import Any

from torch import _C, _absent
from torch._tensor import Tensor
from torch._torch_function import overridable


@overridable
def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Splits a tensor into views.

    Args:
        tensor: what is split.
        split_size_or_sections: the size of all parts but a smaller last one, or the sizes of all.
        dim: along which dimension.

    Returns:
        A tuple of views, which share the memory.

    Raises:
        RuntimeError: sizes that do not add up, or a negative one.

    Example::

        >>> torch.split(torch.arange(5), 2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    """
    return tensor.split(split_size_or_sections, dim)


@overridable
def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """(sum |x|^p)^(1/p) over some dimensions or all; `torch.linalg` has more exact names for it.

    Args:
        input: x, floating point or complex.
        p: a number, "fro" for 2, or "nuc" for the sum of a matrix's singular values.
        dim: the dimensions; all of them if None.
        keepdim: whether they stay, of size 1.
        out: where the result goes.
        dtype: what x is converted to first.

    Raises:
        RuntimeError: another text for p, or integers.

    Example::

        >>> torch.norm(torch.tensor([3.0, 4.0]))
        tensor(5.)
    """
    extra = {"dtype": dtype} | ({} if out is None else {"out": out})
    if p == "nuc":
        dims = tuple(range(input.dim())) if dim is None else dim
        return _C._linalg.linalg_matrix_norm(input, p, dims, keepdim, **extra)
    if isinstance(p, str) and p != "fro":
        raise RuntimeError(f"only valid string values are 'fro' and 'nuc', found {p}")
    order = 2.0 if p in ("fro", None) else p
    return _C._linalg.linalg_vector_norm(input, order, dim, keepdim, **extra)


@overridable
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements of a tensor, or its distinct slices along a dimension.

    Args:
        input: any shape.
        sorted: kept for PyTorch's signature: results are in order.
        return_inverse: whether the place of each element among them is returned too.
        return_counts: whether it is returned how often each occurs.
        dim: slices along it are compared; None compares elements.

    Returns:
        The distinct ones, or a tuple with the places and counts that were asked for.

    Example::

        >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
        (tensor([1, 3]), tensor([1, 2]))
    """
    if dim is None:
        result = _C._VariableFunctions._unique2(input, sorted, return_inverse, return_counts)
    else:
        result = _C._VariableFunctions.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _chosen(result, return_inverse, return_counts)


@overridable
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The first of each run of equal elements, or of equal slices along a dimension.

    Args:
        input: any shape.
        return_inverse: whether the number of the run of each element is returned too.
        return_counts: whether the lengths of the runs are.
        dim: slices along it are compared; None compares elements.

    Returns:
        The first ones, or a tuple with what was asked for.

    Example::

        >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
        (tensor([1, 2, 1]), tensor([2, 1, 1]))
    """
    result = _C._VariableFunctions.unique_consecutive(input, return_inverse, return_counts, dim)
    return _chosen(result, return_inverse, return_counts)


def _chosen(result: tuple[Tensor, ...], inverse: bool, counts: bool) -> Any:
    chosen = [result[0], *result[1:2] * inverse, *result[2:] * counts]
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


@overridable
def einsum(*args: Any) -> Tensor:
    """Sums of products over the dimensions that an equation names (Einstein's convention).

    Args:
        *args: the equation and its operands, such as "ij,jk->ik" for a matrix product; or each
            operand before the list of its dimensions, with the result's list last.

    Returns:
        The tensor of the dimensions after "->", or without it of all that occur once, in the order
        of the alphabet.

    Raises:
        RuntimeError: sizes that differ under one name, or an equation that does not fit the
            operands.

    Example::

        >>> torch.einsum("ij,j->i", torch.eye(2), torch.tensor([1.0, 2.0]))
        tensor([1., 2.])
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its subscripts list"
        )
    if isinstance(args[0], str):
        operands = args[1:]
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = tuple(operands[0])
        return _C._VariableFunctions.einsum(args[0], list(operands))
    lists = [*args[1::2], *args[-1:]] if len(args) % 2 else [*args[1::2]]
    words = ["".join("..." if n is Ellipsis else _letter(n) for n in one) for one in lists]
    count = len(args) // 2
    equation = ",".join(words[:count])
    if len(args) % 2:
        equation += "->" + words[-1]
    return _C._VariableFunctions.einsum(equation, list(args[: 2 * count : 2]))


def _letter(n: int) -> str:
    if not 0 <= n < 52:
        raise ValueError(
            "einsum(): subscript in subscript list is not within the valid range [0, 52)"
        )
    return chr(ord("A") + n) if n < 26 else chr(ord("a") + n - 26)


@overridable
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sums of products over pairs of dimensions.

    Args:
        a, b: the tensors.
        dims: how many of a's last and b's first dimensions are paired, or two lists of dimensions.
        out: where the result goes.

    Shape:
        Output: the other dimensions of a, then those of b.

    Raises:
        RuntimeError: sizes of a pair differ, or `dims` is negative or too large.

    Example::

        >>> torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), dims=1).shape
        torch.Size([2, 4])
    """
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-dims, 0)), list(range(dims))
    else:
        dims_a, dims_b = ([d] if isinstance(d, int) else list(d) for d in dims)
    if out is None:
        return _C._VariableFunctions.tensordot(a, b, dims_a, dims_b)
    return _C._VariableFunctions.tensordot(a, b, dims_a, dims_b, out=out)


@overridable
def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """||x1_i - x2_j||_p for each pair of rows.

    Args:
        x1: (..., P, M).
        x2: (..., R, M).
        p: the norm, not negative.
        compute_mode: when distances with p = 2 come from a matrix product, which is faster and less
            precise: "use_mm_for_euclid_dist_if_necessary" (for more than 25 rows),
            "use_mm_for_euclid_dist" or "donot_use_mm_for_euclid_dist".

    Shape:
        Output: (..., P, R).

    Raises:
        ValueError: another `compute_mode`.

    Example::

        >>> torch.cdist(torch.zeros(1, 2), torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
        tensor([[5., 1.]])
    """
    modes = (
        "use_mm_for_euclid_dist_if_necessary",
        "use_mm_for_euclid_dist",
        "donot_use_mm_for_euclid_dist",
    )
    if compute_mode not in modes:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return _C._VariableFunctions.cdist(x1, x2, p, modes.index(compute_mode))


def _flat(tensors: tuple[Any, ...]) -> list[Tensor]:
    """Tensors given one by one, or as one list."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return list(tensors[0])
    return list(tensors)


@overridable
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """The coordinates of a grid that vectors span.

    Args:
        *tensors: vectors or numbers, or one list of them.
        indexing: "ij" for the order of the vectors, "xy" with the first two exchanged.

    Returns:
        A tuple of views, one for each vector, of the shape of the grid.

    Example::

        >>> x, y = torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), indexing="ij")
        >>> x, y
        (tensor([[1, 1],
                [2, 2]]), tensor([[3, 4],
                [3, 4]]))
    """
    if indexing is None:
        return tuple(_C._VariableFunctions.meshgrid(_flat(tensors)))
    return tuple(_C._VariableFunctions.meshgrid(_flat(tensors), indexing=indexing))


@overridable
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """Views of one shape: that to which all tensors broadcast.

    Args:
        *tensors: of shapes that broadcast.

    Raises:
        RuntimeError: they do not.

    Example::

        >>> a, b = torch.broadcast_tensors(torch.ones(2, 1), torch.ones(3))
        >>> a.shape, b.shape
        (torch.Size([2, 3]), torch.Size([2, 3]))
    """
    return tuple(_C._VariableFunctions.broadcast_tensors(_flat(tensors)))


@overridable
def block_diag(*tensors: Any) -> Tensor:
    """A matrix with the tensors along its diagonal, and zeros elsewhere.

    Args:
        *tensors: matrices, vectors (as rows) or numbers.

    Example::

        >>> torch.block_diag(torch.ones(1, 2), torch.tensor([[2.0]]))
        tensor([[1., 1., 0.],
                [0., 0., 2.]])
    """
    return _C._VariableFunctions.block_diag(list(tensors))


@overridable
def cartesian_prod(*tensors: Any) -> Tensor:
    """All tuples of one element of each vector, as rows.

    Args:
        *tensors: vectors of one dtype.

    Example::

        >>> torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))
        tensor([[1, 3],
                [1, 4],
                [2, 3],
                [2, 4]])
    """
    return _C._VariableFunctions.cartesian_prod(list(tensors))


@overridable
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of matrices, in the order that multiplies least.

    Args:
        *matrices: the factors.
        out: where the result goes.

    Example::

        >>> torch.chain_matmul(torch.ones(1, 2), torch.ones(2, 3), torch.ones(3, 1))
        tensor([[6.]])
    """
    if out is None:
        return _C._VariableFunctions.chain_matmul(list(matrices))
    return _C._VariableFunctions.chain_matmul(list(matrices), out=out)


@overridable
def atleast_1d(*tensors: Any) -> Any:
    """Tensors of at least one dimension: a number becomes a vector, others stay.

    Args:
        *tensors: one tensor, several, or a list of them.

    Returns:
        A view, or a tuple of them.

    Example::

        >>> torch.atleast_1d(torch.tensor(3))
        tensor([3])
    """
    return _at_least(_C._VariableFunctions.atleast_1d, tensors)


@overridable
def atleast_2d(*tensors: Any) -> Any:
    """Tensors of at least two dimensions: new ones come first.

    Args:
        *tensors: one tensor, several, or a list of them.

    Returns:
        A view, or a tuple of them.

    Example::

        >>> torch.atleast_2d(torch.ones(3)).shape
        torch.Size([1, 3])
    """
    return _at_least(_C._VariableFunctions.atleast_2d, tensors)


@overridable
def atleast_3d(*tensors: Any) -> Any:
    """Tensors of at least three dimensions: vectors become (1, n, 1), matrices (n, m, 1).

    Args:
        *tensors: one tensor, several, or a list of them.

    Returns:
        A view, or a tuple of them.

    Example::

        >>> torch.atleast_3d(torch.ones(2, 3)).shape
        torch.Size([2, 3, 1])
    """
    return _at_least(_C._VariableFunctions.atleast_3d, tensors)


def _at_least(function: Any, tensors: tuple[Any, ...]) -> Any:
    given = _flat(tensors)
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return function(given[0])
    return tuple(function(given))


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape to which all shapes broadcast.

    Args:
        *shapes: sizes, or numbers for vectors.

    Raises:
        RuntimeError: they do not broadcast, or a size is negative.

    Example::

        >>> torch.broadcast_shapes((2, 1), (3,))
        torch.Size([2, 3])
    """
    sizes = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    result = [1] * max((len(size) for size in sizes), default=0)
    for index, size in enumerate(sizes):
        for i in range(-1, -1 - len(size), -1):
            if size[i] < 0:
                raise RuntimeError(
                    f"Trying to create tensor with negative dimension ({size[i]}): ({size[i]})"
                )
            if size[i] in (1, result[i]):
                continue
            if result[i] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size[i]} at {i}! Mismatching argument at index {index} had {size}; but expected shape should be broadcastable to {result}"
                )
            result[i] = size[i]
    return _C.Size(result)


def frombuffer(
    buffer: Any,
    *,
    dtype: Any,
    count: int = -1,
    offset: int = 0,
    requires_grad: bool = False,
) -> Tensor:
    """A vector on the memory of a Python buffer.

    Args:
        buffer: bytes, a bytearray, an array ...; the tensor keeps it alive.
        dtype: of the elements.
        count: how many elements; -1 is all that are there.
        offset: the byte at which they begin.
        requires_grad: whether gradients are wanted.

    Raises:
        ValueError: no buffer, an empty one, or one that is too small or no multiple of the element.

    Example::

        >>> torch.frombuffer(bytearray([1, 0, 2, 0]), dtype=torch.int16)
        tensor([1, 2], dtype=torch.int16)
    """
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    size, item = view.nbytes, dtype.itemsize
    if size == 0 or count == 0:
        raise ValueError(f"both buffer length ({size}) and count ({count}) must not be 0")
    if not 0 <= offset < size:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({size} bytes) minus 1"
        )
    left = size - offset
    if count > 0 and count * item > left:
        raise ValueError(
            f"requested buffer length ({count} * {item} bytes) after offset ({offset} bytes) must not be greater than actual buffer length ({size} bytes)"
        )
    if count < 0 and left % item:
        raise ValueError(
            f"buffer length ({left} bytes) after offset ({offset} bytes) must be a multiple of element size ({item})"
        )
    if view.readonly:
        import warnings

        warnings.warn(
            "The given buffer is not writable, and PyTorch does not support non-writable tensors. "
            "This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
            stacklevel=2,
        )
    length = count if count > 0 else left // item
    storage = _C.StorageBase._share_buffer(buffer, offset, length * item)
    tensor = _C._tensor_from_storage(storage, dtype, 0, (length,), (1,))
    return tensor.requires_grad_() if requires_grad else tensor


def from_file(
    filename: str,
    shared: bool | None = None,
    size: int = 0,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The first elements of a file as a tensor of one dimension, on the file's memory.

    Args:
        filename: of the file.
        shared: whether what is written to the tensor is written to the file. The file is made, and
            made longer, where it has not so many elements.
        size: how many elements.
        dtype: of the elements; the default dtype if None.
        layout: `torch.strided` or None.
        device: the CPU or None.
        pin_memory: False or None.
        requires_grad: whether gradients are wanted.

    Raises:
        RuntimeError: the file cannot be opened, or has fewer elements and `shared` is
            false. Another device or layout, or pinned memory, is asked for.

    Example::

        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     torch.from_file(file.name, shared=True, size=2).fill_(1)
        tensor([1., 1.])
    """
    from torch.storage import UntypedStorage

    if pin_memory:
        raise RuntimeError("tensors constructed from a file cannot be pinned")
    if device is not None and _C.device(device).type != "cpu":
        raise RuntimeError(
            f'from_file: a file is on device "cpu", but got device "{device}"; move the tensor by to()'
        )
    if layout is not None and layout is not _C.strided:
        raise RuntimeError(f"from_file: a file has layout torch.strided, but got {layout}")
    if size < 0:
        raise RuntimeError(f"from_file: size must be 0 or more, but got {size}")
    dtype = _C.get_default_dtype() if dtype is None else dtype
    memory = (
        UntypedStorage.from_file(filename, bool(shared), size * dtype.itemsize)
        if size
        else UntypedStorage(0)
    )
    tensor = _C._tensor_from_storage(memory, dtype, 0, (size,), (1,))
    return tensor.requires_grad_() if requires_grad else tensor


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """An object as a tensor, on the same memory where that is possible.

    Args:
        obj: a tensor, a NumPy array, a buffer, a number or nested lists.
        dtype, device: of the result.
        copy: True always copies, False is an error where a copy is needed, None copies where
            needed.
        requires_grad: whether gradients are wanted. None keeps what a tensor has. True and None
            keep its history; False detaches it.

    Raises:
        ValueError: `copy=False` and a copy is needed.

    Example::

        >>> x = torch.ones(2)
        >>> torch.asarray(x).data_ptr() == x.data_ptr()
        True
    """
    if isinstance(obj, Tensor):
        tensor, shares = obj, True
    elif isinstance(obj, _C.StorageBase):
        size = obj.nbytes()
        tensor, shares = _C._tensor_from_storage(obj, _C.uint8, 0, (size,), (1,)), True
    elif hasattr(obj, "__dlpack__") or type(obj).__name__ == "PyCapsule":
        from torch import from_dlpack

        tensor, shares = from_dlpack(obj), True
    elif isinstance(obj, (bytes, bytearray, memoryview)):
        tensor = frombuffer(obj, dtype=_C.get_default_dtype() if dtype is None else dtype)
        shares = True
    else:
        # NumPy's numbers are arrays, which any dtype takes.
        first = None if type(obj).__module__ == "numpy" else dtype
        tensor = _C._VariableFunctions.tensor(obj, dtype=first, device=device)  # type: ignore[attr-defined]
        shares = False
    converted = tensor.to(
        dtype=tensor.dtype if dtype is None else dtype,
        device=tensor.device if device is None else device,
    )
    if copy is False:
        if not shares:
            if type(obj).__module__ == "numpy":
                raise RuntimeError(
                    "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray."
                )
            raise ValueError(
                f"can't alias arbitrary sequence into a tensor: {type(obj).__name__} has other memory; leave out copy=False"
            )
        if converted.device != tensor.device:
            raise ValueError(
                f"can't alias tensor from device '{tensor.device}' to '{converted.device}'."
            )
        if converted.dtype != tensor.dtype:
            raise ValueError(
                f"can't alias tensor with dtype '{tensor.dtype}' into dtype '{converted.dtype}'."
            )
    shares = shares and converted.data_ptr() == tensor.data_ptr()
    result = converted.clone() if copy and shares else converted
    if requires_grad is None or requires_grad == result.requires_grad:
        return result
    return result.requires_grad_() if requires_grad else result.detach()


@overridable
def lu(
    A: Tensor,
    pivot: bool = True,
    get_infos: bool = False,
    out: tuple[Tensor, ...] | None = None,
) -> tuple[Tensor, ...]:
    """The older name of `torch.linalg.lu_factor` and `lu_factor_ex`: A = P L U.

    Args:
        A: (..., m, n), floating point or complex.
        pivot: whether rows are exchanged; CUDA alone takes False.
        get_infos: whether the third result is wanted.
        out: two tensors, or three with `get_infos`, for the results.

    Returns:
        (LU, pivots), or a named tuple (LU, pivots, info): L below the diagonal and U from it on,
        (..., m, n); the row that each step exchanged, counted from 1, int32 (..., min(m, n)); 0, or
        the first zero of U's diagonal, int32 (...). `torch.lu_unpack` makes P, L and U of it.

    Raises:
        RuntimeError: `pivot` is False on the CPU. A singular matrix is no error.
        TypeError: `out` is no tuple or list of the results' number.

    Example::

        >>> LU, pivots = torch.lu(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        >>> pivots
        tensor([2, 2], dtype=torch.int32)
    """
    found = tuple(_C._linalg.linalg_lu_factor_ex(A, pivot=pivot))
    wanted = found if get_infos else found[:2]
    if out is None:
        kinds: Any = importlib.import_module("torch.return_types")
        return kinds._lu_with_info(found) if get_infos else wanted
    if not isinstance(out, (tuple, list)) or len(out) != len(wanted):
        raise TypeError(f"argument 'out' must be a tuple of {len(wanted)} Tensors")
    for target, result in zip(out, wanted, strict=True):
        target.resize_as_(result).copy_(result)
    return tuple(out)


@overridable
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """A convolution of sequences whose first dimension is time: `torch.conv1d` in another order.

    Args:
        input: (time, batch, channels).
        weight: (kernel size, channels, channels of the result).
        bias: (channels of the result,).
        pad: zeros added at both ends of the time.

    Returns:
        (time + 2 pad - kernel size + 1, batch, channels of the result).

    Raises:
        RuntimeError: tensors of other numbers of dimensions, or sizes that do not fit.

    Example::

        >>> x, weight = torch.ones(5, 2, 3), torch.ones(2, 3, 4)
        >>> torch.conv_tbc(x, weight, torch.zeros(4)).shape
        torch.Size([4, 2, 4])
    """
    if input.dim() != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.dim() != 3:
        raise RuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if bias.dim() != 1:
        raise RuntimeError("Bias must be 1-D")
    if input.shape[2] != weight.shape[1]:
        raise RuntimeError(
            "Input dim 2 (input channels) is not == dim 1 in the weight tensor (input channels)"
        )
    if weight.shape[2] != bias.shape[0]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    convolve = _C._VariableFunctions.conv1d
    result: Tensor = convolve(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad)
    return result.permute(2, 0, 1)


@overridable
def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """The coordinates in a tensor of `shape` of places that are counted row by row.

    Args:
        indices: integers of any shape.
        shape: the sizes of the tensor, or the one of a vector.

    Returns:
        One int64 tensor of the shape of `indices` for each dimension. They share memory.

    Raises:
        TypeError: `indices` are no integers, or `shape` has something else than integers.
        ValueError: a negative size.

    Example::

        >>> torch.unravel_index(torch.tensor([5, 2]), (2, 3))
        (tensor([1, 0]), tensor([2, 2]))
    """
    if indices.is_floating_point() or indices.is_complex() or indices.dtype == _C.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    other = next((type(size) for size in sizes if not isinstance(size, int)), None)
    if other is not None:
        raise TypeError(f"expected 'shape' sequence to only contain ints, but got {other}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {sizes}")
    below = [math.prod(sizes[d + 1 :]) for d in builtins.range(len(sizes))]
    steps, limits = (indices.new_tensor(numbers, dtype=_C.int64) for numbers in (below, sizes))
    rows = indices.unsqueeze(-1).div(steps, rounding_mode="floor").remainder(limits)
    return tuple(rows.unbind(-1))


@overridable
def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """The places of the first `size` elements that are not zero, as rows; a size known beforehand.

    Args:
        input: any tensor.
        size: how many rows the result has.
        fill_value: what fills the rows for which there is no element.

    Raises:
        RuntimeError: a negative size.

    Example::

        >>> torch.nonzero_static(torch.tensor([0, 5, 7]), size=3)
        tensor([[ 1],
                [ 2],
                [-1]])
    """
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    found = input.nonzero()[:size]
    result: Tensor = _C._VariableFunctions.full(
        (size, input.dim()), fill_value, dtype=found.dtype, device=input.device
    )
    result[: len(found)] = found
    return result


@overridable
def histogramdd(
    input: Tensor,
    bins: int | Sequence[int] | Sequence[Tensor],
    range: Sequence[float] | None = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """How many points fall into each cell of a grid.

    Args:
        input: the points, of shape (..., N), float32 or float64.
        bins: how many intervals each of the N dimensions has, one number for all, or the edges of
            the intervals as N tensors that ascend.
        range: the first and the last edge of each dimension, as 2 N numbers; the smallest and
            largest coordinates if None.
        weight: what each point counts, of shape (...); 1 if None.
        density: whether the result is divided by its sum and by the volume of each cell.

    Returns:
        A named tuple: `hist` with N dimensions, and `bin_edges`, a tuple of N tensors. A coordinate
        equal to the last edge belongs to the last interval; points outside count nowhere.

    Raises:
        RuntimeError: sizes that do not fit, or edges that do not ascend.

    Example::

        >>> points = torch.tensor([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0]])
        >>> torch.histogramdd(points, bins=[2, 2]).hist
        tensor([[0., 1.],
                [2., 1.]])
    """
    result_type: Any = importlib.import_module("torch.return_types").histogramdd

    if input.dim() < 2:
        raise RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")
    n = input.size(-1)
    chosen = [bins] * n if isinstance(bins, int) else list(bins)
    if len(chosen) != n:
        raise RuntimeError(
            "histogramdd: The size of bins must be equal to the innermost dimension of the input."
        )
    if input.dtype not in (_C.float32, _C.float64):
        name = input.type().rpartition(".")[2].removesuffix("Tensor")
        raise NotImplementedError(f"\"histogramdd\" not implemented for '{name}'")
    if range is not None and len(range) != 2 * n:
        raise RuntimeError(
            f"torch.histogramdd: for a {n}-dimensional histogram range should have {2 * n} elements, but got {len(range)}"
        )
    if weight is not None and weight.shape != input.shape[:-1]:
        raise RuntimeError(
            f"torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape {list(input.shape)} and weight with shape {list(weight.shape)}"
        )
    if weight is not None and weight.dtype != input.dtype:
        raise RuntimeError(
            f"torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input(dtype={input.dtype}), and weight(dtype={weight.dtype})"
        )
    points = input.detach().reshape(math.prod(input.shape[:-1]), n)
    edges = [_edges(points, d, chosen[d], range) for d in builtins.range(n)]
    cells = points.new_zeros(len(points), dtype=_C.int64)
    # A point without coordinates counts nowhere.
    inside = points.new_full((len(points),), n > 0, dtype=_C.bool)
    for d, bounds in enumerate(edges):
        x = points[:, d].contiguous()
        last = len(bounds) - 2
        place = _C._VariableFunctions.searchsorted(bounds, x, right=True).sub(1).clamp(0, last)
        inside &= (x >= bounds[0]) & (x <= bounds[-1])
        cells = cells * (last + 1) + place
    shape = [len(bounds) - 1 for bounds in edges]
    counts = points.new_ones(len(points)) if weight is None else weight.reshape(-1)
    hist = points.new_zeros(shape)
    hist.view(-1).index_add_(0, cells[inside], counts[inside])
    if density:
        hist = hist / hist.sum()
        for d, bounds in enumerate(edges):
            hist = hist / bounds.diff().reshape([-1 if i == d else 1 for i in builtins.range(n)])
    return result_type((hist, tuple(edges)))


def _edges(points: Tensor, d: int, bins: Any, ranges: Sequence[float] | None) -> Tensor:
    """The edges of dimension `d` of `histogramdd`."""
    if isinstance(bins, Tensor):
        if bins.dim() != 1:
            raise RuntimeError(
                f"torch.histogramdd: bins tensor should have one dimension, but got {bins.dim()} dimensions in the bins tensor for dimension {d}"
            )
        if bins.dtype != points.dtype:
            raise RuntimeError(
                f"torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype {points.dtype} and bins for dimension {d} with dtype {bins.dtype}"
            )
        if len(bins) < 2:
            raise RuntimeError(
                f"torch.histogramdd: the edges of dimension {d} should be at least 2, but got {len(bins)}"
            )
        return bins.detach().clone()
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension {d}")
    low, high = 0.0, 1.0
    if ranges is not None:
        low, high = ranges[2 * d], ranges[2 * d + 1]
    elif len(points):
        low, high = points[:, d].min().item(), points[:, d].max().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(
            f"torch.histogramdd: dimension {d}'s range [{low:g}, {high:g}] is not finite"
        )
    if low > high:
        raise RuntimeError(
            f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {d}"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges: Tensor = _C._VariableFunctions.linspace(
        low, high, bins + 1, dtype=points.dtype, device=points.device
    )
    return edges


# What scatter_reduce calls each of them, and the reduction of nothing.
_SEGMENTS = {
    "sum": ("sum", 0.0),
    "mean": ("sum", 0.0),
    "max": ("amax", -float("inf")),
    "amax": ("amax", -float("inf")),
    "min": ("amin", float("inf")),
    "amin": ("amin", float("inf")),
    "prod": ("prod", 1.0),
}


@overridable
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> Tensor:
    """Reduces parts of a dimension that lie one after the other, each to one element.

    Args:
        data: floating point.
        reduce: "sum", "mean", "max", "min" or "prod".
        lengths: the sizes of the parts, integers. It may have dimensions of `data` before the
            last, for other sizes in each row.
        indices: only None.
        offsets: instead of `lengths`: where each part begins, and where the last one ends.
        axis: the dimension; the last of `lengths`.
        unsafe: whether the lengths are not checked.
        initial: a further element of each part; without it an empty part is the reduction of
            nothing, which is NaN for "mean".

    Returns:
        The shape of `data` with the number of parts in place of `axis`.

    Raises:
        RuntimeError: neither lengths nor offsets, lengths that are negative or of another sum than
            the size of the dimension, another axis or reduction.
        NotImplementedError: other than floating-point data.

    Example::

        >>> data = torch.tensor([1.0, 2.0, 3.0, 4.0])
        >>> torch.segment_reduce(data, "sum", lengths=torch.tensor([1, 3]))
        tensor([1., 9.])
    """
    if not data.is_floating_point():
        raise NotImplementedError(
            f"segment_reduce(): not implemented for {data.dtype}; wanted floating point data"
        )
    if reduce not in _SEGMENTS:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    bounds = offsets if lengths is None else lengths
    if bounds is None or (lengths is not None and offsets is not None):
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    axis = axis + data.dim() if axis < 0 else axis
    if axis != bounds.dim() - 1 or bounds.shape[:-1] != data.shape[:axis]:
        raise RuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of lengths or offsets, whose other dimensions are those of data, but got axis {axis} and shapes {list(bounds.shape)} and {list(data.shape)}"
        )
    if lengths is not None:
        if not unsafe and (lengths < 0).any():
            raise RuntimeError("segment_reduce(): lengths contains negative value!")
        if not unsafe and (lengths.sum(-1) != data.shape[axis]).any():
            raise RuntimeError(
                "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe."
            )
        first = lengths.new_zeros((*lengths.shape[:-1], 1))
        bounds = _C._VariableFunctions.cat([first, lengths.cumsum(-1)], -1)
    else:
        lengths = bounds.diff(dim=-1)
    count = lengths.shape[-1]
    # The part of each element, from 1; 0 and count + 1 lie outside of all parts.
    places = _C._VariableFunctions.arange(data.shape[axis], device=data.device, dtype=bounds.dtype)
    parts = _C._VariableFunctions.searchsorted(
        bounds.contiguous(), places.expand((*bounds.shape[:-1], -1)).contiguous(), right=True
    )
    rest = (1,) * (data.dim() - axis - 1)
    function, nothing = _SEGMENTS[reduce]
    extreme = function != "sum" and function != "prod"
    start = nothing if initial is None or extreme else initial
    shape = (*data.shape[:axis], count + 2, *data.shape[axis + 1 :])
    index = parts.reshape((*parts.shape, *rest)).expand_as(data)
    if extreme:
        from torch._segments import Extremes

        values = data.new_full(shape, start).scatter_reduce(axis, index, data.detach(), function)
        if initial is not None:
            # Not a further element: equal ones would share the gradient with it.
            limit = {"min" if function == "amax" else "max": initial}
            values = values.clamp(**limit)
        result = Extremes.apply(data, values, index, axis)
    elif function == "prod":
        from torch._segments import Products

        result = Products.apply(data, data.new_full(shape, start), index, axis)
    else:
        result = data.new_full(shape, start).scatter_reduce(axis, index, data, function)
    result = result.narrow(axis, 1, count)
    if reduce == "mean":
        sizes = lengths.reshape((*lengths.shape, *rest))
        empty = float("nan") if initial is None else initial
        result = (result / sizes).masked_fill(sizes == 0, empty)
    return result


@overridable
def _native_multi_head_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim: int,
    num_head: int,
    qkv_weight: Tensor,
    qkv_bias: Tensor,
    proj_weight: Tensor,
    proj_bias: Tensor,
    mask: Tensor | None = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[Tensor, Tensor | None]:
    """What `torch.nn.MultiheadAttention` with `batch_first=True` computes, under the name of
    PyTorch's kernel for it.

    Args:
        query: (N, L, E).
        key, value: (N, S, E).
        embed_dim: E.
        num_head: heads, which divide E.
        qkv_weight, qkv_bias: (3 E, E) and (3 E,), of the projections of query, key and value.
        proj_weight, proj_bias: (E, E) and (E,), of the results of the heads.
        mask: bool, True for what gets no attention, or floating-point numbers that are added.
        need_weights: whether the weights are returned.
        average_attn_weights: whether they are the mean over the heads.
        mask_type: 0 for a mask (L, S), 1 for one of keys (N, S), 2 for (N, num_head, L, S).

    Returns:
        The result (N, L, E), and the weights or None.

    Raises:
        RuntimeError: a mask without its type, or sizes that do not fit.

    Example::

        >>> x, eye = torch.ones(1, 2, 2), torch.eye(2)
        >>> torch._native_multi_head_attention(
        ...     x, x, x, 2, 1, eye.repeat(3, 1), torch.zeros(6), eye, torch.zeros(2))[0]
        tensor([[[1., 1.],
                 [1., 1.]]])
    """
    from torch.nn.functional.attention import multi_head_attention

    if query.dim() != 3 or query.size(-1) != embed_dim:
        raise RuntimeError(f"expected 3-D `query` with last dim {embed_dim}, got {query.shape}")
    if embed_dim % num_head:
        raise RuntimeError(f"`embed_dim` {embed_dim} is not divisible by `num_heads` {num_head}")
    if mask is not None and mask_type not in (0, 1, 2):
        raise RuntimeError(f"mask_type should be 0, 1 or 2 for a mask, but got {mask_type}")
    attn_mask = None if mask_type == 1 or mask is None else mask
    weights: Any = qkv_weight.chunk(3)
    biases: Any = qkv_bias.chunk(3)
    return multi_head_attention(
        query,
        key,
        value,
        num_head,
        weights,
        biases,
        proj_weight,
        proj_bias,
        None,
        False,
        attn_mask.flatten(0, 1) if attn_mask is not None and mask_type == 2 else attn_mask,
        mask if mask_type == 1 else None,
        False,
        0.0,
        need_weights,
        average_attn_weights,
    )


@overridable
def _transform_bias_rescale_qkv(
    qkv: Tensor, qkv_bias: Tensor, num_heads: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Query, key and value of each head, with their biases; the query over the root of D, the size
    of a head.

    Args:
        qkv: the projections beside each other, (N, L, 3 num_heads D).
        qkv_bias: (3 num_heads D,).
        num_heads: heads.

    Returns:
        Three tensors (N, num_heads, L, D).

    Example::

        >>> q, k, v = torch._transform_bias_rescale_qkv(torch.ones(1, 2, 12), torch.zeros(12), 1)
        >>> q[0, 0, 0], k.shape
        (tensor([0.5000, 0.5000, 0.5000, 0.5000]), torch.Size([1, 1, 2, 4]))
    """
    q, k, v = (
        part.unflatten(-1, (num_heads, -1)).transpose(1, 2)
        for part in (qkv + qkv_bias).chunk(3, -1)
    )
    return q / math.sqrt(q.size(-1)), k, v


@overridable
def _int_mm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The product of two matrices of int8, added in int32."""
    if input.dim() != 2 or mat2.dim() != 2:
        raise RuntimeError(
            f"Expected both tensors to be of dimension 2 but got {input.dim()} and {mat2.dim()}"
        )
    if input.dtype != _C.int8 or mat2.dtype != _C.int8:
        raise RuntimeError(f"Expected both to be of dtype int8 but got {input.dtype}, {mat2.dtype}")
    if input.shape[1] != mat2.shape[0]:
        raise RuntimeError(f"self.size(1) needs to match mat2.size(0) but got {input.shape[1]} and {mat2.shape[0]}")  # fmt: skip
    result: Tensor = _C._VariableFunctions.mm(input.to(_C.int32), mat2.to(_C.int32), out=out)
    return result


def range_(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from `start` to `end`, the end among them; `torch.range`, which is deprecated for
    `arange`.

    Args:
        start: the first number; without `end` this is the end, and 0 the start.
        end: the last number, if a number of steps reaches it.
        step: the distance, not 0.
        out: the tensor that is filled; it is resized.
        dtype: of the result; the default dtype if None.
        device: of the result.
        requires_grad: whether gradients are wanted.

    Raises:
        RuntimeError: `step` is 0 or goes away from the end, or `dtype` is not that of `out`.
    """
    import warnings

    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
        stacklevel=2,
    )
    if end is None:
        start, end = 0, start
    if step == 0 or (end - start) / step < 0:
        raise RuntimeError(
            "step must be nonzero"
            if step == 0
            else "upper bound and larger bound inconsistent with step sign"
        )
    count = int((end - start) / step) + 1
    places = _C._VariableFunctions.arange(count, dtype=_C.float64, device=device)
    values: Tensor = places * step + start
    if out is not None:
        if dtype is not None and dtype != out.dtype:
            raise RuntimeError(f"dtype {dtype} does not match dtype of out parameter ({out.dtype})")
        if out.numel() != count:
            out.resize_(count)
        return out.copy_(values.view(out.shape))
    return values.to(dtype or _C.get_default_dtype()).requires_grad_(requires_grad)


def typename(obj: Any, /) -> str:
    """The name of the type of an object; of a tensor that of PyTorch's old classes.

    Example::

        >>> torch.typename(torch.ones(1)), torch.typename(torch.nn.Linear(1, 1))
        ('torch.FloatTensor', 'torch.nn.modules.linear.Linear')
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    cls = obj if isinstance(obj, type) else type(obj)
    return (
        cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"
    )


def is_storage(obj: object, /) -> bool:
    """Whether an object is a storage, typed or not.

    Args:
        obj: anything.

    Example::

        >>> torch.is_storage(torch.ones(1).untyped_storage()), torch.is_storage(torch.ones(1))
        (True, False)
    """
    from torch.storage import TypedStorage

    return isinstance(obj, (TypedStorage, _C.StorageBase))


def is_conj(input: Tensor) -> bool:
    """Whether a tensor is a conjugate of which only the bit is set: `conj` gives one.

    See `torch.resolve_conj`, which computes it.

    Example:
        >>> x = torch.ones(2, dtype=torch.complex64)
        >>> torch.is_conj(x), torch.is_conj(x.conj())
        (False, True)
    """
    return input.is_conj()


def is_neg(input: Tensor) -> bool:
    """Whether a tensor is a negative of which only the bit is set.

    The imaginary part of a conjugate is one. See `torch.resolve_neg`, which computes it.

    Example:
        >>> x = torch.ones(2, dtype=torch.complex64)
        >>> torch.is_neg(x.imag), torch.is_neg(x.conj().imag)
        (False, True)
    """
    return input.is_neg()


def is_inference(input: Tensor) -> bool:
    """Whether a tensor was made in inference mode, and can take no part in a graph.

    Args:
        input: the tensor.

    Example::

        >>> with torch.inference_mode():
        ...     x = torch.ones(1)
        >>> torch.is_inference(x)
        True
    """
    return input.is_inference()


def is_distributed(input: Tensor) -> bool:
    """Always False; kept for programs.

    Args:
        input: not looked at.
    """
    return input.is_distributed()


_explain = _absent.explain(__name__)


def __getattr__(name: str) -> Any:
    # PyTorch has these in both places.
    if name in ("stft", "istft"):
        return getattr(_C._VariableFunctions, name)
    if name in ("pca_lowrank", "svd_lowrank"):
        return getattr(importlib.import_module("torch"), name)
    return _explain(name)
