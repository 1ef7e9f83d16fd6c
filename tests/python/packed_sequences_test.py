"""torch.nn.utils.rnn, and recurrent layers over packed sequences."""

from __future__ import annotations

import re

import pytest
import torch
from torch import nn
from torch.nn.utils import rnn


def sequences(lengths: tuple[int, ...] = (2, 5, 3)) -> list[torch.Tensor]:
    return [torch.randn(n, 3, dtype=torch.float64, requires_grad=True) for n in lengths]


@pytest.mark.parametrize("cls", [nn.RNN, nn.GRU, nn.LSTM])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_packed_sequences_give_what_each_sequence_gives(
    cls: type[nn.RNNBase], bidirectional: bool
) -> None:
    layer = cls(3, 4, num_layers=2, bidirectional=bidirectional).double()
    rows = sequences()
    initial = torch.randn(2 * (1 + bidirectional), len(rows), 4, dtype=torch.float64)
    state = (initial, initial * 0.5) if cls is nn.LSTM else initial
    packed, last = layer(rnn.pack_sequence(rows, enforce_sorted=False), state)
    padded, lengths = rnn.pad_packed_sequence(packed, batch_first=True)
    assert lengths.tolist() == [2, 5, 3]
    for i, row in enumerate(rows):
        own = tuple(s[:, i] for s in state) if cls is nn.LSTM else state[:, i]
        expected, expected_last = layer(row, own)
        torch.testing.assert_close(padded[i, : len(row)], expected)
        assert (padded[i, len(row) :] == 0).all()
        pairs = zip(last, expected_last, strict=True) if cls is nn.LSTM else [(last, expected_last)]
        for found, wanted in pairs:
            torch.testing.assert_close(found[:, i], wanted)
    found = torch.autograd.grad(packed.data.pow(2).sum(), rows)
    alone = [
        torch.autograd.grad(_run(layer, r, state, i).pow(2).sum(), r)[0] for i, r in enumerate(rows)
    ]
    for x, y in zip(found, alone, strict=True):
        torch.testing.assert_close(x, y)


def _run(layer: nn.RNNBase, row: torch.Tensor, state: object, i: int) -> torch.Tensor:
    own = tuple(s[:, i] for s in state) if isinstance(state, tuple) else state[:, i]  # type: ignore[index]
    return layer(row, own)[0]


def test_packing_and_padding_are_inverse() -> None:
    rows = sequences((4, 1, 4, 2))
    packed = rnn.pack_sequence(rows, enforce_sorted=False)
    assert packed.batch_sizes.tolist() == [4, 3, 2, 2]
    for found, row in zip(rnn.unpack_sequence(packed), rows, strict=True):
        assert torch.equal(found, row)
    padded, lengths = rnn.pad_packed_sequence(packed, padding_value=-1.0, total_length=6)
    assert padded.shape == (6, 4, 3)
    assert (padded[4:] == -1).all()
    again = rnn.pack_padded_sequence(padded, lengths, enforce_sorted=False)
    assert torch.equal(again.data, packed.data)
    assert isinstance(packed, tuple)
    assert packed.to(torch.float32).data.dtype == torch.float32
    assert packed.to(torch.float64) is packed


def test_padding_on_the_left() -> None:
    rows = [torch.tensor([1, 2]), torch.tensor([3])]
    left = rnn.pad_sequence(rows, batch_first=True, padding_value=9, padding_side="left")
    assert left.tolist() == [[1, 2], [9, 3]]


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([2, 3], "must be sorted in decreasing order"),
        ([3], r"`len\(lengths\)` to be equal to batch_size, but got 1 \(batch_size=2\)"),
        ([3, 0], "has to be greater than 0"),
        ([4, 3], "a sequence of length 4 does not fit into an input of 3 steps"),
    ],
)
def test_wrong_lengths(lengths: list[int], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        rnn.pack_padded_sequence(torch.zeros(3, 2, 1), lengths)


def test_other_errors() -> None:
    packed = rnn.pack_sequence([torch.ones(3), torch.ones(2)])
    with pytest.raises(ValueError, match="got total_length=2 and max sequence length being 3"):
        rnn.pad_packed_sequence(packed, total_length=2)
    with pytest.raises(RuntimeError, match="padding_side to be one of left or right, but got up"):
        rnn.pad_sequence([torch.ones(1)], padding_side="up")
    with pytest.raises(RuntimeError, match=r"Expected hidden size \(1, 2, 2\), got \[1, 3, 2\]"):
        nn.GRU(1, 2)(rnn.pack_sequence([torch.ones(3, 1), torch.ones(2, 1)]), torch.zeros(1, 3, 2))


def test_checks_of_recurrent_layers() -> None:
    layer = nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2, batch_first=True)
    x = torch.ones(5, 7, 3)
    assert layer.get_expected_hidden_size(x, None) == (4, 5, 2)
    assert layer.get_expected_cell_size(x, None) == (4, 5, 4)
    packed = rnn.pack_sequence([torch.ones(3, 3), torch.ones(1, 3)])
    assert layer.get_expected_hidden_size(packed.data, packed.batch_sizes) == (4, 2, 2)
    state = torch.arange(40.0).reshape(4, 5, 2)
    cell = torch.arange(80.0).reshape(4, 5, 4)
    layer.check_forward_args(x, (state, cell), None)
    for given, wrong, message in (
        (x, (cell, cell), "Expected hidden[0] size (4, 5, 2), got [4, 5, 4]"),
        (x, (state, state), "Expected hidden[1] size (4, 5, 4), got [4, 5, 2]"),
        (x[0], (state, cell), "input must have 3 dimensions, got 2"),
        (
            x[..., :2],
            (state, cell),
            "input.size(-1) must be equal to input_size. Expected 3, got 2",
        ),
    ):
        with pytest.raises(RuntimeError, match=re.escape(message)):
            layer.check_forward_args(given, wrong, None)
    order = torch.tensor([4, 3, 2, 1, 0])
    permuted = layer.permute_hidden((state, cell), order)
    assert torch.equal(permuted[0], state.flip(1))
    assert torch.equal(permuted[1], cell.flip(1))
    assert layer.permute_hidden((state, cell), None)[0] is state


def test_empty_tensors_are_not_packed() -> None:
    for empty in (torch.zeros(0, 0), torch.zeros(3, 0, 2)):
        with pytest.raises(RuntimeError, match="Cannot pack empty tensors."):
            rnn.pack_padded_sequence(empty, [])
