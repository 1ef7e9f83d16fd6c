"""The loops of recurrent cells, and the layers that run on them, beside formulas in double."""

from __future__ import annotations

from typing import Any

import pytest
import torch

Pair = tuple[torch.Tensor, torch.Tensor]


def _lack() -> str:
    """Why the capability that ATEN_CPU_CAPABILITY asks for cannot be had here."""
    try:
        torch.backends.cpu.get_cpu_capability()
    except ValueError as error:
        if "this processor supports at most" not in str(error):
            raise
        return str(error)
    return ""


_LACK = _lack()
pytestmark = pytest.mark.skipif(bool(_LACK), reason=_LACK)


def _formula(gates: torch.Tensor, cell: torch.Tensor) -> Pair:
    into, forget, new, out = gates.chunk(4, 1)
    cell = forget.sigmoid() * cell + into.sigmoid() * new.tanh()
    return out.sigmoid() * cell.tanh(), cell


def _inputs(batch: int, size: int, dtype: torch.dtype, biases: bool) -> list[Any]:
    shapes: list[tuple[int, ...]] = [(batch, 4 * size), (batch, 4 * size), (batch, size)]
    shapes += [(4 * size,), (4 * size,)] if biases else []
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("biases", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_one_step_and_its_gradient(dtype: torch.dtype, biases: bool) -> None:
    limit = 1e-5 if dtype == torch.float32 else 1e-13
    for batch, size in [(1, 1), (3, 7), (2, 16), (5, 33), (40, 100), (0, 4)]:
        inputs = _inputs(batch, size, dtype, biases)
        wide = [x.detach().double().requires_grad_() for x in inputs]
        wanted = _formula(
            sum((w for k, w in enumerate(wide) if k != 2), torch.tensor(0.0)), wide[2]
        )
        found = torch._thnn_fused_lstm_cell(*inputs)[:2]
        for f, w in zip(found, wanted, strict=True):
            assert f.dtype == dtype
            assert torch.allclose(f.double(), w, rtol=limit, atol=limit)
        weights = [torch.randn(batch, size, dtype=torch.float64) for _ in range(2)]
        # Either of the two gradients may be missing.
        for used in ((0, 1), (0,), (1,)):
            grads = [
                torch.autograd.grad(
                    sum((results[k] * weights[k].to(results[k].dtype)).sum() for k in used),
                    given,
                    retain_graph=True,
                )
                for results, given in ((found, inputs), (wanted, wide))
            ]
            for f, w in zip(*grads, strict=True):
                assert f.dtype == dtype
                assert torch.allclose(f.double(), w, rtol=limit * 10, atol=limit * 10)


@pytest.mark.parametrize("biases", [False, True])
def test_second_derivatives(biases: bool) -> None:
    inputs = _inputs(2, 3, torch.float64, biases)

    def step(*given: torch.Tensor) -> Pair:
        output, cell, _ = torch._thnn_fused_lstm_cell(*given)
        return output, cell

    assert torch.autograd.gradcheck(step, inputs)
    assert torch.autograd.gradgradcheck(step, inputs)


def test_strided_arguments() -> None:
    a, b, c = _inputs(4, 9, torch.float64, False)
    wanted = torch._thnn_fused_lstm_cell(a, b, c)
    turned = [x.detach().t().contiguous().t() for x in (a, b, c)]
    for f, w in zip(torch._thnn_fused_lstm_cell(*turned), wanted, strict=True):
        assert torch.equal(f, w)
    wide = b[:1].detach().expand(4, 36)
    plain = torch._thnn_fused_lstm_cell(a, wide.contiguous(), c)
    assert torch.equal(torch._thnn_fused_lstm_cell(a, wide, c)[0], plain[0])


def test_wrong_arguments() -> None:
    gates, cell = torch.zeros(2, 12), torch.zeros(2, 3)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((gates, gates, torch.zeros(2, 4)), r"expected gates of size \[batch, 4 \* hidden\]"),
        ((gates, gates[:1], cell), r"but got \[1, 12\] and \[2, 3\]"),
        ((gates, gates, cell.double()), "gates and cell of one dtype, but got Float and Double"),
        ((gates, gates, cell, torch.zeros(3)), r"expected a bias of size \[12\], but got \[3\]"),
        ((gates, gates, cell, torch.zeros(12).double()), "gates and bias of one dtype"),
        ((gates.half(), gates.half(), cell.half()), "\"lstm_cell\" not implemented for 'Half'"),
    ]
    for arguments, message in cases:
        with pytest.raises(RuntimeError, match=message):
            torch._thnn_fused_lstm_cell(*arguments)


@pytest.mark.parametrize(
    "options", [{}, {"bias": False}, {"bidirectional": True}, {"proj_size": 2}]
)
def test_layers_beside_steps_of_formulas(options: dict[str, Any]) -> None:
    layer = torch.nn.LSTM(4, 5, num_layers=2, **options)
    x = torch.randn(7, 3, 4, requires_grad=True)
    output, _ = layer(x)
    output.square().sum().backward()
    double = torch.nn.LSTM(4, 5, num_layers=2, **options).double()
    double.load_state_dict(layer.state_dict())
    wide = x.detach().double().requires_grad_()
    steps = wide
    names = [("", False), ("_reverse", True)][: 2 if options.get("bidirectional") else 1]
    parameters = dict(double.named_parameters())
    for k in range(2):
        outputs = []
        for suffix, reverse in names:
            get = lambda n, s=f"_l{k}{suffix}": parameters.get(n + s)  # noqa: E731
            hidden = torch.zeros(3, options.get("proj_size", 5), dtype=torch.float64)
            cell = torch.zeros(3, 5, dtype=torch.float64)
            found = []
            for step in reversed(range(7)) if reverse else range(7):
                gates = steps[step] @ get("weight_ih").t() + hidden @ get("weight_hh").t()
                if get("bias_ih") is not None:
                    gates = gates + get("bias_ih") + get("bias_hh")
                hidden, cell = _formula(gates, cell)
                if get("weight_hr") is not None:
                    hidden = hidden @ get("weight_hr").t()
                found.append(hidden)
            outputs.append(torch.stack(found[::-1] if reverse else found))
        steps = torch.cat(outputs, -1)
    assert torch.allclose(output.double(), steps, rtol=1e-5, atol=1e-6)
    steps.square().sum().backward()
    for f, w in [(x, wide), *zip(layer.parameters(), double.parameters(), strict=True)]:
        assert torch.allclose(f.grad.double(), w.grad, rtol=1e-4, atol=1e-5)


_KINDS = [
    (torch.nn.LSTM, {}),
    (torch.nn.GRU, {}),
    (torch.nn.RNN, {"nonlinearity": "tanh"}),
    (torch.nn.RNN, {"nonlinearity": "relu"}),
]


def _step(mode: str, gates: torch.Tensor, back: torch.Tensor, state: Any, cell: Any) -> Any:
    """One step by its formula: the state and the cell."""
    if mode == "LSTM":
        return _formula(gates + back, cell)
    if mode == "GRU":
        (r, z, n), (rh, zh, nh) = gates.chunk(3, 1), back.chunk(3, 1)
        fresh = (n + (r + rh).sigmoid() * nh).tanh()
        return fresh + (z + zh).sigmoid() * (state - fresh), cell
    total = gates + back
    return (total.relu() if mode == "RNN_RELU" else total.tanh()), cell


def _steps(layer: Any, rows: list[torch.Tensor], state: torch.Tensor, cell: torch.Tensor) -> Any:
    """One layer over packed rows, backwards too: what every sequence has alone."""
    weights = dict(layer.named_parameters())
    directions = []
    for direction, suffix in enumerate(["", "_reverse"][: 1 + layer.bidirectional]):
        get = lambda name, s=suffix: weights.get(f"{name}_l0{s}")  # noqa: E731
        found: dict[tuple[int, int], torch.Tensor] = {}
        last = []
        for sequence in range(len(rows[0])):
            length = sum(len(step) > sequence for step in rows)
            h, c = (s[direction, sequence : sequence + 1] for s in (state, cell))
            for t in reversed(range(length)) if direction else range(length):
                gates = rows[t][sequence : sequence + 1] @ get("weight_ih").t()
                back = h @ get("weight_hh").t()
                if layer.bias:
                    gates, back = gates + get("bias_ih"), back + get("bias_hh")
                h, c = _step(layer.mode, gates, back, h, c)
                found[t, sequence] = h
            last.append((h, c))
        directions.append(
            (
                [torch.cat([found[t, s] for s in range(len(step))]) for t, step in enumerate(rows)],
                *(torch.cat([pair[k] for pair in last]) for k in range(2)),
            )
        )
    output = [torch.cat(parts, 1) for parts in zip(*(d[0] for d in directions), strict=True)]
    return torch.cat(output), *(torch.stack([d[k] for d in directions]) for k in (1, 2))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("cls, options", _KINDS, ids=["lstm", "gru", "tanh", "relu"])
def test_all_steps_in_one_call(cls: Any, options: Any, dtype: torch.dtype, bias: bool) -> None:
    limit = 1e-4 if dtype == torch.float32 else 1e-12
    # Sizes beside those of vectors and of blocks of rows; sequences of different lengths; few
    # sequences with a large product, of which threads share each step.
    for sizes, features, hidden in [
        ([1], 2, 1),
        ([3, 3, 3], 4, 5),
        ([9, 7, 7, 2, 1], 3, 17),
        ([14, 14, 5], 8, 70),
        ([6, 4], 5, 420),
    ]:
        for bidirectional in (False, True)[: 1 if hidden > 100 else 2]:
            layer = cls(features, hidden, bias=bias, bidirectional=bidirectional, **options)
            layer = layer.to(dtype)
            x = torch.randn(sum(sizes), features, dtype=dtype, requires_grad=True)
            states = [
                torch.randn(1 + bidirectional, sizes[0], hidden, dtype=dtype, requires_grad=True)
                for _ in range(2)
            ]
            wide = cls(features, hidden, bias=bias, bidirectional=bidirectional, **options)
            wide = wide.double()
            wide.load_state_dict(layer.state_dict())
            double = [t.detach().double().requires_grad_() for t in (x, *states)]
            wanted = _steps(wide, list(double[0].split(sizes)), double[1], double[2])
            packed = torch.nn.utils.rnn.PackedSequence(x, torch.tensor(sizes))
            given = (states[0], states[1]) if cls is torch.nn.LSTM else states[0]
            output, last = layer(packed, given)
            found = [output.data, *(last if cls is torch.nn.LSTM else [last])]
            if len(set(sizes)) == 1:
                steps = x.view(len(sizes), sizes[0], features)
                assert torch.equal(layer(steps, given)[0].flatten(0, 1), output.data)
            with torch.no_grad():
                assert torch.equal(layer(packed, given)[0].data, output.data)
            for f, w in zip(found, wanted, strict=False):
                assert f.dtype == dtype
                assert torch.allclose(f.double(), w, rtol=limit, atol=limit)
            weights = [torch.randn(f.shape, dtype=torch.float64) for f in found]
            arguments = [x, *states[: len(found) - 1], *layer.parameters()]
            wide_arguments = [*double[: len(found)], *wide.parameters()]
            # Any of the results may have no gradient.
            for used in [range(len(found)), [0], [len(found) - 1]]:
                grads = [
                    torch.autograd.grad(
                        sum((results[k] * weights[k].to(results[k].dtype)).sum() for k in used),
                        inputs,
                        retain_graph=True,
                    )
                    for results, inputs in ((found, arguments), (wanted, wide_arguments))
                ]
                for f, w in zip(*grads, strict=True):
                    assert torch.allclose(f.double(), w, rtol=limit * 30, atol=limit * 30)


@pytest.mark.parametrize("mode, gates", [(0, 1), (1, 1), (2, 4), (3, 3)])
@pytest.mark.parametrize("reverse", [False, True])
def test_second_derivatives_of_a_layer(mode: int, gates: int, reverse: bool) -> None:
    shapes: list[tuple[int, ...]] = [(5, 2), (gates * 3, 2), (gates * 3, 3)]
    shapes += [(gates * 3,), (gates * 3,), (3, 3), (3, 3)]
    inputs = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]

    def layer(*given: torch.Tensor) -> Any:
        result = torch.mkldnn_rnn_layer(
            *given, reverse, [3, 2], mode, 3, 1, True, False, False, True
        )
        return result[: 3 if mode == 2 else 2]

    assert torch.autograd.gradcheck(
        layer, inputs if mode == 2 else inputs[:6] + [inputs[6].detach()]
    )
    assert torch.autograd.gradgradcheck(
        layer, inputs if mode == 2 else inputs[:6] + [inputs[6].detach()]
    )
    # An argument that depends on another one is not counted twice.
    x, start = torch.randn(4, 3, 2, dtype=torch.float64), inputs[5]
    x.requires_grad_()
    rest = inputs[1:5]
    for create in (False, True):
        hidden = x[0].sum() * start
        out = torch.mkldnn_rnn_layer(
            x, *rest, hidden, hidden, reverse, [], mode, 3, 1, True, False, False, True
        )[0]
        (grad,) = torch.autograd.grad(out.sum(), x, create_graph=create)
        if not create:
            first = grad
    assert torch.allclose(first, grad)


def test_wrong_arguments_of_a_layer() -> None:
    def call(x: Any, weight: Any, hidden: Any, sizes: Any = (), mode: int = 2) -> Any:
        bias = torch.zeros(12)
        return torch.mkldnn_rnn_layer(
            x, weight, torch.zeros(12, 3), bias, bias, hidden, hidden, False, sizes, mode, 3, 1,
            True, False, False, False,
        )  # fmt: skip

    x, weight, hidden = torch.zeros(5, 2, 4), torch.zeros(12, 4), torch.zeros(2, 3)
    call(x, weight, hidden)
    cases: list[tuple[tuple[Any, ...], str]] = [
        ((x, weight, hidden, (), 4), "expected a mode of 0"),
        ((x[0], weight, hidden), r"expected an input of size \[steps, batch, features\]"),
        ((x[0], weight, hidden, (1, 2)), r"expected batch sizes in \(0, 2\]|do not grow"),
        ((x[0], weight, hidden, (2, 1)), "expected batch sizes of"),
        ((x, weight[:, 1:], hidden), r"a weight of the input of size \[12, 4\]"),
        ((x, weight.double(), hidden), "and dtype Float, but got"),
        ((x[:0], weight, hidden), "not empty"),
    ]
    for arguments, message in cases:
        with pytest.raises(RuntimeError, match=message):
            call(*arguments)
