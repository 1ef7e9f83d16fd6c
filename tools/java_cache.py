"""Makes the file from which Java starts Bazel's server: its classes, and how they ran.

    java_cache.py FILE BAZEL STARTUP-OPTION...

Runs an analysis of this tree in a server of its own, with a folder beside FILE for its output.
bazelw starts this in the background. If the file cannot be made, it is left empty: Java passes over
that, and nobody tries again.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

# What a fresh checkout analyses. It may need a download that fails: the rest is analysed then.
_ANALYSIS = [
    "build",
    "--nobuild",
    "--keep_going",
    "--repo_env=CUDA_TOOLKIT=local",
    "--disk_cache=",
    "--remote_cache=",
    "--remote_executor=",
    "--symlink_prefix=/",
    "//aten:libtorch_cpu",
]


def make(file: Path, bazel: list[str]) -> None:
    """Makes the file with a server that runs and ends.

    Args:
      file: the file, which is there at once and whole.
      bazel: Bazel and its startup options.
    """
    output = file.with_suffix(".output")
    made = file.with_suffix(".made")
    startup = [
        f"--output_base={output}",
        f"--host_jvm_args=-XX:AOTCacheOutput={made}",
        # A busy machine has little time for this.
        "--local_startup_timeout_secs=3600",
        # The server ends by itself, and writes the file then: `shutdown` kills it after a minute.
        "--max_idle_secs=5",
    ]
    try:
        subprocess.run([*bazel, *startup, *_ANALYSIS], check=False)
        _wait_for_end((output / "server/server.pid.txt").read_text("ascii").strip())
        made.replace(file)
    finally:
        # What Bazel fetched is read-only.
        for folder, _, _ in os.walk(output):
            Path(folder).chmod(0o755)
        shutil.rmtree(output, ignore_errors=True)


def _wait_for_end(process: str) -> None:
    """Waits until a process that is no child of this one has ended, an hour at most."""
    end = time.monotonic() + 3600
    while Path("/proc", process).exists():
        if time.monotonic() > end:
            raise TimeoutError(f"process {process} does not end")
        time.sleep(0.1)


def main() -> None:
    file = Path(sys.argv[1])
    os.nice(10)
    with file.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if file.exists():
            return
        # Of another Java or another Bazel, and what an interrupted run left.
        for old in file.parent.glob("bazel-*"):
            if old.suffix in (".aot", ".made", ".config"):
                old.unlink()
        try:
            make(file, sys.argv[2:])
        except OSError as error:
            print(error)
            file.touch()


if __name__ == "__main__":
    main()
