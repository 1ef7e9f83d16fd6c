"""Indexing against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

S = np.s_
INDICES: list[Any] = [
    S[0],
    S[-1],
    S[1, 2],
    S[1, 2, 3],
    S[:],
    S[...],
    S[1:],
    S[:, 1:3],
    S[::2, ..., 1],
    S[..., -1],
    S[None],
    S[:, None, 1],
    S[0, ..., None],
    S[1:1],
    S[-2:, ::3],
    S[[0, 1]],
    S[[0, 1], [2, 0]],
    S[:, [2, 0]],
    S[:, [2, 0], 1:],
    S[[1, 0], :, [3, 1]],
    S[1, [0, 2]],
    S[[[0, 1], [1, 0]]],
    S[True],
    S[[True, False]],
    S[:, [True, False, True]],
    S[np.array([0, 1])],
    S[np.arange(24).reshape(2, 3, 4) % 5 == 0],
    S[np.arange(6).reshape(2, 3) % 2 == 0],
    S[np.arange(6).reshape(2, 3) % 2 == 0, 1:],
    S[:, np.arange(12).reshape(3, 4) > 4],
]


def to_torch(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(to_torch(i) for i in index)
    return torch.from_numpy(index) if isinstance(index, np.ndarray) else index


@pytest.mark.parametrize("number", range(len(INDICES)))
def test_get(number: int) -> None:
    index = INDICES[number]
    array = np.random.default_rng().normal(size=(2, 3, 4))
    expected = array[index]
    actual = torch.from_numpy(array)[to_torch(index)]
    assert tuple(actual.shape) == expected.shape
    np.testing.assert_array_equal(actual.numpy(), expected)


@pytest.mark.parametrize("number", range(len(INDICES)))
def test_set(number: int) -> None:
    index = INDICES[number]
    array = np.random.default_rng().normal(size=(2, 3, 4))
    tensor = torch.from_numpy(array.copy())
    array[index] = 7.5
    tensor[to_torch(index)] = 7.5
    np.testing.assert_array_equal(tensor.numpy(), array)
    value = np.random.default_rng().normal(size=array[index].shape)
    array[index] = value
    tensor[to_torch(index)] = torch.from_numpy(value)
    np.testing.assert_array_equal(tensor.numpy(), array)


def test_views_share_memory() -> None:
    x = torch.zeros(2, 3)
    x[0][1] = 1
    x[:, 2].add_(5)
    assert x.tolist() == [[0.0, 1.0, 5.0], [0.0, 0.0, 5.0]]
    assert x[...] is not x
    assert x[...].data_ptr() == x.data_ptr()


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (S[5], IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
    (S[0, 0, 0], IndexError, "too many indices for tensor of dimension 2"),
    (S[::-1], ValueError, "step must be greater than zero"),
    (
        1.5,
        IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        "indices (got float)",
    ),
    (
        (slice(None), torch.tensor([True, False])),
        IndexError,
        "The shape of the mask [2] at index 0 does not match the shape of the indexed tensor "
        "[2, 3] at index 1",
    ),
    (
        torch.tensor(1.0),
        IndexError,
        "tensors used as indices must be long, int, byte or bool tensors",
    ),
]


@pytest.mark.parametrize("number", range(len(ERRORS)))
def test_errors(number: int) -> None:
    index, kind, text = ERRORS[number]
    with pytest.raises(kind) as caught:
        torch.ones(2, 3)[index]
    assert str(caught.value) == text


def test_assigning_the_wrong_thing() -> None:
    with pytest.raises(TypeError, match=r"can't assign a str to a torch\.FloatTensor"):
        torch.ones(2)[0] = "x"
    with pytest.raises(TypeError, match="Tensor does not support deleting items"):
        del torch.ones(2)[0]
