"""Spectral normalization by a hook; `parametrizations.spectral_norm` is the newer form."""

from __future__ import annotations

from typing import Any, TypeVar

import torch
from torch import _absent
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn.modules.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter, is_lazy

T = TypeVar("T", bound=Module)


class SpectralNorm:
    """The hook that computes a weight before each forward.

    Args:
        name: of the weight.
        n_power_iterations: steps of the power method at each forward while training.
        dim: what the rows of the weight as a matrix are.
        eps: below which norms count as zero.

    Raises:
        ValueError: `n_power_iterations` is not positive.
    """

    name: str
    dim: int
    n_power_iterations: int
    eps: float

    def __init__(
        self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12
    ) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight: Tensor) -> Tensor:
        """The weight as the matrix whose singular values count.

        Args:
            weight: of any shape.

        Returns:
            (size of `dim`, everything else); a vector becomes one column.
        """
        return weight.movedim(self.dim, 0).flatten(1) if weight.dim() > 1 else weight[:, None]

    def compute_weight(self, module: Module, do_power_iteration: bool) -> Tensor:
        """w / sigma(w), where sigma(w) is u^T w v.

        Args:
            module: has the weight and the vectors u and v.
            do_power_iteration: whether u and v first make `n_power_iterations` steps towards the
                singular vectors of the largest singular value. They change in place.

        Returns:
            The normalized weight, which gradients reach the raw one through.
        """
        weight: Tensor = getattr(module, self.name + "_orig")
        u: Tensor = getattr(module, self.name + "_u")
        v: Tensor = getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with torch.no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(F.normalize(torch.mv(matrix.t(), u), dim=0, eps=self.eps))
                    u.copy_(F.normalize(torch.mv(matrix, v), dim=0, eps=self.eps))
                # Copies: the next step changes the vectors while the graph still needs them.
                u, v = u.clone(), v.clone()
        return weight / torch.dot(u, torch.mv(matrix, v))

    @staticmethod
    def apply(
        module: Module, name: str, n_power_iterations: int, dim: int, eps: float
    ) -> SpectralNorm:
        """Puts the raw weight and the two vectors in the place of the weight.

        Args:
            module: has the weight; it gets `weight_orig`, `weight_u` and `weight_v` for "weight".
            name: of the weight.
            n_power_iterations: steps of the power method at each forward while training.
            dim: what the rows of the weight as a matrix are.
            eps: below which norms count as zero.

        Returns:
            The hook, which the module calls before each forward.

        Raises:
            RuntimeError: the weight has such a hook.
            ValueError: it is None, or has no shape yet.
        """
        if _find(module, name) is not None:
            raise RuntimeError(
                f"Cannot register two spectral_norm hooks on the same parameter {name}"
            )
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if is_lazy(weight):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to run the dummy forward before applying spectral normalization"
            )
        with torch.no_grad():
            rows, columns = hook.reshape_weight_to_matrix(weight).size()
            u = F.normalize(weight.new_empty(rows).normal_(0, 1), dim=0, eps=eps)
            v = F.normalize(weight.new_empty(columns).normal_(0, 1), dim=0, eps=eps)
        delattr(module, name)
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(hook)
        return hook

    def remove(self, module: Module) -> None:
        """Makes the weight a parameter again, with the normalized values.

        The module's hook stays: `remove_spectral_norm` removes both.

        Args:
            module: what `apply` changed.
        """
        with torch.no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        delattr(module, self.name)
        for end in ("_u", "_v", "_orig"):
            delattr(module, self.name + end)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Module, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


class SpectralNormLoadStateDictPreHook:
    """What PyTorch's modules with a spectral norm have in their files. State dicts from before its
    first version are not converted here."""

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, *args: Any) -> None:
        """Leaves the state dict as it is."""


class SpectralNormStateDictHook:
    """What PyTorch's modules with a spectral norm have in their files: it notes the version.

    Args:
        fn: the hook of the weight.
    """

    def __init__(self, fn: SpectralNorm) -> None:
        self.fn = fn

    def __call__(self, module: Module, state_dict: Any, prefix: str, local_metadata: Any) -> None:
        local_metadata.setdefault("spectral_norm", {})[self.fn.name + ".version"] = 1


def _find(module: Module, name: str) -> Any:
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            return key
    return None


def spectral_norm(
    module: T,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: int | None = None,
) -> T:
    """w / sigma(w), with sigma the largest singular value: the module gets `weight_orig` and the
    buffers `weight_u` and `weight_v` instead of `weight` (Miyato et al., 2018).

    Args:
        module: has the weight.
        name: of the weight.
        n_power_iterations: steps of the power method at each forward while training.
        eps: below which norms count as zero.
        dim: what the rows of the weight as a matrix are: 0, or 1 for transposed convolutions.

    Returns:
        The module.

    Raises:
        RuntimeError: the weight has a spectral norm.
        ValueError: it is None, or has no shape yet.

    Example::

        >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(4, 2))
        >>> layer.weight_orig.shape, layer.weight_u.shape
        (torch.Size([2, 4]), torch.Size([2]))
    """
    if dim is None:
        transposed = isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d))
        dim = 1 if transposed else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module: T, name: str = "weight") -> T:
    """Takes back `spectral_norm`: the parameter has the normalized values and is an ordinary one.

    Args:
        module: what `spectral_norm` changed, in place.
        name: of the parameter.

    Raises:
        ValueError: the parameter has no spectral norm.

    Example::

        >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 2))
        >>> [name for name, _ in torch.nn.utils.remove_spectral_norm(layer).named_parameters()]
        ['bias', 'weight']
    """
    key = _find(module, name)
    if key is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    module._forward_pre_hooks.pop(key).remove(module)
    return module


__getattr__ = _absent.explain(__name__)
