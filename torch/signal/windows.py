"""Windows: weights of the samples of a piece of a signal, by which its spectrum leaks less.

Each has M samples; with `sym=True` it is symmetric, which filters want, and with `sym=False` one
period of a function, which spectra want: the first M samples of M + 1. The formulas are those of
F. Harris, "On the Use of Windows for Harmonic Analysis" (1978), and of PyTorch's documentation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch._docstrings import documented_by

_ARGUMENTS = """

Args:
    M: how many samples; 0 gives none.
    sym: whether the window is symmetric; else it is one period.
    dtype: float32 or float64; the default one if None.
    layout: `torch.strided`.
    device: where the result is.
    requires_grad: whether the result wants a gradient.

Raises:
    ValueError: M is negative, the layout is another, or the dtype neither float32 nor float64.
"""


def _window(
    name: str,
    M: int,
    values: Callable[[Tensor, float], Tensor],
    dtype: torch.dtype | None,
    layout: torch.layout,
    device: Any,
    requires_grad: bool,
    sym: bool,
) -> Tensor:
    """`values` of the numbers of the samples and of the number of the last sample."""
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    dtype = dtype or torch.get_default_dtype()
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
    if M == 0:
        return torch.empty((0,), dtype=dtype, device=device, requires_grad=requires_grad)
    with torch.no_grad():
        last = float(M - 1 if sym else M)
        n = torch.arange(M, dtype=dtype, device=device)
        result = values(n, last) if M > 1 else torch.ones_like(n)
    return result.requires_grad_() if requires_grad else result


def _options(
    dtype: Any, layout: Any, device: Any, requires_grad: bool, sym: bool
) -> dict[str, Any]:
    return {
        "dtype": dtype,
        "layout": layout,
        "device": device,
        "requires_grad": requires_grad,
        "sym": sym,
    }


def _cosines(name: str, M: int, weights: list[float], **options: Any) -> Tensor:
    def values(n: Tensor, last: float) -> Tensor:
        signed = [(-1) ** i * w for i, w in enumerate(weights)]
        factors = torch.tensor(signed, dtype=n.dtype, device=n.device)
        orders = torch.arange(len(weights), dtype=n.dtype, device=n.device)
        angles = orders[:, None] * (n * (2 * math.pi / last))
        return (factors[:, None] * torch.cos(angles)).sum(0)

    return _window(name, M, values, **options)


@documented_by(_ARGUMENTS)
def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    r"""w_n = exp(-|n - c| / tau), a Poisson window.

    Args:
        center: c; the middle by default, and the only choice if the window is symmetric.
        tau: how fast it decays, greater than 0.

    Example::

        >>> torch.signal.windows.exponential(3)
        tensor([0.3679, 1.0000, 0.3679])
    """
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")

    def values(n: Tensor, last: float) -> Tensor:
        middle = last / 2 if center is None else center
        return torch.exp(-(n - middle).abs() / tau)

    return _window("exponential", M, values, dtype, layout, device, requires_grad, sym)


@documented_by(_ARGUMENTS)
def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = sin(pi (n + 1/2) / M), half of a sine.

    Example::

        >>> torch.signal.windows.cosine(3)
        tensor([0.5000, 1.0000, 0.5000])
    """

    def values(n: Tensor, last: float) -> Tensor:
        return torch.sin(math.pi / (last + 1) * (n + 0.5))

    return _window("cosine", M, values, dtype, layout, device, requires_grad, sym)


@documented_by(_ARGUMENTS)
def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = exp(-((n - c) / std)^2 / 2), where c is the middle.

    Args:
        std: the standard deviation, greater than 0.

    Example::

        >>> torch.signal.windows.gaussian(3)
        tensor([0.6065, 1.0000, 0.6065])
    """
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")

    def values(n: Tensor, last: float) -> Tensor:
        return torch.exp(-(((n - last / 2) / (std * math.sqrt(2))) ** 2))

    return _window("gaussian", M, values, dtype, layout, device, requires_grad, sym)


@documented_by(_ARGUMENTS)
def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = I0(beta sqrt(1 - ((n - c) / c)^2)) / I0(beta), where c is the middle.

    Args:
        beta: the shape, not negative; larger ones leak less and blur more.

    Example::

        >>> torch.signal.windows.kaiser(3, beta=1.0)
        tensor([0.7898, 1.0000, 0.7898])
    """
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")

    def values(n: Tensor, last: float) -> Tensor:
        place = (n - last / 2) / (last / 2)
        scale = torch.tensor(beta, dtype=n.dtype, device=n.device)
        inside = torch.clamp(1 - place * place, min=0)
        return torch.special.i0(scale * torch.sqrt(inside)) / torch.special.i0(scale)

    return _window("kaiser", M, values, dtype, layout, device, requires_grad, sym)


@documented_by(_ARGUMENTS)
def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = 1 - |2 n / (M - 1) - 1|, a triangle.

    Example::

        >>> torch.signal.windows.bartlett(5)
        tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """

    def values(n: Tensor, last: float) -> Tensor:
        return 1 - (n * (2 / last) - 1).abs()

    return _window("bartlett", M, values, dtype, layout, device, requires_grad, sym)


@documented_by(_ARGUMENTS)
def general_cosine(
    M: int,
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = sum_i (-1)^i a_i cos(2 pi i n / (M - 1)).

    Args:
        a: the weights of the cosines, from that of the constant on.

    Example::

        >>> torch.signal.windows.general_cosine(3, a=[0.5, 0.5])
        tensor([0., 1., 0.])
    """
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    weights = list(a)
    if not weights:
        raise ValueError("Coefficients cannot be empty")
    options = _options(dtype, layout, device, requires_grad, sym)
    return _cosines("general_cosine", M, weights, **options)


@documented_by(_ARGUMENTS)
def general_hamming(
    M: int,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = alpha - (1 - alpha) cos(2 pi n / (M - 1)).

    Args:
        alpha: the weight of the constant.

    Example::

        >>> torch.signal.windows.general_hamming(3, alpha=0.5)
        tensor([0., 1., 0.])
    """
    options = _options(dtype, layout, device, requires_grad, sym)
    return general_cosine(M, a=[alpha, 1.0 - alpha], **options)


@documented_by(_ARGUMENTS)
def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = 0.54 - 0.46 cos(2 pi n / (M - 1)).

    Example::

        >>> torch.signal.windows.hamming(3)
        tensor([0.0800, 1.0000, 0.0800])
    """
    return general_hamming(M, **_options(dtype, layout, device, requires_grad, sym))


@documented_by(_ARGUMENTS)
def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = (1 - cos(2 pi n / (M - 1))) / 2.

    Example::

        >>> torch.signal.windows.hann(3)
        tensor([0., 1., 0.])
    """
    return general_hamming(M, alpha=0.5, **_options(dtype, layout, device, requires_grad, sym))


@documented_by(_ARGUMENTS)
def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """w_n = 0.42 - 0.5 cos(2 pi n / (M - 1)) + 0.08 cos(4 pi n / (M - 1)).

    Example::

        >>> torch.signal.windows.blackman(5)[1]
        tensor(0.3400)
    """
    options = _options(dtype, layout, device, requires_grad, sym)
    return _cosines("blackman", M, [0.42, 0.5, 0.08], **options)


@documented_by(_ARGUMENTS)
def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The cosines of `general_cosine`, weighed 0.3635819, 0.4891775, 0.1365995 and 0.0106411.

    A. Nuttall, "Some Windows with Very Good Sidelobe Behavior" (1981).

    Example::

        >>> torch.signal.windows.nuttall(5)[1]
        tensor(0.2270)
    """
    weights = [0.3635819, 0.4891775, 0.1365995, 0.0106411]
    return general_cosine(M, a=weights, **_options(dtype, layout, device, requires_grad, sym))


__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]
