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
from pathlib import Path

# Rules, macros and toolchains, and nothing that is downloaded.
_ANALYSIS = [
    "build",
    "--nobuild",
    "--repo_env=CUDA_TOOLKIT=local",
    "--disk_cache=",
    "--remote_cache=",
    "--remote_executor=",
    "--symlink_prefix=/",
    "//c10/...",
]


def make(file: Path, bazel: list[str]) -> None:
    """Makes the file with a server that runs and ends.

    Args:
      file: the file, which is there at once and whole.
      bazel: Bazel and its startup options.
    """
    output = file.with_suffix(".output")
    made = file.with_suffix(".made")
    startup = [f"--output_base={output}", f"--host_jvm_args=-XX:AOTCacheOutput={made}"]
    # A busy machine has little time for this.
    startup += ["--local_startup_timeout_secs=3600", "--max_idle_secs=60"]
    try:
        subprocess.run([*bazel, *startup, *_ANALYSIS], check=True)
    finally:
        # Java writes the file when it ends.
        subprocess.run([*bazel, *startup, "shutdown"], check=False)
        # What Bazel fetched is read-only.
        for folder, _, _ in os.walk(output):
            Path(folder).chmod(0o755)
        shutil.rmtree(output, ignore_errors=True)
    made.replace(file)


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
        # A cache of another Java or another Bazel.
        for old in file.parent.glob("bazel-*.aot"):
            old.unlink()
        try:
            make(file, sys.argv[2:])
        except (OSError, subprocess.CalledProcessError) as error:
            print(error)
            file.touch()


if __name__ == "__main__":
    main()
