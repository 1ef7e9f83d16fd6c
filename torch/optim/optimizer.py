"""class Optimizer, the base of all optimisers."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, TypeAlias

import torch
from torch._tensor import Tensor, _clear_gradient
from torch.autograd.profiler import record_function
from torch.utils.hooks import RemovableHandle


class _RequiredParameter:
    """The default of an option that each group must give."""

    def __repr__(self) -> str:
        return "<required parameter>"


# Optimizers outside of this package write it into their `defaults`.
required = _RequiredParameter()

ParamsT: TypeAlias = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]


def check_hyperparameters(**values: Any) -> None:
    """Raises ValueError for a negative value, or a beta outside [0, 1).

    The names are those that the messages have.
    """
    for name, value in values.items():
        if name == "betas":
            for index, beta in enumerate(value):
                if not 0.0 <= beta < 1.0:
                    raise ValueError(f"Invalid beta parameter at index {index}: {beta}")
        elif name == "learning_rate" and isinstance(value, Tensor) and value.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        elif not value >= 0.0:
            what = "learning rate" if name == "learning_rate" else f"{name} value"
            raise ValueError(f"Invalid {what}: {value}")


# What the constructors of optimizers have in common.
ARGUMENTS = """
Args:
    params: parameters, pairs of a name and a parameter, or dicts of groups with their own options.
    lr: the rate, not negative.
    weight_decay: what is added to the gradient for each unit of the weight, before all else.
    maximize: whether steps go up instead of down.
    foreach: chooses among implementations in PyTorch; here is one.
    capturable: as `foreach`.
    differentiable: only False.
    fused: whether one call steps all parameters, and unscales gradients of `torch.amp.GradScaler`.
"""


def step_example(call: str, weight: str) -> str:
    """The example of an optimizer: a step on w^2 from w = 1.

    Args:
        call: what makes the optimizer, with `[weight]` as its parameters.
        weight: the weight after the step, with 4 digits.

    Returns:
        The text for `documented_by`.

    Example::

        >>> text = torch.optim.optimizer.step_example("SGD([weight], lr=0.1)", "0.8000")
        >>> text.splitlines()[1].strip()
        '>>> optimizer = torch.optim.SGD([weight], lr=0.1)'
    """
    lines = (
        ">>> weight = torch.nn.Parameter(torch.tensor([1.0]))",
        f">>> optimizer = torch.optim.{call}",
        ">>> loss = (weight**2).sum()",
        ">>> loss.backward()",
        ">>> optimizer.step()",
        ">>> weight.detach()",
        f"tensor([{weight}])",
    )
    return "\n".join(f"    {line}" for line in lines)


_global_step_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_step_post_hooks: OrderedDict[int, Any] = OrderedDict()


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(optimizer, args, kwargs)` before each step of every optimizer.

    Args:
        hook: may return other arguments, as a pair of a tuple and a dict.

    Returns:
        A handle whose `remove` ends it.

    Example::

        >>> from torch.optim.optimizer import register_optimizer_step_pre_hook
        >>> handle = register_optimizer_step_pre_hook(lambda *_: print("step"))
        >>> torch.optim.SGD([torch.ones(1, requires_grad=True)]).step()
        step
        >>> handle.remove()
    """
    return _register(_global_step_pre_hooks, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(optimizer, args, kwargs)` after each step of every optimizer.

    Args:
        hook: what it returns is ignored.

    Returns:
        A handle whose `remove` ends it.

    Example::

        >>> from torch.optim.optimizer import register_optimizer_step_post_hook
        >>> handle = register_optimizer_step_post_hook(lambda *_: print("done"))
        >>> torch.optim.SGD([torch.ones(1, requires_grad=True)]).step()
        done
        >>> handle.remove()
    """
    return _register(_global_step_post_hooks, hook)


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A method `step` that calls the hooks of its optimizer and those of all."""

    @functools.wraps(step)
    def run(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        for hook in [*_global_step_pre_hooks.values(), *self._optimizer_step_pre_hooks.values()]:
            changed = hook(self, args, kwargs)
            if changed is None:
                continue
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(
                    f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                )
            args, kwargs = changed
        with record_function(f"Optimizer.step#{type(self).__name__}.step"):
            result = step(*args, **kwargs)
        for hook in [*self._optimizer_step_post_hooks.values(), *_global_step_post_hooks.values()]:
            hook(self, args, kwargs)
        return result

    run.hooked = True  # type: ignore[attr-defined]
    return run


class Optimizer:
    """Parameters in groups with options for each, and a state for each parameter.

    `step` changes parameters in place by their `.grad`; parameters without one stay. Subclasses
    define `_step_group`, or `step` itself.

    Args:
        params: tensors, pairs of a name and a tensor, or dicts with a list "params" and options
            that override `defaults`.
        defaults: the options of a group that has none of its own.

    Raises:
        TypeError: `params` is a tensor or a set, or holds something else than tensors.
        ValueError: no parameters, a parameter twice, one that is not a leaf, or names for some
            parameters alone.

    Example::

        >>> layer = torch.nn.Linear(2, 1)
        >>> groups = [{"params": [layer.weight]}, {"params": [layer.bias], "lr": 0.5}]
        >>> optimizer = torch.optim.SGD(groups, lr=0.1)
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.5]
    """

    # Whether `state[param]["step"]` is a tensor.
    _step_is_tensor = False

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {params.type()}"
            )
        if defaults.get("differentiable") and not defaults.get("fused"):
            raise NotImplementedError(
                f"{type(self).__name__}(differentiable=True): this release is without steps that autograd records; take the gradients by torch.autograd.grad(create_graph=True), and use the new values by torch.func.functional_call"
            )
        self.defaults = defaults
        self._make_hooks()
        self.state: dict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if len(groups) == 0:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    def _patch_step_function(self) -> None:
        """Makes hooks run around `step`, whatever class defines it.

        Optimizers that hold another one call it instead of `__init__`, and make the hooks' dicts.
        """
        cls: Any = type(self)
        if not getattr(cls.step, "hooked", False):
            cls.step = _with_hooks(cls.step)

    def _make_hooks(self) -> None:
        self._patch_step_function()
        self._optimizer_step_pre_hooks: OrderedDict[int, Any] = OrderedDict()
        self._optimizer_step_post_hooks: OrderedDict[int, Any] = OrderedDict()
        self._optimizer_state_dict_pre_hooks: OrderedDict[int, Any] = OrderedDict()
        self._optimizer_state_dict_post_hooks: OrderedDict[int, Any] = OrderedDict()
        self._optimizer_load_state_dict_pre_hooks: OrderedDict[int, Any] = OrderedDict()
        self._optimizer_load_state_dict_post_hooks: OrderedDict[int, Any] = OrderedDict()

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_optimizer_step_pre_hooks" not in self.__dict__:
            self._make_hooks()
        for group in self.param_groups:
            for name, default in self.defaults.items():
                group.setdefault(name, default)
        if self._step_is_tensor:
            for values in self.state.values():
                # A number in files of PyTorch before 1.12.
                if isinstance(values, dict) and isinstance(values.get("step"), (int, float)):
                    values["step"] = torch.tensor(float(values["step"]))

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Adds a group of parameters, such as a layer that is trained from now on.

        Args:
            param_group: a dict with a tensor or a list of tensors as "params"; options that it
                lacks come from the optimizer's defaults.

        Raises:
            TypeError: no dict, a set of tensors, or something else than tensors.
            ValueError: a parameter of another group, one that is no leaf, or a missing option.

        Example::

            >>> first, second = torch.nn.Linear(2, 2), torch.nn.Linear(2, 1)
            >>> optimizer = torch.optim.SGD(first.parameters(), lr=0.1)
            >>> optimizer.add_param_group({"params": second.parameters(), "lr": 0.01})
            >>> [group["lr"] for group in optimizer.param_groups]
            [0.1, 0.01]
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change between runs. Please use a list instead."
            )
        params = list(params)
        group = {k: v for k, v in param_group.items() if k != "params"}
        named = [isinstance(p, tuple) for p in params]
        if any(named) and not all(named):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        if any(named):
            group["param_names"] = [name for name, _ in params]
            params = [param for _, param in params]
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(param).__name__}"
                )
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len({id(p) for p in params}) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; each of them is stepped as often as it is listed",
                stacklevel=3,
            )
        if any(("param_names" in other) != ("param_names" in group) for other in self.param_groups):
            which = "with" if "param_names" in group else "without"
            raise ValueError(
                "all optimizer param groups should be with/without names. "
                f"cannot add param group {which} names to the optimizer"
            )
        known = {id(p) for other in self.param_groups for p in other["params"]}
        if any(id(p) in known for p in params):
            raise ValueError("some parameters appear in more than one parameter group")
        group = {"params": params, **group}
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            group.setdefault(name, default)
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of all parameters, or sets them to zero.

        Args:
            set_to_none: whether `grad` becomes None. Steps leave parameters without a gradient
                alone, while one of zeros still decays weights and moves by momentum.

        Example::

            >>> weight = torch.nn.Parameter(torch.ones(1))
            >>> optimizer = torch.optim.SGD([weight])
            >>> (3 * weight).sum().backward()
            >>> optimizer.zero_grad(set_to_none=False)
            >>> weight.grad
            tensor([0.])
        """
        for group in self.param_groups:
            for param in group["params"]:
                _clear_gradient(param, set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Changes the parameters by their gradients, once.

        Args:
            closure: a function that clears the gradients, computes the loss, runs its backward pass
                and returns it. It runs first, with gradients recorded.

        Returns:
            What `closure` returned, or None.

        Example::

            >>> weight = torch.nn.Parameter(torch.tensor([1.0]))
            >>> optimizer = torch.optim.SGD([weight], lr=0.5)
            >>> def closure():
            ...     optimizer.zero_grad()
            ...     loss = (weight**2).sum()
            ...     loss.backward()
            ...     return loss
            >>> optimizer.step(closure).item()
            1.0
            >>> weight.detach()
            tensor([0.])
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                self._step_group(group)
        return loss

    def _step_group(self, group: dict[str, Any]) -> None:
        raise NotImplementedError

    def _gradients(self, group: dict[str, Any]) -> Iterable[tuple[Tensor, Tensor, dict[str, Any]]]:
        """Parameter, gradient and state of those that have a gradient.

        The gradient points uphill, and contains the weight decay unless that is decoupled, in
        which case the parameter has shrunk already.
        """
        # A group may carry options that its optimiser does not know.
        decay = group["weight_decay"] if "weight_decay" in self.defaults else 0
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            if grad.is_sparse:
                raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")
            if group.get("maximize", False):
                grad = -grad
            if decay != 0:
                if group.get("decoupled_weight_decay", False):
                    param.mul_(1 - group["lr"] * decay)
                else:
                    grad = grad.add(param, alpha=decay)
            if param.is_complex():
                yield from _parts(param, grad, self.state[param])
            else:
                yield param, grad, self.state[param]
            if not self.state[param]:
                del self.state[param]  # Plain SGD remembers nothing.

    # State.

    def state_dict(self) -> dict[str, Any]:
        """The state and the options, to be saved with the model.

        Returns:
            A dict of "state", the values that the optimizer keeps for each parameter, and
                "param_groups",
            the options of each group. Parameters are numbers, counted over all groups.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1)
            >>> state = optimizer.state_dict()
            >>> state["state"], state["param_groups"][0]["params"]
            ({}, [0])
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            packed = {k: v for k, v in group.items() if k != "params"}
            packed["params"] = [numbers[id(p)] for p in group["params"]]
            groups.append(packed)
        state = {
            numbers[id(key)] if isinstance(key, Tensor) else key: value
            for key, value in self.state.items()
        }
        result: dict[str, Any] = {"state": state, "param_groups": groups}
        for hook in self._optimizer_state_dict_post_hooks.values():
            changed = hook(self, result)
            result = result if changed is None else changed
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Takes over what `state_dict` gave, for parameters in the same order.

        The state of a parameter takes its dtype and device, except for the number of steps. Names
        of parameters are not compared.

        Args:
            state_dict: what `state_dict` returned. It is not changed.

        Raises:
            ValueError: another number of groups, or of parameters in a group.

        Example::

            >>> weight = torch.nn.Parameter(torch.ones(1))
            >>> saved = torch.optim.SGD([weight], lr=0.5).state_dict()
            >>> optimizer = torch.optim.SGD([weight], lr=0.1)
            >>> optimizer.load_state_dict(saved)
            >>> optimizer.param_groups[0]["lr"]
            0.5
        """
        state_dict = dict(state_dict)
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(g["params"]) != len(s["params"]) for g, s in zip(groups, saved, strict=True)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        by_number = {
            number: param
            for group, packed in zip(groups, saved, strict=True)
            for number, param in zip(packed["params"], group["params"], strict=True)
        }
        state: dict[Any, Any] = defaultdict(dict)
        for number, value in state_dict["state"].items():
            if number in by_number:
                state[by_number[number]] = _like(by_number[number], value)
            else:
                state[number] = deepcopy(value)
        for group, packed in zip(groups, saved, strict=True):
            params = group["params"]
            names = group.get("param_names")
            group.clear()
            group.update(packed, params=params)
            if names is not None and "param_names" not in packed:
                group["param_names"] = names
        self.__setstate__({"state": state, "param_groups": groups})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # Hooks.

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(optimizer, args, kwargs)` called before each step of this optimizer.

        Args:
            hook: gets the arguments of `step`, the optimizer first. It may return other ones, as a
                pair of a tuple and a dict.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))])
            >>> handle = optimizer.register_step_pre_hook(lambda *_: print("before"))
            >>> optimizer.step()
            before
            >>> handle.remove()
        """
        return _register(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(optimizer, args, kwargs)` called after each step of this optimizer.

        Args:
            hook: what it returns is ignored.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))])
            >>> handle = optimizer.register_step_post_hook(lambda *_: print("after"))
            >>> optimizer.step()
            after
            >>> handle.remove()
        """
        return _register(self._optimizer_step_post_hooks, hook)

    def register_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Has `hook(optimizer)` called before `state_dict`.

        Args:
            hook: what it returns is ignored.
            prepend: whether it runs before the hooks that the optimizer has.

        Returns:
            A handle, whose `remove()` takes the hook away again.
        """
        return _register(self._optimizer_state_dict_pre_hooks, hook, prepend)

    def register_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Has `hook(optimizer, state_dict)` called after `state_dict`.

        Args:
            hook: may change the dict in place, or return another.
            prepend: whether it runs before the hooks that the optimizer has.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))])
            >>> handle = optimizer.register_state_dict_post_hook(
            ...     lambda optimizer, state: state | {"epoch": 3}
            ... )
            >>> list(optimizer.state_dict())
            ['state', 'param_groups', 'epoch']
            >>> handle.remove()
        """
        return _register(self._optimizer_state_dict_post_hooks, hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Has `hook(optimizer, state_dict)` called before `load_state_dict`.

        Args:
            hook: gets a shallow copy of the dict, and may return another.
            prepend: whether it runs before the hooks that the optimizer has.

        Returns:
            A handle, whose `remove()` takes the hook away again.
        """
        return _register(self._optimizer_load_state_dict_pre_hooks, hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Has `hook(optimizer)` called after `load_state_dict`.

        Args:
            hook: what it returns is ignored.
            prepend: whether it runs before the hooks that the optimizer has.

        Returns:
            A handle, whose `remove()` takes the hook away again.
        """
        return _register(self._optimizer_load_state_dict_post_hooks, hook, prepend)

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for index, group in enumerate(self.param_groups):
            text += f"\nParameter Group {index}\n"
            for key in sorted(group):
                if key != "params":
                    text += f"    {key}: {group[key]}\n"
        return text + ")"


def real_parts(tensor: Tensor) -> Tensor:
    """The real and imaginary parts of a complex tensor as a view, which optimizers take as numbers
    of their own."""
    return torch.view_as_real(tensor) if tensor.is_complex() else tensor


def _parts(
    param: Tensor, grad: Tensor, state: dict[str, Any]
) -> Iterable[tuple[Tensor, Tensor, dict[str, Any]]]:
    """A complex parameter, its gradient and its state as real parts; the state stays complex."""
    parts = {k: real_parts(v) if isinstance(v, Tensor) else v for k, v in state.items()}
    real = real_parts(param)
    yield real, real_parts(grad), parts
    for name, value in parts.items():
        whole = isinstance(value, Tensor) and value.shape == real.shape
        state[name] = torch.view_as_complex(value) if whole else value


def _register(
    hooks: OrderedDict[int, Any], hook: Callable[..., Any], prepend: bool = False
) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def _like(param: Tensor, value: Any, name: str | None = None) -> Any:
    """A copy of a parameter's state with the dtype and device of the parameter."""
    if isinstance(value, Tensor):
        if name == "step":
            return value.clone()
        if param.is_floating_point():
            return value.to(dtype=param.dtype, device=param.device, copy=True)
        return value.to(device=param.device, copy=True)
    if isinstance(value, dict):
        return {key: _like(param, item, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_like(param, item) for item in value)
    return deepcopy(value)
