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
    S[True],
    S[False],
    S[True, 1],
    S[1, True],
    S[range(2)],
    S[range(2), [2, 0]],
    S[1, range(1, 3)],
    S[np.array(1)],
    S[np.array(True)],
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


def test_a_sequence_with_more_than_numbers_stands_for_a_tuple() -> None:
    array = np.random.default_rng().normal(size=(3, 4))
    sequences: list[Any] = [
        [slice(None), [0, 1]],
        [[0, 1], [1, 0]],
        [None, 0],
        [..., 1],
        [torch.tensor([0, 2]), torch.tensor([1, 3])],
    ]
    for sequence in sequences:
        expected, tensor = array.copy(), torch.from_numpy(array.copy())
        with pytest.warns(UserWarning, match=r"use x\[tuple\(seq\)\]"):
            found = tensor[sequence]
        np.testing.assert_array_equal(found.numpy(), expected[tuple(sequence)])
        with pytest.warns(UserWarning, match=r"use x\[tuple\(seq\)\]"):
            tensor[sequence] = 2
        expected[tuple(sequence)] = 2
        np.testing.assert_array_equal(tensor.numpy(), expected)


def test_a_number_of_another_dtype_where_a_mask_is_true() -> None:
    x = torch.zeros(2, 3)
    x[torch.tensor([True, False])] = torch.tensor([[7]])
    assert x.tolist() == [[7.0] * 3, [0.0] * 3]
    with pytest.raises(RuntimeError, match="source and destination dtypes match"):
        x[torch.tensor([True, False])] = torch.tensor([7, 8, 9])


def test_zero_dimensions() -> None:
    for index in (slice(None), slice(0, 1)):
        with pytest.raises(IndexError, match=r"slice\(\) cannot be applied to a 0-dim tensor"):
            torch.tensor(3)[index]
    with pytest.raises(IndexError, match="invalid index of a 0-dim tensor"):
        torch.tensor(3)[0]
    x = torch.tensor(3)
    x[True] = 4
    x[False] = 5
    assert x.item() == 4


@pytest.mark.parametrize("name", ["uint8", "int16", "int32", "int64", "float64"])
def test_index_add_with_a_factor_of_another_type(name: str) -> None:
    dtype = getattr(torch, name)
    places = torch.randint(0, 4, (9,))
    values = torch.randint(0, 5, (3, 9)).to(dtype)
    out = torch.zeros(3, 4, dtype=dtype).index_add(1, places, values, alpha=2.0)
    expected = np.zeros((3, 4))
    np.add.at(expected, (slice(None), places.numpy()), 2.0 * values.double().numpy())
    assert out.dtype is dtype
    np.testing.assert_array_equal(out.double().numpy(), expected)


def test_what_is_written_by_index_is_not_read_meanwhile() -> None:
    places = torch.tensor([0, 1, 2])
    wide = torch.zeros(1).expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        wide.index_add_(0, places, torch.ones(3))
    x = torch.zeros(4)
    read = "some elements of the input tensor and the written-to tensor refer to a single memory"
    with pytest.raises(RuntimeError, match=read):
        x[:3].index_add_(0, places, x[1:])
    with pytest.raises(RuntimeError, match=read):
        x[:3].scatter_(0, places, x[1:])
    with pytest.raises(RuntimeError, match=read):
        x[:3].scatter_add_(0, places, x[:3])
    for scan in (torch.cumsum, torch.cumprod, torch.logcumsumexp):
        with pytest.raises(RuntimeError, match=read):
            scan(x[:3], 0, out=x[1:])
    with (
        pytest.raises(RuntimeError, match=read),
        pytest.warns(UserWarning, match="was resized"),
        torch.no_grad(),
    ):
        # Disjoint, until the result has the size of the index.
        torch.gather(places.clone(), 0, places[1:], out=places[:1])
    with pytest.warns(UserWarning, match="masked_fill_ on expanded tensors is deprecated"):
        wide.masked_fill_(torch.tensor([True, False, False]), 1.0)
    with pytest.warns(UserWarning, match="index_fill_ on expanded tensors is deprecated"):
        torch.zeros(1).expand(3).index_fill_(0, places[:1], 1.0)


def test_index_copy_names_the_place_that_is_not_there() -> None:
    with pytest.raises(IndexError, match="index 5 is out of bounds for dimension 1 with size 4"):
        torch.zeros(3, 4).index_copy_(1, torch.tensor([5]), torch.ones(3, 1))


def test_unravel_index_of_small_integers_and_empty_tensors() -> None:
    places = torch.tensor([[5, 2], [1, 0]], dtype=torch.uint8)
    rows, columns = torch.unravel_index(places, (2, 3))
    assert rows.tolist() == [[1, 0], [0, 0]] and columns.tolist() == [[2, 2], [1, 0]]
    assert rows.dtype == columns.dtype == torch.int64
    assert torch.unravel_index(torch.tensor(300), (2, 200))[1].item() == 100
    nowhere = torch.unravel_index(torch.empty(0, dtype=torch.int32), (3, 0))
    assert [len(x) for x in nowhere] == [0, 0]
    assert torch.unravel_index(torch.tensor([0]), ()) == ()


def test_unravel_index_wants_whole_numbers() -> None:
    shape: Any = (2, 2.5)
    with pytest.raises(TypeError, match="sequence to only contain ints, but got <class 'float'>"):
        torch.unravel_index(torch.tensor(3), shape)
    shape = 2.5
    with pytest.raises(TypeError, match="int or sequence of ints, but got <class 'float'>"):
        torch.unravel_index(torch.tensor(3), shape)


def test_tensors_without_elements_have_memory_of_their_own() -> None:
    x = torch.empty(0)
    y = torch.empty(0)
    assert x.is_set_to(x) and not x.is_set_to(y)
    with pytest.raises(RuntimeError, match="Stride calculation overflowed"):
        torch.empty([0, 4, 2**61])


def test_overlapping_memory_of_index_put() -> None:
    y, places = torch.rand(6), torch.tensor([2, 1, 0])
    for call in (
        lambda: y.index_put_((places,), y[0]),
        lambda: y.index_put_((places,), y[:3]),
        lambda: places.index_put_((places,), places.clone()),
        lambda: places.index_put_((places.clone(),), places),
    ):
        with pytest.raises(RuntimeError, match="unsupported operation"):
            call()


def test_masks_of_masked_select_are_bool() -> None:
    with pytest.raises(RuntimeError, match="expected BoolTensor for mask"):
        torch.ones(2).masked_select(torch.ones(2, dtype=torch.uint8))


def test_storages_of_another_dtype_are_refused() -> None:
    storage = torch.ones(2, dtype=torch.float64).storage()
    with pytest.raises(RuntimeError, match="Expected a Storage of type torch.float32"):
        torch.ones(2).set_(storage)


def test_masks_without_dimensions_select_all_or_nothing() -> None:
    x = torch.arange(6.0).view(2, 3)
    array = x.numpy()
    for mask in (True, False):
        for more in ([], [torch.tensor([1])]):
            index = [torch.tensor(mask), *more]
            wanted = array.copy()
            wanted[tuple(i.numpy() for i in index)] = 9
            assert x.clone().index_put_(index, torch.tensor(9.0)).tolist() == wanted.tolist()
            found = torch.ops.aten.index(x, index)
            assert found.tolist() == array[tuple(i.numpy() for i in index)].tolist()
    zero_dim = torch.tensor(1.0)
    assert zero_dim.index_put_([torch.tensor(False)], torch.tensor(9.0)).item() == 1
    assert zero_dim.index_put_([torch.tensor(True)], torch.tensor(9.0)).item() == 9
    with pytest.raises(IndexError, match="too many indices for tensor of dimension 0"):
        zero_dim.index_put_([torch.tensor(True), torch.tensor(0)], torch.tensor(9.0))


def test_results_of_indices_have_the_order_of_the_tensor() -> None:
    x = torch.arange(24.0).view(2, 3, 4).permute(2, 1, 0)
    assert x[[3, 0]].stride() == (6, 1, 3)
    assert x[torch.tensor([True, False, True, True])].stride() == (6, 1, 3)
    assert torch.ones(4, 3, 2)[[3, 0]].is_contiguous()


def test_fill_with_a_tensor_writes_no_element_twice() -> None:
    value = torch.tensor(2.5)
    assert torch.zeros(2, dtype=torch.int32).fill_(value).tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.zeros(1).expand(3).fill_(value)


def test_ldexp_in_place_keeps_the_shape() -> None:
    x = torch.ones(1, 3)
    assert x.ldexp_(torch.tensor([1, 2, 3])).tolist() == [[2, 4, 8]]
    with pytest.raises(RuntimeError, match=r"output with shape \[1, 3\] doesn't match"):
        x.ldexp_(torch.ones(2, 3))
    assert x.tolist() == [[2, 4, 8]]
