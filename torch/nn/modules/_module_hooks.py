"""What runs before and after a module's `forward` and `backward`, and around its state dicts."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch._tensor import Tensor
from torch.utils.hooks import BackwardHook, RemovableHandle

_MIXED = "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."


def _hooks_of_all_modules() -> Any:
    from torch.nn.modules import module

    return module


class _WrappedHook:
    """A load_state_dict pre-hook, which may want its module as the first argument.

    It is pickled by PyTorch's name and with PyTorch's attributes, in files of whole modules.
    """

    __module__ = "torch.nn.modules.module"

    def __init__(self, hook: Callable[..., Any], module: Any = None) -> None:
        self.__setstate__({"hook": hook, "with_module": module is not None, "module": module})

    def __call__(self, *args: Any) -> Any:
        if not self.with_module:
            return self.hook(*args)
        module = self.module()
        if module is None:
            raise RuntimeError("the module of this hook is gone; register the hook with another")
        return self.hook(module, *args)

    def __getstate__(self) -> dict[str, Any]:
        module = self.module() if self.with_module else None
        return {"hook": self.hook, "with_module": self.with_module, "module": module}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.hook: Callable[..., Any] = state["hook"]
        self.with_module: bool = state["with_module"]
        # Weak: the module has the hook.
        self.module: Any = weakref.ref(state["module"]) if self.with_module else None


def _first_tensor(result: Any) -> Any:
    """The tensor whose node the old backward hooks watch."""
    while not isinstance(result, Tensor):
        if isinstance(result, dict):
            result = next(v for v in result.values() if isinstance(v, Tensor))
        else:
            result = result[0]
    return result


class ModuleHooks:
    """The part of `Module` that registers hooks, and calls those of `forward` and `backward`."""

    _is_full_backward_hook: bool | None

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Has `hook(module, args, output)` called after each `forward`.

        A hook that returns something else than None replaces the output.

        Args:
            hook: the function; `args` are the positional arguments of the call.
            prepend: whether it runs before the hooks that the module has.
            with_kwargs: whether it also gets keyword arguments: `hook(module, args, kwargs,
                output)`.
            always_call: whether it runs, with None as the output, when `forward` raises.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> layer = torch.nn.Linear(3, 2)
            >>> def tell(module, args, output):
            ...     print(tuple(args[0].shape), "to", tuple(output.shape))
            >>> handle = layer.register_forward_hook(tell)
            >>> _ = layer(torch.ones(4, 3))
            (4, 3) to (4, 2)
            >>> handle.remove()
        """
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
        """Has `hook(module, args)` called before each `forward`.

        A hook that returns something else than None replaces the arguments: by a tuple of them, or
        by the only one.

        Args:
            hook: the function; `args` are the positional arguments of the call.
            prepend: whether it runs before the hooks that the module has.
            with_kwargs: whether it also gets keyword arguments, `hook(module, args, kwargs)`, and
                returns None or a pair of a tuple and a dict.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> layer = torch.nn.Identity()
            >>> handle = layer.register_forward_pre_hook(lambda module, args: (2 * args[0],))
            >>> layer(torch.tensor(3.0))
            tensor(6.)
            >>> handle.remove()
            >>> layer(torch.tensor(3.0))
            tensor(3.)
        """
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
        """Has `hook(module, grad_input, grad_output)` called when the gradients of the inputs are
        known.

        A hook that returns something else than None replaces `grad_input`. It must not change its
        arguments in place.

        Args:
            hook: the function; both gradients are tuples, with one entry for each positional
                argument of the call or for each output, and None where there is no gradient.
            prepend: whether it runs before the hooks that the module has.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Raises:
            RuntimeError: the module has a hook of `register_backward_hook`.

        Example::

            >>> layer = torch.nn.Tanh()
            >>> handle = layer.register_full_backward_hook(
            ...     lambda module, grad_input, grad_output: print(grad_input, grad_output)
            ... )
            >>> layer(torch.zeros(1, requires_grad=True)).backward(torch.tensor([2.0]))
            (tensor([2.]),) (tensor([2.]),)
            >>> handle.remove()
        """
        if self._is_full_backward_hook is False:
            raise RuntimeError(_MIXED)
        self._is_full_backward_hook = True
        return self._register(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(module, grad_input, grad_output)` called for the last operation of the module.

        `grad_input` are the gradients of that operation's inputs, which need not be those of the
        module. Use `register_full_backward_hook`, which sees the whole module.

        Args:
            hook: the function; what it returns, if it is not None, replaces `grad_input`.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Raises:
            RuntimeError: the module has a hook of `register_full_backward_hook`.
        """
        if self._is_full_backward_hook is True:
            raise RuntimeError(_MIXED)
        self._is_full_backward_hook = False
        return self._register(self._backward_hooks, hook)

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> RemovableHandle:
        """Has `hook(module, grad_output)` called when the gradients of the outputs are known.

        A hook that returns something else than None replaces `grad_output`. It must not change its
        arguments in place.

        Args:
            hook: the function; `grad_output` is a tuple with one entry for each output.
            prepend: whether it runs before the hooks that the module has.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> layer = torch.nn.Identity()
            >>> handle = layer.register_full_backward_pre_hook(
            ...     lambda module, grads: (3 * grads[0],)
            ... )
            >>> x = torch.ones(1, requires_grad=True)
            >>> layer(2 * x).backward()
            >>> x.grad
            tensor([6.])
            >>> handle.remove()
        """
        return self._register(self._backward_pre_hooks, hook, prepend)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(module, prefix, keep_vars)` called before `state_dict` reads the module.

        Args:
            hook: the function, with the arguments of `state_dict`; what it returns is ignored.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> handle = layer.register_state_dict_pre_hook(
            ...     lambda module, prefix, keep_vars: print("reads", repr(prefix))
            ... )
            >>> list(torch.nn.Sequential(layer).state_dict())
            reads '0.'
            ['0.weight', '0.bias']
            >>> handle.remove()
        """
        return self._register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(module, state_dict, prefix, local_metadata)` called after `state_dict`.

        Args:
            hook: the function, which may change the dict in place and returns None.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Raises:
            RuntimeError: in `state_dict`, if the hook returns something else than None.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> def rename(module, state_dict, prefix, local_metadata):
            ...     state_dict[prefix + "offset"] = state_dict.pop(prefix + "bias")
            >>> handle = layer.register_state_dict_post_hook(rename)
            >>> list(layer.state_dict())
            ['weight', 'offset']
            >>> handle.remove()
        """
        hook._from_public_api = True  # type: ignore[attr-defined]
        return self._register(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """The same for a hook that may return another dict."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously registered via register_state_dict_post_hook"
            )
        return self._register(self._state_dict_hooks, hook)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> RemovableHandle:
        """As `register_load_state_dict_pre_hook`, for a hook that may not take the module."""
        wrapped = _WrappedHook(hook, self if with_module else None)
        return self._register(self._load_state_dict_pre_hooks, wrapped)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has a hook called before `load_state_dict` loads the module's own values.

        Args:
            hook: a function of (module, state_dict, prefix, local_metadata, strict, missing_keys,
                unexpected_keys, error_msgs), which may change the dict and the lists in place. It
                may rename the entries of older files.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> def rename(module, state_dict, prefix, *others):
            ...     state_dict[prefix + "bias"] = state_dict.pop(prefix + "offset")
            >>> handle = layer.register_load_state_dict_pre_hook(rename)
            >>> layer.load_state_dict({"weight": torch.ones(1, 1), "offset": torch.ones(1)})
            <All keys matched successfully>
            >>> handle.remove()
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Has `hook(module, incompatible_keys)` called after the module and those below it are
        loaded.

        Args:
            hook: the function, which returns None. It may change the lists `missing_keys` and
                `unexpected_keys` of its second argument in place; `strict` counts what they hold
                then.

        Returns:
            A handle, whose `remove()` takes the hook away again.

        Raises:
            AssertionError: in `load_state_dict`, if the hook returns something else than None.

        Example::

            >>> layer = torch.nn.Linear(1, 1)
            >>> handle = layer.register_load_state_dict_post_hook(
            ...     lambda module, keys: keys.missing_keys.clear()
            ... )
            >>> layer.load_state_dict({"weight": torch.ones(1, 1)})
            <All keys matched successfully>
            >>> handle.remove()
        """
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

    # Calling them.

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        called: set[int] = set()
        try:
            return self._call_in_order(args, kwargs, called)
        except Exception:
            for hook_id, hook, named, always in self._all_forward_hooks():
                if always and hook_id not in called:
                    _call_always(self, hook, named, args, kwargs)
            raise

    def _all_forward_hooks(self) -> list[tuple[int, Any, bool, bool]]:
        """Those of all modules and the module's: the number, the hook, whether it gets keyword
        arguments, and whether it is called after errors too."""
        every = _hooks_of_all_modules()
        of_all = every._global_forward_hooks.items()
        named, always = (
            {**every._global_forward_hooks_with_kwargs, **self._forward_hooks_with_kwargs},
            {**every._global_forward_hooks_always_called, **self._forward_hooks_always_called},
        )
        return [
            (number, hook, number in named, number in always)
            for number, hook in [*of_all, *self._forward_hooks.items()]
        ]

    def _call_in_order(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], called: set[int]
    ) -> Any:
        """The hooks and `forward`; `called` is given the hooks of the latter that have run."""
        every = _hooks_of_all_modules()
        pre_hooks = [*every._global_forward_pre_hooks.items(), *self._forward_pre_hooks.items()]
        for hook_id, hook in pre_hooks:
            if hook_id in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    if not isinstance(changed, tuple) or len(changed) != 2:
                        raise RuntimeError(
                            f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                        )
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        full: list[Any] = []
        last_node: list[Any] = []
        for hooks, is_full in (
            (every._global_backward_hooks, every._global_is_full_backward_hook),
            (self._backward_hooks, self._is_full_backward_hook),
        ):
            (last_node if is_full is False else full).extend(hooks.values())
        pre = [*every._global_backward_pre_hooks.values(), *self._backward_pre_hooks.values()]
        watcher = None
        if full or pre:
            watcher = BackwardHook(self, full, pre)
            args = watcher.setup_input_hook(args)
        result = self.forward(*args, **kwargs)
        for hook_id, hook, named, _ in self._all_forward_hooks():
            called.add(hook_id)
            changed = hook(self, args, kwargs, result) if named else hook(self, args, result)
            if changed is not None:
                result = changed
        if watcher is not None:
            if not isinstance(result, (Tensor, tuple)):
                warnings.warn(
                    f"For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received {type(result)}",
                    stacklevel=3,
                )
            result = watcher.setup_output_hook(result)
        if last_node:
            self._watch_last_node(last_node, args, result)
        return result

    def _watch_last_node(self, hooks: list[Any], args: tuple[Any, ...], result: Any) -> None:
        """Gives the old backward hooks to the node of the output."""
        node = _first_tensor(result).grad_fn
        if node is None:
            return
        for hook in hooks:
            node.register_hook(functools.partial(hook, self))
        _warn_where_nodes_differ(args, result, node)


def _call_always(
    module: Any, hook: Any, named: bool, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Calls a hook after an error; an error in it becomes a warning."""
    try:
        hook(module, args, kwargs, None) if named else hook(module, args, None)
    except Exception as error:
        warnings.warn(
            f"module forward hook with ``always_call=True`` raised an exception that was silenced as another error was raised in forward: {error}",
            stacklevel=3,
        )


def _warn_where_nodes_differ(inputs: Any, result: Any, node: Any) -> None:
    """Says why an old backward hook does not see the gradients of the whole module."""
    reason = _why_not_full(inputs, (result,) if isinstance(result, Tensor) else result, node)
    if reason is not None:
        warnings.warn(
            f"Using a non-full backward hook when {reason} is deprecated: the hook misses some gradients. Please use register_full_backward_hook to get the documented behavior.",
            FutureWarning,
            stacklevel=4,
        )


def _why_not_full(inputs: Any, results: Any, node: Any) -> str | None:
    for values, does in ((results, "return"), (inputs, "take as input")):
        if not (isinstance(values, tuple) and all(isinstance(v, Tensor) for v in values)):
            return f"a Module does not {does} a single Tensor or a tuple of Tensors"
    if {r.grad_fn for r in results if r.grad_fn is not None} != {node}:
        return "outputs are generated by different autograd Nodes"
    into = {i.grad_fn for i in inputs if i.requires_grad and i.grad_fn is not None}
    leaves = any(i.requires_grad and i.grad_fn is None for i in inputs)
    before = {n for n, _ in node.next_functions if n is not None}
    others = {n for n in before - into if not (leaves and hasattr(n, "variable"))}
    return "the forward contains multiple autograd Nodes" if others or not into <= before else None
