"""Differentiable functions written in Python."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from torch import _C, _absent
from torch._tensor import Tensor


class FunctionCtx:
    """What `forward` leaves for `backward`: the `ctx` of `torch.autograd.Function`, which any
    attribute can be set on.

    Example::

        >>> class Scale(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x, factor):
        ...         ctx.factor = factor
        ...         return x * factor
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         return grad * ctx.factor, None
        >>> x = torch.ones(1, requires_grad=True)
        >>> Scale.apply(x, 3.0).backward()
        >>> x.grad
        tensor([3.])
    """

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keeps tensors for `backward`, which finds them as `ctx.saved_tensors`.

        Inputs and outputs of `forward` belong here and not into attributes: they are checked for
        changes in place, and outputs do not keep their own graph alive. Call it once, in `forward`
        or `setup_context`.

        Args:
            *tensors: the tensors; None stays None.

        Example::

            >>> class Exp(torch.autograd.Function):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         y = x.exp()
            ...         ctx.save_for_backward(y)
            ...         return y
            ...     @staticmethod
            ...     def backward(ctx, grad):
            ...         (y,) = ctx.saved_tensors
            ...         return grad * y
            >>> x = torch.zeros(1, requires_grad=True)
            >>> Exp.apply(x).backward()
            >>> x.grad
            tensor([1.])
        """
        self.to_save = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Names the inputs that `forward` changed in place. It returns them too.

        Args:
            *args: the inputs.

        Example::

            >>> class Double(torch.autograd.Function):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         ctx.mark_dirty(x)
            ...         return x.mul_(2)
            ...     @staticmethod
            ...     def backward(ctx, grad):
            ...         return 2 * grad
            >>> leaf = torch.ones(1, requires_grad=True)
            >>> x = leaf.clone()
            >>> Double.apply(x).backward()
            >>> leaf.grad
            tensor([2.])
        """
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Names the outputs that no gradient flows through, such as indices.

        `backward` still takes a gradient for each of them, which is zero.

        Args:
            *args: the outputs.

        Example::

            >>> class Sort(torch.autograd.Function):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         values, order = x.sort()
            ...         ctx.save_for_backward(order)
            ...         ctx.mark_non_differentiable(order)
            ...         return values, order
            ...     @staticmethod
            ...     def backward(ctx, grad, _):
            ...         (order,) = ctx.saved_tensors
            ...         return torch.zeros_like(grad).index_add_(0, order, grad)
            >>> values, order = Sort.apply(torch.tensor([2.0, 1.0], requires_grad=True))
            >>> values.requires_grad, order.requires_grad
            (True, False)
        """
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Says how an output that no gradient arrived for is shown to `backward`.

        Args:
            value: True, as without this call, for zeros; False for None.

        Example::

            >>> class Both(torch.autograd.Function):
            ...     @staticmethod
            ...     def forward(ctx, x):
            ...         ctx.set_materialize_grads(False)
            ...         return x.clone(), x.clone()
            ...     @staticmethod
            ...     def backward(ctx, first, second):
            ...         print(first, second)
            ...         return first
            >>> Both.apply(torch.ones(1, requires_grad=True))[0].backward()
            tensor([1.]) None
        """
        self.materialize_grads = value


def _positional(cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments of a call of `forward` by their places, without the context."""
    if not kwargs:
        return args
    names = inspect.signature(cls.forward).parameters.values()
    by_place = [p for p in names if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if cls.setup_context is _SingleLevelFunction.setup_context:
        del by_place[:1]
    values, rest = list(args), dict(kwargs)
    for parameter in by_place[len(args) :]:
        if not rest or (parameter.name not in rest and parameter.default is parameter.empty):
            break
        values.append(rest.pop(parameter.name, parameter.default))
    for name in rest:
        raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
    return tuple(values)


class BackwardCFunction(_C._FunctionBase, FunctionCtx):
    """The node of a call; its class is made for each Function."""

    def apply(self, *args: Any) -> Any:
        """Calls the Function's `backward`, or its `vjp`; the engine calls this.

        Args:
            *args: a gradient for each output.

        Returns:
            What the Function returned: a gradient, or None, for each argument of `forward`.

        Raises:
            RuntimeError: the class defines both.
        """
        cls = self._forward_cls  # type: ignore[attr-defined]
        backward = cls.backward
        vjp = cls.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. "
                "You should only implement one of them."
            )
        function = vjp if vjp is not Function.vjp else backward
        return function(self, *args)


class FunctionMeta(type):
    """The class of Functions: gives each the class of its nodes, such as `SquareBackward` for
    `Square`.

    Args:
        name, bases, attrs: those of `type`.
    """

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls})
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_C._FunctionBase, FunctionCtx, metaclass=FunctionMeta):
    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the outputs; subclasses define it as a static method.

        Args:
            *args, **kwargs: the context and the arguments of `apply`; without the context if the
                class has a `setup_context`.

        Returns:
            A tensor, or a tuple of tensors and of anything else.
        """
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Fills the context after a `forward` that does not take it.

        Args:
            ctx: the context.
            inputs: a tuple of all arguments of `forward`.
            output: what it returned.

        Example::

            >>> class Scale(torch.autograd.Function):
            ...     @staticmethod
            ...     def forward(x, factor):
            ...         return x * factor
            ...     @staticmethod
            ...     def setup_context(ctx, inputs, output):
            ...         _, ctx.factor = inputs
            ...     @staticmethod
            ...     def backward(ctx, grad):
            ...         return grad * ctx.factor, None
            >>> x = torch.ones(1, requires_grad=True)
            >>> Scale.apply(x, 3.0).backward()
            >>> x.grad
            tensor([3.])
        """
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Computes the gradients of the arguments; subclasses define it as a static method.

        Args:
            ctx: the context. `ctx.needs_input_grad` says of each argument whether its gradient is
                wanted.
            *grad_outputs: a gradient for each output of `forward`.

        Returns:
            A gradient, or None, for each argument of `forward`: a tensor or a tuple.
        """
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with backward mode AD."
        )

    vjp = backward


def _apply(cls: type, *args: Any) -> Any:
    """The apply of the bindings."""
    return _C._FunctionBase.__dict__["apply"].__get__(None, cls)(*args)


class Function(_SingleLevelFunction):
    """An operation with a formula of its own for its gradient.

    Subclasses override the static methods `forward` and `backward`; `apply` calls them. `backward`
    takes a gradient for each output and returns one, or None, for each argument of `forward`.

    Args:
        *args, **kwargs: none: it is not instantiated.

    Raises:
        RuntimeError: the class is instantiated, or `forward` is no static method.
        NotImplementedError: `forward` or `backward` is missing.

    Example::

        >>> class Square(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * grad
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> Square.apply(x).backward()
        >>> x.grad
        tensor(6.)
    """

    # PyTorch's rules for torch.vmap, which calls the function here.
    generate_vmap_rule = False

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """A rule for `torch.vmap`; this release calls the function for each element instead.

        Args:
            info: what PyTorch tells a rule: the size of the batch and the kind of randomness.
            in_dims: the dimension of the batch for each argument, or None.
            *args: those of `forward`.

        Raises:
            NotImplementedError: the class does not define it.
        """
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set generate_vmap_rule=True."
        )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.setup_context is Function.setup_context:
            return
        signature = inspect.signature(cls.forward)

        # `setup_context` sees all arguments of `forward`, also those that a call leaves out.
        def apply(made: type[Function], *args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*_positional(made, args, kwargs))
            bound.apply_defaults()
            return _apply(made, *bound.args)

        cls.apply = classmethod(apply)  # type: ignore[method-assign, assignment]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should invoke them on the class itself. Instantiating an autograd function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    if TYPE_CHECKING:  # The bindings define it.

        @classmethod
        def apply(cls, *args: Any, **kwargs: Any) -> Any:
            """Calls `forward` and records the call for `backward`.

            Args:
                *args, **kwargs: those of `forward`, without the context.

            Returns:
                What `forward` returned. Its tensors require a gradient if an argument does, and the
                output is differentiable.
            """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function with static forward method."
        )


class InplaceFunction(Function):
    """The base of older classes, whose `forward` may change its input; `Function` serves them too.

    Args:
        inplace: what the attribute `inplace` says.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a `backward` that must not be differentiated itself.

    Args:
        function: a `backward`, which runs without recording.

    Returns:
        A function whose results raise RuntimeError when a second derivative reaches them.

    Example::

        >>> class Twice(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return 2 * x
        ...     @staticmethod
        ...     @torch.autograd.function.once_differentiable
        ...     def backward(ctx, grad):
        ...         return 2 * grad
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> Twice.apply(x).backward()
        >>> x.grad
        tensor(2.)
    """

    @functools.wraps(function)
    def wrapper(ctx: Any, *args: Any) -> Any:
        from torch.autograd.grad_mode import no_grad

        with no_grad():
            outputs = function(ctx, *args)
        recorded = _C.is_grad_enabled() and any(
            isinstance(arg, Tensor) and arg.requires_grad for arg in args
        )
        if not recorded:
            return outputs
        # The second derivative is asked for perhaps: only then is there an error.
        single = not isinstance(outputs, tuple)
        grads = (outputs,) if single else outputs
        fakes = [
            grad.detach().requires_grad_()
            if isinstance(grad, Tensor) and (grad.is_floating_point() or grad.is_complex())
            else grad
            for grad in grads
        ]
        passed = _NotTwice.apply(*fakes)
        return passed[0] if single else passed

    return wrapper


class _NotTwice(Function):
    """The identity, whose own gradient is an error."""

    @staticmethod
    def forward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        return grads

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


__getattr__ = _absent.explain(__name__)

__all__ = ["Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
