"""Several processes that run one function, and whose errors reach the parent."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from torch import _absent


class ProcessException(Exception):
    """A process did not end well.

    Attributes:
      error_index: which one, as `fn` got it.
      error_pid: its id.
    """

    def __init__(self, msg: str, error_index: int, pid: int) -> None:
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.error_pid = self.pid = pid

    def __reduce__(self) -> Any:
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A process raised an exception; the message holds its traceback."""


class ProcessExitedException(ProcessException):
    """A process ended by a signal or with a status other than 0.

    Attributes:
      exit_code: of the process; below 0 the number of the signal.
      signal_name: its name, or None.
    """

    def __init__(
        self,
        msg: str,
        error_index: int,
        error_pid: int,
        exit_code: int,
        signal_name: str | None = None,
    ) -> None:
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self) -> Any:
        values = (self.msg, self.error_index, self.pid, self.exit_code, self.signal_name)
        return type(self), values


def _run(fn: Callable[..., Any], index: int, args: tuple[Any, ...], errors: Any) -> None:
    try:
        fn(index, *args)
    except KeyboardInterrupt:
        pass
    except Exception:
        errors.send(traceback.format_exc())
        sys.exit(1)


class ProcessContext:
    """Processes that were started, to wait for; `start_processes` and `spawn` make it.

    Args:
        processes: of `multiprocessing`.
        errors: for each a connection that the text of its error comes by.
    """

    def __init__(self, processes: list[Any], errors: list[Any]) -> None:
        self.processes = processes
        self._errors = errors
        self.sentinels = {process.sentinel: index for index, process in enumerate(processes)}

    def pids(self) -> list[int]:
        """Their ids."""
        return [process.pid for process in self.processes]

    def join(self, timeout: float | None = None, grace_period: float | None = None) -> bool:
        """Waits until one fails or all end.

        Args:
            timeout: how long, in seconds; without end if None.
            grace_period: how long, in seconds, the others may take to end after they were
                terminated, before they are killed.

        Returns:
            Whether all ended well; False when time ran out.

        Raises:
            ProcessRaisedException: the first that failed raised an error, whose text this has.
            ProcessExitedException: the first that failed ended otherwise.
        """
        if not self.sentinels:
            return True
        ready = multiprocessing.connection.wait(list(self.sentinels), timeout=timeout)
        failed = None
        for sentinel in ready:
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0:
                failed = index
                break
        if failed is None:
            return not self.sentinels
        for process in self.processes:
            if process.is_alive():
                process.terminate()
        for process in self.processes:
            process.join(30 if grace_period is None else grace_period)
            if process.is_alive():
                process.kill()
                process.join()
        self._raise(failed)
        return False

    def _raise(self, index: int) -> None:
        process = self.processes[index]
        if self._errors[index].poll():
            try:
                said = self._errors[index].recv()
            except EOFError:  # It ended without an exception.
                said = None
            if said is not None:
                text = f"\n\n-- Process {index} terminated with the following error:\n{said}"
                raise ProcessRaisedException(text, index, process.pid)
        code = process.exitcode
        if code < 0:
            name = signal.Signals(-code).name
            text = f"process {index} terminated with signal {name}"
            raise ProcessExitedException(text, index, process.pid, code, name)
        text = f"process {index} terminated with exit code {code}"
        raise ProcessExitedException(text, index, process.pid, code)


def start_processes(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """Starts `nprocs` processes that each call `fn(index, *args)`.

    Args:
      fn: a function of a module, so that other processes find it.
      args: further arguments; tensors arrive as copies.
      nprocs: how many processes.
      join: whether to wait for all; an error of one is raised.
      daemon: whether they end with this process.
      start_method: of `multiprocessing`.

    Returns:
      None, or without `join` a ProcessContext.
    """
    context: Any = multiprocessing.get_context(start_method)
    processes, errors = [], []
    for index in range(nprocs):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, sender), daemon=daemon)
        process.start()
        sender.close()
        processes.append(process)
        errors.append(receiver)
    started = ProcessContext(processes, errors)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    nprocs: int = 1,
    join: bool = True,
    daemon: bool = False,
    start_method: str = "spawn",
) -> ProcessContext | None:
    """`start_processes` in fresh interpreters.

    Args:
        fn: a function of a module, so that other processes find it. It is called with the number of
            the process and `args`.
        args: further arguments; tensors arrive as copies.
        nprocs: how many processes.
        join: whether to wait for all; an error of one is raised.
        daemon: whether they end with this process.
        start_method: "spawn"; another one warns.

    Returns:
        None, or without `join` a ProcessContext.
    """
    if start_method != "spawn":
        warnings.warn(
            f"spawn starts processes by 'spawn', not by {start_method!r}; for that call torch.multiprocessing.start_processes",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")


__getattr__ = _absent.explain(__name__)

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "spawn",
    "start_processes",
]
