"""The functions of `torch.func` under their former names, which warn, and modules as functions.

>>> import functorch
>>> layer = torch.nn.Linear(2, 1, bias=False)
>>> function, parameters = functorch.make_functional(layer)
>>> function([torch.tensor([[3.0, 4.0]])], torch.ones(2))
tensor([7.])
"""

from __future__ import annotations

import copy
import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import _absent
from torch.nn.modules.module import Module


def _deprecated(function: Callable[..., Any], instead: str) -> Callable[..., Any]:
    """The function, which warns that `instead` is its name now."""

    @functools.wraps(function)
    def warning(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            f"We've integrated functorch into PyTorch. As the final step of the integration, `functorch.{function.__name__}` is deprecated as of PyTorch 2.0 and will be deleted in a future version of PyTorch >= 2.3. Please use `{instead}` instead; see the PyTorch 2.0 release notes and/or the `torch.func` migration guide for more details https://pytorch.org/docs/main/func.migrating.html",
            FutureWarning,
            stacklevel=2,
        )
        return function(*args, **kwargs)

    return warning


vmap = _deprecated(torch.func.vmap, "torch.vmap")
grad = _deprecated(torch.func.grad, "torch.func.grad")
grad_and_value = _deprecated(torch.func.grad_and_value, "torch.func.grad_and_value")
vjp = _deprecated(torch.func.vjp, "torch.func.vjp")
jvp = _deprecated(torch.func.jvp, "torch.func.jvp")
jacrev = _deprecated(torch.func.jacrev, "torch.func.jacrev")
jacfwd = _deprecated(torch.func.jacfwd, "torch.func.jacfwd")
hessian = _deprecated(torch.func.hessian, "torch.func.hessian")


class FunctionalModuleWithBuffers(Module):
    """A module without parameters and buffers of its own: they come first in each call.

    Attributes:
        stateless_model: the module, on the device `meta`.
        param_names: a name of each parameter, in the order of the tensors of a call.
        buffer_names: the same for buffers.
    """

    def __init__(self, model: Module) -> None:
        super().__init__()
        self.param_names = tuple(name for name, _ in model.named_parameters())
        self.buffer_names = tuple(name for name, _ in model.named_buffers())
        state = [*model.parameters(), *model.buffers()]
        # A copy that shares nothing with the model: its tensors are without memory.
        empty = {id(x): x.detach().to("meta").requires_grad_(x.requires_grad) for x in state}
        for parameter in model.parameters():
            empty[id(parameter)] = torch.nn.Parameter(
                empty[id(parameter)], requires_grad=parameter.requires_grad
            )
        self.stateless_model = copy.deepcopy(model, memo=cast(Any, empty))

    def _call(
        self,
        params: Sequence[torch.Tensor],
        buffers: Sequence[torch.Tensor],
        args: Any,
        kwargs: Any,
    ) -> Any:
        state = dict(zip(self.param_names, params, strict=True))
        state |= zip(self.buffer_names, buffers, strict=True)
        return torch.func.functional_call(self.stateless_model, state, args, kwargs)

    def forward(
        self,
        params: Sequence[torch.Tensor],
        buffers: Sequence[torch.Tensor],
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """The module's result with these parameters and buffers; the latter may change."""
        return self._call(params, buffers, args, kwargs)


class FunctionalModule(FunctionalModuleWithBuffers):
    """A module without parameters of its own: they come first in each call."""

    def forward(self, params: Sequence[torch.Tensor], *args: Any, **kwargs: Any) -> Any:
        """The module's result with these parameters."""
        return self._call(params, (), args, kwargs)


def _parameters(model: Module, detached: bool) -> tuple[torch.Tensor, ...]:
    copies = copy.deepcopy(tuple(model.parameters()))
    return tuple(p.detach() for p in copies) if detached else copies


def make_functional(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModule, tuple[torch.Tensor, ...]]:
    """A function of a module's parameters and inputs, and copies of the parameters.

    Args:
        model: without buffers. A parameter with several names is one.
        disable_autograd_tracking: whether the parameters need no gradients.

    Raises:
        RuntimeError: the model has buffers.

    Example::

        >>> layer = torch.nn.Linear(2, 1)
        >>> function, parameters = functorch.make_functional(layer)
        >>> x = torch.ones(2)
        >>> torch.equal(function(parameters, x), layer(x))
        True
    """
    if any(True for _ in model.buffers()):
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    return FunctionalModule(model), _parameters(model, disable_autograd_tracking)


def make_functional_with_buffers(
    model: Module, disable_autograd_tracking: bool = False
) -> tuple[FunctionalModuleWithBuffers, tuple[torch.Tensor, ...], tuple[torch.Tensor, ...]]:
    """A function of a module's parameters, buffers and inputs, and copies of them.

    Args:
        model: any module. A tensor with several names is one.
        disable_autograd_tracking: whether the parameters need no gradients.

    Example::

        >>> norm = torch.nn.BatchNorm1d(2).eval()
        >>> function, parameters, buffers = functorch.make_functional_with_buffers(norm)
        >>> [buffer.tolist() for buffer in buffers]
        [[0.0, 0.0], [1.0, 1.0], 0]
    """
    function = FunctionalModuleWithBuffers(model)
    buffers = copy.deepcopy(tuple(model.buffers()))
    return function, _parameters(model, disable_autograd_tracking), buffers


def combine_state_for_ensemble(
    models: Sequence[Module],
) -> tuple[FunctionalModuleWithBuffers, tuple[torch.Tensor, ...], tuple[torch.Tensor, ...]]:
    """One function for modules of a class, and their parameters and buffers, stacked.

    `vmap` over the first dimension of both computes the ensemble.

    Raises:
        RuntimeError: no module, several classes, or training and evaluation.

    Example::

        >>> models = [torch.nn.Linear(2, 3) for _ in range(5)]
        >>> function, parameters, buffers = functorch.combine_state_for_ensemble(models)
        >>> functorch.vmap(function, (0, 0, None))(parameters, buffers, torch.ones(2)).shape
        torch.Size([5, 3])
    """
    models = list(models)
    for wrong, text in (
        (not models, "Expected at least one model, got 0."),
        (
            len({model.training for model in models}) > 1,
            "Expected all models to have the same training/eval mode.",
        ),
        (
            len({type(model) for model in models}) > 1,
            "Expected all models to be of the same class.",
        ),
    ):
        if wrong:
            raise RuntimeError(f"combine_state_for_ensemble: {text}")
    parameters, buffers = torch.func.stack_module_state(models)
    function = FunctionalModuleWithBuffers(models[0])
    return function, tuple(parameters.values()), tuple(buffers.values())


make_functional = _deprecated(make_functional, "torch.func.functional_call")
make_functional_with_buffers = _deprecated(
    make_functional_with_buffers, "torch.func.functional_call"
)
combine_state_for_ensemble = _deprecated(
    combine_state_for_ensemble, "torch.func.stack_module_state"
)

__version__ = torch.__version__
__getattr__ = _absent.names_of(__name__, _absent.FX, functions="functionalize make_fx")
_absent.provide_modules(
    __name__,
    _absent.FUNCTORCH,
    {
        "compile": (
            "aot_function aot_module aot_module_simplified compiled_function compiled_module "
            "make_boxed_compiler make_boxed_func memory_efficient_fusion "
            "min_cut_rematerialization_partition nop ts_compile"
        ),
        "dim": "Dim DimList Tensor cat dimlists dims softmax split stack",
        "experimental": "chunk_vmap functionalize",
        "experimental.control_flow": "cond map",
    },
)

__all__ = [
    "FunctionalModule",
    "FunctionalModuleWithBuffers",
    "combine_state_for_ensemble",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "make_functional",
    "make_functional_with_buffers",
    "vjp",
    "vmap",
]
