"""Results that may still be computed."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar

_T = TypeVar("_T")
_S = TypeVar("_S")


class Future(Generic[_T]):
    """A result that somebody sets once, and others wait for.

    Example::

        >>> from torch.futures import Future
        >>> future = Future()
        >>> later = future.then(lambda done: done.value() + 1)
        >>> future.set_result(2)
        >>> later.wait()
        3
    """

    def __init__(self, *, devices: Any = None) -> None:
        self._condition = threading.Condition()
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future[_T]], None]] = []

    def done(self) -> bool:
        """Whether there is a result or an error."""
        return self._done

    def wait(self) -> _T:
        """The result, once it is there; an error is raised."""
        with self._condition:
            self._condition.wait_for(lambda: self._done)
        return self.value()

    def value(self) -> _T:
        """The result; RuntimeError while there is none. An error is raised."""
        if not self._done:
            raise RuntimeError("value() of a Future that is not done; call wait()")
        if self._error is not None:
            raise self._error
        return self._value

    def set_result(self, result: _T) -> None:
        """Sets the result, wakes those who wait, and calls the callbacks in this thread.

        Args:
            result: any value.

        Raises:
            RuntimeError: there is a result or an error already.
        """
        self._finish(result, None)

    def set_exception(self, result: Exception) -> None:
        """Sets an error, which `wait` and `value` raise.

        Args:
            result: the error.

        Raises:
            AssertionError: it is no exception.
            RuntimeError: there is a result or an error already.

        Example::

            >>> future = torch.futures.Future()
            >>> future.set_exception(ValueError("no such file"))
            >>> future.wait()
            Traceback (most recent call last):
            ValueError: no such file
        """
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        self._finish(None, result)

    def _finish(self, value: Any, error: BaseException | None) -> None:
        with self._condition:
            if self._done:
                raise RuntimeError(
                    "Attempting to mark a completed Future as complete again. Note that a Future can only be marked completed once."
                )
            self._value, self._error, self._done = value, error, True
            callbacks, self._callbacks = self._callbacks, []
            self._condition.notify_all()
        for callback in callbacks:
            self._call(callback)

    def __reduce__(self) -> NoReturn:
        raise RuntimeError("Can not pickle torch.futures.Future")

    def _call(self, callback: Callable[[Future[_T]], None]) -> None:
        # Whoever sets the result has no part in a callback's error, nor have the next callbacks.
        try:
            callback(self)
        except Exception:
            print("A callback of a torch.futures.Future failed:", file=sys.stderr)
            traceback.print_exc()

    def add_done_callback(self, callback: Callable[[Future[_T]], None]) -> None:
        """Calls `callback(self)` when there is a result or an error; at once where there is.

        An error of the callback is printed and goes no further: `then` keeps it.

        Args:
            callback: takes this future.

        Raises:
            TypeError: `callback` cannot be called.
        """
        _check_callable("add_done_callback", callback)
        with self._condition:
            if not self._done:
                self._callbacks.append(callback)
                return
        self._call(callback)

    def then(self, callback: Callable[[Future[_T]], _S]) -> Future[_S]:
        """Calls a function when this future is done; at once if it is.

        Args:
            callback: takes this future. Its error becomes that of the new one.

        Returns:
            A future of what the callback returns.

        Raises:
            TypeError: `callback` cannot be called.

        Example::

            >>> future = torch.futures.Future()
            >>> later = future.then(lambda done: done.value() + 1)
            >>> future.set_result(2)
            >>> later.wait()
            3
        """
        _check_callable("then", callback)
        result: Future[_S] = Future()

        def finish(done: Future[_T]) -> None:
            try:
                value = callback(done)
            except Exception as error:
                text = f"Got the following error when running the callback: {type(error).__name__}: {error}"
                failure = RuntimeError(text)
                failure.__cause__ = error
                result.set_exception(failure)
            else:
                result.set_result(value)

        self.add_done_callback(finish)
        return result


def _check_callable(name: str, callback: object) -> None:
    if not callable(callback):
        raise TypeError(f"{name}(): callback must be callable, not {type(callback).__name__}")


def collect_all(futures: list[Future[Any]]) -> Future[list[Future[Any]]]:
    """A future that is done when all of some futures are, with a result or an error.

    Args:
        futures: a list; an empty one is done at once.

    Returns:
        A future of the list itself.

    Example::

        >>> first, second = torch.futures.Future(), torch.futures.Future()
        >>> both = torch.futures.collect_all([first, second])
        >>> first.set_result(1)
        >>> both.done()
        False
        >>> second.set_result(2)
        >>> [future.value() for future in both.wait()]
        [1, 2]
    """
    result: Future[list[Future[Any]]] = Future()
    left = len(futures)
    if None in futures:
        raise RuntimeError("Future can't be None")
    lock = threading.Lock()

    def one_done(_: Future[Any]) -> None:
        nonlocal left
        with lock:
            left -= 1
            last = left == 0
        if last:
            result.set_result(futures)

    if not futures:
        result.set_result(futures)
    for future in futures:
        future.add_done_callback(one_done)
    return result


def wait_all(futures: list[Future[Any]]) -> list[Any]:
    """Waits for futures, one after the other.

    Args:
        futures: a list.

    Returns:
        Their results, in the same order. The error of the first that has one is raised.

    Example::

        >>> future = torch.futures.Future()
        >>> future.set_result(1)
        >>> torch.futures.wait_all([future, future])
        [1, 1]
    """
    return [future.wait() for future in futures]


__all__ = ["Future", "collect_all", "wait_all"]
