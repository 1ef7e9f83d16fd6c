"""torch.testing, checkpointing, and what nn.utils does to gradients."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close, make_tensor
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

T = torch.tensor


def test_close_values_pass() -> None:
    assert_close(T([1.0]), T([1.0 + 1e-7]))
    assert_close(T([1.0]).half(), T([1.0005]).half())
    assert_close(T([float("nan")]), T([float("nan")]), equal_nan=True)
    assert_close({"a": [T([1.0]), 2, None]}, {"a": [T([1.0]), 2, None]})
    assert_close(1.0, 1.1, rtol=0, atol=1)
    assert_close(T([1.0]).double(), T([1.0]), check_dtype=False)
    assert_close(np.ones(2), np.ones(2))


@pytest.mark.parametrize(
    ("actual", "expected", "message"),
    [
        (
            T([1.0, 2.0]),
            T([1.0, 4.0]),
            "Tensor-likes are not close!\n\nMismatched elements: 1 / 2 (50.0%)\n"
            "Greatest absolute difference: 2.0 at index (1,) (up to 1e-05 allowed)\n"
            "Greatest relative difference: 0.5 at index (1,) (up to 1.3e-06 allowed)",
        ),
        (
            T([[1, 2], [3, 4]]),
            T([[1, 2], [3, 5]]),
            "Tensor-likes are not equal!\n\nMismatched elements: 1 / 4 (25.0%)\n"
            "Greatest absolute difference: 1 at index (1, 1)\n"
            "Greatest relative difference: 0.20000000298023224 at index (1, 1)",
        ),
        (
            1,
            2,
            "Scalars are not equal!\n\nExpected 2 but got 1.\nAbsolute difference: 1\n"
            "Relative difference: 0.5",
        ),
        (
            {"a": [1, 2]},
            {"a": [1, 3]},
            "Scalars are not equal!\n\nExpected 3 but got 2.\nAbsolute difference: 1\n"
            "Relative difference: 0.3333333333333333\n\nThe failure occurred for item ['a'][1]",
        ),
        (T([1.0]), T([1.0, 2.0]), "The values for attribute 'shape' do not match: "
         "torch.Size([1]) != torch.Size([2])."),
        (T([1.0]), T([1]), "The values for attribute 'dtype' do not match: torch.float32 != "
         "torch.int64."),
        ([1], [1, 2], "The length of the sequences mismatch: 1 != 2"),
        (True, False, "Booleans mismatch: True is not False"),
        (None, 1, "None mismatch: None is not 1"),
        (
            {"a": 1},
            {"b": 1},
            "The keys of the mappings do not match:\n"
            "Missing keys in the actual mapping: ['b']\n"
            "Additional keys in the actual mapping: ['a']",
        ),
    ],
)  # fmt: skip
def test_messages(actual: Any, expected: Any, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_close(actual, expected)
    assert str(caught.value) == message


def test_options() -> None:
    with pytest.raises(AssertionError, match="^mine$"):
        assert_close(1, 2, msg="mine")
    with pytest.raises(AssertionError, match="^In all: Scalars are not equal!"):
        assert_close(1, 2, msg=lambda text: "In all: " + text)
    with pytest.raises(AssertionError, match=r"attribute 'stride\(\)' do not match"):
        assert_close(torch.ones(2, 3).t(), torch.ones(3, 2), check_stride=True)
    with pytest.raises(ValueError, match="Both 'rtol' and 'atol' must be either specified or om"):
        assert_close(1.0, 1.0, rtol=1)
    with pytest.raises(TypeError, match="No comparison pair was able to handle inputs of type"):
        assert_close("a", "a")


@pytest.mark.parametrize(
    "dtype",
    [torch.float32, torch.bfloat16, torch.int64, torch.uint8, torch.bool, torch.complex64],
    ids=str,
)
def test_make_tensor(dtype: torch.dtype) -> None:
    x = make_tensor((30, 40), dtype=dtype, device="cpu")
    assert x.dtype is dtype
    assert len(set(x.flatten().tolist())) > 1
    if dtype is not torch.complex64 and dtype is not torch.bool:
        y = make_tensor(300, dtype=dtype, device="cpu", low=1, high=3)
        assert 1 <= y.min().item() <= y.max().item() < 3
    apart = make_tensor(4, 6, dtype=dtype, device="cpu", noncontiguous=True)
    assert apart.shape == (4, 6)
    assert not apart.is_contiguous()


def test_make_tensor_refuses() -> None:
    with pytest.raises(ValueError, match="is not supported for boolean and integral dtypes"):
        make_tensor(2, dtype=torch.int64, device="cpu", requires_grad=True)
    with pytest.raises(ValueError, match="`low` must be less than `high`, but got 2 >= 1"):
        make_tensor(2, dtype=torch.float32, device="cpu", low=2, high=1)
    x = make_tensor(1000, dtype=torch.int64, device="cpu", low=0, high=2, exclude_zero=True)
    assert x.min().item() == 1


def gradients(model: nn.Module, run: Callable[[torch.Tensor], torch.Tensor]) -> list[torch.Tensor]:
    x = torch.ones(2, 4, requires_grad=True)
    model.zero_grad()
    torch.manual_seed(3)
    run(x).sum().backward()
    assert x.grad is not None
    return [x.grad, *(p.grad.clone() for p in model.parameters())]


def test_checkpoints_change_nothing() -> None:
    calls = []

    class Counted(nn.Sequential):
        def forward(self, input: torch.Tensor) -> torch.Tensor:
            calls.append(torch.is_grad_enabled())
            return super().forward(input)

    model = Counted(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 3))
    plain = gradients(model, model)
    calls.clear()
    for first, second in zip(
        plain, gradients(model, lambda x: checkpoint(model, x, use_reentrant=True)), strict=True
    ):
        assert_close(first, second)
    assert calls == [False, True]
    layers = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Tanh())
    plain = gradients(layers, layers)
    parts = gradients(layers, lambda x: checkpoint_sequential(layers, 2, x, use_reentrant=True))
    assert_close(plain, parts)


@pytest.mark.skipif(
    not hasattr(torch.autograd.graph, "saved_tensors_hooks"), reason="no hooks on saved tensors"
)
def test_checkpoints_without_reentry() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Dropout(0.5), nn.Linear(8, 3))
    assert_close(
        gradients(model, model),
        gradients(model, lambda x: checkpoint(model, x, use_reentrant=False)),
    )
    runs = []

    def fickle(x: torch.Tensor) -> torch.Tensor:
        runs.append(x)
        return x.exp() if len(runs) == 1 else x * 1

    x = torch.ones(2, requires_grad=True)
    y = checkpoint(fickle, x, use_reentrant=False)
    with pytest.raises(RuntimeError, match="A different number of tensors was saved during the or"):
        y.sum().backward()


def test_checkpoint_warnings() -> None:
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(torch.tanh, torch.ones(1), use_reentrant=True)
    with pytest.warns(UserWarning, match="the use_reentrant parameter should be passed explicitly"):
        checkpoint(torch.tanh, torch.ones(1, requires_grad=True))
    with pytest.raises(ValueError, match="Unexpected keyword arguments: a"):
        checkpoint(torch.tanh, torch.ones(1), use_reentrant=True, a=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checkpoint(torch.tanh, torch.ones(1, requires_grad=True), use_reentrant=True)


def test_clipping() -> None:
    model = nn.Linear(3, 2)
    model(torch.ones(4, 3)).pow(2).sum().backward()
    grads = np.concatenate([p.grad.numpy().ravel() for p in model.parameters()])
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    assert norm.item() == pytest.approx(np.linalg.norm(grads), rel=1e-5)
    clipped = np.concatenate([p.grad.numpy().ravel() for p in model.parameters()])
    np.testing.assert_allclose(clipped, grads * 0.5 / np.linalg.norm(grads), rtol=1e-4)
    nn.utils.clip_grad_value_(model.parameters(), 0.01)
    assert max(p.grad.abs().max().item() for p in model.parameters()) <= 0.01
    model.weight.grad.fill_(float("inf"))
    with pytest.raises(RuntimeError, match="total norm of order 2.0 for gradients from `parame"):
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)


def test_parameters_as_a_vector() -> None:
    model = nn.Linear(3, 2)
    vector = nn.utils.parameters_to_vector(model.parameters())
    assert vector.tolist() == [*model.weight.flatten().tolist(), *model.bias.tolist()]
    nn.utils.vector_to_parameters(torch.arange(8.0), model.parameters())
    assert model.bias.tolist() == [6, 7]


def test_state_dict_hooks_and_versions() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    state = model.state_dict()
    assert state._metadata["1"] == {"version": 2}
    seen: list[str] = []
    model[0].register_state_dict_pre_hook(lambda m, prefix, keep: seen.append("before " + prefix))
    model[0].register_state_dict_post_hook(lambda m, s, prefix, meta: seen.append(f"{meta}"))
    model[0].register_load_state_dict_pre_hook(lambda m, s, prefix, *rest: seen.append("load"))
    model.register_load_state_dict_post_hook(lambda m, keys: keys.missing_keys.clear())
    state = model.state_dict()
    del state["0.bias"]
    assert repr(model.load_state_dict(state)) == "<All keys matched successfully>"
    assert seen == ["before 0.", "{'version': 1}", "load"]
    old = {k: v for k, v in model.state_dict().items() if "tracked" not in k}
    # A file of before the counter: no metadata, so version 1.
    nn.BatchNorm1d(2).load_state_dict({k[2:]: v for k, v in old.items() if k.startswith("1.")})


def test_module_hooks() -> None:
    layer = nn.Linear(2, 2)
    calls: list[str] = []
    layer.register_full_backward_pre_hook(lambda m, grads: calls.append("before"))
    layer.register_full_backward_hook(lambda m, gi, go: calls.append("after"))
    layer(torch.ones(1, 2, requires_grad=True)).sum().backward()
    assert calls == ["before", "after"]
    failing = nn.Linear(2, 2)
    failing.register_forward_hook(lambda m, a, out: calls.append("always"), always_call=True)
    with pytest.raises(RuntimeError):
        failing(torch.ones(1, 3))
    assert calls[-1] == "always"


def test_containers_of_parameters() -> None:
    values = nn.ParameterDict({"a": torch.ones(2), "b": nn.Parameter(torch.zeros(1))})
    assert sorted(name for name, _ in values.named_parameters()) == ["a", "b"]
    assert values.pop("a").tolist() == [1, 1]
    assert list(values) == ["b"]
    model = nn.Sequential(nn.Linear(2, 2))
    model.set_submodule("0", nn.Identity())
    assert isinstance(model[0], nn.Identity)
    moved = nn.Linear(2, 2).to_empty(device="meta")
    assert moved.weight.is_meta


def test_initial_values() -> None:
    x = nn.init.trunc_normal_(torch.empty(5000), mean=1.0, std=2.0, a=0.0, b=3.0)
    assert 0 <= x.min().item() < 0.1
    assert 2.9 < x.max().item() <= 3
    with pytest.raises(ValueError, match="wants a < b, but got a=1 and b=0"):
        nn.init.trunc_normal_(torch.empty(1), a=1, b=0)
    with pytest.raises(ValueError, match="wants a positive std, but got 0"):
        nn.init.trunc_normal_(torch.empty(1), mean=5, std=0)


@pytest.mark.parametrize(
    ("mean", "std", "a", "b"),
    [(0, 1, 1, 3), (0, 2, -5, -2), (5, 1, -0.1, 0.1), (0, 1, 6, 7), (-9, 1, 0, 1), (0, 1, 50, 60)],
)
def test_normal_numbers_of_a_tail(mean: float, std: float, a: float, b: float) -> None:
    x = nn.init.trunc_normal_(torch.empty(20000, dtype=torch.float64), mean, std, a, b)
    assert a <= x.min()
    assert x.max() <= b
    grid = torch.linspace(a, b, 200001, dtype=torch.float64)
    log_density = -(((grid - mean) / std) ** 2) / 2
    weight = (log_density - log_density.max()).exp()
    expected = (grid * weight).sum() / weight.sum()
    deviation = ((grid - expected) ** 2 * weight).sum().div(weight.sum()).sqrt()
    # The function is 0 beyond 38 deviations; then the near bound stands for all.
    assert abs(x.mean() - expected) < max(5 * deviation / 20000**0.5, 0.03 * (abs(mean - a) > 38))
    half = nn.init.trunc_normal_(torch.empty(3, dtype=torch.float16), mean, std, a, b)
    assert half.min() >= a - 1e-2
    assert nn.init.eye_(torch.empty(2, 3)).tolist() == [[1, 0, 0], [0, 1, 0]]
    weight = nn.init.dirac_(torch.empty(4, 2, 3), groups=2)
    assert weight[..., 1].tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert weight.sum().item() == 4
    for shape in [(3, 5), (5, 3), (4, 2, 3)]:
        q = nn.init.orthogonal_(torch.empty(shape), gain=2.0).flatten(1)
        product = (q @ q.T if q.size(0) < q.size(1) else q.T @ q) / 4
        torch.testing.assert_close(product, torch.eye(product.size(0)))
    assert (nn.init.sparse_(torch.empty(9, 4), 0.5) == 0).sum(0).tolist() == [5] * 4
    for matrix_only in (nn.init.eye_, lambda x: nn.init.sparse_(x, 0.1)):
        with pytest.raises(ValueError, match="Only tensors with 2 dimensions are supported"):
            matrix_only(torch.empty(2))
    with pytest.raises(ValueError, match="Only tensors with 2 or more dimensions are supported"):
        nn.init.orthogonal_(torch.empty(2))


def test_older_names() -> None:
    x = torch.randn(2, 3, 3, dtype=torch.float64, requires_grad=True)
    factors, pivots = x.lu()
    p, lower, upper = torch.lu_unpack(factors, pivots)
    torch.testing.assert_close(p @ lower @ upper, x)
    assert factors.requires_grad
    found = torch.lu(torch.zeros(2, 2), get_infos=True)
    assert isinstance(found, torch.return_types._lu_with_info) and found.info.item() == 1
    assert type(torch.zeros(2, 2).lu(get_infos=True)) is tuple
    out = (torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.int32))
    assert torch.lu(x.detach(), out=out)[1] is out[1]
    assert torch.equal(out[0], factors)
    with pytest.raises(TypeError, match="argument 'out' must be a tuple of 2 Tensors"):
        torch.lu(x, out=out[:1])

    image = torch.rand(1, 2, 3, 4)
    for name, options in (("bilinear", {"align_corners": True}), ("nearest", {})):
        older = getattr(torch.nn.functional, f"upsample_{name}")
        wanted = torch.nn.functional.interpolate(image, scale_factor=2, mode=name, **options)
        assert torch.equal(older(image, scale_factor=2), wanted)
        assert torch.equal(older(image, (6, 8)), wanted)
    assert issubclass(torch.nn.NLLLoss2d, torch.nn.NLLLoss)

    near = torch.tensor([1.0, float("nan")])
    torch.testing.assert_allclose(near + 5e-5, near.double())
    torch.testing.assert_allclose([1, 2], torch.tensor([1, 2]))
    with pytest.raises(AssertionError, match="not close"):
        torch.testing.assert_allclose(near + 5e-4, near)
    with pytest.raises(AssertionError, match="mine"):
        torch.testing.assert_allclose(near + 5e-4, near, msg="mine")


def test_a_function_of_older_style() -> None:
    class Relu(torch.autograd.function.InplaceFunction):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.mark_dirty(x)
            x.clamp_(min=0)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            (x,) = ctx.saved_tensors
            return grad * (x > 0)

    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    Relu.apply(x.clone()).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [0, 1]


def test_names_of_pytorch_that_packages_import() -> None:
    from torch._subclasses.fake_tensor import unset_fake_temporarily
    from torch.autograd.functional import _construct_standard_basis_for

    pytree = importlib.import_module("torch.utils._pytree")
    init = torch.nn.init
    x = torch.empty(3, requires_grad=True)
    assert init._no_grad_fill_(x, 2.0).tolist() == [2, 2, 2]
    assert init._no_grad_zero_(x).tolist() == [0, 0, 0]
    assert 1 <= init._no_grad_uniform_(x, 1.0, 2.0).min().item() < 2
    assert init._no_grad_normal_(x, 5.0, 0.0).tolist() == [5, 5, 5]
    bases = _construct_standard_basis_for((torch.ones(2), torch.ones(1, 1)), (2, 1))
    assert torch.cat(bases, 1).equal(torch.eye(3))
    with unset_fake_temporarily():
        assert not (x + 1).is_meta
    distributed = importlib.import_module("torch.distributed.autograd")
    assert not distributed.is_available()
    with pytest.raises(NotImplementedError, match="use one process"):
        distributed.context()
    with pytest.raises(NotImplementedError, match=r"_custom_ops.custom_op"):
        importlib.import_module("torch._custom_ops").custom_op("a::b")
    guards = torch._guards
    assert guards.active_fake_mode() is guards.detect_fake_mode([x]) is None
    assert guards.TracingContext.try_get() is None
    assert isinstance(x.untyped_storage(), torch.StorageBase)
    assert pytree.is_structseq_instance(torch.ones(2, 2).max(0))
    assert not pytree.is_structseq_instance((1,))
    kind = torch._utils._get_available_device_type()
    assert kind is None or torch.accelerator.is_available()
    assert torch._utils._get_device_module("cpu") is torch.cpu
    with pytest.raises(RuntimeError, match="'abacus' does not have a corresponding module"):
        torch._utils._get_device_module("abacus")


def test_swaps_of_tensors_by_name() -> None:
    from torch.nn.utils._named_member_accessor import swap_tensor

    net = torch.nn.BatchNorm1d(2)
    new = torch.full((2,), 3.0)
    for name in ("weight", "running_mean"):
        before = getattr(net, name)
        assert swap_tensor(net, name, new) is before
        assert getattr(net, name) is new
        assert swap_tensor(net, name, before) is new
    net.note = new
    assert swap_tensor(net, "note", None) is new
    assert net.note is None
    nothing = swap_tensor(net, "extra", new, allow_missing=True)
    assert net.extra is new
    assert swap_tensor(net, "extra", nothing) is new
    assert not hasattr(net, "extra")
    refused: list[tuple[Any, type[Exception], str]] = [
        ((net, "other", new), AttributeError, "BatchNorm1d has no attribute `other`"),
        ((net, "eps", new), TypeError, "attribute `eps`: 1e-05 is not an instance of torch.Tensor"),
        ((net, "weight", 3), TypeError, "3 is not an instance of torch.Tensor"),
        ((new, "weight", new), TypeError, "is not an instance of torch.nn.Module"),
        ((net, "a.b", new), KeyError, "t contain"),
        ((net, "", new), KeyError, "t be empty string"),
    ]
    for arguments, error, message in refused:
        with pytest.raises(error, match=message):
            swap_tensor(*arguments)
