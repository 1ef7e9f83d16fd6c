"""Runs the scheduler for as long as its cache answers.

    scheduler.py HOST:PORT COMMAND...

BuildGrid without its cache cannot end an action, not even badly, and who waits for one waits for
ever. Without BuildGrid, Bazel asks again and then builds by itself. So the command is ended when
the cache at HOST:PORT has not answered for some seconds, and started when it answers again.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

PATIENCE_SECONDS = 10


def answers(host: str, port: int) -> bool:
    """Whether somebody accepts connections there."""
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return False
    return True


def run_while_it_answers(host: str, port: int, command: Sequence[str]) -> int | None:
    """Runs a command; its status, or None if the cache went away."""
    process = subprocess.Popen(command)

    def end(number: int, frame: FrameType | None) -> None:
        process.terminate()

    signal.signal(signal.SIGTERM, end)
    answered = time.monotonic()
    while process.poll() is None:
        if answers(host, port):
            answered = time.monotonic()
        elif time.monotonic() - answered > PATIENCE_SECONDS:
            print(f"the cache {host}:{port} does not answer: ending {command[0]}", flush=True)
            # Streams of Bazel's are open; it would wait for them.
            process.kill()
            process.wait()
            return None
        time.sleep(1)
    return process.returncode


def main(arguments: Sequence[str]) -> int:
    """Runs a command as often as the cache comes back."""
    if len(arguments) < 2 or ":" not in arguments[0]:
        print("usage: scheduler.py HOST:PORT COMMAND...", file=sys.stderr)
        return 2
    host, _, port = arguments[0].rpartition(":")
    status = None
    while status is None:
        while not answers(host, int(port)):
            time.sleep(1)
        status = run_while_it_answers(host, int(port), arguments[1:])
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
