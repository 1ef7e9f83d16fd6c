"""Writing a module's parameters and buffers to a state dict, and loading them."""

from __future__ import annotations

import itertools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch import __future__
from torch._tensor import Tensor
from torch.nn.parameter import Parameter, is_lazy

# The key of what `get_extra_state` gives.
_EXTRA_STATE_KEY_SUFFIX = "_extra_state"

_IncompatibleKeysBase = namedtuple("_IncompatibleKeysBase", ["missing_keys", "unexpected_keys"])


class _IncompatibleKeys(_IncompatibleKeysBase):
    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _parameter_like(own: Parameter, given: Tensor) -> Parameter:
    """`given` as a parameter that is trained or frozen as the module's own was."""
    if isinstance(given, Parameter):
        given.requires_grad_(own.requires_grad)
        return given
    return Parameter(given, requires_grad=own.requires_grad)


def _swap_for(own: Tensor, given: Tensor, assign: bool) -> None:
    """Swaps a parameter or buffer with what its `module_load` makes of a value."""
    loaded = own.module_load(given, assign=assign)
    if loaded is own or loaded is given:
        raise RuntimeError(
            "module_load returned one of self or other, please .detach() the result if returning one of the inputs in module_load"
        )
    if isinstance(own, Parameter):
        loaded = _parameter_like(own, loaded)
    torch.utils.swap_tensors(own, loaded)


class ModuleState:
    """The part of `Module` that has a state."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def get_extra_state(self) -> Any:
        """What the state dict has of this module besides parameters and buffers.

        A module that has such a state defines this and `set_extra_state`. The result is the entry
        "_extra_state" of the module in `state_dict()`, and must be something that pickle takes.

        Example::

            >>> class Counter(torch.nn.Module):
            ...     count = 0
            ...     def get_extra_state(self):
            ...         return self.count
            ...     def set_extra_state(self, state):
            ...         self.count = state
            >>> old, new = Counter(), Counter()
            >>> old.count = 3
            >>> new.load_state_dict(old.state_dict())
            <All keys matched successfully>
            >>> new.count
            3
        """
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called."
        )

    def set_extra_state(self, state: Any) -> None:
        """Takes back, in `load_state_dict`, what `get_extra_state` gave: see there.

        Args:
            state: the entry of the state dict.
        """
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called."
        )

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Enters this module's own values; subclasses may add to them."""
        for name, parameter in self._parameters.items():
            if parameter is not None:
                destination[prefix + name] = parameter if keep_vars else parameter.detach()
        for name, buffer in self._buffers.items():
            if buffer is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = buffer if keep_vars else buffer.detach()
        if type(self).get_extra_state is not ModuleState.get_extra_state:
            destination[prefix + _EXTRA_STATE_KEY_SUFFIX] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """The parameters and persistent buffers of this module and of those below it, by dotted
        name.

        The tensors share their memory with the module. The attribute `_metadata` of the dict has
        the version of each module.

        Args:
            *args: destination, prefix and keep_vars by position, as older programs give them.
            destination: a dict to fill, which is returned; none makes one.
            prefix: what the names begin with.
            keep_vars: whether the tensors stay in the graph of autograd; detached otherwise.

        Returns:
            The dict.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
            >>> list(model.state_dict())[:3]
            ['0.weight', '0.bias', '1.weight']
            >>> model.state_dict()["1.running_mean"]
            tensor([0.])
        """
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning,
                stacklevel=2,
            )
            given: list[Any] = [*args, *(destination, prefix, keep_vars)[len(args) :]]
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            if changed is not None:
                if getattr(hook, "_from_public_api", False):
                    raise RuntimeError("state_dict post-hook must return None")
                destination = changed
        return destination

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Takes this module's own values; subclasses may convert older files first."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                state_dict,
                prefix,
                local_metadata,
                strict,
                missing_keys,
                unexpected_keys,
                error_msgs,
            )
        persistent = {
            k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set
        }
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, own in itertools.chain(self._parameters.items(), persistent.items()):
            key = prefix + name
            if own is None:
                continue
            if key in state_dict:
                error = self._take(name, key, own, state_dict[key], assign)
                if error is not None:
                    error_msgs.append(error)
            elif strict:
                missing_keys.append(key)
        extra = prefix + _EXTRA_STATE_KEY_SUFFIX
        if type(self).set_extra_state is not ModuleState.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if not strict:
            return
        for key in state_dict:
            if not key.startswith(prefix) or key == extra:
                continue
            name, dot, _ = key[len(prefix) :].partition(".")
            value = self._parameters.get(name, persistent.get(name))
            known = name in self._modules if dot else value is not None
            if not known:
                unexpected_keys.append(key)

    def _take(self, name: str, key: str, own: Tensor, given: Any, assign: bool) -> str | None:
        """Copies one value, or puts the given tensor in the place; returns what went wrong."""
        if not isinstance(given, Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or '
                f"Tensor-like object from checkpoint but received {type(given)}"
            )
        if is_lazy(own):
            return None  # Neither has values yet; a file with values has given it a shape.
        if own.dim() == 0 and tuple(given.shape) == (1,):
            given = given[0]  # files of before 0.4 have no tensors without dimensions
        if own.shape != given.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {given.shape} from "
                f"checkpoint, the shape in current model is {own.shape}."
            )
        if own.is_meta and not given.is_meta and not assign:
            warnings.warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their corresponding key in the module instead of copying them in place?)",
                stacklevel=2,
            )
        try:
            with torch.no_grad():
                if __future__.get_swap_module_params_on_conversion():
                    _swap_for(own, given, assign)
                    return None
                if not assign:
                    own.copy_(given)
                    return None
                if isinstance(own, Parameter):
                    given = _parameter_like(own, given)
                setattr(self, name, given)
        except Exception as error:
            return (
                f'While copying the parameter named "{key}", whose dimensions in the model are '
                f"{own.size()} and whose dimensions in the checkpoint are {given.size()}, an "
                f"exception occurred : {error.args}."
            )
        return None

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> Any:
        """Copies the values of a state dict into the parameters and buffers of the same names.

        Args:
            state_dict: tensors by dotted name, of the shapes that the module has.
            strict: whether names that only one side has are an error.
            assign: whether the module takes over the tensors themselves, with their dtypes and
                devices. A parameter keeps its `requires_grad`.

        Returns:
            A named tuple of two lists of names: `missing_keys`, which the dict lacks, and
            `unexpected_keys`, which the module lacks.

        Raises:
            RuntimeError: names that only one side has, with `strict`; or shapes that differ.
            TypeError: `state_dict` is no mapping.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> layer.load_state_dict({"weight": torch.ones(1, 1), "bias": torch.zeros(1)})
            <All keys matched successfully>
            >>> layer(torch.tensor([5.0])).item()
            5.0
            >>> layer.load_state_dict({"weight": torch.zeros(1, 1)}, strict=False).missing_keys
            ['bias']
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", {})
        values = OrderedDict(state_dict)

        # A function that named itself would keep the values until the garbage collector comes.
        def load(again: Any, module: ModuleState, values: dict[str, Any], prefix: str) -> None:
            local = dict(metadata.get(prefix[:-1], {}))
            if assign:
                local["assign_to_params_buffers"] = assign
            # All names are compared, so that the result lists them; `strict` says what it means.
            module._load_from_state_dict(values, prefix, local, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    start = prefix + name + "."
                    own = {key: value for key, value in values.items() if key.startswith(start)}
                    again(again, child, own, start)
            keys = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, keys) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if incompatible_keys need to be modified, it should be done inplace."
                    )

        load(load, self, values, "")
        unexpected[:] = list(dict.fromkeys(unexpected))
        if strict:
            if unexpected:
                names = ", ".join(f'"{k}"' for k in unexpected)
                errors.insert(0, f"Unexpected key(s) in state_dict: {names}. ")
            if missing:
                names = ", ".join(f'"{k}"' for k in missing)
                errors.insert(0, f"Missing key(s) in state_dict: {names}. ")
        if errors:
            listing = "\n\t".join(errors)
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listing}"
            )
        return _IncompatibleKeys(missing, unexpected)
