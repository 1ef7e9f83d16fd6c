"""torch.nn modules."""

from __future__ import annotations

import gc
import pickle
import re
import warnings
from collections import OrderedDict

import pytest
import torch
from torch import nn


def network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2, bias=False))


def test_repr() -> None:
    assert repr(network()) == (
        "Sequential(\n"
        "  (0): Linear(in_features=3, out_features=4, bias=True)\n"
        "  (1): ReLU()\n"
        "  (2): Linear(in_features=4, out_features=2, bias=False)\n"
        ")"
    )
    assert repr(nn.Dropout(0.25)) == "Dropout(p=0.25, inplace=False)"
    assert repr(nn.ModuleList([nn.Sigmoid(), nn.Sigmoid(), nn.Tanh()])) == (
        "ModuleList(\n  (0-1): 2 x Sigmoid()\n  (2): Tanh()\n)"
    )


def test_parameters_in_order() -> None:
    names = [name for name, _ in network().named_parameters()]
    assert names == ["0.weight", "0.bias", "2.weight"]
    assert all(p.requires_grad for p in network().parameters())


def test_linear_computes() -> None:
    layer = nn.Linear(2, 1)
    layer.load_state_dict({"weight": torch.tensor([[2.0, 3.0]]), "bias": torch.tensor([1.0])})
    assert layer(torch.tensor([[10.0, 100.0]])).tolist() == [[321.0]]


def test_initial_weights_are_within_bounds() -> None:
    layer = nn.Linear(16, 50)
    assert layer.weight.abs().max().item() <= 1 / 4
    assert layer.bias.abs().max().item() <= 1 / 4
    assert layer.weight.std().item() > 0.1


def test_state_dict_round_trip() -> None:
    first, second = network(), network()
    state = first.state_dict()
    assert list(state) == ["0.weight", "0.bias", "2.weight"]
    assert repr(second.load_state_dict(state)) == "<All keys matched successfully>"
    x = torch.ones(1, 3)
    assert first(x).equal(second(x))


def test_state_dict_errors() -> None:
    state = OrderedDict(network().state_dict())
    del state["0.bias"]
    state["extra"] = torch.ones(1)
    state["2.weight"] = torch.ones(1)
    with pytest.raises(RuntimeError) as caught:
        network().load_state_dict(state)
    text = str(caught.value)
    assert text.startswith("Error(s) in loading state_dict for Sequential:\n\t")
    assert 'Missing key(s) in state_dict: "0.bias". ' in text
    assert 'Unexpected key(s) in state_dict: "extra". ' in text
    assert (
        "size mismatch for 2.weight: copying a param with shape torch.Size([1]) from checkpoint, "
        "the shape in current model is torch.Size([2, 4])." in text
    )


def test_attribute_errors() -> None:
    layer = nn.Linear(2, 2)
    with pytest.raises(AttributeError, match="'Linear' object has no attribute 'nothing'"):
        _ = layer.nothing
    with pytest.raises(
        TypeError, match=r"cannot assign 'torch\.FloatTensor' as parameter 'weight'"
    ):
        layer.weight = torch.ones(2, 2)

    class NoInit(nn.Module):
        def __init__(self) -> None:
            self.p = nn.Parameter(torch.ones(1))

    with pytest.raises(AttributeError, match=r"cannot assign parameters before Module.__init__"):
        NoInit()


def test_buffers() -> None:
    module = nn.Module()
    module.register_buffer("kept", torch.ones(1))
    module.register_buffer("left", torch.ones(1), persistent=False)
    assert list(module.state_dict()) == ["kept"]
    assert [name for name, _ in module.named_buffers()] == ["kept", "left"]


def test_modes_and_dropout() -> None:
    layer = nn.Dropout(0.5)
    x = torch.ones(1000)
    assert set(layer(x).tolist()) == {0.0, 2.0}
    layer.eval()
    assert layer(x).equal(x)


def test_conversion() -> None:
    net = network().double()
    assert all(p.dtype is torch.float64 for p in net.parameters())
    net.to(torch.float32)
    assert net[0].weight.dtype is torch.float32
    with pytest.raises(TypeError, match="only accepts floating point"):
        net.to(torch.int64)


def test_hooks() -> None:
    layer = nn.Linear(2, 2)
    calls = []
    handles = [
        layer.register_forward_pre_hook(lambda m, a: calls.append("before")),
        layer.register_forward_hook(lambda m, a, out: calls.append("after")),
        layer.register_full_backward_hook(lambda m, gi, go: calls.append(go[0].tolist())),
    ]
    layer(torch.ones(1, 2, requires_grad=True)).sum().backward()
    assert calls == ["before", "after", [[1.0, 1.0]]]
    for handle in handles:
        handle.remove()
    layer(torch.ones(1, 2))
    assert len(calls) == 3


def test_zero_grad() -> None:
    net = network()
    net(torch.ones(1, 3)).sum().backward()
    assert net[0].weight.grad is not None
    net.zero_grad()
    assert net[0].weight.grad is None


@pytest.mark.parametrize("create_graph", [False, True])
def test_zero_grad_in_place(create_graph: bool) -> None:
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters())
    for clear in (net.zero_grad, optimizer.zero_grad):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            (net(torch.ones(1, 2)) ** 2).sum().backward(create_graph=create_graph)
        grad = net.weight.grad
        assert grad is not None
        assert grad.requires_grad is create_graph
        clear(set_to_none=False)
        # Whoever holds the gradient sees it, and it is a tensor without a history.
        assert net.weight.grad is grad
        assert grad.tolist() == [[0, 0]]
        assert not grad.requires_grad
        clear()


@pytest.mark.parametrize(
    ("loss", "prediction", "target"),
    [
        (nn.MSELoss(), torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0])),
        (nn.L1Loss(), torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0])),
        (nn.BCELoss(), torch.tensor([0.2, 0.7]), torch.tensor([0.0, 1.0])),
        (nn.BCEWithLogitsLoss(), torch.tensor([0.2, 0.7]), torch.tensor([0.0, 1.0])),
        (nn.CrossEntropyLoss(), torch.tensor([[0.2, 0.7]]), torch.tensor([1])),
        (nn.NLLLoss(), torch.tensor([[-0.2, -0.7]]), torch.tensor([1])),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, nn.Module) else "",
)
def test_losses_decrease_along_the_gradient(
    loss: nn.Module, prediction: torch.Tensor, target: torch.Tensor
) -> None:
    x = prediction.clone().requires_grad_()
    before = loss(x, target)
    before.backward()
    after = loss((x - 1e-3 * x.grad).detach(), target)
    assert after.item() < before.item()


def test_rnn_takes_its_nonlinearity_as_the_fourth_argument() -> None:
    layer = torch.nn.RNN(3, 4, 1, "relu")
    assert layer.nonlinearity == "relu" and layer.bias is True
    assert bool((layer(torch.randn(5, 2, 3) * 9)[0] >= 0).all())
    with pytest.raises(TypeError, match="multiple values for argument 'nonlinearity'"):
        torch.nn.RNN(3, 4, 1, "relu", nonlinearity="tanh")


def test_batch_norm_goes_on_counting_with_a_file_that_does_not_count() -> None:
    layer = torch.nn.BatchNorm1d(3)
    for _ in range(2):
        layer(torch.randn(4, 3))
    state = layer.state_dict()
    del state["num_batches_tracked"]
    state._metadata[""]["version"] = 1  # type: ignore[attr-defined]
    layer.load_state_dict(state)
    assert layer.num_batches_tracked.item() == 2


def test_a_plain_dict_updates_a_parameter_dict_in_the_order_of_its_keys() -> None:
    parameters = torch.nn.ParameterDict()
    parameters.update({"b": torch.ones(1), "a": torch.ones(2)})
    assert list(parameters) == ["a", "b"]
    parameters.update([("d", torch.ones(1)), ("c", torch.ones(1))])
    assert list(parameters) == ["a", "b", "d", "c"]


def test_names_that_do_not_match_are_listed_also_where_that_is_no_error() -> None:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    state = net.state_dict()
    del state["0.bias"], state["1.running_mean"]
    state["more"] = state["1.more"] = torch.ones(1)
    found = net.load_state_dict(state, strict=False)
    assert found.missing_keys == ["0.bias", "1.running_mean"]
    assert sorted(found.unexpected_keys) == ["1.more", "more"]
    with pytest.raises(
        RuntimeError, match=r"(?s)Missing key.*0.bias.*Unexpected|Unexpected.*0.bias"
    ):
        net.load_state_dict(state)
    assert str(net.load_state_dict(net.state_dict(), strict=False)) == (
        "<All keys matched successfully>"
    )


def test_arguments_of_to_are_read_as_packages_do() -> None:
    parse = torch._C._nn._parse_to  # type: ignore[attr-defined]
    cpu = torch.device("cpu")
    assert parse("cpu", torch.float64, True) == (cpu, torch.float64, True, None)
    assert parse(torch.half) == (None, torch.half, False, None)
    assert parse(torch.ones(1, dtype=torch.double)) == (cpu, torch.double, False, None)
    layout = torch.channels_last
    assert parse(device="meta", memory_format=layout)[::3] == (torch.device("meta"), layout)
    with pytest.raises(TypeError, match="to.. received an invalid combination of arguments"):
        parse("cpu", "x", "y", "z")


def test_names_that_are_reserved_take_no_values() -> None:
    layer = nn.Linear(2, 1, bias=False)
    values = {"weight": torch.ones(1, 2), "bias": torch.ones(1)}
    with pytest.raises(RuntimeError, match=r'Unexpected key\(s\) in state_dict: "bias"'):
        layer.load_state_dict(values)
    assert layer.load_state_dict(values, strict=False).unexpected_keys == ["bias"]
    module = nn.Module()
    module.register_buffer("mean", None)
    assert module.load_state_dict({"mean": torch.ones(1)}, strict=False).unexpected_keys == ["mean"]


def test_state_dict_by_position_warns() -> None:
    with pytest.warns(FutureWarning, match="Positional args are being deprecated, use kwargs"):
        assert list(nn.Linear(1, 1).state_dict({}, "x.")) == ["x.weight", "x.bias"]


def test_a_module_is_put_only_where_a_module_was() -> None:
    model = network()
    for target, module, kind, message in (
        ("0.weight", nn.ReLU(), AttributeError, "`weight` is not an nn.Module"),
        ("0.in_features", nn.ReLU(), AttributeError, "`in_features` is not an nn.Module"),
        (
            "1",
            torch.ones(1),
            ValueError,
            "`module` is not an nn.Module, found <class 'torch.Tensor'>",
        ),
        ("1", None, ValueError, "`module` is not an nn.Module, found <class 'NoneType'>"),
        ("", nn.ReLU(), ValueError, "Cannot set the submodule without a target name!"),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            model.set_submodule(target, module)
    with pytest.raises(AttributeError, match="Sequential has no attribute `7`"):
        model.set_submodule("7", nn.ReLU(), strict=True)
    model.set_submodule("7", nn.Tanh())
    assert repr(model.get_submodule("7")) == "Tanh()"
    assert isinstance(model[0].weight, nn.Parameter)


def test_to_moves_only_what_the_format_and_the_dtype_are_for() -> None:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(4, 2))
    model.register_buffer("phases", torch.ones(2, dtype=torch.complex64))
    model.register_buffer("counts", torch.ones(2, dtype=torch.int64))
    assert model.to(memory_format=torch.channels_last) is model
    assert model[0].weight.is_contiguous(memory_format=torch.channels_last)
    assert model[2].weight.is_contiguous()
    model.to("cpu", torch.float64, True)
    assert model[0].weight.dtype == model.phases.dtype == torch.float64
    assert model.counts.dtype == torch.int64
    model.to(torch.ones(1, dtype=torch.float16), memory_format=torch.contiguous_format)
    assert model[2].bias.dtype == torch.float16
    assert model[0].weight.is_contiguous()
    with pytest.warns(UserWarning, match="Complex modules are a new feature"):
        assert model.to(torch.complex64)[0].weight.dtype == torch.complex64


def test_pickles_without_hooks_get_them() -> None:
    """An earlier release had not all of the hooks."""
    old = nn.Linear(1, 1)
    for name in [n for n in vars(old) if n.endswith(("_hooks", "_hooks_with_kwargs"))]:
        delattr(old, name)
    seen: list[str] = []
    new = pickle.loads(pickle.dumps(old))
    new.register_state_dict_pre_hook(lambda *args: seen.append("state"))
    new.register_load_state_dict_post_hook(lambda *args: seen.append("load"))
    new.register_forward_hook(lambda *args: seen.append("forward"))
    new.load_state_dict(new.state_dict())
    new(torch.ones(1))
    assert seen == ["state", "load", "forward"]


def test_to_refuses_what_it_cannot_read() -> None:
    model = nn.Sequential(nn.Linear(1, 1))
    cpu = torch.device("cpu")
    for args in ((cpu, True), (None, True), ([],), (3.5,), (torch.channels_last,), (cpu, 3)):
        with pytest.raises(TypeError, match=r"to\(\) received an invalid combination of arguments"):
            model.to(*args)
    with pytest.raises(RuntimeError, match="does not accept copy argument"):
        model.to("cpu", copy=True)
    assert next(model.to(cpu, torch.float64, True).parameters()).dtype == torch.float64
    assert next(model.to(tensor=torch.ones(1)).parameters()).dtype == torch.float32


def test_apply_in_place_is_seen_by_autograd() -> None:
    layer = nn.Linear(2, 2)
    square = layer.weight * layer.weight
    before = layer.weight._version
    layer._apply(lambda t: t.add_(1.0))
    assert layer.weight._version > before
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        square.sum().backward()


def test_names_of_a_module_in_two_places() -> None:
    model = nn.Module()
    model.first = nn.Linear(1, 1, bias=False)
    model.second = model.first
    assert [n for n, _ in model.named_parameters()] == ["first.weight"]
    both = [n for n, _ in model.named_parameters(remove_duplicate=False)]
    assert both == ["first.weight", "second.weight"]


def test_constructors_go_on_where_asked() -> None:
    class Other:
        def __init__(self, value: int) -> None:
            self.value = value

    class Both(nn.Module, Other):
        call_super_init = True

    class One(nn.Module, Other):
        pass

    assert Both(3).value == 3
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        One(3)


@pytest.mark.parametrize("swap", [False, True])
def test_parameters_that_are_taken_over_are_trained_as_the_old_ones(swap: bool) -> None:
    state = {"weight": nn.Parameter(torch.ones(1, 2), requires_grad=False), "bias": torch.ones(1)}
    layer = nn.Linear(2, 1)
    layer.bias.requires_grad_(False)
    torch.__future__.set_swap_module_params_on_conversion(swap)
    try:
        layer.load_state_dict(state, assign=True)
    finally:
        torch.__future__.set_swap_module_params_on_conversion(False)
    assert layer.weight.requires_grad and not layer.bias.requires_grad
    assert layer.weight.tolist() == [[1, 1]]


def test_a_module_takes_no_arguments_of_its_own() -> None:
    class Layer(nn.Module):
        pass

    with pytest.raises(TypeError, match=r"Layer.__init__\(\) takes 1 positional argument but 2"):
        Layer(5)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'size'"):
        Layer(size=5)

    class Mixed(nn.Module):
        call_super_init = True

    with pytest.raises(TypeError):  # object's own
        Mixed(5)


def test_a_child_is_given_its_own_part_of_a_state_dict() -> None:
    model = nn.Sequential(nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 1)))
    seen: list[list[str]] = []
    model[1][0].register_load_state_dict_pre_hook(lambda module, values, *_: seen.append([*values]))
    model.load_state_dict(model.state_dict())
    assert seen == [["1.0.weight", "1.0.bias"]]


def test_load_state_dict_leaves_nothing_to_the_garbage_collector() -> None:
    model = nn.Linear(2, 2)
    values = model.state_dict()
    gc.collect()
    gc.disable()
    try:
        model.load_state_dict(values)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_values_for_a_module_without_memory_warn() -> None:
    model = nn.Linear(2, 2, device="meta")
    values = nn.Linear(2, 2).state_dict()
    with pytest.warns(UserWarning, match="for weight: copying from a non-meta parameter"):
        model.load_state_dict(values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.load_state_dict(values, assign=True)
    assert not model.weight.is_meta


def test_the_key_of_extra_state() -> None:
    """Packages that load weights compare with it."""

    class WithState(nn.Module):
        def get_extra_state(self) -> int:
            return 3

    assert list(WithState().state_dict()) == [torch.nn.modules.module._EXTRA_STATE_KEY_SUFFIX]
