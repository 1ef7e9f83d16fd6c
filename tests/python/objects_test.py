"""Identity, reference counts and the small types."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import subprocess
import sys
import weakref
from typing import Any

import pytest
import torch


def test_a_tensor_keeps_its_python_object() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.backward(torch.ones(2))
    assert x.grad is x.grad
    x.mark = "kept"
    holder = torch.nn.ParameterList([torch.nn.Parameter(torch.ones(1))])
    identity = id(holder[0])
    gc.collect()
    assert id(holder[0]) == identity


def test_attributes_survive_in_cpp() -> None:
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.zeros(2)
    x.grad.mark = 7
    gc.collect()
    # Only the C++ side of x holds the gradient now.
    assert x.grad.mark == 7


def test_tensors_are_freed() -> None:
    x = torch.ones(3)
    ref = weakref.ref(x)
    del x
    assert ref() is None


def test_reference_counts_do_not_grow() -> None:
    x = torch.ones(3, requires_grad=True)
    before = sys.getrefcount(x)
    for _ in range(100):
        (x * 2 + x).sum().backward()
        x.add(1)
        x[0]
        repr(x)
    gc.collect()
    assert sys.getrefcount(x) == before


def test_cycles_through_attributes_are_collected() -> None:
    x = torch.ones(1)
    x.self = x
    ref = weakref.ref(x)
    del x
    gc.collect()
    assert ref() is None


def test_subclasses() -> None:
    class Mine(torch.Tensor):
        __slots__ = ("note",)

    x = torch.ones(2)._make_subclass(Mine, torch.ones(2))
    x.note = "n"
    assert isinstance(x, torch.Tensor)
    assert type(type(x)) is torch._C._TensorMeta
    ref = weakref.ref(x)
    del x
    assert ref() is None


def test_dtypes() -> None:
    assert repr(torch.float32) == "torch.float32"
    assert torch.float is torch.float32
    assert torch.float64.itemsize == 8
    assert torch.bfloat16.is_floating_point
    assert pickle.loads(pickle.dumps(torch.int64)) is torch.int64


def test_devices() -> None:
    assert repr(torch.device("cuda", 1)) == "device(type='cuda', index=1)"
    assert str(torch.device("cuda:1")) == "cuda:1"
    assert torch.device("cpu").index is None
    assert torch.device("cpu") != torch.device("cpu:0")
    assert torch.device(type="cpu", index=0).index == 0
    assert len({torch.device("cpu"), torch.device("cpu")}) == 1


def test_size_is_a_tuple() -> None:
    size = torch.Size([1, 2])
    assert repr(size + (3,)) == "torch.Size([1, 2, 3])"
    assert isinstance(size[:1], torch.Size)
    assert size.numel() == 2
    assert torch.ones(1, 2).shape == (1, 2)


def test_a_tuple_and_a_size_make_a_size() -> None:
    both = (3,) + torch.Size([2])
    assert isinstance(both, torch.Size) and both == (3, 2)
    assert isinstance(torch.Size([2]) + (3,), torch.Size)
    with pytest.raises(TypeError):
        _ = [3] + torch.Size([2])


def test_the_hash_of_a_tensor_is_its_identity() -> None:
    x = torch.ones(2)
    assert hash(x) == id(x)


def test_generators_repeat() -> None:
    generator = torch.Generator().manual_seed(3)
    first = torch.rand(4, generator=generator)
    generator.manual_seed(3)
    assert torch.rand(4, generator=generator).equal(first)
    assert generator.initial_seed() == 3


def test_deepcopy_and_pickle() -> None:
    x = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    y = copy.deepcopy(x)
    assert isinstance(y, torch.nn.Parameter)
    assert y.tolist() == [1.0, 2.0]
    assert y.data_ptr() != x.data_ptr()
    assert copy.deepcopy(torch.tensor([3])).tolist() == [3]


def test_copies_share_memory_as_the_originals_do() -> None:
    base = torch.arange(6.0)
    views = [base, base.view(2, 3).t(), base[2:4], torch.ones(3, 1).expand(3, 4)]
    copies = copy.deepcopy(views)
    assert [v.stride() for v in copies] == [v.stride() for v in views]
    assert [v.storage_offset() for v in copies] == [v.storage_offset() for v in views]
    copies[0][2] = 9
    assert copies[1].tolist() == [[0, 3], [1, 4], [9, 5]]
    assert copies[2].tolist() == [9, 3]
    assert base.tolist() == [0, 1, 2, 3, 4, 5]
    assert copy.deepcopy(torch.ones(2, 3, device="meta")).shape == (2, 3)
    storages = copy.deepcopy([base.untyped_storage(), base.untyped_storage()])
    assert storages[0].data_ptr() == storages[1].data_ptr() != base.data_ptr()
    typed, twin = copy.deepcopy([base.storage(), base])
    assert typed.tolist() == [0, 1, 2, 3, 4, 5]
    assert typed.data_ptr() == twin.data_ptr()
    code = "import pickle, torch; pickle.loads(pickle.dumps(torch.ones(2).untyped_storage()))"
    done = subprocess.run(
        [sys.executable, "-c", code], check=False, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert done.returncode == 0


def test_a_copied_handle_removes_the_copied_hook() -> None:
    module = torch.nn.Linear(1, 1)
    module.handle = module.register_forward_hook(print)
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        twin.handle.remove()
        assert not twin._forward_hooks
        assert len(module._forward_hooks) == 1
    ours = module.register_forward_hook(repr)
    assert len(module._forward_hooks) == 2
    ours.remove()
    module.handle.remove()
    assert not module._forward_hooks


def test_import_loads_no_numpy() -> None:
    code = "import sys, torch; sys.exit('numpy' in sys.modules or 'torch.nn' in sys.modules)"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}
        ).returncode
        == 0
    )


@pytest.mark.parametrize(
    ("check", "error"),
    [
        (torch._check, RuntimeError),
        (torch._check_index, IndexError),
        (torch._check_value, ValueError),
        (torch._check_type, TypeError),
        (torch._check_not_implemented, NotImplementedError),
    ],
)
def test_checks_of_conditions(check: Any, error: type[Exception]) -> None:
    check(True, lambda: 1 / 0)
    with pytest.raises(error, match="Expected cond to be True, but got False"):
        check(False)
    with pytest.raises(error, match=r"tensor\(\[1\.\]\)"):
        check(False, lambda: torch.ones(1))
    with pytest.raises(TypeError, match="cond must be a bool, but got <class 'int'>"):
        check(1)
    with pytest.raises(TypeError, match="message must be a callable"):
        check(False, "text")


def test_checks_of_sizes_and_tensors() -> None:
    torch._check_is_size(3, max=3)
    for size in (-1, 4):
        with pytest.raises(RuntimeError, match="Expected cond"):
            torch._check_is_size(size, max=3)
    torch._check_tensor_all(torch.ones(2, 2, dtype=torch.bool))
    with pytest.raises(RuntimeError, match="not all"):
        torch._check_tensor_all(torch.tensor([True, False]), lambda: "not all")
    with pytest.raises(TypeError, match="cond must be a tensor"):
        torch._check_tensor_all(True)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"must have dtype torch.bool, but got torch.float32"):
        torch._check_tensor_all(torch.ones(2))


def test_checks_of_what_a_tensor_has() -> None:
    tensor = torch.ones(2, 3)
    torch._assert_tensor_metadata(tensor)
    torch._assert_tensor_metadata(
        tensor, tensor.shape, (3, 1), torch.float32, device="cpu", layout=torch.strided
    )
    for arguments, text in (
        ({"size": [2, 4]}, r"sizes mismatch! Expected: [2, 4], Got: [2, 3]"),
        ({"stride": (1, 2)}, r"strides mismatch! Expected: [1, 2], Got: [3, 1]"),
        ({"dtype": torch.int32}, "dtype mismatch! Expected: torch.int32, Got: torch.float32"),
        ({"device": "meta"}, "device mismatch! Expected: meta, Got: cpu"),
    ):
        with pytest.raises(RuntimeError, match=re.escape(f"Tensor {text}")):
            torch._assert_tensor_metadata(tensor, **arguments)


def test_names_of_torch_itself() -> None:
    assert torch._segment_reduce is torch.segment_reduce
    assert torch.GradScaler is torch.amp.GradScaler
    assert torch._utils._element_size(torch.complex64) == 8


def test_named_results() -> None:
    x = torch.tensor([[3.0, 5.0], [4.0, 1.0]])
    for name, result in (
        ("max", x.max(0)),
        ("sort", x.sort()),
        ("linalg_qr", torch.linalg.qr(x)),
        ("max_out", torch.max(x, 0, out=(torch.empty(2), torch.empty(2, dtype=torch.int64)))),
    ):
        kind = getattr(torch.return_types, name)
        assert type(result) is kind
        assert kind.__module__ == "torch.return_types"
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is kind
        assert all(torch.equal(a, b) for a, b in zip(again, result, strict=True))
        assert type(copy.deepcopy(result)) is kind
    with pytest.raises(AttributeError, match="module 'torch.return_types' has no attribute 'add'"):
        _ = torch.return_types.add


def test_tensors_in_one() -> None:
    from torch import _utils

    tensors = [torch.randn(2, 3).t(), torch.randn(()), torch.randn(4)]
    flat = _utils._flatten_dense_tensors(tensors)
    assert flat.tolist() == [x for t in tensors for x in t.flatten().tolist()]
    for one, other in zip(_utils._unflatten_dense_tensors(flat, tensors), tensors, strict=True):
        assert torch.equal(one, other)
    with pytest.raises(ValueError, match="non-empty list"):
        _utils._flatten_dense_tensors([])
    a, b, c = torch.ones(2), torch.ones(3, dtype=torch.float64), torch.ones(100)
    taken = list(_utils._take_tensors([a, b, c, a, b], 60))
    assert [[t.numel() for t in bucket] for bucket in taken] == [[2], [100], [2], [3, 3]]
    ordered = _utils._reorder_tensors_as([a, c, b], [b, a, c])
    assert [t.numel() for t in ordered] == [3, 2, 100]


def test_names_in_pytorchs_places() -> None:
    assert torch.functional.stft is torch.stft
    assert torch.functional.istft is torch.istft
    assert torch.functional.svd_lowrank is torch.svd_lowrank
    assert torch.random.default_generator is torch.default_generator
    from torch.optim.optimizer import ParamsT
    from torch.types import FileLike
    from torch.utils.data.dataloader import get_worker_info

    assert ParamsT is not None
    assert FileLike is not None
    assert get_worker_info is torch.utils.data.get_worker_info


def test_gradients_scaled_by_a_norm() -> None:
    weights = [torch.nn.Parameter(torch.randn(3)) for _ in range(2)]
    for weight in weights:
        weight.grad = torch.randn(3)
    grads = [w.grad.clone() for w in weights if w.grad is not None]
    total = torch.nn.utils.get_total_norm(grads)
    assert not torch.nn.utils.get_total_norm(weights).requires_grad
    torch.nn.utils.clip_grads_with_norm_(weights, 0.5, 2 * total)
    for weight, grad in zip(weights, grads, strict=True):
        torch.testing.assert_close(weight.grad, grad * min(1.0, 0.25 / total.item()))
