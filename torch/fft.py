"""Discrete Fourier transforms.

    fft:  X[k] = sum over j of x[j] exp(-2 pi i j k / n)
    ifft: x[j] = sum over k of X[k] exp(+2 pi i j k / n) / n

`rfft` gives the first n // 2 + 1 frequencies of real numbers, `irfft` takes them; `hfft` and
`ihfft` are these two with the directions changed. A 2 in the name means the last two dimensions, an
n all that `dim` names. `n`, or `s`, cuts the input or fills it up with zeros. `norm` says where the
factor is: "backward" divides the inverse by n, "forward" the other, "ortho" both by sqrt(n).

The library is DUCC, which takes O(n log n) operations for n numbers of any length. The arithmetic
is in the precision of the argument. float16 and bfloat16 are refused, as PyTorch does on
processors.

    >>> torch.fft.fft(torch.tensor([1.0, 0.0, 0.0, 0.0]))
    tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.-0.j])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch._C import _fft

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


# torch.fft.rfft is fft_rfft, and so on.
__all__ = [name.removeprefix("fft_") for name in dir(_fft) if name.startswith("fft_")]
globals().update({name: getattr(_fft, f"fft_{name}") for name in __all__})
