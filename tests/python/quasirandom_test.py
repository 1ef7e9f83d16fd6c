"""Sobol sequences, with the first rows of the table that SciPy has."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest
import torch


class _Sobol:
    """What SciPy's class gives of Joe and Kuo's table, for its first three dimensions."""

    def __init__(self, d: int, *, scramble: bool, bits: int) -> None:
        assert not scramble
        rows = []
        # Degree, coefficients and first numbers of each dimension's polynomial.
        for degree, inner, first in [(0, 0, [1]), (1, 0, [1]), (2, 1, [1, 3])][:d]:
            m = [1] * bits if degree == 0 else list(first)
            for k in range(len(m), bits):
                value = m[k - degree] ^ (m[k - degree] << degree)
                for i in range(1, degree):
                    if (inner >> (degree - 1 - i)) & 1:
                        value ^= m[k - i] << i
                m.append(value)
            rows.append([number << (bits - 1 - k) for k, number in enumerate(m)])
        self._sv = np.array(rows, dtype=np.uint32)


@pytest.fixture
def scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    stats = types.ModuleType("scipy.stats")
    stats.__dict__["qmc"] = types.SimpleNamespace(Sobol=_Sobol)
    monkeypatch.setitem(sys.modules, "scipy", types.ModuleType("scipy"))
    monkeypatch.setitem(sys.modules, "scipy.stats", stats)


@pytest.mark.usefixtures("scipy")
def test_sobol_points() -> None:
    engine = torch.quasirandom.SobolEngine(3)
    points = engine.draw(5)
    assert points.tolist() == [
        [0, 0, 0],
        [0.5, 0.5, 0.5],
        [0.75, 0.25, 0.25],
        [0.25, 0.75, 0.75],
        [0.375, 0.375, 0.625],
    ]
    assert engine.num_generated == 5
    assert engine.fast_forward(5).draw(2, dtype=torch.float64).dtype == torch.float64
    together = engine.reset().draw(64)
    engine.reset()
    apart = [engine.draw(n) for n in (1, 2, 30, 31)]
    assert torch.equal(torch.cat(apart), together)
    assert torch.equal(engine.reset().fast_forward(7).draw(2), together[7:9])
    # Each interval of length 1/64 of each axis has one point.
    assert torch.equal((together * 64).long().sort(0).values[:, 0], torch.arange(64))
    assert torch.equal((together * 64).long().sort(0).values[:, 2], torch.arange(64))
    out = torch.empty(0)
    assert engine.reset().draw_base2(3, out=out) is out
    assert torch.equal(out, together[:8])
    assert repr(engine) == "SobolEngine(dimension=3)"


@pytest.mark.usefixtures("scipy")
def test_scrambled_sobol_points() -> None:
    engine = torch.quasirandom.SobolEngine(2, scramble=True, seed=1)
    # PyTorch's points for this seed.
    expected = torch.tensor([[0.6499, 0.1275], [0.2071, 0.5073]])
    torch.testing.assert_close(engine.fast_forward(2).draw(2), expected, atol=1e-4, rtol=0)
    together = engine.reset().draw(128)
    assert torch.equal((together * 128).long().sort(0).values[:, 1], torch.arange(128))
    torch.manual_seed(0)
    expected = torch.tensor([[0.4751, 0.5925], [0.5788, 0.0371]])
    engine = torch.quasirandom.SobolEngine(2, scramble=True)
    torch.testing.assert_close(engine.draw(2), expected, atol=1e-4, rtol=0)


@pytest.mark.usefixtures("scipy")
def test_wrong_uses_of_sobol_points(monkeypatch: pytest.MonkeyPatch) -> None:
    for dimension in (0, 21202):
        with pytest.raises(ValueError, match=r"dimensionality for SobolEngine is \[1, 21201\]"):
            torch.quasirandom.SobolEngine(dimension)
    engine = torch.quasirandom.SobolEngine(1)
    with pytest.raises(RuntimeError, match="n must be at least 1, but got 0"):
        engine.draw(0)
    engine.draw(3)
    with pytest.raises(ValueError, match=r"3 points have been .* n=3\+2\*\*2=7"):
        engine.draw_base2(2)
    with pytest.raises(RuntimeError, match=r"has 2\*\*30 points; 3 were drawn"):
        engine.fast_forward(2**30)
    monkeypatch.setattr(_Sobol, "__init__", lambda self, d, scramble, bits: None)
    with pytest.raises(ModuleNotFoundError, match="no direction numbers in this version of SciPy"):
        torch.quasirandom.SobolEngine(1)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(ModuleNotFoundError, match="run: python -m pip install scipy"):
        torch.quasirandom.SobolEngine(1)
