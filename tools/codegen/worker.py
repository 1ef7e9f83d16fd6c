"""Serves many runs in one process: Bazel's persistent workers, which talk JSON, a line a message.

Python starts once, and what has not changed since the last request is not read, parsed or rendered
again. Bazel stops the worker and starts another when the generator itself changes; docs/errors.md
tells what it says then, which no answer of the worker can prevent.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import traceback
from collections.abc import Callable, Sequence
from typing import TextIO

FLAG = "--persistent_worker"


def serve(run: Callable[[Sequence[str]], int], requests: TextIO, responses: TextIO) -> None:
    """Answers requests one after another, until there are no more."""
    for line in requests:
        request = json.loads(line)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = _run(run, request.get("arguments", []))
        response = {
            "exitCode": code,
            "output": printed.getvalue(),
            "requestId": request.get("requestId", 0),
        }
        responses.write(json.dumps(response) + "\n")
        responses.flush()
        # What is remembered is no garbage: the collector need not look through it again.
        gc.freeze()


def _run(run: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> int:
    """The exit status; an exception must not end the worker, which has other requests."""
    try:
        return run(arguments)
    except SystemExit as end:  # Wrong options.
        return end.code if isinstance(end.code, int) else 1
    except Exception:
        traceback.print_exc()
        return 1
