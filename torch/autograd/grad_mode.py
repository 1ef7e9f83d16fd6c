"""Switches recording for the backward pass on and off."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from torch import _C, _absent

_F = TypeVar("_F", bound=Callable[..., Any])


def context_decorator(ctx: Any, func: _F) -> _F:
    """The function whose calls run in a context each.

    Args:
        ctx: a function that makes the context of one call, or a context that many calls may enter.
        func: a function; of a generator, the context holds while it runs, and not for who asks it.

    Raises:
        AssertionError: `ctx` is callable and a context, as the class of contexts is.
        RuntimeError: `func` is a class.

    Example::

        >>> from torch.utils._contextlib import context_decorator
        >>> context_decorator(lambda: torch.no_grad(), torch.is_grad_enabled)()
        False
    """
    if callable(ctx) and hasattr(ctx, "__enter__"):
        raise AssertionError(
            f"Passed in {ctx} is both callable and also a valid context manager (has __enter__), making it ambiguous which interface to use.  If you intended to pass a context manager factory, rewrite your call as context_decorator(lambda: ctx()); if you intended to pass a context manager directly, rewrite your call as context_decorator(lambda: ctx)"
        )
    if inspect.isclass(func):
        raise RuntimeError(
            "Cannot decorate classes; it is ambiguous whether or not only the constructor or all methods should have the context manager applied; additionally, decorating a class at definition-site will prevent use of the identifier as a conventional type.  To specify which methods to decorate, decorate each of them individually."
        )
    fresh = ctx if callable(ctx) else lambda: ctx
    if inspect.isgeneratorfunction(func):
        return _around_generator(fresh, func)  # type: ignore[return-value]

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with fresh():
            return func(*args, **kwargs)

    return wrapper  # type: ignore[return-value]


def _around_generator(fresh: Callable[[], Any], function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with fresh():
            generator = function(*args, **kwargs)

        def go_on(step: Callable[..., Any], *arguments: Any) -> Any:
            with fresh():
                return step(*arguments)

        try:
            value = go_on(generator.send, None)
            while True:
                try:
                    sent = yield value
                except GeneratorExit:
                    go_on(generator.close)
                    raise
                except BaseException as error:
                    value = go_on(generator.throw, error)
                else:
                    value = go_on(generator.send, sent)
        except StopIteration as stop:
            return stop.value

    return wrapper


class _DecoratorContextManager:
    """A context that decorates functions, too; `clone` makes that of each call."""

    def __call__(self, orig_func: _F) -> _F:
        if not inspect.isclass(orig_func):
            return context_decorator(self.clone, orig_func)
        warnings.warn(
            "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and nothing else.",
            FutureWarning,
            stacklevel=2,
        )
        orig_func.__init__ = self(orig_func.__init__)  # type: ignore[method-assign]
        return orig_func

    def clone(self) -> Any:
        """Another such context; a class whose constructor takes arguments has its own."""
        return type(self)()

    def __enter__(self) -> Any:
        raise NotImplementedError

    def __exit__(self, *args: object) -> Any:
        raise NotImplementedError


class _NoParamDecoratorContextManager(_DecoratorContextManager):
    """A context whose decorator needs no parentheses: `@no_grad`."""

    def __new__(cls, orig_func: Callable[..., Any] | None = None) -> Any:
        self = super().__new__(cls)
        if orig_func is None:
            return self
        self.__init__()  # type: ignore[misc]
        return self(orig_func)

    def __init__(self, orig_func: Callable[..., Any] | None = None) -> None:
        super().__init__()


class _GradMode(_DecoratorContextManager):
    """A context that sets grad mode to `mode`."""

    mode: bool

    def __init__(self) -> None:
        self.prev: list[bool] = []

    def __enter__(self) -> None:
        self.prev.append(_C.is_grad_enabled())
        _C._set_grad_enabled(self.mode)

    def __exit__(self, *args: object) -> None:
        _C._set_grad_enabled(self.prev.pop())


class no_grad(_NoParamDecoratorContextManager, _GradMode):
    """Nothing is recorded inside: results do not require a gradient. A context manager or a
    decorator.

    The mode belongs to a thread.

    Args:
        orig_func: what is decorated.

    Example::

        >>> x = torch.ones(1, requires_grad=True)
        >>> with torch.no_grad():
        ...     print((2 * x).requires_grad)
        False
    """

    mode = False


class enable_grad(_NoParamDecoratorContextManager, _GradMode):
    """Recording is on inside, also within `no_grad`. A context manager or a decorator.

    Args:
        orig_func: what is decorated.

    Example::

        >>> x = torch.ones(1, requires_grad=True)
        >>> with torch.no_grad(), torch.enable_grad():
        ...     print((2 * x).requires_grad)
        True
    """

    mode = True


class set_grad_enabled(_GradMode):
    """Sets the mode at once; as a context manager or a decorator, restores it at the end.

    Args:
        mode: whether operations are recorded.

    Example::

        >>> with torch.set_grad_enabled(False):
        ...     print(torch.is_grad_enabled())
        False
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = mode
        self._before = _C.is_grad_enabled()
        _C._set_grad_enabled(mode)

    def __call__(self, function: _F) -> _F:
        _C._set_grad_enabled(self._before)
        return super().__call__(function)

    def clone(self) -> _GradMode:
        return set_grad_enabled(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def __enter__(self) -> None:
        _C._set_grad_enabled(self.mode)

    def __exit__(self, *args: object) -> None:
        _C._set_grad_enabled(self._before)


class inference_mode(_GradMode):
    """No recording, no version counters, no view tracking: what is made inside stays outside of
    every graph.

    A context manager or a decorator; faster than `no_grad`.

    Args:
        mode: False leaves an enclosing inference mode; a function is decorated.

    Example::

        >>> with torch.inference_mode():
        ...     x = torch.ones(1)
        >>> x.is_inference()
        True
    """

    def __init__(self, mode: bool | Callable[..., Any] = True) -> None:
        super().__init__()
        self._enabled = bool(mode)
        self._guards: list[_C._InferenceMode] = []

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        self = super().__new__(cls)
        if callable(mode):
            self.__init__(True)  # type: ignore[misc]
            return self(mode)
        return self

    def clone(self) -> _GradMode:
        return inference_mode(self._enabled)

    def __enter__(self) -> None:
        guard = _C._InferenceMode(self._enabled)
        guard.__enter__()
        self._guards.append(guard)

    def __exit__(self, *args: object) -> None:
        self._guards.pop().__exit__(*args)


__getattr__ = _absent.explain(__name__)

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
