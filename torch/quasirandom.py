"""Points that fill the unit cube evenly: Sobol sequences."""

from __future__ import annotations

import importlib
from typing import Any

import torch
from torch._tensor import Tensor


class SobolEngine:
    """Draws the points of a Sobol sequence, which fill the unit cube more evenly than random ones.

    Point k is the exclusive or of the direction numbers that the bits of k's Gray code name; see
    Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008).
    Their table is not in this package: SciPy's is read, so SciPy has to be installed.

    Args:
        dimension: of the cube, 1 to 21201.
        scramble: whether the directions are mixed by random triangular matrices and the points
            shifted (Matousek's linear scrambling).
        seed: of the scrambling; None takes the default generator.

    Raises:
        ValueError: another dimension.
        ModuleNotFoundError: SciPy is not installed.

    Example::

        >>> engine = torch.quasirandom.SobolEngine(dimension=2)  # doctest: +SKIP
        >>> engine.draw(3)  # doctest: +SKIP
        tensor([[0.0000, 0.0000],
                [0.5000, 0.5000],
                [0.7500, 0.2500]])
    """

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension: int, scramble: bool = False, seed: int | None = None) -> None:
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(
                f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]"
            )
        self.dimension = dimension
        self.scramble = scramble
        self.seed = seed
        # One row for each dimension, one column for each bit.
        self.sobolstate = _directions(dimension, self.MAXBIT)
        self.shift = torch.zeros(dimension, dtype=torch.int64)
        if scramble:
            self._scramble()
        self.num_generated = 0
        # The last point that was drawn, as integers.
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)

    def _scramble(self) -> None:
        generator = None if self.seed is None else torch.Generator().manual_seed(self.seed)
        bits = self.MAXBIT
        digits = torch.randint(2, (self.dimension, bits), generator=generator)
        self.shift = (digits * 2 ** torch.arange(bits)).sum(-1)
        mixing = torch.randint(2, (self.dimension, bits, bits), generator=generator).tril()
        mixing.diagonal(0, -2, -1).fill_(1)
        # Digits of the directions, the most significant first, times the matrices, modulo 2.
        places = torch.arange(bits - 1, -1, -1).unsqueeze(-1)
        directions = self.sobolstate.unsqueeze(-2).bitwise_right_shift(places) & 1
        mixed = (mixing.float() @ directions.float()).long() & 1
        self.sobolstate = (mixed * 2**places).sum(-2)

    def _points(self, first: int, n: int) -> Tensor:
        """Points `first` to `first + n - 1` as integers."""
        count = torch.arange(first, first + n)
        code = (count ^ count.bitwise_right_shift(1)).unsqueeze(-1)
        points = self.shift.expand(n, -1).clone()
        for bit in range((first + n - 1).bit_length()):
            points ^= (code.bitwise_right_shift(bit) & 1) * self.sobolstate[:, bit]
        return points

    def draw(
        self, n: int = 1, out: Tensor | None = None, dtype: torch.dtype | None = None
    ) -> Tensor:
        """The next points.

        Args:
            n: how many.
            out: where they go; it is resized.
            dtype: of the result; the default dtype if None.

        Returns:
            n rows of numbers in [0, 1), of shape (n, dimension).

        Raises:
            RuntimeError: n is less than 1, or the sequence has no more points.
        """
        if n < 1:
            raise RuntimeError(f"SobolEngine.draw: n must be at least 1, but got {n}")
        self._check_end(n)
        points = self._points(self.num_generated, n)
        self.num_generated += n
        self.quasi = points[-1].clone()
        wanted = torch.get_default_dtype() if dtype is None else dtype
        result = points.to(wanted) * 2.0**-self.MAXBIT
        if out is None:
            return result
        return out.resize_as_(result).copy_(result)

    def draw_base2(self, m: int, out: Tensor | None = None, dtype: Any = None) -> Tensor:
        """The next 2**m points; with them, the number of points must be a power of 2.

        Args:
            m: the exponent.
            out: where they go.
            dtype: of the result; the default dtype if None.

        Raises:
            ValueError: the number of points would not be a power of 2.
        """
        total = self.num_generated + 2**m
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: n={self.num_generated}+2**{m}={total}. If you still want to do this, please use 'SobolEngine.draw()' instead."
            )
        return self.draw(2**m, out=out, dtype=dtype)

    def reset(self) -> SobolEngine:
        """Goes back to the first point; the scrambling stays."""
        self.quasi = self.shift.clone()
        self.num_generated = 0
        return self

    def fast_forward(self, n: int) -> SobolEngine:
        """Leaves the next n points out.

        Args:
            n: how many.
        """
        self._check_end(n)
        self.num_generated += n
        self.quasi = self._points(max(self.num_generated - 1, 0), 1)[0]
        return self

    def _check_end(self, n: int) -> None:
        if self.num_generated + n > 2**self.MAXBIT:
            raise RuntimeError(
                f"a Sobol sequence of {self.MAXBIT} bits has 2**{self.MAXBIT} points; {self.num_generated} were drawn and {n} more are asked for"
            )

    def __repr__(self) -> str:
        parts = [f"dimension={self.dimension}"]
        if self.scramble:
            parts.append("scramble=True")
        if self.seed is not None:
            parts.append(f"seed={self.seed}")
        return f"{type(self).__name__}({', '.join(parts)})"


def _directions(dimension: int, bits: int) -> Tensor:
    """Joe and Kuo's direction numbers, from SciPy."""
    try:
        qmc: Any = importlib.import_module("scipy.stats").qmc
    except ImportError as error:
        raise ModuleNotFoundError(
            "SobolEngine reads the direction numbers of Sobol sequences from SciPy, which cannot be imported; run: python -m pip install scipy"
        ) from error
    found = getattr(qmc.Sobol(dimension, scramble=False, bits=bits), "_sv", None)
    if found is None or found.shape != (dimension, bits):
        raise ModuleNotFoundError(
            "SobolEngine found no direction numbers in this version of SciPy (scipy.stats.qmc.Sobol._sv); run: python -m pip install 'scipy>=1.9,<2'"
        )
    return torch.from_numpy(found.astype("int64"))
