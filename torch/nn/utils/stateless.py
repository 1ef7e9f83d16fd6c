"""A module called with other parameters than its own; `torch.func.functional_call` is the newer
name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from torch._tensor import Tensor
from torch.nn.modules.module import Module


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


def _place(module: Module, name: str) -> dict[str, Any]:
    """The dict of the module that has the tensor, or shall have it during the call."""
    for values in (module._parameters, module._buffers):
        if name in values:
            return values
    present = getattr(module, name, None)
    if present is not None and not isinstance(present, Tensor):
        raise TypeError(f"attribute `{name}`: {present} is not an instance of torch.Tensor")
    return module.__dict__


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
    ties = _groups_of_ties(module)
    if tie_weights:
        for name, tensor in parameters_and_buffers.items():
            for other in ties.get(name, ()):
                if given.setdefault(other, tensor) is not tensor:
                    raise ValueError(
                        f"functional_call got multiple values for keys {sorted(ties[name])}, which are tied. Consider using tie_weights=False"
                    )
    unknown = [name for name in given if name not in ties]
    missing = [name for name in ties if name not in given]
    if strict and (unknown or missing):
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
            place = _place(owner, last)
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


def _united(dicts: Any) -> dict[str, Tensor]:
    """One dict of several."""
    if not isinstance(dicts, (tuple, list)) or not all(isinstance(d, Mapping) for d in dicts):
        raise ValueError(
            f"Expected parameters_and_buffers to be a dict, or a list/tuple of dicts, but got {type(dicts)}"
        )
    result: dict[str, Tensor] = {}
    for one in dicts:
        repeated = sorted(result.keys() & one.keys())
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        result |= one
    return result


def functional_call(
    module: Module,
    parameters_and_buffers: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)` with the given tensors in the place of its parameters and buffers.

    Args:
      parameters_and_buffers: tensors by their dotted names; or several such dicts without a name
        in common, for example of parameters and of buffers.
      args: of the call; what is no tuple is the only one.
      tie_weights: a tensor that the module has under several names is replaced under all of them.
      strict: all names have to be given, and no others.

    Example::

        >>> layer = torch.nn.Linear(1, 1, bias=False)
        >>> torch.func.functional_call(layer, {"weight": torch.tensor([[3.0]])}, torch.ones(1, 1))
        tensor([[3.]])
    """
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    if not isinstance(parameters_and_buffers, Mapping):
        parameters_and_buffers = _united(parameters_and_buffers)
    with _reparametrize_module(
        module, parameters_and_buffers, tie_weights=tie_weights, strict=strict
    ):
        return module(*args, **(kwargs or {}))


# PyTorch's own name for it, which older programs use.
_functional_call = functional_call

__all__ = ["functional_call"]
