"""Processor time of builds, with what a server does for them."""

from __future__ import annotations

import os
import resource
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(server: int | None = None) -> float:
    """Processor seconds of the programs that this one started and that have ended.

    Args:
      server: a process whose seconds are added, with those of all that it started.
    """
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime + (0 if server is None else _tree_seconds(server))


class ProcessorTime:
    """Processor seconds of the commands from now on.

    Args:
      output_base: where Bazel's server says which process it is, if the commands are Bazel's.
    """

    def __init__(self, output_base: Path | None = None) -> None:
        self._file = output_base and output_base / "server/server.pid.txt"
        self._server = self._running()
        self._alone, self._before = processor_seconds(), processor_seconds(self._server)

    def _running(self) -> int | None:
        if self._file is None or not self._file.exists():
            return None
        return int(self._file.read_text(encoding="utf-8"))

    def seconds(self) -> float:
        """How many there were."""
        server = self._running()
        # A server that the commands started took all of its time for them.
        before = self._before if server == self._server else self._alone
        return processor_seconds(server) - before


def _tree_seconds(root: int) -> float:
    """Seconds of a process and of those below it; what has ended is counted by who started it."""
    seconds: dict[int, float] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:  # It has just ended.
            continue
        words = text.rpartition(")")[2].split()
        # User and system time, then both of children that were waited for.
        seconds[int(folder.name)] = sum(map(int, words[11:15])) / _TICKS
        children.setdefault(int(words[1]), []).append(int(folder.name))
    found, total = [root], 0.0
    while found:
        process = found.pop()
        total += seconds.get(process, 0)
        found += children.get(process, [])
    return total
