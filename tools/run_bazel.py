"""Runs Bazel for bazelw, which has more to say where Bazel fails.

    run_bazel.py MODE AFTERWARDS LC_CTYPE BAZEL WORD...

Ends as Bazel does. Where that is a failure, AFTERWARDS says what to type: it takes this process's
place, with the same words and BAZELW_ENDED="MODE STATUS". Bazel gets each signal once: a terminal's
Ctrl-C goes to both processes, and what goes to this one alone is passed on. LC_CTYPE is the
caller's, which Python changes where the locale is C.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PASSED_ON = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
# Of <sys/prctl.h>: the signal that a process gets when its parent has died.
_PR_SET_PDEATHSIG = 1
_CANNOT_RUN = 126
# A shell gives this and the signal's number for a program that died of a signal.
_DIED = 128


def _next_signal() -> tuple[int, bool]:
    """Waits for a signal; also tells whether it came to this process alone."""
    signals = (*_PASSED_ON, signal.SIGCHLD)
    if sys.platform != "darwin":
        came = signal.sigwaitinfo(signals)
        # The kernel's own, such as a terminal's to everybody in the foreground, have codes above 0.
        return came.si_signo, came.si_code <= 0
    # Without a code, all but SIGTERM are taken for the terminal's.
    number = signal.sigwait(signals)
    return number, number == signal.SIGTERM


def _become(words: list[str], environment: dict[str, str]) -> None:
    """Puts a program in this process's place, or says why not."""
    try:
        os.execvpe(words[0], words, environment)
    except OSError as error:
        print(f"bazelw: {words[0]} does not run: {error.strerror}", file=sys.stderr, flush=True)


def run(words: list[str]) -> int:
    """Runs a program in the foreground.

    Args:
      words: the program and its arguments.

    Returns:
      Its exit status as a shell gives it.
    """
    c = ctypes.CDLL(None) if sys.platform == "linux" else None
    # Bazel's own handling of these is what it has without this program.
    for one in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(one, signal.SIG_DFL)
    # With the default handler, an ignored signal may get lost though somebody waits for it.
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (*_PASSED_ON, signal.SIGCHLD))
    child = os.fork()
    if child == 0:
        if c is not None:
            # This process may get SIGKILL, which it cannot pass on.
            c.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        _become(words, dict(os.environ))
        os._exit(_CANNOT_RUN)
    while True:
        number, alone = _next_signal()
        if number != signal.SIGCHLD:
            if alone:
                os.kill(child, number)
            continue
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            died = os.WIFSIGNALED(status)
            return _DIED + os.WTERMSIG(status) if died else os.WEXITSTATUS(status)


def main() -> None:
    mode, afterwards, locale, *words = sys.argv[1:]
    os.environ.pop("LC_CTYPE", None)
    os.environ |= {"LC_CTYPE": locale} if locale else {}
    status = run(words)
    if status not in (0, _CANNOT_RUN):
        ended = {"BAZELW_ENDED": f"{mode} {status}"}
        _become([afterwards, *words[1:]], {**os.environ, **ended})
    sys.exit(status)


if __name__ == "__main__":
    main()
