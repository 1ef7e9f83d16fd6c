"""Parametrizations: weights as a length and a direction, and weights of spectral norm 1.

>>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
>>> sorted(name for name, _ in layer.named_parameters())
['bias', 'parametrizations.weight.original0', 'parametrizations.weight.original1']
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from torch.nn.modules.module import Module
from torch.nn.utils import parametrize


def norm_except_dim(v: Tensor, dim: int) -> Tensor:
    """The 2-norm over all dimensions but one.

    Args:
        v: any tensor.
        dim: the dimension that stays; -1 for none.

    Returns:
        Of the shape of `v` with size 1 in the other dimensions; a number for `dim` -1.

    Example::

        >>> from torch.nn.utils.parametrizations import norm_except_dim
        >>> norm_except_dim(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), 0)
        tensor([[ 5.],
                [10.]])
    """
    if dim == -1:
        return v.norm(2)
    others = [d for d in range(v.dim()) if d != dim % v.dim()]
    return torch.linalg.vector_norm(v, 2, others, keepdim=True) if others else v.abs()


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return weight_v * (weight_g / norm_except_dim(weight_v, self.dim))

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """The length and the direction; the direction is the weight itself."""
        return norm_except_dim(weight, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """w = g v / |v|: a weight by its length g and its direction v (Salimans and Kingma 2016,
    arXiv:1602.07868).

    Args:
        module: has the weight.
        name: its name.
        dim: g has a length for each index along it; None has one for all.

    Returns:
        The module, whose `parametrizations.weight` has `original0`, which is g, and `original1`,
        which is v.

    Example::

        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
        >>> layer.parametrizations.weight.original0.shape
        torch.Size([3, 1])
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


_ORTHOGONAL_MAPS = ("matrix_exp", "cayley", "householder")


def _orthogonal_factor(matrix: Tensor) -> Tensor:
    """The Q of the QR decomposition whose R has a positive diagonal."""
    q, r = torch.linalg.qr(matrix)
    return q * r.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _is_orthogonal(q: Tensor) -> bool:
    n, k = q.shape[-2:]
    unit = torch.eye(k, dtype=q.dtype, device=q.device)
    return torch.allclose(q.mH @ q, unit, atol=10.0 * n * torch.finfo(q.dtype).eps)


def _reflectors(matrix: Tensor) -> tuple[Tensor, Tensor]:
    """The Householder vectors of an (n, k) matrix, below the diagonal, and their factors."""
    work = matrix.clone()
    n, k = work.shape[-2:]
    taus = []
    for i in range(k):
        x = work[..., i:, i]
        alpha = x[..., 0]
        beta = -torch.where(alpha < 0, -1.0, 1.0) * torch.linalg.vector_norm(x, dim=-1)
        tail = torch.zeros_like(x[..., 0]) if i == n - 1 else x[..., 1:].abs().amax(-1)
        tau = torch.where(tail == 0, 0.0, (beta - alpha) / beta).to(work.dtype)
        scale = torch.where(tail == 0, 1.0, alpha - beta).unsqueeze(-1)
        v = torch.cat([torch.ones_like(x[..., :1]), x[..., 1:] / scale], -1)
        rest = work[..., i:, i:]
        rest -= tau[..., None, None] * v.unsqueeze(-1) @ (v.unsqueeze(-2) @ rest)
        work[..., i + 1 :, i] = v[..., 1:]
        taus.append(tau)
    return work, torch.stack(taus, -1)


class _Orthogonal(Module):
    base: Tensor | None

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, x: Tensor) -> Tensor:
        wide = x.size(-2) < x.size(-1)
        if wide:
            x = x.mT
        n, k = x.shape[-2:]
        if self.orthogonal_map == "householder":
            a = x.tril(-1)
            tau = 2.0 / (1.0 + (a * a.conj()).sum(-2))
            q = torch.linalg.householder_product(a, tau)
            # The diagonal is 1 or -1, so that Q = I can be reached too.
            q = q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)
        else:
            # A skew-symmetric matrix, by its lower half.
            half = x.tril()
            if n != k:
                zeros = half.new_zeros(n, n - k).expand(*half.shape[:-2], -1, -1)
                half = torch.cat([half, zeros], -1)
            a = half - half.mH
            if self.orthogonal_map == "matrix_exp":
                q = torch.matrix_exp(a)
            else:
                unit = torch.eye(n, dtype=a.dtype, device=a.device)
                q = torch.linalg.solve(unit - 0.5 * a, unit + 0.5 * a)
            if n != k:
                q = q[..., :k]
        base = getattr(self, "base", None)
        if base is not None:
            q = base @ q
        return q.mT if wide else q

    @torch.no_grad()
    def right_inverse(self, q: Tensor) -> Tensor:
        """What `forward` makes `q` of, where there is such a thing."""
        if q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {q.shape}."
            )
        wide = q.size(-2) < q.size(-1)
        if wide:
            q = q.mT
        n, k = q.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError(
                    "It is not possible to assign to the matrix exponential or the Cayley parametrizations when use_trivialization=False."
                )
            a, tau = _reflectors(q)
            diagonal = a.diagonal(dim1=-2, dim2=-1)
            diagonal.copy_(diagonal.sign())
            diagonal[tau == 0.0] *= -1
            return a.mT if wide else a
        # forward(-I) = base, and the base is the matrix that was assigned.
        if n == k:
            self.base = q.clone() if _is_orthogonal(q) else _orthogonal_factor(q)
        else:
            more = torch.randn(*q.shape[:-1], n - k, dtype=q.dtype, device=q.device)
            self.base = _orthogonal_factor(torch.cat([q, more], -1))
        negative = torch.zeros_like(q)
        negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return negative.mT if wide else negative


def orthogonal(
    module: Module,
    name: str = "weight",
    orthogonal_map: str | None = None,
    *,
    use_trivialization: bool = True,
) -> Module:
    """A weight with orthonormal columns, or rows where it is wide (Lezcano-Casado, "Trivializations
    for gradient-based optimization on manifolds", 2019).

    Args:
        module: has the weight.
        name: its name.
        orthogonal_map: "matrix_exp" of a skew-symmetric matrix A, "cayley" (I + A/2)(I - A/2)^-1,
            or "householder", a product of reflections; of None a square or complex weight has the
            first and others the last.
        use_trivialization: start from the current weight, so that weights can be assigned.

    Returns:
        The module, whose `parametrizations.weight` has the unconstrained tensor.

    Raises:
        ValueError: the module has no such tensor, it is no matrix, or there is no such map.

    Example::

        >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 3))
        >>> torch.allclose(layer.weight @ layer.weight.T, torch.eye(3), atol=1e-5)
        True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1) or weight.is_complex()
        orthogonal_map = "matrix_exp" if square else "householder"
    if orthogonal_map not in _ORTHOGONAL_MAPS:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". '
            f"Got: {orthogonal_map}"
        )
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(
        self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        super().__init__()
        if not -weight.dim() <= dim < weight.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.dim()}, {weight.dim() - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % weight.dim()
        self.eps = eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._as_matrix(weight.detach())
            h, w = matrix.size()
            u = F.normalize(matrix.new_empty(h).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(matrix.new_empty(w).normal_(0, 1), dim=0, eps=eps)
            self.register_buffer("_u", u)
            self.register_buffer("_v", v)
            self._power_method(matrix, 15)

    def _as_matrix(self, weight: Tensor) -> Tensor:
        if self.dim != 0:
            weight = weight.movedim(self.dim, 0)
        return weight.flatten(1)

    @torch.no_grad()
    def _power_method(self, matrix: Tensor, iterations: int) -> None:
        for _ in range(iterations):
            self._u.copy_(F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(torch.mv(matrix.mT, self._u), dim=0, eps=self.eps))

    def forward(self, weight: Tensor) -> Tensor:
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._as_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        # Copies: the next step changes the vectors while the graph still needs them.
        u, v = self._u.clone(), self._v.clone()
        return weight / torch.vdot(u, torch.mv(matrix, v))

    def right_inverse(self, value: Tensor) -> Tensor:
        """The value itself: it is the same where its norm is 1 already."""
        return value


def spectral_norm(
    module: Module,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> Module:
    """w / sigma(w): a weight divided by its largest singular value (Miyato et al., "Spectral
    normalization for generative adversarial networks", 2018).

    The singular value comes by power iteration, which goes on by `n_power_iterations` steps at each
    use while training.

    Args:
        module: has the weight.
        name: its name.
        n_power_iterations: steps at each use.
        eps: below which norms count as zero.
        dim: what the rows of the weight as a matrix are: 0, or 1 for transposed convolutions.

    Returns:
        The module, whose `parametrizations.weight.original` is the raw weight.

    Raises:
        ValueError: the module has no such tensor, or `n_power_iterations` is not positive.
        IndexError: the weight has no dimension `dim`.

    Example::

        >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(8, 4))
        >>> bool(torch.linalg.matrix_norm(layer.weight, 2) < 1.1)
        True
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        transposed = isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d))
        dim = 1 if transposed else 0
    made = _SpectralNorm(weight, n_power_iterations, dim, eps)
    parametrize.register_parametrization(module, name, made)
    return module


__all__ = ["orthogonal", "spectral_norm", "weight_norm"]
