"""A module called with other parameters than its own: `torch.func.functional_call`."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from torch._tensor import Tensor
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


def _groups_of_ties(module: Module) -> dict[str, set[str]]:
    """For each name of a tensor all names of that tensor in the module."""
    by_tensor: dict[int, set[str]] = {}
    for named in (module.named_parameters, module.named_buffers):
        for name, tensor in named(remove_duplicate=False):
            by_tensor.setdefault(id(tensor), set()).add(name)
    return {name: names for names in by_tensor.values() for name in names}


def _owner(module: Module, name: str) -> tuple[Module, str]:
    path, _, last = name.rpartition(".")
    return module.get_submodule(path), last


_ABSENT = object()


def _place(module: Module, name: str, tensor: Tensor | None) -> dict[str, Any]:
    """The dict of the module that has the tensor, or shall have it during the call."""
    for values in (module._parameters, module._buffers):
        if name in values:
            return values
    present = getattr(module, name, None)
    if present is not None and not isinstance(present, Tensor):
        raise TypeError(f"attribute `{name}`: {present} is not an instance of torch.Tensor")
    return module._parameters if isinstance(tensor, Parameter) else module.__dict__


def _put(place: dict[str, Any], name: str, value: Any) -> None:
    if value is _ABSENT:
        place.pop(name, None)
    else:
        place[name] = value


@contextmanager
def _reparametrize_module(
    module: Module,
    parameters_and_buffers: Mapping[str, Tensor],
    *,
    tie_weights: bool = False,
    strict: bool = False,
) -> Iterator[None]:
    """The module with these tensors, for one block."""
    given = dict(parameters_and_buffers)
    # Modules that contain themselves have names without end: they are listed only if asked for.
    ties = _groups_of_ties(module) if tie_weights or strict else {}
    if tie_weights:
        for name, tensor in parameters_and_buffers.items():
            for other in ties.get(name, ()):
                if given.setdefault(other, tensor) is not tensor:
                    raise ValueError(
                        f"functional_call got multiple values for keys {sorted(ties[name])}, which are tied. Consider using tie_weights=False"
                    )
    unknown = [name for name in given if strict and name not in ties]
    missing = [name for name in ties if strict and name not in given]
    if unknown or missing:
        problems = [
            f"\n\t{what} key(s): {', '.join(map(repr, sorted(names)))}."
            for what, names in (("Unexpected", unknown), ("Missing", missing))
            if names
        ]
        raise RuntimeError(
            f"Error(s) in reparametrizing for {type(module).__name__}:{''.join(problems)}"
        )
    places: list[tuple[dict[str, Any], str, Any]] = []
    try:
        for name, tensor in given.items():
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(f"{tensor} is not an instance of torch.Tensor")
            owner, last = _owner(module, name)
            place = _place(owner, last, tensor)
            places.append((place, last, place.get(last, _ABSENT)))
            place[last] = tensor
        yield
    finally:
        after = [place.get(last, _ABSENT) for place, last, _ in places]
        for place, last, before in reversed(places):
            _put(place, last, before)
        # What the forward assigned to a name is the caller's.
        if isinstance(parameters_and_buffers, dict):
            for name, tensor in zip(given, after, strict=False):
                if tensor is not _ABSENT and name in parameters_and_buffers:
                    parameters_and_buffers[name] = tensor


def functional_call(
    module: Module,
    parameters_and_buffers: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`torch.func.functional_call` by its older name, with a warning.

    Args:
        module: as the others, of `torch.func.functional_call`.
        parameters_and_buffers: tensors by the names of what they replace.
        args: arguments of the forward.
        kwargs: its arguments by name.
        tie_weights: whether a tensor under several names is replaced under all of them.
        strict: whether every name has to be given and no other.
    """
    warnings.warn(
        "This API is deprecated as of PyTorch 2.0. Please use `torch.func.functional_call` instead",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module: Module,
    parameters_and_buffers: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`functional_call` without its warning: PyTorch's own name, which older programs use."""
    from torch import func  # it imports this module

    return func.functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )
