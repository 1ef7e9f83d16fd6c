"""torch.fft, stft and istft against NumPy, on random sizes; windows against their formulas."""

from __future__ import annotations

import doctest
import functools
import itertools
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

# Small factors, large primes (which go through Bluestein's algorithm), their products, and 1.
LENGTHS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 37, 64, 97, 101, 120, 127, 2 * 37, 6 * 41, 257, 1009]
NORMS = [None, "backward", "forward", "ortho"]


def random(*shape: int, complex: bool = False) -> Tensor:
    return torch.randn(*shape, dtype=torch.complex128 if complex else torch.float64)


def check(actual: Tensor, expected: Any, scale: float = 1.0) -> None:
    torch.testing.assert_close(
        actual,
        torch.from_numpy(np.ascontiguousarray(expected)),
        rtol=1e-11,
        atol=1e-12 * scale * max(1.0, float(np.abs(expected).max(initial=0))),
    )


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("norm", NORMS)
def test_lines_of_every_length(n: int, norm: Any) -> None:
    real, complex = random(3, n), random(3, n, complex=True)
    for name in ["fft", "ifft"]:
        for x in (real, complex):
            check(
                getattr(torch.fft, name)(x, norm=norm), getattr(np.fft, name)(x.numpy(), norm=norm)
            )
    for name in ["rfft", "ihfft"]:
        check(
            getattr(torch.fft, name)(real, norm=norm),
            getattr(np.fft, name)(real.numpy(), norm=norm),
        )
    half = random(3, n // 2 + 1, complex=True)
    for name in ["irfft", "hfft"]:
        for points in (n, None):
            if points is None and n == 1:
                continue
            check(
                getattr(torch.fft, name)(half, points, norm=norm),
                getattr(np.fft, name)(half.numpy(), points, norm=norm),
            )


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("n", [*LENGTHS, 6, 31 * 62, 961, 1000, 1024, 2187, 3840, 4096, 2 * 1009])
def test_lines_together_and_alone(n: int, double: bool) -> None:
    # Few lines and many, beside each other and behind each other.
    type = torch.float64 if double else torch.float32
    bound = 4 * torch.finfo(type).eps
    for shape, dim in [((n,), 0), ((3, n), 1), ((37, n), 1), ((n, 21), 0), ((2, n, 9), 1)]:
        real = torch.randn(shape, dtype=type)
        complex = torch.complex(real, torch.randn(shape, dtype=type))
        half = complex.narrow(dim, 0, n // 2 + 1)
        for name, x, *points in [
            ("fft", complex),
            ("ifft", complex),
            ("fft", real),
            ("rfft", real),
            ("irfft", half, n),
        ]:
            found = getattr(torch.fft, name)(x, *points, dim=dim).numpy()
            wide = x.numpy().astype(np.complex128 if x.is_complex() else np.float64)
            wanted = getattr(np.fft, name)(wide, *points, axis=dim)
            assert found.dtype == (real if name == "irfft" else complex).numpy().dtype
            error = np.linalg.norm(found - wanted, axis=dim)
            assert (error <= bound * np.linalg.norm(wanted, axis=dim)).all()


@pytest.mark.parametrize("shape", [(64, 4096), (4096, 48), (3, 4, 9000), (200_000,)])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_large_transforms_share_threads(shape: tuple[int, ...], threads: int) -> None:
    x, before = random(*shape, complex=True), torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        for dim in range(len(shape)):
            check(torch.fft.fft(x, dim=dim), np.fft.fft(x.numpy(), axis=dim))
            check(torch.fft.rfft(x.real, dim=dim), np.fft.rfft(x.numpy().real, axis=dim))
            check(torch.fft.irfft(x, dim=dim), np.fft.irfft(x.numpy(), axis=dim))
        check(torch.fft.fftn(x), np.fft.fftn(x.numpy()))
    finally:
        torch.set_num_threads(before)


def test_lines_do_not_disturb_each_other() -> None:
    for n in (60, 61, 4096):
        x = torch.randn(5, n, dtype=torch.float64)
        x[1::2] *= 1e30
        x[4] = float("nan")
        for line, found in zip(x[:4], torch.fft.rfft(x), strict=False):
            wanted = torch.from_numpy(np.fft.rfft(line.numpy()))
            assert float((found - wanted).norm()) <= 1e-15 * float(wanted.norm())


@pytest.mark.parametrize("n", [1, 5, 8, 11, 20])
@pytest.mark.parametrize("dim", [0, 1, 2, -1, -2, -3])
def test_n_cuts_or_fills_along_a_dimension(n: int, dim: int) -> None:
    x, z = random(7, 8, 9), random(7, 8, 9, complex=True)
    for name in ["fft", "ifft", "rfft", "ihfft"]:
        check(getattr(torch.fft, name)(x, n, dim), getattr(np.fft, name)(x.numpy(), n, dim))
    for name in ["fft", "ifft", "irfft", "hfft"]:
        check(getattr(torch.fft, name)(z, n, dim), getattr(np.fft, name)(z.numpy(), n, dim))


@pytest.mark.parametrize("norm", NORMS)
def test_several_dimensions(norm: Any) -> None:
    x, z = random(4, 37, 6), random(4, 37, 6, complex=True)
    shapes: list[tuple[Any, Any]] = [(None, None), (None, (0,)), (None, (-1, 0)), ((3, 40), (1, 2))]
    for s, dim in [*shapes, ((5, 5, 5), (0, 1, 2)), ((6, 50), (-3, -2))]:
        for name in ["fftn", "ifftn", "irfftn"]:
            expected = getattr(np.fft, name)(z.numpy(), s, dim, norm)
            check(getattr(torch.fft, name)(z, s, dim, norm), expected)
        check(torch.fft.rfftn(x, s, dim, norm), np.fft.rfftn(x.numpy(), s, dim, norm))
    # -1 keeps a size; without dim, s is of the last dimensions.
    check(torch.fft.fftn(z, (-1, 8)), np.fft.fftn(z.numpy(), (37, 8), (1, 2)))
    for name in ["fft2", "ifft2", "irfft2"]:
        check(getattr(torch.fft, name)(z, norm=norm), getattr(np.fft, name)(z.numpy(), norm=norm))
    check(torch.fft.rfft2(x, norm=norm), np.fft.rfft2(x.numpy(), norm=norm))


@pytest.mark.parametrize("norm", NORMS)
def test_hermitian_transforms_are_the_others_turned_round(norm: Any) -> None:
    x, z = random(4, 6, 10), random(4, 6, 10, complex=True)
    turned: Any = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}[
        norm
    ]
    check(torch.fft.hfftn(z, norm=norm), np.fft.irfftn(z.numpy().conj(), norm=turned))
    check(torch.fft.ihfftn(x, norm=norm), np.fft.rfftn(x.numpy(), norm=turned).conj())
    check(torch.fft.hfft2(z, norm=norm), np.fft.irfft2(z.numpy().conj(), norm=turned))
    check(torch.fft.ihfft2(x, norm=norm), np.fft.rfft2(x.numpy(), norm=turned).conj())


def test_strided_inputs_types_and_out() -> None:
    z = random(6, 10, complex=True)
    check(torch.fft.fft(z.T), np.fft.fft(z.numpy().T))
    check(torch.fft.fft(z.conj()), np.fft.fft(z.numpy().conj()))
    check(torch.fft.fft(z.imag), np.fft.fft(z.numpy().imag))
    single = torch.randn(97)
    assert torch.fft.fft(single).dtype == torch.complex64
    np.testing.assert_allclose(torch.fft.fft(single), np.fft.fft(single.double()), atol=1e-4)
    whole = torch.arange(5)
    assert torch.fft.rfft(whole).dtype == torch.complex64
    np.testing.assert_allclose(torch.fft.rfft(whole), np.fft.rfft(whole.numpy()), atol=1e-5)
    out = torch.empty(0, dtype=torch.complex128)
    assert torch.fft.fft(z, out=out) is out
    check(out, np.fft.fft(z.numpy()))
    assert torch.fft.fft(random(0, 4)).shape == (0, 4)


def test_frequencies_and_shifts() -> None:
    for n in [1, 2, 5, 8]:
        check(torch.fft.fftfreq(n, 0.25, dtype=torch.float64), np.fft.fftfreq(n, 0.25))
        check(torch.fft.rfftfreq(n, 0.25, dtype=torch.float64), np.fft.rfftfreq(n, 0.25))
    x = random(4, 5)
    for dim in [None, 0, (0, 1), -1]:
        check(torch.fft.fftshift(x, dim), np.fft.fftshift(x.numpy(), dim))
        check(torch.fft.ifftshift(x, dim), np.fft.ifftshift(x.numpy(), dim))


@pytest.mark.parametrize("n", [1, 4, 5, 37])
def test_gradients(n: int) -> None:
    real = random(2, n).requires_grad_()
    complex = random(2, n, complex=True).requires_grad_()
    for name in ["fft", "ifft", "rfft", "ihfft"]:
        assert torch.autograd.gradcheck(getattr(torch.fft, name), real)
    for name in ["fft", "ifft"]:
        assert torch.autograd.gradcheck(getattr(torch.fft, name), complex)
    half = random(2, n // 2 + 1, complex=True).requires_grad_()
    for name in ["irfft", "hfft"]:
        function = functools.partial(getattr(torch.fft, name), n=n)
        assert torch.autograd.gradcheck(function, half)
    small = random(2, 3, complex=True).requires_grad_()
    assert torch.autograd.gradgradcheck(torch.fft.fft2, small)
    assert torch.autograd.gradcheck(torch.fft.irfft2, small)
    assert torch.autograd.gradgradcheck(lambda x: torch.fft.irfftn(x, (2, 5)), small)
    assert torch.autograd.gradgradcheck(torch.fft.rfft2, random(2, 3).requires_grad_())


ERRORS: list[tuple[Any, type[Exception], str]] = [
    (lambda: torch.fft.fft(random(0)), RuntimeError, r"Invalid number of data points \(0\)"),
    (lambda: torch.fft.fft(random(4), 0), RuntimeError, r"Invalid number of data points \(0\)"),
    (lambda: torch.fft.fft(random(4), -3), RuntimeError, r"Invalid number of data points \(-3\)"),
    (lambda: torch.fft.irfft(random(1)), RuntimeError, r"Invalid number of data points \(0\)"),
    (lambda: torch.fft.fft(random(4), dim=1), IndexError, "Dimension out of range"),
    (lambda: torch.fft.fftn(random(4, 4), dim=(0, 5)), IndexError, "Dimension out of range"),
    (lambda: torch.fft.fftn(random(4, 4), dim=(0, -2)), RuntimeError, "FFT dims must be unique"),
    (lambda: torch.fft.fftn(random(4, 4), (2,), (0, 1)), RuntimeError, "must have the same length"),
    (lambda: torch.fft.fftn(random(4), (2, 2)), RuntimeError, "Got shape with 2 values but input"),
    (lambda: torch.fft.fft(random(4), norm="half"), RuntimeError, 'Invalid normalization mode: "h'),
    (lambda: torch.fft.rfft(random(4, complex=True)), RuntimeError, "rfft expects a real input"),
    (lambda: torch.fft.rfftn(random(4), dim=()), RuntimeError, "must transform at least one axis"),
    (lambda: torch.fft.fft(torch.ones(4).half()), RuntimeError, "Unsupported dtype Half"),
    (lambda: torch.fft.fftfreq(4, dtype=torch.int64), RuntimeError, "requires a floating point"),
    (lambda: torch._fft_r2c(random(4), [], 0, True), RuntimeError, "at least one dimension"),
    (lambda: torch.fft.fft(torch.tensor(1.0)), IndexError, "tensor has no dimensions"),
    (lambda: torch.fft.irfft(torch.tensor(1.0)), IndexError, "tensor has no dimensions"),
    (lambda: torch.fft.fftn(torch.tensor(1.0), dim=0), IndexError, "tensor has no dimensions"),
]


@pytest.mark.parametrize(("call", "kind", "text"), ERRORS)
def test_errors(call: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        call()


def stft_by_definition(x: Any, n_fft: int, hop: int, window: Any) -> Any:
    frames = [x[i : i + n_fft] * window for i in range(0, len(x) - n_fft + 1, hop)]
    return np.fft.rfft(np.stack(frames), axis=1).T


@pytest.mark.parametrize(("n_fft", "hop", "length"), [(16, 4, 16), (10, 3, 7), (37, 10, 37)])
def test_stft_and_its_inverse(n_fft: int, hop: int, length: int) -> None:
    x = random(200)
    window = torch.hann_window(length, dtype=torch.float64)
    left = (n_fft - length) // 2
    whole = np.pad(window.numpy(), (left, n_fft - length - left))
    bare = torch.stft(x, n_fft, hop, length, window, center=False, return_complex=True)
    check(bare, stft_by_definition(x.numpy(), n_fft, hop, whole), scale=10)
    centred = torch.stft(x, n_fft, hop, length, window, return_complex=True)
    padded = np.pad(x.numpy(), n_fft // 2, mode="reflect")
    check(centred, stft_by_definition(padded, n_fft, hop, whole), scale=10)
    assert torch.equal(x.stft(n_fft, hop, length, window, return_complex=True), centred)
    back = torch.istft(centred, n_fft, hop, length, window, length=190)
    torch.testing.assert_close(back, x[:190])
    both = torch.stft(torch.stack([x, 2 * x]), n_fft, hop, length, window, return_complex=True)
    torch.testing.assert_close(both[1], 2 * centred)
    ortho = torch.stft(x, n_fft, hop, length, window, normalized=True, return_complex=True)
    torch.testing.assert_close(ortho, centred / n_fft**0.5)
    torch.testing.assert_close(
        torch.istft(ortho, n_fft, hop, length, window, normalized=True, length=190), x[:190]
    )
    full = torch.stft(x, n_fft, hop, length, window, onesided=False, return_complex=True)
    assert full.shape[0] == n_fft
    # The number of frequencies says whether the spectrum is whole.
    torch.testing.assert_close(torch.istft(full, n_fft, hop, length, window, length=190), x[:190])
    torch.testing.assert_close(full[: n_fft // 2 + 1], centred)
    small = random(20).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda y: torch.istft(
            torch.stft(y, 8, 2, window=torch.hann_window(8).double(), return_complex=True),
            8,
            2,
            window=torch.hann_window(8).double(),
        ),
        small,
    )


def test_errors_of_stft() -> None:
    window = torch.ones(8, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="stft requires the return_complex parameter"):
        torch.stft(random(20), 8, window=window)
    with pytest.raises(RuntimeError, match="expected 0 < n_fft < 20"):
        torch.stft(random(20), 30, center=False, window=None, return_complex=True)
    with pytest.raises(RuntimeError, match="expected hop_length > 0"):
        torch.stft(random(20), 8, 0, window=window, return_complex=True)
    with pytest.raises(RuntimeError, match="0 < hop_length"):
        torch.istft(random(5, 4, complex=True), 8, 0, window=window)
    with pytest.raises(RuntimeError, match="window overlap add min"):
        torch.istft(random(5, 4, complex=True), 8, 8, window=torch.hann_window(8).double())


def test_windows() -> None:
    for n, periodic in itertools.product([0, 1, 2, 7, 16], [True, False]):
        points = n + 1 if periodic and n > 1 else n
        for name, reference in {
            "bartlett": np.bartlett,
            "blackman": np.blackman,
            "hamming": np.hamming,
            "hann": np.hanning,
        }.items():
            window = getattr(torch, f"{name}_window")(n, periodic, dtype=torch.float64)
            torch.testing.assert_close(window, torch.from_numpy(reference(points)[:n].copy()))
        kaiser = torch.kaiser_window(n, periodic, 5.0, dtype=torch.float64)
        torch.testing.assert_close(kaiser, torch.from_numpy(np.kaiser(points, 5.0)[:n].copy()))
    assert torch.equal(torch.hann_window(6), torch.hann_window(6, True))
    with pytest.raises(RuntimeError, match="requires non-negative window_length"):
        torch.hann_window(-1)
    with pytest.raises(RuntimeError, match="expects floating point dtypes"):
        torch.hann_window(4, dtype=torch.int64)


def test_histogram() -> None:
    x = random(50, 4)
    weight = random(50, 4).abs()
    for density in (False, True):
        for bins, range_ in [(7, None), (5, (-1.0, 2.0)), (3, (0.5, 0.5))]:
            hist, edges = torch.histogram(x, bins, range=range_, weight=weight, density=density)
            expected = np.histogram(
                x.numpy(), bins, range=range_, weights=weight.numpy(), density=density
            )
            check(hist, expected[0])
            check(edges, expected[1])
        given = torch.tensor([-2.0, -0.5, 0.1, 3.0], dtype=torch.float64)
        hist, edges = x.histogram(given, density=density)
        check(hist, np.histogram(x.numpy(), given.numpy(), density=density)[0].astype(float))
        assert torch.equal(edges, given)
    last = torch.histogram(torch.tensor([0.0, 1.0, float("nan")]), torch.tensor([0.0, 0.5, 1.0]))
    assert last.hist.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="bins must be > 0"):
        torch.histogram(x, 0)
    with pytest.raises(RuntimeError, match="bins must be > 0"):
        torch.histogram(x, torch.zeros(1, dtype=torch.float64))
    with pytest.raises(NotImplementedError, match="derivative for 'histogram' is not implemented"):
        torch.histogram(x.clone().requires_grad_(), 3).hist.sum().backward()
    with pytest.raises(NotImplementedError, match="derivative for 'histogram' is not implemented"):
        torch.histogram(x, 3, weight=weight.clone().requires_grad_()).hist.sum().backward()
    with pytest.raises(RuntimeError, match="is not finite"):
        torch.histogram(torch.tensor([float("inf")]), 3)
    with pytest.raises(RuntimeError, match="same shape"):
        torch.histogram(x, 3, weight=weight[0])


def test_histogram_of_points() -> None:
    points = random(6, 9, 3)
    weight = random(6, 9).abs()
    given = [np.array([-1.0, 0.0, 0.5]), np.array([-2.0, 2.0]), np.array([-0.5, 0.0, 0.25, 1.0])]
    for density in (False, True):
        for bins, limits in [(4, None), ([2, 3, 4], None), (3, [-1.0, 1, -2, 2, 0.5, 0.5])]:
            pairs = None if limits is None else list(zip(limits[::2], limits[1::2], strict=True))
            hist, edges = torch.histogramdd(points, bins, limits, weight, density)
            expected = np.histogramdd(
                points.reshape(-1, 3).numpy(), bins, pairs, density, weight.reshape(-1).numpy()
            )
            check(hist, expected[0])
            for found, wanted in zip(edges, expected[1], strict=True):
                check(found, wanted)
        result = torch.histogramdd(points, [torch.from_numpy(e) for e in given], density=density)
        expected = np.histogramdd(points.reshape(-1, 3).numpy(), given, density=density)
        check(result.hist, expected[0])
        assert isinstance(result, torch.return_types.histogramdd)
    outside = torch.tensor([[0.0, 1.0], [1.0, 1.0], [float("nan"), 0.5], [0.5, 9.0]])
    assert torch.histogramdd(outside, 2, [0.0, 1, 0, 1]).hist.tolist() == [[0, 1], [0, 1]]
    assert torch.histogramdd(outside[:0], 2).bin_edges[1].tolist() == [0, 0.5, 1]
    for count, bins in [(5, 2), (5, []), (0, [])]:
        nothing = torch.histogramdd(torch.ones(count, 0), bins)
        assert nothing.hist.tolist() == 0 and nothing.bin_edges == ()
    for arguments, message in [
        ((points[0, 0], 2), "at least 2 dimensions"),
        ((points, [2, 2]), "bins must be equal to the innermost dimension"),
        ((points, [2, 0, 2]), "bins must be > 0, but got 0 for dimension 1"),
        ((points, 2, [0.0, 1]), "range should have 6 elements, but got 2"),
        ((points, 2, [1.0, 0, 0, 1, 0, 1]), "min 1 max 0 for dimension 0"),
        ((points, 2, None, weight[0]), "same shape as the input tensor excluding its innermost"),
        ((points, 2, None, weight.float()), "should have the same dtype"),
        ((points * float("inf"), 2), "is not finite"),
        ((points, [torch.ones(2)] * 3), "should have the same dtype"),
        ((points, [torch.ones(2, 2)] * 3), "should have one dimension"),
        ((points, [torch.ones(1).double()] * 3), "should be at least 2, but got 1"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            torch.histogramdd(*arguments)
    with pytest.raises(NotImplementedError, match="not implemented for 'Int'"):
        torch.histogramdd(torch.ones(2, 2).int(), 2)


def test_frexp() -> None:
    x = torch.cat([random(20) * 1e3, torch.tensor([0.0, 1.0, -0.5, 2.0**60]).double()])
    mantissa, exponent = torch.frexp(x)
    expected = np.frexp(x.numpy())
    check(mantissa, expected[0])
    assert exponent.tolist() == expected[1].tolist()
    assert exponent.dtype == torch.int32
    odd = x.half()[::2].frexp()
    torch.testing.assert_close(
        torch.ldexp(odd.mantissa.float(), odd.exponent), x.half()[::2].float()
    )
    assert torch.frexp(torch.tensor([float("inf"), float("nan")])).exponent.tolist() == [0, 0]
    y = random(5).requires_grad_()
    torch.frexp(y).mantissa.sum().backward()
    assert y.grad is not None
    check(y.grad, 0.5 ** np.frexp(y.detach().numpy())[1])
    with pytest.raises(RuntimeError, match="only supports floating-point dtypes"):
        torch.frexp(torch.tensor([1]))


def test_vander() -> None:
    for x in (random(4), torch.tensor([1, 2, 3]), random(3, complex=True)):
        for columns, increasing in itertools.product([None, 0, 1, 5], [False, True]):
            check(torch.vander(x, columns, increasing), np.vander(x.numpy(), columns, increasing))
    with pytest.raises(RuntimeError, match="one-dimensional"):
        torch.vander(random(2, 2))
    with pytest.raises(RuntimeError, match="N must be non-negative"):
        torch.vander(random(2), -1)


def test_fill_diagonal() -> None:
    for shape, wrap in itertools.product(
        [(3, 3), (2, 5), (9, 3), (8, 3), (3, 3, 3)], [False, True]
    ):
        x = random(*shape)
        expected = x.numpy().copy()
        np.fill_diagonal(expected, 7.5, wrap)
        assert x.fill_diagonal_(7.5, wrap) is x
        check(x, expected)
    strided = random(5, 4).T
    expected = strided.numpy().copy()
    np.fill_diagonal(expected, 1)
    check(strided.fill_diagonal_(1), expected)
    assert torch.ones(0, 3).fill_diagonal_(1).shape == (0, 3)
    x = random(3, 3).requires_grad_()
    (x * 1).fill_diagonal_(2).sum().backward()
    assert x.grad is not None
    assert torch.equal(x.grad, 1 - torch.eye(3, dtype=torch.float64))
    with pytest.raises(RuntimeError, match="equal length"):
        torch.ones(2, 3, 4).fill_diagonal_(1)
    with pytest.raises(RuntimeError, match="larger than 1"):
        torch.ones(3).fill_diagonal_(1)


@pytest.mark.parametrize("dims", [(0,), (1,), (2,), (0, 2), (2, 0), (1, 2, 0)])
def test_results_lie_in_the_order_of_the_argument(dims: tuple[int, ...]) -> None:
    """Batches by their strides, then the transformed dimensions; the last one of rfftn last."""
    for order in itertools.permutations(range(3)):
        x = random(3, 4, 5).permute(order)
        batches = sorted(set(range(3)) - set(dims), key=lambda d: -x.stride(d))
        for whole, result in (
            (True, torch.fft.fftn(x.to(torch.complex128), dim=dims)),
            (False, torch.fft.rfftn(x, dim=dims)),
        ):
            sortable, fixed = (dims, ()) if whole else (dims[:-1], dims[-1:])
            lines = [*batches, *sorted(sortable, key=lambda d: -x.stride(d)), *fixed]
            assert result.permute(lines).is_contiguous()
            name = "fftn" if whole else "rfftn"
            check(result, getattr(np.fft, name)(x.numpy(), axes=dims))
        sizes = [x.size(d) for d in dims]
        check(torch.fft.irfftn(torch.fft.rfftn(x, dim=dims), s=sizes, dim=dims), x.numpy())


def test_doctests_of_the_module() -> None:
    results = doctest.testmod(torch.fft, extraglobs={"torch": torch})
    assert results.attempted > 0
    assert results.failed == 0


def test_spectra_of_real_lines_backwards_are_conjugated_as_views() -> None:
    x = torch.randn(5, 10, 7, dtype=torch.float64)
    for found, wanted in [
        (torch.fft.ihfft(x, dim=1), np.fft.ihfft(x.numpy(), axis=1)),
        (torch.fft.ifft(x, dim=1), np.fft.ifft(x.numpy(), axis=1)),
    ]:
        assert found.is_conj() and found.stride() == (found.shape[1] * 7, 1, found.shape[1])
        check(found.resolve_conj(), wanted)
    out = torch.empty(0, dtype=torch.complex128)
    assert torch.fft.ihfft(x, dim=1, out=out) is out
    assert not out.is_conj() and out.stride() == (42, 1, 6)
    check(out, np.fft.ihfft(x.numpy(), axis=1))
    # Of several dimensions the others are transformed backwards.
    half = np.fft.ihfft(x.numpy(), axis=2)
    check(torch.fft.ihfftn(x).resolve_conj(), np.fft.ifftn(half, axes=(0, 1)))
    wide = torch.ones(2, 3, dtype=torch.complex128)
    assert torch.fft.ihfft2(x[0], out=wide.resize_(0)) is wide
    check(wide, np.fft.ifft(np.fft.ihfft(x[0].numpy(), axis=1), axis=0))


def test_a_spectrogram_is_no_view() -> None:
    x = torch.randn(2, 100)
    for signal in (x, x[0]):
        assert not torch.stft(signal, 16, return_complex=True)._is_view()
