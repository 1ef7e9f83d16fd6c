"""Says which host a module could not be downloaded from.

bazelw calls it where Bazel failed in registry mode. The archives of modules are on other hosts than
the registry, which may stop alone, or a proxy answers in their place. Bazel's exit status is then
that of any build that fails, so that only what it said tells.

    failed_download.py WORKSPACE WORD...

WORD is Bazel's command line. Prints nothing where the last command failed for another reason.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

# A repository of a module is named after it; those of its extensions have + or ~ inside.
_FAILED = re.compile(r"Error downloading \[\w+://([^/,\]]+)[^\]]*\] to \S*?/external/[\w.-]+[+~]?/")

# Bazel writes what it said until it ends; an older file is of another command.
_RECENT = 60.0


def _option(name: str, words: Sequence[str]) -> str | None:
    """The value of a startup option, which may be a word of its own."""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word == f"--{name}":
            return after
        if word.startswith(f"--{name}="):
            return word.partition("=")[2]
    return None


def _settings(workspace: Path) -> list[str]:
    """The startup options of .bazelrc.user."""
    path = workspace / ".bazelrc.user"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    lines = [line.split() for line in text.splitlines()]
    return [word for line in lines if line[:1] == ["startup"] for word in line[1:]]


def command_log(workspace: Path, words: Sequence[str]) -> Path | None:
    """The file in which Bazel keeps what its last command said, if that is recent.

    Args:
      workspace: the root of the checkout.
      words: Bazel's command line.
    """
    given = [*words, *_settings(workspace)]
    base = _option("output_base", given)
    if base:
        found = [Path(base)]
    else:
        user_root = _option("output_user_root", given)
        home = Path(os.environ.get("HOME", "/"))
        cache = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache", "bazel")
        owned = [root for at in (cache, Path("/var/tmp")) for root in at.glob("_bazel_*")]
        name = hashlib.md5(str(workspace).encode(), usedforsecurity=False).hexdigest()
        found = [root / name for root in ([Path(user_root)] if user_root else owned)]
    logs = [log for log in (each / "command.log" for each in found) if log.is_file()]
    recent = [log for log in logs if time.time() - log.stat().st_mtime < _RECENT]
    return max(recent, key=lambda log: log.stat().st_mtime, default=None)


def host(text: str) -> str | None:
    """The host of the first module that could not be downloaded, in what Bazel said."""
    found = _FAILED.search(text)
    return found[1] if found else None


def main() -> None:
    log = command_log(Path(sys.argv[1]), sys.argv[2:])
    named = host(log.read_text(encoding="utf-8", errors="replace")) if log else None
    if named:
        print(named)


if __name__ == "__main__":
    main()
