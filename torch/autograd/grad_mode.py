"""Switches recording for the backward pass on and off."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from torch import _C, _absent

_F = TypeVar("_F", bound=Callable[..., Any])


class _GradMode:
    """A context manager and decorator that sets grad mode to `mode`."""

    mode: bool

    def __init__(self) -> None:
        self.prev: list[bool] = []

    def __call__(self, function: _F) -> _F:
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            function.__init__ = self(function.__init__)  # type: ignore[method-assign]
            return function
        if inspect.isgeneratorfunction(function):
            return self._around_generator(function)  # type: ignore[return-value]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self._fresh():
                return function(*args, **kwargs)

        return wrapper  # type: ignore[return-value]

    def _around_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The mode holds while the generator runs, and not for who asks it."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self._fresh():
                generator = function(*args, **kwargs)

            def go_on(step: Callable[..., Any], *arguments: Any) -> Any:
                with self._fresh():
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

    def _fresh(self) -> _GradMode:
        return type(self)()

    def __enter__(self) -> None:
        self.prev.append(_C.is_grad_enabled())
        _C._set_grad_enabled(self.mode)

    def __exit__(self, *args: object) -> None:
        _C._set_grad_enabled(self.prev.pop())


class _FixedMode(_GradMode):
    """A mode of one value, whose decorator needs no parentheses: `@no_grad`."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        self = super().__new__(cls)
        if function is None:
            return self
        self.__init__()  # type: ignore[misc]
        return self(function)

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__()


class no_grad(_FixedMode):
    """Nothing is recorded inside: results do not require a gradient. A context manager or a
    decorator.

    The mode belongs to a thread.

    Args:
        function: what is decorated.

    Example::

        >>> x = torch.ones(1, requires_grad=True)
        >>> with torch.no_grad():
        ...     print((2 * x).requires_grad)
        False
    """

    mode = False


class enable_grad(_FixedMode):
    """Recording is on inside, also within `no_grad`. A context manager or a decorator.

    Args:
        function: what is decorated.

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

    def _fresh(self) -> _GradMode:
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

    def _fresh(self) -> _GradMode:
        return inference_mode(self._enabled)

    def __enter__(self) -> None:
        guard = _C._InferenceMode(self._enabled)
        guard.__enter__()
        self._guards.append(guard)

    def __exit__(self, *args: object) -> None:
        self._guards.pop().__exit__(*args)


__getattr__ = _absent.explain(__name__)

__all__ = ["enable_grad", "inference_mode", "no_grad", "set_grad_enabled"]
