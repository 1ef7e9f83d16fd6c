"""The bridge to NumPy and back, without copies."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import torch

DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"]


@pytest.mark.parametrize("name", DTYPES)
def test_round_trip(name: str) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype=name)
    tensor = torch.from_numpy(array)
    assert tensor.dtype is getattr(torch, name)
    assert tensor.tolist() == array.tolist()
    np.testing.assert_array_equal(tensor.numpy(), array)
    assert tensor.numpy().dtype == array.dtype


def test_memory_is_shared_and_kept() -> None:
    array = np.zeros(3, dtype=np.float32)
    tensor = torch.from_numpy(array)
    array[0] = 5
    assert tensor[0].item() == 5.0
    tensor[1] = 7
    assert array[1] == 7
    back = tensor.numpy()
    del array, tensor
    gc.collect()
    assert back.tolist() == [5.0, 7.0, 0.0]


def test_strides() -> None:
    array = np.arange(12, dtype=np.int64).reshape(3, 4)
    assert torch.from_numpy(array.T).tolist() == array.T.tolist()
    assert torch.from_numpy(array[:, ::2]).stride() == (4, 2)
    tensor = torch.arange(12).reshape(3, 4).t()
    np.testing.assert_array_equal(tensor.numpy(), array.T)
    with pytest.raises(
        ValueError, match="At least one stride in the given numpy array is negative"
    ):
        torch.from_numpy(array[::-1])


def test_construction_copies() -> None:
    array = np.zeros(2)
    tensor = torch.tensor(array)
    array[0] = 1
    assert tensor.tolist() == [0.0, 0.0]
    assert tensor.dtype is torch.float64
    assert torch.tensor([np.float32(1.5), 2]).tolist() == [1.5, 2.0]
    assert torch.as_tensor(array).data_ptr() == array.ctypes.data


def test_errors() -> None:
    with pytest.raises(RuntimeError, match="Can't call numpy\\(\\) on Tensor that requires grad"):
        torch.ones(2, requires_grad=True).numpy()
    with pytest.raises(TypeError, match=r"can't convert np\.ndarray of type"):
        torch.from_numpy(np.array(["a"]))
    with pytest.raises(TypeError, match="Got unsupported ScalarType BFloat16"):
        torch.ones(2, dtype=torch.bfloat16).numpy()


def test_numpy_reads_tensors() -> None:
    np.testing.assert_array_equal(np.asarray(torch.arange(3)), [0, 1, 2])
    assert np.sum(torch.ones(3).numpy()) == 3


def test_memory_that_an_array_has_does_not_move() -> None:
    tensor = torch.ones(4)
    array = tensor.numpy()
    with pytest.raises(RuntimeError, match="Trying to resize storage that is not resizable"):
        tensor.resize_(1000)
    assert array.tolist() == [1.0] * 4


def test_numbers_of_numpy_keep_their_dtype() -> None:
    assert torch.tensor(np.float64(1)).dtype == torch.float64
    assert torch.tensor([np.float64(1), 2]).dtype == torch.float64
    assert torch.tensor(np.complex128(1)).dtype == torch.complex128
    assert torch.tensor([np.float16(1)]).dtype == torch.float16
    assert torch.tensor(1.0).dtype == torch.float32


def test_a_bool_of_numpy_counts_as_a_number() -> None:
    # As in PyTorch, where it has a fraction: `-` of a Python bool is refused.
    yes = np.bool_(True)
    x = torch.tensor([1, 2])
    assert (yes - x).tolist() == [0, -1]
    assert (x - yes).tolist() == [0, 1]
    assert (x + yes).dtype == torch.float32
    assert torch.result_type(x, yes) == torch.float32
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        _ = x - True
    # Where only truth matters it is what it is.
    assert torch.tensor(yes).dtype == torch.bool
    assert x.sum(0, keepdim=yes).shape == (1,)


def test_an_array_divided_by_a_tensor() -> None:
    array = np.array([1.5, 2.0])
    found = array / torch.tensor([2.0, 4.0])
    assert isinstance(found, torch.Tensor)
    assert found.dtype == torch.float64 and found.tolist() == [0.75, 0.5]
    assert (np.array(2) / torch.tensor([1, 4])).tolist() == [2.0, 0.5]


def test_an_array_that_no_tensor_can_hold_equals_none() -> None:
    x = torch.tensor([1.0, 2.0])
    for array in (np.array(["a", "b"]), np.array([1, 2], dtype=object)):
        assert (x == array) is False and (x != array) is True
    assert (x == np.array([1, 3])).tolist() == [True, False]


def test_numbers_of_numpy_in_a_tensor() -> None:
    x = torch.tensor([1.0, 2.0])
    assert np.int8(2) in x and np.float32(1) in x and np.float16(3) not in x
    assert (x + np.longdouble(2.5)).tolist() == [3.5, 4.5]
    with pytest.raises(RuntimeError, match="only supports Tensor or scalar"):
        _ = "a" in x


def test_an_array_of_no_dimensions_is_a_size() -> None:
    two = np.array(2)
    assert torch.zeros(two).shape == (2,)
    assert torch.zeros(two, 3).shape == torch.zeros((two, 3)).shape == (2, 3)
    assert torch.ones(2).reshape(two, 1).shape == (2, 1)
    assert torch.ones(2).sum(dim=(np.array(0),)).item() == 2.0
    assert torch.eye(two).shape == (2, 2)
    for wrong in (np.array(2.0), np.array([2, 3]), np.array([2])):
        with pytest.raises(TypeError):
            torch.zeros(wrong)
