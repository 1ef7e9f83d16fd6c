"""Every formula of derivatives.yaml that torch/csrc/autograd/derivatives_test.cpp does not have,
against finite differences: the first derivative, and the second where there is one.

tools/codegen/autograd_test.py checks that no node is missing in both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.autograd.gradcheck import gradcheck, gradgradcheck

Inputs = tuple[Any, ...]


def _between(low: float, high: float, *shape: int) -> Any:
    x = torch.rand(shape, dtype=torch.float64) * (high - low) + low
    return x.requires_grad_()


def _any(*shape: int) -> Any:
    """Numbers of both signs, away from 0, where many functions have a kink."""
    sign = (torch.rand(shape) < 0.5).to(torch.float64) * 2 - 1
    return ((torch.rand(shape, dtype=torch.float64) + 0.3) * sign).requires_grad_()


def _distinct(*shape: int, first: float = -0.6) -> Any:
    """Numbers at least 0.17 apart, in random order: selections stay what they are. Two tensors that
    are compared begin at different numbers."""
    count = 1
    for size in shape:
        count *= size
    values = torch.randperm(count).to(torch.float64) * 0.17 + first
    return values.reshape(shape).requires_grad_()


def _one(low: float, high: float, *shape: int) -> Callable[[], Inputs]:
    return lambda: (_between(low, high, *(shape or (2, 3))),)


def _complex(*shape: int) -> Callable[[], Inputs]:
    return lambda: (torch.randn(shape, dtype=torch.complex128).requires_grad_(),)


def _two(low: float, high: float) -> Callable[[], Inputs]:
    return lambda: (_between(low, high, 2, 3), _between(low, high, 3))


def _method(name: str, *args: Any, **kwargs: Any) -> Callable[..., Any]:
    return lambda x, *rest: getattr(x, name)(*rest, *args, **kwargs)


_INDEX = torch.tensor([0, 2, 0])
_INDICES = torch.tensor([[0, 1, 1], [1, 0, 1]])
_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin")

# Node, function, inputs, and whether there is a second derivative.
_CASES: list[tuple[str, Callable[..., Any], Callable[[], Inputs], bool]] = [
    *[
        (node, _method(name), _one(low, high), True)
        for node, name, low, high in [
            ("AcosBackward0", "acos", -0.9, 0.9),
            ("AcoshBackward0", "acosh", 1.2, 3),
            ("AsinBackward0", "asin", -0.9, 0.9),
            ("AsinhBackward0", "asinh", -2, 2),
            ("AtanBackward0", "atan", -2, 2),
            ("AtanhBackward0", "atanh", -0.8, 0.8),
            ("CoshBackward0", "cosh", -2, 2),
            ("Deg2RadBackward0", "deg2rad", -90, 90),
            ("DigammaBackward0", "digamma", 0.5, 3),
            ("ErfBackward0", "erf", -2, 2),
            ("ErfcBackward0", "erfc", -2, 2),
            ("ErfinvBackward0", "erfinv", -0.8, 0.8),
            ("Exp2Backward0", "exp2", -2, 2),
            ("FracBackward0", "frac", 0.1, 0.9),
            ("I0Backward0", "i0", 0.3, 3),
            ("LgammaBackward0", "lgamma", 0.5, 3),
            ("Log10Backward0", "log10", 0.3, 3),
            ("Log2Backward0", "log2", 0.3, 3),
            ("LogitBackward0", "logit", 0.1, 0.9),
            ("NanToNumBackward0", "nan_to_num", -2, 2),
            ("Rad2DegBackward0", "rad2deg", -2, 2),
            ("SgnBackward0", "sgn", 0.3, 2),
            ("SincBackward0", "sinc", 0.3, 2),
            ("SinhBackward0", "sinh", -2, 2),
            ("TanBackward0", "tan", -1, 1),
        ]
    ],
    *[
        (node, getattr(torch.special, name), _one(low, high), True)
        for node, name, low, high in [
            ("SpecialEntrBackward0", "entr", 0.3, 2),
            ("SpecialErfcxBackward0", "erfcx", -1, 2),
            ("SpecialI0EBackward0", "i0e", 0.3, 3),
            ("SpecialI1Backward0", "i1", 0.3, 3),
            ("SpecialI1EBackward0", "i1e", 0.3, 3),
            ("SpecialLogNdtrBackward0", "log_ndtr", -2, 2),
            ("SpecialNdtriBackward0", "ndtri", 0.2, 0.8),
        ]
    ],
    ("ConjBackward0", torch.conj, _complex(2, 3), True),
    ("NegViewBackward0", _method("_neg_view"), _one(-1, 1), True),
    ("AngleBackward0", _method("angle"), lambda: (_any(2, 3),), False),
    ("MvlgammaBackward0", _method("mvlgamma", 2), _one(1, 3), True),
    ("PolygammaBackward0", lambda x: torch.polygamma(1, x), _one(0.5, 3), True),
    ("PolygammaBackward1", lambda x: (x * 1).polygamma_(1), _one(0.5, 3), True),
    ("RoundBackward1", _method("round", decimals=1), _one(0.61, 0.64), False),
    ("FftR2CBackward0", lambda x: torch._fft_r2c(x, [1], 1, True), _one(-1, 1), True),
    ("FftC2RBackward0", lambda x: torch._fft_c2r(x, [1], 2, 5), _complex(2, 3), True),
    ("FftC2CBackward0", lambda x: torch._fft_c2c(x, [0, 1], 1, True), _complex(2, 3), True),
    ("FrexpBackward0", lambda x: torch.frexp(x).mantissa, _one(0.6, 0.9), False),
    ("Atan2Backward0", torch.atan2, lambda: (_any(2, 3), _any(3)), True),
    ("HypotBackward0", torch.hypot, lambda: (_any(2, 3), _any(3)), True),
    ("NextafterBackward0", torch.nextafter, _two(0.3, 2), False),
    ("CopysignBackward0", torch.copysign, lambda: (_any(2, 3), _any(3)), True),
    ("CopysignBackward1", lambda x: torch.copysign(x, -1.5), lambda: (_any(2, 3),), True),
    ("FmaxBackward0", torch.fmax, lambda: (_any(2, 3), _any(2, 3)), True),
    ("FminBackward0", torch.fmin, lambda: (_any(2, 3), _any(2, 3)), True),
    ("FmodBackward0", lambda x: torch.fmod(x, 3.0), _one(0.3, 2.5), True),
    ("FmodBackward1", torch.fmod, lambda: (_between(2.1, 2.4, 2, 3), _between(1, 1.04, 3)), True),
    ("IgammaBackward0", lambda x: torch.igamma(torch.tensor(1.5).double(), x), _one(0.5, 3), True),
    (
        "IgammacBackward0",
        lambda x: torch.igammac(torch.tensor(1.5).double(), x),
        _one(0.5, 3),
        True,
    ),
    ("LdexpBackward0", torch.ldexp, lambda: (_any(2, 3), _between(-1, 1, 3)), True),
    ("LogaddexpBackward0", torch.logaddexp, _two(-2, 2), True),
    ("Logaddexp2Backward0", torch.logaddexp2, _two(-2, 2), True),
    ("XlogyBackward0", torch.xlogy, _two(0.3, 2), True),
    ("XlogyBackward1", lambda x: torch.xlogy(1.5, x), _one(0.3, 2), True),
    ("XlogyBackward2", lambda x: torch.xlogy(x, 1.5), _one(0.3, 2), True),
    ("SpecialXlog1PyBackward0", torch.special.xlog1py, _two(0.3, 2), True),
    ("SpecialXlog1PyBackward1", lambda x: torch.special.xlog1py(x, 1.5), _one(0.3, 2), True),
    ("SpecialXlog1PyBackward2", lambda x: torch.special.xlog1py(1.5, x), _one(0.3, 2), True),
    (
        "SpecialZetaBackward0",
        lambda x: torch.special.zeta(torch.tensor(2.5).double(), x),
        _one(0.5, 2),
        True,
    ),
    ("SpecialZetaBackward1", lambda x: torch.special.zeta(2.5, x), _one(0.5, 2), True),
    (
        "ClampBackward0",
        torch.clamp,
        lambda: (_distinct(2, 3), _between(-0.55, -0.5, 3), _between(0.1, 0.15, 2, 3)),
        True,
    ),
    ("ClampMinBackward1", torch.clamp_min, lambda: (_distinct(2, 3), _between(0.1, 0.15, 3)), True),
    ("ClampMaxBackward1", torch.clamp_max, lambda: (_distinct(2, 3), _between(0.1, 0.15, 3)), True),
    # ---- complex numbers, by their parts
    (
        "ViewAsRealBackward0",
        lambda a, b: torch.view_as_real(torch.complex(a, b).exp()),
        lambda: (_any(2, 3), _any(2, 3)),
        True,
    ),
    (
        "ViewAsRealBackward0",
        lambda a, b: torch.view_as_real(torch.polar(a, b).tanh()),
        lambda: (_between(0.3, 1, 2, 3), _between(-1, 1, 2, 3)),
        True,
    ),
    (
        "ViewAsRealBackward0",
        lambda x: torch.view_as_real(torch.view_as_complex(x).conj().sgn()),
        lambda: (_any(3, 2),),
        True,
    ),
    # ---- views, scans, selections
    ("UnfoldBackward0", _method("unfold", 1, 3, 2), _one(-1, 1, 2, 7), True),
    ("CummaxBackward0", lambda x: x.cummax(1)[0], lambda: (_distinct(2, 4),), True),
    ("CumminBackward0", lambda x: x.cummin(1)[0], lambda: (_distinct(2, 4),), True),
    ("CumprodBackward0", _method("cumprod", 1), lambda: (_any(2, 4),), True),
    (
        "CumprodBackward0",
        lambda x: (x * torch.tensor([1.0, 0.0, 1.0, 1.0]).double()).cumprod(1),
        lambda: (_any(2, 4),),
        True,
    ),
    ("LogcumsumexpBackward0", _method("logcumsumexp", 1), lambda: (_any(2, 4),), True),
    ("AminmaxBackward0", lambda x: x.aminmax(dim=1), lambda: (_distinct(2, 4),), True),
    ("AminmaxBackward0", lambda x: x.aminmax(), lambda: (_distinct(2, 4),), True),
    ("KthvalueBackward0", lambda x: x.kthvalue(2, 1)[0], lambda: (_distinct(2, 4),), True),
    ("MedianBackward0", _method("median"), lambda: (_distinct(2, 4),), True),
    ("MedianBackward1", lambda x: x.median(1)[0], lambda: (_distinct(2, 4),), True),
    ("NanmedianBackward0", _method("nanmedian"), lambda: (_distinct(2, 4),), True),
    ("NanmedianBackward1", lambda x: x.nanmedian(0)[0], lambda: (_distinct(3, 4),), True),
    ("ModeBackward0", lambda x: x.mode(1)[0], lambda: (_distinct(2, 4),), True),
    ("RenormBackward0", _method("renorm", 2, 0, 0.7), lambda: (_any(3, 4),), True),
    ("CdistBackward0", lambda a, b: torch.cdist(a, b, 3.0), lambda: (_any(3, 2), _any(4, 2)), True),
    ("CdistBackward0", lambda a, b: torch.cdist(a, b, 2.0), lambda: (_any(3, 2), _any(4, 2)), True),
    (
        "BaddbmmBackward0",
        lambda a, b, c: torch.baddbmm(a, b, c, beta=0.7, alpha=1.3),
        lambda: (_any(2, 2, 4), _any(2, 2, 3), _any(2, 3, 4)),
        True,
    ),
    *[
        (node, lambda a, b, f=loss, r=reduction: f(a, b, r, 0.3), _two(-1, 1), True)
        for node, loss in [
            ("SmoothL1LossBackward0", torch._C._nn.smooth_l1_loss),
            ("HuberLossBackward0", torch._C._nn.huber_loss),
        ]
        for reduction in (0, 1)
    ],
    ("LinalgCrossBackward0", torch.linalg.cross, lambda: (_any(2, 3), _any(1, 3)), True),
    (
        "AddrBackward0",
        lambda a, b, c: torch.addr(a, b, c, beta=0.7, alpha=1.3),
        lambda: (_any(2, 4), _any(2), _any(4)),
        True,
    ),
    (
        "BlockDiagBackward0",
        lambda *blocks: torch.block_diag(*blocks),
        lambda: (_any(2, 3), _any(4), _any(), _any(1, 2)),
        True,
    ),
    (
        "ViewAsRealBackward0",
        lambda a, b: torch.view_as_real(torch.block_diag(a, torch.complex(b, b))),
        lambda: (_any(2, 3), _any(3)),
        True,
    ),
    ("DiagEmbedBackward0", lambda x: torch.diag_embed(x, 1, 0, 2), lambda: (_any(2, 3),), True),
    (
        "DiagonalScatterBackward0",
        lambda a, b: torch.diagonal_scatter(a, b, 1),
        lambda: (_any(3, 4), _any(3)),
        True,
    ),
    (
        "SelectScatterBackward0",
        lambda a, b: torch.select_scatter(a, b, 1, -2),
        lambda: (_any(3, 4), _any(3)),
        True,
    ),
    (
        "SliceScatterBackward0",
        lambda a, b: torch.slice_scatter(a, b, 1, 1, 4, 2),
        lambda: (_any(3, 5), _any(3, 2)),
        True,
    ),
    (
        "PutBackward0",
        lambda a, b: torch.put(a, torch.tensor([[5, 0], [-2, 3]]), b),
        lambda: (_any(3, 4), _any(2, 2)),
        True,
    ),
    (
        "PutBackward0",
        lambda a, b: torch.put(a.t(), torch.tensor([5, 0, 5, 3]), b, accumulate=True),
        lambda: (_any(3, 4), _any(4)),
        True,
    ),
    (
        "NansumBackward0",
        lambda x: torch.nansum(torch.where(x > 1, torch.nan, x), 1, keepdim=True),
        lambda: (_any(3, 4),),
        True,
    ),
    ("RollBackward0", lambda x: torch.roll(x, (1, -2), (0, 1)), lambda: (_any(3, 5),), True),
    ("RollBackward0", lambda x: torch.roll(x, 4), lambda: (_any(3, 5),), True),
    ("Rot90Backward0", lambda x: torch.rot90(x, 3, (2, 0)), lambda: (_any(2, 3, 4),), True),
    ("TraceBackward0", lambda x: x.trace(), lambda: (_any(3, 5),), True),
    (
        "IndexCopyBackward0",
        lambda x, s: x.index_copy(1, torch.tensor([2, 0]), s),
        lambda: (_any(2, 3), _any(2, 2)),
        True,
    ),
    *[
        (
            "IndexReduceBackward0",
            lambda x, s, how=how, own=own: x.index_reduce(1, _INDEX, s, how, include_self=own),
            lambda: (_distinct(2, 3), _distinct(2, 3, first=-0.55)),
            how != "prod",
        )
        for how in _REDUCTIONS[1:]
        for own in (True, False)
    ],
    *[
        (
            "ScatterReduceBackward0",
            lambda x, s, how=how, own=own: x.scatter_reduce(0, _INDICES, s, how, include_self=own),
            lambda: (_distinct(2, 3), _distinct(2, 3, first=-0.55)),
            how != "prod",
        )
        for how in _REDUCTIONS
        for own in (True, False)
    ],
]


def _first(output: Any) -> Any:
    return output[0] if isinstance(output, (tuple, list)) else output


@pytest.mark.parametrize(
    ("node", "function", "inputs", "twice"),
    _CASES,
    ids=[f"{case[0]}-{i}" for i, case in enumerate(_CASES)],
)
def test_matches_finite_differences(
    node: str, function: Callable[..., Any], inputs: Callable[[], Inputs], twice: bool
) -> None:
    arguments = inputs()
    assert _first(function(*arguments)).grad_fn.name() == node
    assert gradcheck(function, arguments)
    if twice:
        assert gradgradcheck(function, arguments, atol=1e-4)


@pytest.mark.parametrize(
    ("node", "fill"),
    [
        ("CauchyBackward0", lambda x: x.cauchy_()),
        ("ExponentialBackward0", lambda x: x.exponential_()),
        ("GeometricBackward0", lambda x: x.geometric_(0.5)),
        ("LogNormalBackward0", lambda x: x.log_normal_()),
    ],
)
def test_random_fillings_forget_what_was_there(node: str, fill: Callable[[Any], Any]) -> None:
    x = _any(2, 3)
    result = fill(x * 1)
    assert result.grad_fn.name() == node
    result.sum().backward()
    assert x.grad.abs().max().item() == 0


@pytest.mark.parametrize(
    ("node", "draw"),
    [
        ("NormalBackward1", lambda x: torch.normal(x, 1.0)),
        ("NormalBackward2", lambda x: torch.normal(0.0, x)),
        ("NormalBackward3", lambda x: torch.normal(x, x)),
        ("PoissonBackward0", lambda x: torch.poisson(x)),
    ],
)
def test_samples_have_no_gradient_by_their_parameters(
    node: str, draw: Callable[[Any], Any]
) -> None:
    x = _between(0.5, 2, 2, 3)
    result = draw(x)
    assert result.grad_fn.name() == node
    result.sum().backward()
    assert x.grad.abs().max().item() == 0


@pytest.mark.parametrize(
    ("node", "function", "name"),
    [
        ("HeavisideBackward0", lambda x: torch.heaviside(x, x), "heaviside"),
        ("SpecialZetaBackward2", lambda x: torch.special.zeta(x, 2.0), "zeta"),
        ("UniqueBackward0", lambda x: torch._unique(x)[0], "_unique"),
        ("Unique2Backward0", lambda x: torch.unique(x), "_unique2"),
        ("UniqueDimBackward0", lambda x: torch.unique(x, dim=0), "unique_dim"),
        (
            "UniqueConsecutiveBackward0",
            lambda x: torch.unique_consecutive(x),
            "unique_consecutive",
        ),
        (
            "UniqueDimConsecutiveBackward0",
            lambda x: torch.unique_dim_consecutive(x, 0)[0],
            "unique_dim_consecutive",
        ),
        (
            "ScatterBackward2",
            lambda x: torch.scatter(x, 0, _INDICES, x, reduce="add"),
            "scatter.reduce",
        ),
        (
            "ScatterBackward3",
            lambda x: torch.scatter(x, 0, _INDICES, 1.5, reduce="add"),
            "scatter.value_reduce",
        ),
    ],
)
def test_what_has_no_derivative_says_so(
    node: str, function: Callable[[Any], Any], name: str
) -> None:
    result = function(_between(1.5, 3, 2, 3))
    assert result.grad_fn.name() == node
    with pytest.raises(
        NotImplementedError, match=f"the derivative for '{name}' is not implemented"
    ):
        result.sum().backward()


# Nodes that the cases above meet on the way, inside of others: ComplexBackward0, PolarBackward0,
# ViewAsComplexBackward0, ConjPhysicalBackward1, UnfoldBackwardBackward0,
# SmoothL1LossBackwardBackward0, HuberLossBackwardBackward0.


def test_conjugation_in_place() -> None:
    x = _any(2, 2)
    z = torch.view_as_complex(x * 1)
    z = (z * 1).conj_physical_()
    assert z.grad_fn.name() == "ConjPhysicalBackward0"
    torch.view_as_real(z).sum().backward()
    assert x.grad.tolist() == [[1.0, -1.0]] * 2


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("number", [0, 1])
def test_comparisons_in_place_forget_what_was_there(name: str, number: int) -> None:
    # EqBackward0 EqBackward1 NeBackward0 NeBackward1 LtBackward0 LtBackward1
    # LeBackward0 LeBackward1 GtBackward0 GtBackward1 GeBackward0 GeBackward1
    x = _any(2, 3)
    result = getattr(x * 1, name + "_")(_any(2, 3) if number else 0.1)
    assert result.grad_fn.name() == f"{name.capitalize()}Backward{number}"
    result.sum().backward()
    assert x.grad.abs().max().item() == 0


def test_gamma_samples_have_implicit_gradients() -> None:
    """StandardGammaBackward0: a sample x moves with alpha at a fixed distribution function."""
    alpha = torch.tensor([0.02, 0.3, 1.0, 4.0, 60.0], dtype=torch.float64).expand(8, 5).contiguous()
    alpha.requires_grad_()
    sample = torch._standard_gamma(alpha)
    sample.sum().backward()
    a, x = alpha.detach(), sample.detach()
    h = 1e-5 * a
    by_alpha = (torch.special.gammainc(a + h, x) - torch.special.gammainc(a - h, x)) / (2 * h)
    density = torch.exp((a - 1) * x.log() - x - torch.lgamma(a))
    torch.testing.assert_close(alpha.grad, -by_alpha / density, rtol=1e-6, atol=1e-12)
