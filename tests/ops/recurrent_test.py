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
