"""Pruning: parameters with some of their elements held at zero.

A pruned parameter `weight` is kept as the parameter `weight_orig` and the buffer `weight_mask`.
Before each forward call their product is put into the attribute `weight`. `remove` ends that.
"""

from __future__ import annotations

import numbers
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn.modules.module import Module

_METHOD = """

Args:
    module: whose parameter is pruned, in place.
    name: of the parameter.
    amount: how much is pruned: a number of them, an int; or the share of them, a float between 0
        and 1.
    n: the order of the norm, as for `torch.norm`.
    dim: the dimension of the slices.
    importance_scores: by which elements are chosen, of the parameter's shape; the parameter itself
        if None.
    mask: of the parameter's shape: 0 where it is pruned.

Returns:
    The method, which is a hook of the module.
"""
_MODULE = _METHOD.replace("The method, which is a hook of the module.", "The module.")
_OUT_OF_RANGE = """

Raises:
    ValueError: `amount` is out of range.
"""


class BasePruningMethod(ABC):
    """What is pruned, and the hook of the module that does it.

    A subclass says in `compute_mask` which elements stay, and in `PRUNING_TYPE` whether these are
    single elements ("unstructured"), whole slices ("structured"), or chosen among all ("global").
    """

    _tensor_name: str
    PRUNING_TYPE: str = "unstructured"

    def __call__(self, module: Module, inputs: Any) -> None:
        """Puts the masked parameter into the module; its hook before forward calls."""
        setattr(module, self._tensor_name, self.apply_mask(module))

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of a tensor.

        Args:
            t: the scores of the elements.
            default_mask: what was masked before; the new mask keeps none of it.

        Returns:
            Of the shape of `t`: 0 for an element that is pruned, 1 for one that stays.
        """

    def apply_mask(self, module: Module) -> Tensor:
        """The product of the parameter and its mask.

        Raises:
            AssertionError: the module is not pruned by this method yet.
        """
        if not hasattr(self, "_tensor_name"):
            raise AssertionError(f"Module {module} has to be pruned")
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(
        cls, module: Module, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any
    ) -> BasePruningMethod:
        """Prunes a parameter, in addition to what was pruned before.

        Args:
            module: whose parameter it is.
            name: of the parameter.
            *args, **kwargs: of the constructor of this class.
            importance_scores: by which elements are chosen, of the parameter's shape; the parameter
                itself if None.

        Returns:
            The method, which is a hook of the module.
        """
        old = [
            (key, hook)
            for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        if len(old) > 1:
            raise AssertionError(
                f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
            )
        method: BasePruningMethod = cls(*args, **kwargs)
        method._tensor_name = name
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if scores.shape != original.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, got {scores.shape} vs {original.shape}"
            )
        if old:
            before = old[0][1]
            method = PruningContainer(
                *(before if isinstance(before, PruningContainer) else [before]), method
            )
            default_mask = getattr(module, name + "_mask").detach().clone()
        else:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            default_mask = torch.ones_like(original)
        try:
            mask = method.compute_mask(scores, default_mask=default_mask)
            module.register_buffer(name + "_mask", mask)
            setattr(module, name, method.apply_mask(module))
            for key, _ in old:
                del module._forward_pre_hooks[key]
            module.register_forward_pre_hook(method)
        except Exception:
            if not old:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Tensor, default_mask: Any = None, importance_scores: Any = None) -> Tensor:
        """The masked tensor; nothing is kept.

        Args:
            t: the tensor.
            default_mask: what is masked already; nothing if None.
            importance_scores: by which elements are chosen; `t` itself if None.
        """
        scores = t if importance_scores is None else importance_scores
        if scores.shape != t.shape:
            raise AssertionError("importance_scores should have the same shape as tensor t")
        mask = default_mask if default_mask is not None else torch.ones_like(t)
        return t * self.compute_mask(scores, default_mask=mask)

    def remove(self, module: Module) -> None:
        """Ends the pruning: the masked values become the parameter's, and the mask goes.

        The hook of the module is removed by `torch.nn.utils.prune.remove`, which calls this.

        Args:
            module: whose parameter was pruned.
        """
        name = self._tensor_name
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several methods of one parameter, one after the other.

    Args:
        *args: methods, or one iterable of methods.
    """

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1 and isinstance(args[0], BasePruningMethod):
            self._tensor_name = args[0]._tensor_name
            self.add_pruning_method(args[0])
            return
        methods = args if len(args) != 1 else tuple(args[0])
        if methods:
            self._tensor_name = methods[0]._tensor_name
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Adds a method of the same parameter, which prunes what the others leave.

        Args:
            method: the method.

        Raises:
            TypeError: `method` is none.
            ValueError: it is of another parameter.
        """
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The last method's mask of what the others left, combined with the mask before.

        An unstructured method chooses among the elements that are left, a structured one among the
        slices that have one left.

        Args:
            t: the scores of the elements.
            default_mask: of the shape of `t`: what is masked already.

        Returns:
            A mask of the shape of `t`.

        Raises:
            ValueError: the method's PRUNING_TYPE is another one.
        """
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        if method.PRUNING_TYPE == "unstructured":
            left: Any = mask == 1
        elif method.PRUNING_TYPE == "structured":
            axis = method.dim % t.dim()  # type: ignore[attr-defined]
            others = [d for d in range(t.dim()) if d != axis]
            left = [slice(None)] * t.dim()
            left[axis] = mask.sum(dim=others) != 0
            left = tuple(left)
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        partial = method.compute_mask(t[left], default_mask=mask[left])
        result = mask.clone()
        result[left] = partial.to(mask.dtype)
        return result


class Identity(BasePruningMethod):
    """Masks nothing; by it a module gets the names of a pruned one."""

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask there was."""
        return default_mask

    @classmethod
    @documented_by(_METHOD)
    def apply(cls, module: Module, name: str) -> BasePruningMethod:  # type: ignore[override]
        """Prunes a parameter of a module, as the function `identity` does."""
        return super().apply(module, name)


class _ByAmount(BasePruningMethod):
    """Masks a number of elements, or a share of them."""

    def __init__(self, amount: float) -> None:
        _validate_pruning_amount_init(amount)
        self.amount = amount


class RandomUnstructured(_ByAmount):
    """Masks elements at random.

    Args:
        amount: how many elements, an int; or the share of them, a float between 0 and 1.
    """

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more elements at zero."""
        count = _compute_nparams_toprune(self.amount, t.nelement())
        mask = default_mask.clone()
        if count:
            chosen = torch.topk(torch.rand_like(t).view(-1), k=count).indices
            mask.view(-1)[chosen] = 0
        return mask

    @classmethod
    @documented_by(_METHOD, _OUT_OF_RANGE)
    def apply(cls, module: Module, name: str, amount: float) -> BasePruningMethod:  # type: ignore[override]
        """Prunes a parameter of a module, as the function `random_unstructured` does."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_ByAmount):
    """Masks the elements that are smallest in magnitude.

    Args:
        amount: how many elements, an int; or the share of them, a float between 0 and 1.
    """

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more elements at zero."""
        count = _compute_nparams_toprune(self.amount, t.nelement())
        mask = default_mask.clone(memory_format=torch.contiguous_format)
        if count:
            chosen = torch.topk(t.abs().view(-1), k=count, largest=False).indices
            mask.view(-1)[chosen] = 0
        return mask

    @classmethod
    @documented_by(_METHOD, _OUT_OF_RANGE)
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: float, importance_scores: Any = None
    ) -> BasePruningMethod:
        """Prunes a parameter of a module, as the function `l1_unstructured` does."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class RandomStructured(_ByAmount):
    """Masks slices of a dimension at random.

    Args:
        amount: how many slices, an int; or the share of them, a float between 0 and 1.
        dim: the dimension.
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more slices at zero."""
        _validate_structured_pruning(t, self.dim)
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        if count == 0:
            return default_mask
        chosen = torch.topk(torch.rand(size), k=size - count).indices
        return _slices(t, self.dim, chosen) * default_mask.to(t.dtype)

    @classmethod
    @documented_by(_METHOD, _OUT_OF_RANGE)
    def apply(  # type: ignore[override]
        cls, module: Module, name: str, amount: float, dim: int = -1
    ) -> BasePruningMethod:
        """Prunes a parameter of a module, as the function `random_structured` does."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_ByAmount):
    """Masks the slices of a dimension that have the smallest norm.

    Args:
        amount: how many slices, an int; or the share of them, a float between 0 and 1.
        n: the order of the norm, as for `torch.norm`.
        dim: the dimension.
    """

    PRUNING_TYPE = "structured"

    def __init__(self, amount: float, n: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.n = n
        self.dim = dim

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask with `amount` more slices at zero."""
        _validate_structured_pruning(t, self.dim)
        size = t.shape[self.dim]
        count = _compute_nparams_toprune(self.amount, size)
        if count == 0:
            return default_mask
        others = [d for d in range(t.dim()) if d != self.dim % t.dim()]
        norms = torch.norm(t, p=self.n, dim=others)
        chosen = torch.topk(norms, k=size - count, largest=True).indices
        return _slices(t, self.dim, chosen) * default_mask.to(t.dtype)

    @classmethod
    @documented_by(_METHOD, _OUT_OF_RANGE)
    def apply(  # type: ignore[override]
        cls,
        module: Module,
        name: str,
        amount: float,
        n: Any,
        dim: int,
        importance_scores: Any = None,
    ) -> BasePruningMethod:
        """Prunes a parameter of a module, as the function `ln_structured` does."""
        return super().apply(
            module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores
        )


class CustomFromMask(BasePruningMethod):
    """Masks by a given mask.

    Args:
        mask: of the parameter's shape.
    """

    PRUNING_TYPE = "global"

    def __init__(self, mask: Tensor) -> None:
        self.mask = mask

    @documented_by(BasePruningMethod.compute_mask)
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The elements that both masks leave.

        Raises:
            AssertionError: `default_mask` has another shape than the given mask.
        """
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)

    @classmethod
    @documented_by(_METHOD)
    def apply(cls, module: Module, name: str, mask: Tensor) -> BasePruningMethod:  # type: ignore[override]
        """Prunes a parameter of a module, as the function `custom_from_mask` does."""
        return super().apply(module, name, mask=mask)


@documented_by(_MODULE)
def identity(module: Module, name: str) -> Module:
    """Gives a parameter a mask of ones.

    Example::

        >>> from torch.nn.utils import prune
        >>> sorted(prune.identity(torch.nn.Linear(2, 1), "bias").state_dict())
        ['bias_mask', 'bias_orig', 'weight']
    """
    Identity.apply(module, name)
    return module


@documented_by(_MODULE, _OUT_OF_RANGE)
def random_unstructured(module: Module, name: str, amount: float) -> Module:
    """Prunes elements at random.

    Example::

        >>> from torch.nn.utils import prune
        >>> layer = prune.random_unstructured(torch.nn.Linear(2, 3), "weight", amount=1)
        >>> int((layer.weight == 0).sum())
        1
    """
    RandomUnstructured.apply(module, name, amount)
    return module


@documented_by(_MODULE, _OUT_OF_RANGE)
def l1_unstructured(
    module: Module, name: str, amount: float, importance_scores: Any = None
) -> Module:
    """Prunes the elements that are smallest in magnitude.

    Example::

        >>> from torch.nn.utils import prune
        >>> layer = prune.l1_unstructured(torch.nn.Linear(2, 3), "weight", amount=0.5)
        >>> int((layer.weight == 0).sum())
        3
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


@documented_by(_MODULE, _OUT_OF_RANGE)
def random_structured(module: Module, name: str, amount: float, dim: int) -> Module:
    """Prunes slices at random.

    Example::

        >>> from torch.nn.utils import prune
        >>> layer = prune.random_structured(torch.nn.Linear(2, 3), "weight", amount=1, dim=0)
        >>> int((layer.weight == 0).all(1).sum())
        1
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


@documented_by(_MODULE, _OUT_OF_RANGE)
def ln_structured(
    module: Module, name: str, amount: float, n: Any, dim: int, importance_scores: Any = None
) -> Module:
    """Prunes the slices that have the smallest norm.

    Example::

        >>> from torch.nn.utils import prune
        >>> layer = prune.ln_structured(torch.nn.Linear(2, 4), "weight", amount=0.5, n=2, dim=0)
        >>> int((layer.weight == 0).all(1).sum())
        2
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


@documented_by(_MODULE)
def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prunes by a given mask.

    Example::

        >>> from torch.nn.utils import prune
        >>> mask = torch.tensor([0, 1])
        >>> layer = prune.custom_from_mask(torch.nn.Linear(1, 2), "bias", mask)
        >>> layer.bias[0] == 0
        tensor(True)
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(
    parameters: Iterable[tuple[Module, str]],
    pruning_method: type[BasePruningMethod],
    importance_scores: Any = None,
    **kwargs: Any,
) -> None:
    """Prunes elements chosen among those of several parameters.

    Args:
        parameters: pairs of modules and names.
        pruning_method: a class of unstructured pruning, such as `L1Unstructured`.
        importance_scores: scores by pair; the parameters themselves if None.
        **kwargs: of the constructor of the class, such as `amount`.

    Raises:
        TypeError: `parameters` is no iterable, or the class is none of unstructured pruning.

    Example::

        >>> from torch.nn.utils import prune
        >>> a, b = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
        >>> both = [(a, "weight"), (b, "weight")]
        >>> prune.global_unstructured(both, prune.L1Unstructured, amount=3)
        >>> int((a.weight == 0).sum() + (b.weight == 0).sum())
        3
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    pairs = list(parameters)
    scores = importance_scores if importance_scores is not None else {}
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    tensors = [scores.get((module, name), getattr(module, name)) for module, name in pairs]
    masks = [
        getattr(module, name + "_mask", torch.ones_like(getattr(module, name)))
        for module, name in pairs
    ]
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of type {method.PRUNING_TYPE}'
        )
    container.add_pruning_method(method)
    flat = torch.nn.utils.parameters_to_vector(tensors)
    final = container.compute_mask(flat, torch.nn.utils.parameters_to_vector(masks))
    start = 0
    for module, name in pairs:
        parameter = getattr(module, name)
        size = parameter.numel()
        custom_from_mask(module, name, mask=final[start : start + size].view_as(parameter))
        start += size


def remove(module: Module, name: str) -> Module:
    """Makes the masked parameter the module's own again; what was pruned stays zero.

    Args:
        module: whose parameter was pruned.
        name: of the parameter.

    Raises:
        ValueError: it was not pruned.

    Example::

        >>> from torch.nn.utils import prune
        >>> layer = prune.identity(torch.nn.Linear(2, 1), "weight")
        >>> sorted(prune.remove(layer, "weight").state_dict())
        ['bias', 'weight']
    """
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(
        f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed"
    )


def is_pruned(module: Module) -> bool:
    """Whether a module, or one below it, is pruned.

    Args:
        module: any module.

    Example::

        >>> from torch.nn.utils import prune
        >>> prune.is_pruned(torch.nn.Linear(2, 1))
        False
    """
    return any(
        isinstance(hook, BasePruningMethod)
        for submodule in module.modules()
        for hook in submodule._forward_pre_hooks.values()
    )


def _validate_pruning_amount_init(amount: Any) -> None:
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    is_count = isinstance(amount, numbers.Integral)
    if float(amount) < 0 or (not is_count and float(amount) > 1):
        raise ValueError(
            f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer"
        )


def _validate_pruning_amount(amount: Any, tensor_size: int) -> None:
    """Raises ValueError if more elements are to be pruned than there are. Subclasses call it."""
    if isinstance(amount, numbers.Integral) and int(amount) > tensor_size:
        raise ValueError(
            f"amount={amount} should be smaller than the number of parameters to prune={tensor_size}"
        )


def _compute_nparams_toprune(amount: Any, tensor_size: int) -> int:
    """How many of `tensor_size` an amount is."""
    _validate_pruning_amount(amount, tensor_size)
    return int(amount) if isinstance(amount, numbers.Integral) else round(amount * tensor_size)


def _validate_structured_pruning(t: Tensor, dim: int) -> None:
    if t.dim() <= 1:
        raise ValueError(
            f"Structured pruning can only be applied to multidimensional tensors. Found tensor of shape {t.shape} with {t.dim()} dims"
        )
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")


def _slices(t: Tensor, dim: int, chosen: Tensor) -> Tensor:
    """Ones in the chosen slices, else zeros."""
    mask = torch.zeros_like(t)
    index: list[Any] = [slice(None)] * t.dim()
    index[dim] = chosen
    mask[tuple(index)] = 1
    return mask


__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]
