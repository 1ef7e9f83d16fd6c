"""Whether two checkouts make the same bytes: wheels and archives of this one and of a fresh clone.

./bazelw run //tests/package:same_bytes
./bazelw run //tests/package:same_bytes -- --disk_cache=     # the clone compiles everything again

The clone is at another path with another output base. What is linked, stripped or packed is never
taken from a cache; objects are, unless the disk cache is turned off. Uncommitted changes are not
in the clone.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_TARGETS = ["//torch:wheel", "//:libtorch", "//:libtorch_static"]
_OUTPUTS = ["torch/wheel/*.whl", "libtorch.zip", "libtorch.tar", "libtorch-static.tar"]
_MADE_AGAIN = "(CppLink|CppArchive|SplitDebug|StripInstalled|StaticLibrary|TorchWheel|TorchArchive)"


def digests(root: Path) -> dict[str, str]:
    """Digests of what was built."""
    files = [file for pattern in _OUTPUTS for file in (root / "bazel-bin").glob(pattern)]
    assert len(files) == len(_OUTPUTS), files
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def build(root: Path, startup: list[str], flags: list[str]) -> dict[str, str]:
    """Builds in a checkout."""
    command = [str(root / "bazelw"), *startup, "build", *_TARGETS, *flags]
    subprocess.run(command, cwd=root, check=True)
    return digests(root)


def main() -> None:
    """Arguments: further flags for both builds; those with `@` in front go before the command."""
    root = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
    startup = [word[1:] for word in sys.argv[1:] if word.startswith("@")]
    flags = [word for word in sys.argv[1:] if not word.startswith("@")]
    first = build(root, startup, [word for word in flags if word != "--disk_cache="])
    with tempfile.TemporaryDirectory() as directory:
        clone = Path(directory, "another", "checkout")
        subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
        settings = root / ".bazelrc.user"
        if settings.exists():
            (clone / ".bazelrc.user").write_bytes(settings.read_bytes())
        base = [f"--output_base={directory}/output"]
        again = f"--modify_execution_info={_MADE_AGAIN}=+no-cache"
        second = build(clone, base, [again, *flags])
        for name, digest in first.items():
            print(f"{'same' if second[name] == digest else 'DIFFERENT':<10} {digest[:16]}  {name}")
        subprocess.run([str(clone / "bazelw"), *base, "shutdown"], cwd=clone, check=True)
        subprocess.run(["chmod", "-R", "u+w", directory], check=True)
    if first != second:
        sys.exit("two checkouts make different bytes")


if __name__ == "__main__":
    main()
