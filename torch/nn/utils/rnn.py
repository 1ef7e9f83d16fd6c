"""Sequences of different lengths: padded to one, or packed without padding.

>>> from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
>>> packed = pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4, 5])])
>>> packed.data, packed.batch_sizes
(tensor([1, 4, 2, 5, 3]), tensor([2, 2, 1]))
>>> pad_packed_sequence(packed, batch_first=True)
(tensor([[1, 2, 3],
        [4, 5, 0]]), tensor([3, 2]))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor

_Packed = TypeVar("_Packed", bound="PackedSequence")


class _PackedSequence(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


def bind(optional: Any, fn: Any) -> Any:
    """`fn(optional)`, or None of None.

    Args:
        optional: a value, or None.
        fn: a function of one value.

    Example::

        >>> from torch.nn.utils.rnn import bind
        >>> bind(None, len), bind("ab", len)
        (None, 2)
    """
    return None if optional is None else fn(optional)


class PackedSequence(_PackedSequence):
    """Sequences step by step: `data` holds the first elements of all, then the second ones of those
    that have any, and so on; `batch_sizes[t]` is how many have a t-th element.

    Sequences are in order of length, the longest first; `sorted_indices` is the order in which they
    were taken, `unsorted_indices` the way back. Functions make objects of this class; recurrent
    layers take and give them.
    """

    __module__ = "torch.nn.utils.rnn"

    def __new__(
        cls: type[_Packed],
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> _Packed:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            # Older programs pass a packed sequence as a pair.
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn. "
                "https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def _with_data(self: _Packed, data: Tensor) -> _Packed:
        if data is self.data:
            return self
        indices = bind(self.sorted_indices, lambda t: t.to(data.device))
        back = bind(self.unsorted_indices, lambda t: t.to(data.device))
        return type(self)(data, self.batch_sizes, indices, back)

    def pin_memory(self: _Packed) -> _Packed:
        """The same in memory from which GPUs copy faster."""
        return self._with_data(self.data.pin_memory())

    def to(self: _Packed, *args: Any, **kwargs: Any) -> _Packed:
        """Converts or moves the data, as `Tensor.to` does.

        Args:
            *args, **kwargs: those of `Tensor.to`: a device, a dtype or a tensor.

        Returns:
            A packed sequence; this one if nothing changes.

        Example::

            >>> packed = torch.nn.utils.rnn.pack_sequence([torch.ones(2), torch.ones(1)])
            >>> packed.to(torch.float64).data
            tensor([1., 1., 1.], dtype=torch.float64)
        """
        return self._with_data(self.data.to(*args, **kwargs))

    def cuda(self: _Packed, *args: Any, **kwargs: Any) -> _Packed:
        """The same on a GPU.

        Args:
            *args, **kwargs: those of `Tensor.cuda`: the device, and whether to wait for the copy.

        Raises:
            AssertionError: in a build without CUDA.
            RuntimeError: if there is no GPU, with the reason.
        """
        return self._with_data(self.data.cuda(*args, **kwargs))

    def cpu(self: _Packed) -> _Packed:
        """The same on the CPU."""
        return self.to(device="cpu")

    def double(self: _Packed) -> _Packed:
        """The same as float64."""
        return self.to(dtype=torch.double)

    def float(self: _Packed) -> _Packed:
        """The same as float32."""
        return self.to(dtype=torch.float)

    def half(self: _Packed) -> _Packed:
        """The same as float16."""
        return self.to(dtype=torch.half)

    def long(self: _Packed) -> _Packed:
        """The same as int64."""
        return self.to(dtype=torch.long)

    def int(self: _Packed) -> _Packed:
        """The same as int32."""
        return self.to(dtype=torch.int)

    def short(self: _Packed) -> _Packed:
        """The same as int16."""
        return self.to(dtype=torch.short)

    def char(self: _Packed) -> _Packed:
        """The same as int8."""
        return self.to(dtype=torch.int8)

    def byte(self: _Packed) -> _Packed:
        """The same as uint8."""
        return self.to(dtype=torch.uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data are on a GPU."""
        return self.data.is_cuda

    def is_pinned(self) -> bool:
        """Whether the data are in pinned memory."""
        return self.data.is_pinned()

    def __repr__(self) -> str:
        names = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")
        return "PackedSequence(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in names) + ")"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes one.

    Example::

        >>> torch.nn.utils.rnn.invert_permutation(torch.tensor([2, 0, 1]))
        tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    positions = torch.arange(permutation.numel(), device=permutation.device)
    return torch.empty_like(permutation).scatter_(0, permutation, positions)


def _positions(lengths: Sequence[int], device: torch.device) -> tuple[Tensor, Tensor, Tensor]:
    """Of packed data: the step and the sequence of each element, and the batch sizes."""
    counts = torch.tensor(lengths, dtype=torch.int64)
    present = torch.arange(int(counts.max())).unsqueeze(1) < counts.unsqueeze(0)
    step, sequence = present.nonzero(as_tuple=True)
    return step.to(device), sequence.to(device), present.sum(1)


def pack_padded_sequence(
    input: Tensor,
    lengths: Tensor | Sequence[int],
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    """Packs padded sequences.

    Args:
        input: (T, B, ...), or (B, T, ...) with `batch_first`.
        lengths: how long each of the B sequences is; from 1 to T.
        enforce_sorted: the lengths descend; otherwise they are sorted here.

    Example::

        >>> from torch.nn.utils.rnn import pack_padded_sequence
        >>> pack_padded_sequence(torch.tensor([[1, 4], [2, 5], [3, 0]]), [3, 2]).data
        tensor([1, 4, 2, 5, 3])
    """
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    counts = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    sorted_indices = None
    if not enforce_sorted:
        counts, order = torch.sort(counts, descending=True)
        sorted_indices = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, sorted_indices)
    if batch_first:
        input = input.transpose(0, 1)
    if counts.numel() != input.size(1):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {counts.numel()} (batch_size={input.size(1)})"
        )
    values = counts.tolist()
    if min(values) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if values != sorted(values, reverse=True):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do not need ONNX exportability."
        )
    if values[0] > input.size(0):
        raise RuntimeError(
            f"a sequence of length {values[0]} does not fit into an input of {input.size(0)} steps"
        )
    step, sequence, batch_sizes = _positions(values, input.device)
    return PackedSequence(input[step, sequence], batch_sizes, sorted_indices, None)


def _lengths(batch_sizes: Tensor) -> Tensor:
    """How long each sequence is."""
    steps = batch_sizes.unsqueeze(1) > torch.arange(int(batch_sizes[0])).unsqueeze(0)
    return steps.sum(0)


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The inverse of `pack_padded_sequence`: the padded sequences and their lengths.

    Args:
        batch_first: (B, T, ...) instead of (T, B, ...).
        padding_value: what stands behind a sequence's end.
        total_length: T, where it is to be more than the longest length.

    Example::

        >>> from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence
        >>> pad_packed_sequence(pack_sequence([torch.ones(2), torch.ones(1)]))[1]
        tensor([2, 1])
    """
    batch_sizes = sequence.batch_sizes
    longest = batch_sizes.size(0)
    if total_length is not None and total_length < longest:
        raise ValueError(
            f"Expected total_length to be at least the length of the longest sequence in input, but got total_length={total_length} and max sequence length being {longest}"
        )
    lengths = _lengths(batch_sizes)
    data = sequence.data
    step, member, _ = _positions(lengths.tolist(), data.device)
    shape = (total_length or longest, lengths.numel(), *data.shape[1:])
    padded = data.new_full(shape, padding_value).index_put((step, member), data)
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: Tensor | Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences of shapes (L, ...), padded to the longest L: (T, B, ...) or (B, T, ...).

    Example::

        >>> from torch.nn.utils.rnn import pad_sequence
        >>> pad_sequence([torch.tensor([1, 2]), torch.tensor([3])], batch_first=True)
        tensor([[1, 2],
                [3, 0]])
    """
    if isinstance(sequences, Tensor):
        sequences = sequences.unbind(0)
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            "pad_sequence: Expected iterable for input sequences, but got arg of type: "
            f"{type(sequences)}"
        )
    rows = tuple(sequences)
    if not rows:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(
            f"Expected padding_side to be one of left or right, but got {padding_side}."
        )
    longest = max(row.size(0) for row in rows)
    padded = []
    for row in rows:
        missing = longest - row.size(0)
        filler = row.new_full((missing, *rows[0].shape[1:]), padding_value)
        parts = (row, filler) if padding_side == "right" else (filler, row)
        padded.append(torch.cat(parts) if missing else row)
    return torch.stack(padded, 0 if batch_first else 1)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences of given lengths without their padding.

    Example::

        >>> from torch.nn.utils.rnn import unpad_sequence
        >>> unpad_sequence(torch.tensor([[1, 2], [3, 0]]), torch.tensor([2, 1]), batch_first=True)
        [tensor([1, 2]), tensor([3])]
    """
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [row[:length] for row, length in zip(padded_sequences, lengths.tolist(), strict=False)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs sequences of shapes (L, ...).

    Example::

        >>> from torch.nn.utils.rnn import pack_sequence
        >>> pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]).batch_sizes
        tensor([2, 1])
    """
    lengths = torch.as_tensor([v.size(0) for v in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed one.

    Example::

        >>> from torch.nn.utils.rnn import pack_sequence, unpack_sequence
        >>> unpack_sequence(pack_sequence([torch.tensor([1, 2]), torch.tensor([3])]))
        [tensor([1, 2]), tensor([3])]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]
