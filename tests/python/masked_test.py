"""torch.masked: what a mask leaves, compared with the same function of the elements themselves."""

from __future__ import annotations

import doctest
from typing import Any

import pytest
import torch
from torch import masked


def rows(dtype: Any = torch.float64) -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.randn(5, 7, dtype=torch.float64).mul(5).to(dtype)
    mask = torch.rand(5, 7) < 0.6
    mask[:, 0] = True
    mask[:, 1] = True
    return x, mask


@pytest.mark.parametrize(
    "name", ["sum", "prod", "amax", "amin", "mean", "logsumexp", "norm", "var", "std"]
)
def test_reductions(name: str) -> None:
    x, mask = rows()
    function = getattr(masked, name)
    plain = {"norm": torch.linalg.vector_norm}.get(name) or getattr(torch, name)
    extra = (0,) if name == "logsumexp" else ()
    expected = torch.stack([plain(row[m], *extra) for row, m in zip(x, mask, strict=True)])
    torch.testing.assert_close(function(x, dim=1, mask=mask), expected)
    torch.testing.assert_close(function(x, dim=1, keepdim=True, mask=mask), expected[:, None])
    torch.testing.assert_close(function(x, mask=mask), plain(x[mask], *extra))
    torch.testing.assert_close(function(x, dim=(0, 1), mask=mask), plain(x[mask], *extra))
    torch.testing.assert_close(function(x), plain(x.flatten(), *extra))
    torch.testing.assert_close(
        function(x, dim=0, mask=mask[0]),
        function(x, dim=0, mask=mask[0].expand(5, 7)),
        equal_nan=True,
    )
    assert torch.autograd.gradcheck(
        lambda y: function(y, dim=1, mask=mask), x.clone().requires_grad_()
    )


def test_places_and_scans() -> None:
    x, mask = rows()
    for name in ["argmax", "argmin"]:
        expected = [
            m.nonzero()[getattr(row[m], name)()].item() for row, m in zip(x, mask, strict=True)
        ]
        places = getattr(masked, name)(x, 1, mask=mask)
        assert places.tolist() == expected
        assert places.dtype == x.dtype
    for name, one in [("cumsum", 0.0), ("cumprod", 1.0)]:
        expected_scan = getattr(torch.where(mask, x, one), name)(1)
        torch.testing.assert_close(getattr(masked, name)(x, 1, mask=mask), expected_scan)
    medians = torch.stack([row[m].median() for row, m in zip(x, mask, strict=True)])
    torch.testing.assert_close(masked.median(x, 1, mask=mask), medians)


def test_normalizations() -> None:
    x, mask = rows()
    for name in ["softmax", "log_softmax", "softmin"]:
        result = getattr(masked, name)(x, 1, mask=mask)
        plain = getattr(torch.nn.functional, name)
        for row, m, found in zip(x, mask, result, strict=True):
            torch.testing.assert_close(found[m], plain(row[m], 0))
    unit = masked.normalize(x, 2.0, 1, mask=mask)
    for row, m, found in zip(x, mask, unit, strict=True):
        torch.testing.assert_close(found[m], row[m] / row[m].norm())
        assert not found[~m].any()
    torch.testing.assert_close(masked.logaddexp(x, x.flip(1), other_mask=torch.zeros(5, 7)), x)


def test_integers_empty_masks_and_errors() -> None:
    x, mask = rows(torch.int32)
    assert masked.sum(x, 1, mask=mask).dtype == torch.int64
    assert masked.amax(x, 1, mask=mask).dtype == torch.int32
    nothing = torch.zeros(5, 7)
    assert masked.sum(x, mask=nothing).item() == 0
    assert masked.prod(x, mask=nothing).item() == 1
    assert masked.mean(x.double(), 1, mask=nothing).isnan().all()
    assert masked.amax(x, mask=nothing).item() == torch.iinfo(torch.int32).min
    with pytest.raises(ValueError, match=r"mean\(\): Could not infer output dtype"):
        masked.mean(x)
    with pytest.raises(IndexError, match="Dimension out of range"):
        masked.sum(x, 2)
    with pytest.raises(RuntimeError, match="appears multiple times"):
        masked.sum(x, (0, -2))
    with pytest.raises(NotImplementedError, match="without tensors with masks"):
        masked.masked_tensor(x, mask)


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int64])
def test_integers_keep_their_dtype(dtype: Any) -> None:
    """Only sums and products of integers are int64; fractions are cut off."""
    x = torch.tensor([[1, 2, 0, 7], [3, 4, 5, 6]]).to(dtype)
    mask = torch.tensor([[True, True, True, False], [True, False, True, True]])
    for name in ["cumsum", "cumprod", "amax", "amin", "argmax", "argmin", "median", "logsumexp"]:
        function = getattr(masked, name)
        found = function(x, 1, mask=mask)
        assert found.dtype == dtype
        assert function(x, 1, dtype=torch.float64, mask=mask).dtype == torch.float64
        expected = function(x.double(), 1, mask=mask)
        torch.testing.assert_close(found, expected.to(dtype))
    for name in ["var", "std"]:
        assert getattr(masked, name)(x, 1, mask=mask).dtype == torch.float32
    for name in ["softmax", "log_softmax"]:
        with pytest.raises(NotImplementedError, match=f"{name}.* not implemented for"):
            getattr(masked, name)(x, 1, mask=mask)
    with pytest.raises(RuntimeError, match="Expected a floating point or complex tensor"):
        masked.norm(x, 2.0, 1, mask=mask)
    with pytest.raises(ValueError, match="masked median expects no fully masked out rows"):
        masked.median(x, 1, mask=torch.zeros(2, 4))
    # The places of fractions, not of what is left of them.
    assert masked.argmax(torch.tensor([1.2, 1.7]), 0, dtype=torch.int64).item() == 1


def test_doctests_of_the_module() -> None:
    results = doctest.testmod(masked, extraglobs={"torch": torch})
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("dtype", [torch.float64, torch.int32, torch.bool])
def test_no_mask_is_a_mask_of_ones(dtype: Any) -> None:
    x = torch.randint(0, 9, (5, 7)).to(dtype)
    ones = torch.ones(5, 7, dtype=torch.bool)
    names = ["sum", "prod", "amax", "amin", "argmax", "argmin", "cumsum", "cumprod"]
    names += ["mean", "median", "logsumexp", "norm", "var", "std", "softmax", "log_softmax"]
    for name in names:
        results = []
        for mask in (None, ones):
            try:
                results.append(getattr(masked, name)(x, dim=1, mask=mask))
            except (RuntimeError, TypeError, ValueError) as error:
                results.append(str(error))
        plain, wanted = results
        assert type(plain) is type(wanted)
        if isinstance(plain, torch.Tensor):
            torch.testing.assert_close(plain, wanted)
        else:
            assert plain == wanted
    for name in ("mean", "var"):
        nothing = torch.ones(0, 3, dtype=torch.float64)
        torch.testing.assert_close(
            getattr(masked, name)(nothing, 0),
            getattr(masked, name)(nothing, 0, mask=torch.ones(0, 3)),
            equal_nan=True,
        )


def test_what_pytorchs_tests_ask() -> None:
    assert masked._canonical_dim(None, 3) == masked._canonical_dim((), 3) == (0, 1, 2)
    assert masked._canonical_dim(-1, 3) == (2,) and masked._canonical_dim((2, 0), 3) == (0, 2)
    with pytest.raises(RuntimeError, match="appears multiple times in the list of dims"):
        masked._canonical_dim((0, -3), 3)
    x, mask = torch.zeros(2, 3), torch.tensor([1, 0, 1])
    assert masked._input_mask(x, mask=mask).tolist() == [[True, False, True]] * 2
    with pytest.raises(ValueError, match="_input_mask requires explicit mask"):
        masked._input_mask(x)
    with pytest.raises(IndexError, match="mask dimensionality higher than of the input"):
        masked._input_mask(x, mask=torch.ones(1, 2, 3))
    rows_ = torch.tensor([[True, False, True], [False] * 3])
    assert masked._output_mask(masked.sum, x, 1, mask=rows_).tolist() == [True, False]
    assert masked._output_mask(masked.amax, x, keepdim=True, mask=rows_).tolist() == [[True]]
    assert masked._output_mask(masked.norm, x, 2, 1, mask=rows_).tolist() == [True, False]
    assert masked._output_mask(masked.softmax, x, 1, mask=rows_).equal(rows_)
    with pytest.raises(ValueError, match="_output_mask expected masked operation"):
        masked._output_mask(torch.sum, x, 1, mask=rows_)


def test_moments_of_complex_values_are_complex() -> None:
    x, mask = rows(torch.complex128)
    for name in ("var", "std"):
        found = getattr(masked, name)(x, mask=mask)
        assert found.dtype is torch.complex128 and found.imag == 0
        torch.testing.assert_close(found.real, getattr(torch, name)(x[mask]))


def test_moments_with_a_correction() -> None:
    x, mask = torch.arange(4.0), torch.tensor([True, True, False, True])
    for correction in (0, 0.5, 2):
        found = masked.var(x, 0, correction=correction, mask=mask)
        torch.testing.assert_close(found, torch.tensor(14 / 3 / (3 - correction)))
    assert masked.std(x, correction=0).item() == pytest.approx(1.25**0.5)
    assert masked.var(x, 0, correction=5).item() == float("inf")
    with pytest.raises(AssertionError, match="Only one of unbiased and correction may be given"):
        masked.var(x, 0, True, correction=1)
