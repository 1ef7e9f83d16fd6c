"""class Module, the base of all layers."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

import torch
from torch import __future__
from torch._conversion import parse_to
from torch._tensor import Tensor, _clear_gradient
from torch.nn.modules._module_hooks import ModuleHooks
from torch.nn.modules._module_hooks import _WrappedHook as _WrappedHook
from torch.nn.modules._module_state import _EXTRA_STATE_KEY_SUFFIX as _EXTRA_STATE_KEY_SUFFIX
from torch.nn.modules._module_state import ModuleState
from torch.nn.modules._module_state import _IncompatibleKeys as _IncompatibleKeys
from torch.nn.modules._module_tree import ModuleTree
from torch.nn.parameter import Buffer, Parameter
from torch.utils.hooks import RemovableHandle

T = TypeVar("T", bound="Module")


# Hooks of all modules, by the number of their handle, in the order in which they are called.
_global_forward_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_forward_hooks: OrderedDict[int, Any] = OrderedDict()
_global_forward_hooks_with_kwargs: OrderedDict[int, bool] = OrderedDict()
_global_forward_hooks_always_called: OrderedDict[int, bool] = OrderedDict()
_global_backward_pre_hooks: OrderedDict[int, Any] = OrderedDict()
_global_backward_hooks: OrderedDict[int, Any] = OrderedDict()
_global_buffer_registration_hooks: OrderedDict[int, Any] = OrderedDict()
_global_module_registration_hooks: OrderedDict[int, Any] = OrderedDict()
_global_parameter_registration_hooks: OrderedDict[int, Any] = OrderedDict()
# Those that a call of a module asks: one look tells whether there are any.
_global_call_hooks: OrderedDict[int, Any] = OrderedDict()
# The kind of the global backward hooks; the two kinds are not mixed.
_global_is_full_backward_hook: bool | None = None

_MIXED_GLOBALLY = (
    "Cannot use both regular backward hooks and full backward hooks as a global Module hook. "
    "Please use only one of them."
)


def _has_any_global_hook() -> bool:
    return bool(_global_call_hooks)


def _register_global(hooks: OrderedDict[int, Any], hook: Any, *more: Any) -> RemovableHandle:
    handle = RemovableHandle(hooks, extra_dict=[_global_call_hooks, *more])
    hooks[handle.id] = _global_call_hooks[handle.id] = hook
    return handle


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function before the forward of every module, for debugging; it comes before the
    module's own hooks.

    Args:
        hook: takes (module, args) and may return other arguments.

    Returns:
        A handle; `remove` ends the calls.

    Example::

        >>> handle = torch.nn.modules.module.register_module_forward_pre_hook(
        ...     lambda module, args: print(type(module).__name__)
        ... )
        >>> _ = torch.nn.ReLU()(torch.ones(1))
        ReLU
        >>> handle.remove()
    """
    return _register_global(_global_forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Calls a function after the forward of every module, for debugging; it comes before the
    module's own hooks.

    Args:
        hook: takes (module, args, output) and may return another output.
        with_kwargs: whether it takes (module, args, kwargs, output).
        always_call: whether it is called after an error too.

    Returns:
        A handle; `remove` ends the calls.

    Example::

        >>> handle = torch.nn.modules.module.register_module_forward_hook(
        ...     lambda module, args, output: output + 1
        ... )
        >>> torch.nn.ReLU()(torch.ones(1))
        tensor([2.])
        >>> handle.remove()
    """
    named, always = _global_forward_hooks_with_kwargs, _global_forward_hooks_always_called
    handle = _register_global(_global_forward_hooks, hook, named, always)
    if with_kwargs:
        named[handle.id] = True
    if always_call:
        always[handle.id] = True
    return handle


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function when the gradients of the outputs of any module exist.

    Args:
        hook: takes (module, grad_output) and may return other gradients.

    Returns:
        A handle; `remove` ends the calls.
    """
    return _register_global(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function when the gradients of the inputs of any module exist.

    Args:
        hook: takes (module, grad_input, grad_output) and may return other gradients of the inputs.

    Returns:
        A handle; `remove` ends the calls.
    """
    return _register_global_backward(hook, full=True)


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls `hook(module, grad_input, grad_output)` of the last operation of every module; use
    `register_module_full_backward_hook`, which sees the whole module."""
    return _register_global_backward(hook, full=False)


def _register_global_backward(hook: Any, *, full: bool) -> RemovableHandle:
    global _global_is_full_backward_hook
    if _global_is_full_backward_hook is (not full):
        raise RuntimeError(_MIXED_GLOBALLY)
    _global_is_full_backward_hook = full
    return _register_global(_global_backward_hooks, hook)


def _register_of_registration(hooks: OrderedDict[int, Any], hook: Any) -> RemovableHandle:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function when a module gets a buffer.

    Args:
        hook: takes (module, name, buffer) and may return another buffer.

    Returns:
        A handle; `remove` ends the calls.
    """
    return _register_of_registration(_global_buffer_registration_hooks, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function when a module gets a child.

    Args:
        hook: takes (module, name, submodule) and may return another module.

    Returns:
        A handle; `remove` ends the calls.
    """
    return _register_of_registration(_global_module_registration_hooks, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Calls a function when a module gets a parameter.

    Args:
        hook: takes (module, name, parameter) and may return another parameter.

    Returns:
        A handle; `remove` ends the calls.
    """
    return _register_of_registration(_global_parameter_registration_hooks, hook)


def _registered(hooks: OrderedDict[int, Any], module: Any, name: str, value: Any) -> Any:
    """What the hooks of a registration make of a value."""
    for hook in hooks.values():
        changed = hook(module, name, value)
        if changed is not None:
            value = changed
    return value


def _addindent(text: str, spaces: int) -> str:
    first, *rest = text.split("\n")
    if not rest:
        return text
    return "\n".join([first, *(" " * spaces + line for line in rest)])


# Between these kinds of device a parameter moves and stays the same object: what is tied stays
# tied, and an optimizer keeps what it has.
_ALIKE = frozenset({"cpu", "cuda", "mps", "vulkan", "xpu"})


def _takes_data(parameter: Tensor, data: Tensor) -> bool:
    """Whether a parameter's `data` can be set to this, as PyTorch decides it."""
    kinds = {parameter.device.type, data.device.type}
    return len(kinds) == 1 or kinds <= _ALIKE


def _swap_for(parameter: Parameter, data: Tensor, fn: Callable[[Tensor], Tensor]) -> None:
    """Swaps a parameter with its converted value, and its gradient likewise."""
    moved = Parameter(data, parameter.requires_grad)
    grad, parameter.grad = parameter.grad, None
    if grad is not None:
        moved.grad = fn(grad.data)
    try:
        torch.utils.swap_tensors(parameter, moved)
    except Exception as error:
        parameter.grad = grad
        raise RuntimeError(
            f"_apply(): Couldn't swap {torch_typename(parameter)}: {error}"
        ) from error


_HOOKS = (
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_backward_hooks",
    "_forward_hooks_always_called",
    "_backward_pre_hooks",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


class Module(ModuleTree, ModuleHooks, ModuleState):
    """A layer or a network: parameters, buffers and other modules under names of attributes.

    Subclasses call `super().__init__()` before they assign any, and define `forward`, which a call
    of the module runs between its hooks.

    Args:
        *args, **kwargs: none, unless a subclass passes them on.

    Attributes:
        training: whether `train()` or `eval()` was called last; True at first.

    Raises:
        AttributeError: something is assigned before `super().__init__()`.

    Example::

        >>> class Scale(torch.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = torch.nn.Parameter(torch.tensor(2.0))
        ...     def forward(self, x):
        ...         return self.factor * x
        >>> Scale()(torch.ones(2)).detach()
        tensor([2., 2.])
        >>> dict(Scale().state_dict())
        {'factor': tensor(2.)}
    """

    training: bool
    dump_patches = False
    # What files know of the layout of the parameters: rises when it changes.
    _version = 1
    # Whether the constructor calls that of the next base class.
    call_super_init: bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if (args or kwargs) and not self.call_super_init:
            what = f"takes 1 positional argument but {len(args) + 1} were given"
            for name in kwargs:
                what = f"got an unexpected keyword argument '{name}'"
            raise TypeError(f"{type(self).__name__}.__init__() {what}")
        set_ = super().__setattr__
        set_("training", True)
        set_("_parameters", {})
        set_("_buffers", {})
        set_("_non_persistent_buffers_set", set())
        set_("_modules", {})
        set_("_is_full_backward_hook", None)
        for name in _HOOKS:
            set_(name, OrderedDict())
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What a call of the module computes; subclasses define it.

        Call the module and not this: the call also runs the hooks.

        Raises:
            NotImplementedError: the class does not define it.
        """
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
            or _global_call_hooks
        ):
            return self.forward(*args, **kwargs)
        return self._call_with_hooks(args, kwargs)

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
                    f"cannot assign '{torch_typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
            return
        modules = state.get("_modules")
        if isinstance(value, Module):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._remove_from(name, state, state["_parameters"], state["_buffers"])
            modules[name] = _registered(_global_module_registration_hooks, self, name, value)
            return
        if modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{torch_typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = _registered(_global_module_registration_hooks, self, name, value)
            return
        buffers = state.get("_buffers")
        if isinstance(value, Buffer) and buffers is not None:
            self.register_buffer(name, value, getattr(value, "persistent", True))
            return
        if buffers is not None and name in buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{torch_typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            buffers[name] = _registered(_global_buffer_registration_hooks, self, name, value)
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
        """Adds a parameter, which can then be read as an attribute.

        To assign a `torch.nn.Parameter` to an attribute does the same.

        Args:
            name: of the attribute, without a dot.
            param: the parameter. None reserves the name: the attribute is None and not in
                `state_dict`.

        Raises:
            KeyError: there is such an attribute, or the name is empty or has a dot.
            TypeError: `param` is a tensor that is no parameter.
            ValueError: `param` is no leaf of the graph of autograd.

        Example::

            >>> module = torch.nn.Module()
            >>> module.register_parameter("scale", torch.nn.Parameter(torch.ones(2)))
            >>> [name for name, _ in module.named_parameters()]
            ['scale']
        """
        self._check_name("parameter", name)
        if hasattr(self, name) and name not in self._parameters:
            raise KeyError(f"attribute '{name}' already exists")
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{torch_typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = _registered(
            _global_parameter_registration_hooks, self, name, param
        )

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Adds a tensor that belongs to the module and is no parameter, such as a running mean.

        It moves with the module and can be read as an attribute. To assign a `torch.nn.Buffer` to
        an attribute does the same.

        Args:
            name: of the attribute, without a dot.
            tensor: the tensor. None reserves the name: the attribute is None and not in
                `state_dict`.
            persistent: whether `state_dict` has it.

        Raises:
            KeyError: there is such an attribute, or the name is empty or has a dot.
            TypeError: `tensor` is no tensor.

        Example::

            >>> module = torch.nn.Module()
            >>> module.register_buffer("mean", torch.zeros(2))
            >>> module.register_buffer("cache", torch.zeros(9), persistent=False)
            >>> dict(module.state_dict())
            {'mean': tensor([0., 0.])}
        """
        self._check_name("buffer", name)
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{torch_typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = _registered(_global_buffer_registration_hooks, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Adds a module, which can then be read as an attribute.

        To assign a module to an attribute does the same.

        Args:
            name: of the attribute, without a dot.
            module: the module; None reserves the name.

        Raises:
            KeyError: there is such an attribute, or the name is empty or has a dot.
            TypeError: `module` is no module.

        Example::

            >>> model = torch.nn.Module()
            >>> model.add_module("act", torch.nn.ReLU())
            >>> model.act
            ReLU()
        """
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch_typename(module)} is not a Module subclass")
        self._check_name("module", name)
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        self._modules[name] = _registered(_global_module_registration_hooks, self, name, module)

    register_module = add_module

    # Conversions.

    def apply(self: T, fn: Callable[[Module], None]) -> T:
        """Calls a function with every module below this one, children first, and then with this
        one.

        Args:
            fn: the function; what it returns is ignored.

        Returns:
            This module.

        Example::

            >>> @torch.no_grad()
            ... def fill(module):
            ...     if isinstance(module, torch.nn.Linear):
            ...         module.weight.fill_(1.0)
            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False), torch.nn.ReLU())
            >>> model.apply(fill)[0].weight.tolist()
            [[1.0, 1.0]]
        """
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
                data = fn(parameter)
                if __future__.get_swap_module_params_on_conversion():
                    _swap_for(parameter, data, fn)
                    continue
                if (
                    _takes_data(parameter, data)
                    and not __future__.get_overwrite_module_params_on_conversion()
                ):
                    parameter.data = data
                    if parameter.grad is not None:
                        parameter.grad.data = fn(parameter.grad)
                    continue
                # Data of the device "meta" wants a parameter of its own; a program may too.
                moved = Parameter(data, parameter.requires_grad)
                if parameter.grad is not None:
                    moved.grad = fn(parameter.grad)
                self._parameters[name] = moved
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self: T, *args: Any, **kwargs: Any) -> T:
        """Moves and converts parameters and buffers, in place.

        The forms are `to(device, dtype, non_blocking)`, `to(dtype, non_blocking)` and
        `to(tensor, non_blocking)`, which takes the device and dtype of the tensor, each with
        `memory_format`.

        Args:
            *args, **kwargs: device: where they go. dtype: floating point or complex; integers keep
                theirs. non_blocking: whether copies from pinned memory may return early.
                memory_format: of the tensors of 4 and 5 dimensions.

        Returns:
            This module.

        Raises:
            TypeError: a dtype that is neither floating point nor complex.

        Example::

            >>> layer = torch.nn.Linear(2, 2)
            >>> layer.to(torch.float64).weight.dtype
            torch.float64
            >>> layer.to("meta").weight.device
            device(type='meta')
        """
        if "copy" in kwargs:
            raise RuntimeError(".to() does not accept copy argument")
        device, dtype, non_blocking, memory_format = parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )
        if dtype is not None and dtype.is_complex:
            warnings.warn(
                "Complex modules are a new feature under active development whose design may change, and some modules might not work as expected when using complex tensors as parameters or buffers.",
                stacklevel=2,
            )

        def convert(tensor: Tensor) -> Tensor:
            wanted = dtype if tensor.is_floating_point() or tensor.is_complex() else None
            if tensor.is_meta and device is not None and torch.device(device).type != "meta":
                raise NotImplementedError(
                    "Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device."
                )
            if memory_format is not None and tensor.dim() in (4, 5):
                return tensor.to(device, wanted, non_blocking, memory_format=memory_format)
            return tensor.to(device, wanted, non_blocking)

        return self._apply(convert)

    def float(self: T) -> T:
        """Converts floating-point parameters and buffers to float32, in place.

        Returns:
            This module.

        Example::

            >>> torch.nn.Linear(1, 1, dtype=torch.float64).float().weight.dtype
            torch.float32
        """
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self: T) -> T:
        """Converts floating-point parameters and buffers to float64, in place.

        Returns:
            This module.

        Example::

            >>> torch.nn.Linear(1, 1).double().weight.dtype
            torch.float64
        """
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self: T) -> T:
        """Converts floating-point parameters and buffers to float16, in place.

        Returns:
            This module.

        Example::

            >>> torch.nn.Linear(1, 1).half().weight.dtype
            torch.float16
        """
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self: T) -> T:
        """Converts floating-point parameters and buffers to bfloat16, in place.

        Returns:
            This module.

        Example::

            >>> torch.nn.Linear(1, 1).bfloat16().weight.dtype
            torch.bfloat16
        """
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def type(self: T, dst_type: Any) -> T:
        """Converts all parameters and buffers to a dtype, those of integers too, in place.

        Args:
            dst_type: the dtype, or its name as `Tensor.type` has it.

        Returns:
            This module.

        Example::

            >>> torch.nn.BatchNorm1d(1).type(torch.float64).num_batches_tracked
            tensor(0., dtype=torch.float64)
        """
        return self._apply(lambda t: t.type(dst_type))

    def to_empty(self: T, *, device: Any, recurse: bool = True) -> T:
        """Moves parameters and buffers to a device without their values, which are undefined there.

        This is how a module that was made on the device "meta" gets memory.

        Args:
            device: where they go.
            recurse: False leaves the modules below as they are.

        Returns:
            This module.

        Example::

            >>> layer = torch.nn.Linear(2, 3, device="meta")
            >>> layer.to_empty(device="cpu").weight.shape
            torch.Size([3, 2])
        """
        return self._apply(lambda t: torch.empty_like(t, device=device), recurse)

    def cpu(self: T) -> T:
        """Moves parameters and buffers to the CPU, in place.

        Returns:
            This module.

        Example::

            >>> torch.nn.Linear(1, 1).cpu().weight.device
            device(type='cpu')
        """
        return self._apply(lambda t: t.cpu())

    def cuda(self: T, device: Any = None) -> T:
        """Moves parameters and buffers to a GPU, in place. Optimizers are made after it.

        Args:
            device: the GPU, as an index, a name or a device; the current one if None.

        Returns:
            This module.
        """
        return self._apply(lambda t: t.cuda(device))

    def share_memory(self: T) -> T:
        """Moves parameters and buffers into memory that other processes can see, by
        `Tensor.share_memory_`."""
        return self._apply(lambda t: t.share_memory_())

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Does nothing but to warn once: this version has no compiler, and calls run as they are.

        Args:
            *args, **kwargs: those of `torch.compile`.
        """
        torch.compile(self, *args, **kwargs)

    # Modes.

    def train(self: T, mode: bool = True) -> T:
        """Sets the mode of this module and of all below it: training, or evaluation.

        Dropout and batch normalization compute something else in each mode.

        Args:
            mode: True for training.

        Returns:
            This module.

        Raises:
            ValueError: `mode` is no bool.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Dropout(1.0))
            >>> model.train()(torch.ones(2))
            tensor([0., 0.])
            >>> model.train(False)(torch.ones(2))
            tensor([1., 1.])
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: T) -> T:
        """Sets the mode of this module and of all below it to evaluation: `train(False)`.

        It does not end the recording of gradients: see `torch.no_grad`.

        Returns:
            This module.

        Example::

            >>> torch.nn.Dropout(0.5).eval()(torch.ones(2))
            tensor([1., 1.])
        """
        return self.train(False)

    def requires_grad_(self: T, requires_grad: bool = True) -> T:
        """Sets whether the parameters of this module and of those below it get gradients.

        Args:
            requires_grad: False freezes them.

        Returns:
            This module.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
            >>> _ = model[0].requires_grad_(False)
            >>> [name for name, parameter in model.named_parameters() if parameter.requires_grad]
            ['1.weight', '1.bias']
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forgets the gradients of the parameters, or sets them to zero.

        Args:
            set_to_none: whether `grad` becomes None. An optimizer leaves parameters without a
                gradient alone, while one of zeros still decays weights and moves by momentum.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> layer(torch.ones(1)).backward()
            >>> layer.zero_grad(set_to_none=False)
            >>> layer.bias.grad
            tensor([0.])
            >>> layer.zero_grad()
            >>> layer.bias.grad is None
            True
        """
        for parameter in self.parameters():
            _clear_gradient(parameter, set_to_none)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Pickles of earlier releases lack what came later.
        for name in _HOOKS:
            self.__dict__.setdefault(name, OrderedDict())
        self.__dict__.setdefault("_non_persistent_buffers_set", set())
        self.__dict__.setdefault("_is_full_backward_hook", None)

    # Printing.

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What `repr` shows of the module itself, between the parentheses; subclasses define it.

        Returns:
            One line, or several.

        Example::

            >>> class Scale(torch.nn.Module):
            ...     def extra_repr(self):
            ...         return "factor=2"
            >>> Scale()
            Scale(factor=2)
        """
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
    """The type of an object as messages show it.

    Args:
        obj: anything; of a tensor its type, such as "torch.FloatTensor".

    Example::

        >>> from torch.nn.modules.module import torch_typename
        >>> torch_typename(torch.ones(1)), torch_typename(torch.nn.Linear(1, 1)), torch_typename(2)
        ('torch.FloatTensor', 'torch.nn.modules.linear.Linear', 'int')
    """
    if isinstance(obj, Tensor):
        return obj.type()
    cls = type(obj)
    if cls.__module__ in ("builtins", "__builtin__", "torch.storage"):
        return cls.__qualname__
    return f"{cls.__module__}.{cls.__qualname__}"
