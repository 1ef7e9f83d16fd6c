"""class Module, the base of all layers."""

from __future__ import annotations

import itertools
import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import torch
from torch._tensor import Tensor
from torch.nn.parameter import Buffer, Parameter
from torch.utils.hooks import RemovableHandle

T = TypeVar("T", bound="Module")

# The key of what `get_extra_state` gives.
_EXTRA_STATE = "_extra_state"

_IncompatibleKeysBase = namedtuple("_IncompatibleKeysBase", ["missing_keys", "unexpected_keys"])


class _IncompatibleKeys(_IncompatibleKeysBase):
    __slots__ = ()

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _addindent(text: str, spaces: int) -> str:
    first, *rest = text.split("\n")
    if not rest:
        return text
    return "\n".join([first, *(" " * spaces + line for line in rest)])


class Module:
    """A layer or network: parameters, buffers and other modules under attribute names.

    Subclasses call `super().__init__()` before they assign any, and define `forward`.
    """

    training: bool
    dump_patches = False
    # What files know of the layout of the parameters: rises when it changes.
    _version = 1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        set_ = super().__setattr__
        set_("training", True)
        set_("_parameters", {})
        set_("_buffers", {})
        set_("_non_persistent_buffers_set", set())
        set_("_modules", {})
        set_("_forward_hooks", OrderedDict())
        set_("_forward_hooks_with_kwargs", OrderedDict())
        set_("_forward_pre_hooks", OrderedDict())
        set_("_forward_pre_hooks_with_kwargs", OrderedDict())
        set_("_backward_hooks", OrderedDict())
        set_("_forward_hooks_always_called", OrderedDict())
        set_("_backward_pre_hooks", OrderedDict())
        set_("_state_dict_hooks", OrderedDict())
        set_("_state_dict_pre_hooks", OrderedDict())
        set_("_load_state_dict_pre_hooks", OrderedDict())
        set_("_load_state_dict_post_hooks", OrderedDict())

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What calling the module computes."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    # Calls.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (
            self._forward_hooks
            or self._forward_pre_hooks
            or self._backward_hooks
            or self._backward_pre_hooks
        ):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        for hook_id, hook in list(self._forward_pre_hooks.items()):
            if hook_id in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        backward_hooks = list(self._backward_hooks.values())
        watched = bool(backward_hooks or self._backward_pre_hooks)
        if watched:
            args = self._watch_inputs(args, backward_hooks)
        try:
            result = self.forward(*args, **kwargs)
        except Exception:
            for hook_id in self._forward_hooks_always_called:
                self._call_always(hook_id, args, kwargs)
            raise
        for hook_id, hook in list(self._forward_hooks.items()):
            if hook_id in self._forward_hooks_with_kwargs:
                changed = hook(self, args, kwargs, result)
            else:
                changed = hook(self, args, result)
            if changed is not None:
                result = changed
        return self._watch_outputs(result) if watched else result

    def _call_always(self, hook_id: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Calls a hook after `forward` has failed; an error in it becomes a warning."""
        hook = self._forward_hooks[hook_id]
        with_kwargs = hook_id in self._forward_hooks_with_kwargs
        try:
            hook(self, args, kwargs, None) if with_kwargs else hook(self, args, None)
        except Exception as error:
            warnings.warn(
                "module forward hook with ``always_call=True`` raised an exception that was "
                f"silenced as another error was raised in forward: {error}",
                stacklevel=3,
            )

    def _watch_inputs(
        self, args: tuple[Any, ...], hooks: list[Callable[..., Any]]
    ) -> tuple[Any, ...]:
        """Passes the tensors through a node that hands their gradients to the hooks."""
        positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        module = self
        state: dict[str, Any] = {"grad_output": None}
        self.__dict__["_backward_hook_state"] = state

        class ModuleInputs(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *tensors: Tensor) -> Any:
                return tuple(t.view_as(t) for t in tensors)

            @staticmethod
            def backward(ctx: Any, *grads: Tensor) -> Any:
                current: tuple[Any, ...] = grads
                for hook in hooks:
                    changed = hook(module, current, state["grad_output"])
                    if changed is not None:
                        current = changed if isinstance(changed, tuple) else (changed,)
                return current

        if not positions:
            return args
        passed = ModuleInputs.apply(*(args[i] for i in positions))  # type: ignore[attr-defined]
        new_args = list(args)
        for i, tensor in zip(positions, passed, strict=False):
            new_args[i] = tensor
        return tuple(new_args)

    def _watch_outputs(self, result: Any) -> Any:
        """Remembers the gradients of the outputs for the hooks."""
        module, state = self, self.__dict__["_backward_hook_state"]
        pre_hooks = list(self._backward_pre_hooks.values())

        class ModuleOutputs(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *tensors: Tensor) -> Any:
                return tuple(t.view_as(t) for t in tensors)

            @staticmethod
            def backward(ctx: Any, *grads: Tensor) -> Any:
                current: tuple[Any, ...] = grads
                for hook in pre_hooks:
                    changed = hook(module, current)
                    if changed is not None:
                        current = changed if isinstance(changed, tuple) else (changed,)
                state["grad_output"] = current
                return current

        if isinstance(result, Tensor):
            return ModuleOutputs.apply(result)[0]  # type: ignore[attr-defined]
        if isinstance(result, (tuple, list)) and all(isinstance(r, Tensor) for r in result):
            return type(result)(ModuleOutputs.apply(*result))  # type: ignore[attr-defined]
        return result

    # Attributes.

    def __setattr__(self, name: str, value: Any) -> None:
        state = self.__dict__
        parameters = state.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._remove_from(name, state, state["_buffers"], state["_modules"])
            self.register_parameter(name, value)
            return
        if parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch_typename(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
            return
        modules = state.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._remove_from(name, state, state["_parameters"], state["_buffers"])
            modules[name] = value
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch_typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            modules[name] = value
            return
        buffers = state.get("_buffers")
        if isinstance(value, Buffer) and buffers is not None:
            self.register_buffer(name, value, getattr(value, "persistent", True))
            return
        if buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{torch_typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            buffers[name] = value
            return
        super().__setattr__(name, value)

    @staticmethod
    def _remove_from(name: str, *places: dict[str, Any]) -> None:
        for place in places:
            place.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_buffers", "_modules"):
            place = self.__dict__.get(kind)
            if place is not None and name in place:
                return place[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__]
        names += [*self._parameters, *self._buffers, *self._modules]
        return sorted(n for n in names if not n[0].isdigit())

    def _check_name(self, kind: str, name: str) -> None:
        if "_parameters" not in self.__dict__:
            raise AttributeError(f"cannot assign {kind} before Module.__init__() call")
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {torch_typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Adds a parameter; None reserves the name."""
        self._check_name("parameter", name)
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{torch_typename(param)}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                f"created explicitly. To express '{name}' as a function of another Tensor, compute "
                "the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that is no parameter but belongs to the state unless not `persistent`."""
        self._check_name("buffer", name)
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{torch_typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a child module."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch_typename(module)} is not a Module subclass")
        self._check_name("module", name)
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        self._modules[name] = module

    register_module = add_module

    # Walking the tree.

    def named_modules(
        self,
        memo: set[Module] | None = None,
        prefix: str = "",
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it, each with its dotted name."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self) -> Iterator[Module]:
        """This module and all below it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The direct children with their names."""
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The direct children."""
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = self.named_modules(prefix=prefix) if recurse else [(prefix, self)]
        for module_prefix, module in modules:
            for name, value in getattr(module, kind).items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield module_prefix + ("." if module_prefix else "") + name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their dotted names."""
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """The parameters of this module and those below it."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their dotted names."""
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this module and those below it."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """The module with a dotted name."""
        module = self
        for item in target.split(".") if target else []:
            if not hasattr(module, item):
                raise AttributeError(f"{module._get_name()} has no attribute `{item}`")
            module = getattr(module, item)
            if not isinstance(module, Module):
                raise AttributeError(f"`{item}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with a dotted name."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with a dotted name."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Puts a module at a dotted name; with `strict` there must be one already."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        setattr(parent, name, module)

    # Conversions.

    def apply(self: T, fn: Callable[[Module], None]) -> T:
        """Calls `fn` with every module below this one and with this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self: T, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> T:
        if recurse:
            for module in self.children():
                module._apply(fn)
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            with torch.no_grad():
                data = fn(parameter.data)
                if data.device.type == parameter.device.type:
                    parameter.data = data
                    if parameter.grad is not None:
                        parameter.grad.data = fn(parameter.grad.data)
                    continue
                # Data of another kind of device wants a parameter of its own.
                moved = Parameter(data, parameter.requires_grad)
                if parameter.grad is not None:
                    moved.grad = fn(parameter.grad.data)
                self._parameters[name] = moved
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: T, *args: Any, **kwargs: Any) -> T:
        """Moves and converts parameters and buffers, in place. A dtype must be floating point."""
        values = [*args, *kwargs.values()]
        dtypes = [v for v in values if isinstance(v, torch.dtype)]
        for dtype in dtypes:
            if not (dtype.is_floating_point or dtype.is_complex):
                raise TypeError(
                    "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                    f"dtype={dtype}"
                )

        def convert(tensor: Tensor) -> Tensor:
            if dtypes and not tensor.is_floating_point():
                rest = [a for a in args if not isinstance(a, torch.dtype)]
                named = {k: v for k, v in kwargs.items() if not isinstance(v, torch.dtype)}
                return tensor.to(*rest, **named) if rest or named else tensor
            return tensor.to(*args, **kwargs)

        return self._apply(convert)

    def float(self: T) -> T:
        """Converts floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self: T) -> T:
        """Converts floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self: T) -> T:
        """Converts floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self: T) -> T:
        """Converts floating-point parameters and buffers to bfloat16."""
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def type(self: T, dst_type: Any) -> T:
        """Converts all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def to_empty(self: T, *, device: Any, recurse: bool = True) -> T:
        """Moves parameters and buffers to a device without their values."""
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse)

    def cpu(self: T) -> T:
        """Moves parameters and buffers to the CPU."""
        return self._apply(lambda t: t.cpu())

    def cuda(self: T, device: Any = None) -> T:
        """Moves parameters and buffers to a CUDA device."""
        return self._apply(lambda t: t.cuda(device))

    # Modes.

    def train(self: T, mode: bool = True) -> T:
        """Sets training mode, which dropout and its like look at."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: T) -> T:
        """Leaves training mode."""
        return self.train(False)

    def requires_grad_(self: T, requires_grad: bool = True) -> T:
        """Sets whether the parameters get gradients."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of the parameters, or zeroes them."""
        for parameter in self.parameters():
            if parameter.grad is None:
                continue
            if set_to_none:
                parameter.grad = None
            else:
                parameter.grad = parameter.grad.detach()
                parameter.grad.zero_()

    # Hooks.

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Calls `hook(module, args, output)` after forward; it may replace the output."""
        handle = RemovableHandle(
            self._forward_hooks,
            extra_dict=[self._forward_hooks_with_kwargs, self._forward_hooks_always_called],
        )
        self._forward_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        if prepend:
            self._forward_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, args)` before forward; it may replace the arguments."""
        handle = RemovableHandle(
            self._forward_pre_hooks, extra_dict=self._forward_pre_hooks_with_kwargs
        )
        self._forward_pre_hooks[handle.id] = hook
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        if prepend:
            self._forward_pre_hooks.move_to_end(handle.id, last=False)
        return handle

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, grad_input, grad_output)` when the gradients of the inputs exist."""
        return self._register(self._backward_hooks, hook, prepend)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Calls `hook(module, grad_output)` when the gradients of the outputs exist."""
        return self._register(self._backward_pre_hooks, hook, prepend)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, prefix, keep_vars)` before `state_dict`."""
        return self._register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, state_dict, prefix, local_metadata)` after `state_dict`."""
        return self._register(self._state_dict_hooks, hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, state_dict, prefix, local_metadata, strict, missing_keys,
        unexpected_keys, error_msgs)` before the module's own values are loaded."""
        return self._register(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Calls `hook(module, incompatible_keys)` after the module and those below are loaded."""
        return self._register(self._load_state_dict_post_hooks, hook)

    @staticmethod
    def _register(
        hooks: OrderedDict[int, Any], hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    # State.

    def get_extra_state(self) -> Any:
        """What else belongs into the state; see `set_extra_state`."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called."
        )

    def set_extra_state(self, state: Any) -> None:
        """Takes back what `get_extra_state` gave."""
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
        if type(self).get_extra_state is not Module.get_extra_state:
            destination[prefix + _EXTRA_STATE] = self.get_extra_state()

    def state_dict(
        self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> dict[str, Any]:
        """Parameters and persistent buffers by dotted name; detached unless `keep_vars`.

        The attribute `_metadata` of the dict has the version of each module.
        """
        if args:
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
                self,
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
        extra = prefix + _EXTRA_STATE
        if type(self).set_extra_state is not Module.set_extra_state:
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
            known = name in self._modules if dot else name in self._parameters or name in persistent
            if not known:
                unexpected_keys.append(key)

    def _take(self, name: str, key: str, own: Tensor, given: Any, assign: bool) -> str | None:
        """Copies one value, or puts the given tensor in the place; returns what went wrong."""
        if not isinstance(given, Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or '
                f"Tensor-like object from checkpoint but received {type(given)}"
            )
        if own.dim() == 0 and tuple(given.shape) == (1,):
            given = given[0]  # files of before 0.4 have no tensors without dimensions
        if own.shape != given.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {given.shape} from "
                f"checkpoint, the shape in current model is {own.shape}."
            )
        try:
            with torch.no_grad():
                if not assign:
                    own.copy_(given)
                    return None
                if isinstance(own, Parameter) and not isinstance(given, Parameter):
                    given = Parameter(given, requires_grad=own.requires_grad)
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
        """Copies the values of a state dict in, or with `assign` takes its tensors over.

        With `strict` the names must be the same.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", {})
        values = OrderedDict(state_dict)

        def load(module: Module, prefix: str) -> None:
            local = dict(metadata.get(prefix[:-1], {}))
            if assign:
                local["assign_to_params_buffers"] = assign
            module._load_from_state_dict(values, prefix, local, strict, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    load(child, prefix + name + ".")
            keys = _IncompatibleKeys(missing, unexpected)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, keys) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not "
                        "expected to return new values, if incompatible_keys need to be modified, "
                        "it should be done inplace."
                    )

        load(self, "")
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

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # Printing.

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        extra_lines = extra.split("\n") if extra else []
        child_lines = [
            f"({name}): {_addindent(repr(module), 2)}" for name, module in self._modules.items()
        ]
        lines = extra_lines + child_lines
        text = self._get_name() + "("
        if lines:
            if len(extra_lines) == 1 and not child_lines:
                text += extra_lines[0]
            else:
                text += "\n  " + "\n  ".join(lines) + "\n"
        return text + ")"


def torch_typename(obj: object) -> str:
    """The type of an object as messages show it."""
    if isinstance(obj, Tensor):
        return obj.type()
    cls = type(obj)
    if cls.__module__ in ("builtins", "__builtin__", "torch.storage"):
        return cls.__qualname__
    return f"{cls.__module__}.{cls.__qualname__}"
