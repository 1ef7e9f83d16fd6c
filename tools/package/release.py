"""Makes the source archive of this module and its entry of a registry.

    ./bazelw run //:release -- DIRECTORY
    ./bazelw run //:release -- DIRECTORY \\
        --url=https://github.com/owner/name/releases/download/v{version}/torch-{version}.tar.gz \\
        --repository=github:owner/name --maintainer=login:id --homepage=https://example.com

DIRECTORY gets the archive and `modules/torch`, as the Bazel Central Registry has it: it is a
registry at once, for `--registry=file://DIRECTORY`. The archive has what is committed, and the same
bytes each time. An entry for the Central Registry needs `--url` and the other options.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path


def module_version(root: Path) -> str:
    """The version that MODULE.bazel declares."""
    found = re.search(
        r'^module\(\n    name = "torch",(?:\n    #.*)*\n    version = "(.*)",$',
        (root / "MODULE.bazel").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    if not found:
        sys.exit(f"release: {root}/MODULE.bazel declares no version of module torch")
    return found[1]


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, check=False, text=True
    )
    if done.returncode != 0:
        sys.exit(f"release: wanted a checkout of git in {root}: {done.stderr.strip()}")
    return done.stdout


def committed_files(root: Path) -> list[str]:
    """Paths of the files of the last commit; there may be no other state of them."""
    changed = _git(root, "status", "--porcelain")
    if changed:
        sys.exit(
            "release: an archive has what is committed, and this is not:\n\n"
            f"{changed}\nCommit it, or put it aside:\n\n    git stash --include-untracked"
        )
    return [path for path in _git(root, "ls-files", "-z").split("\0") if path]


def archive(root: Path, paths: list[str], prefix: str) -> bytes:
    """A gzipped tar file of these files, below one directory; it depends on nothing else."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.PAX_FORMAT) as out:
        for path in sorted(paths):
            source = root / path
            entry = tarfile.TarInfo(f"{prefix}/{path}")
            if source.is_symlink():
                entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(source)
                out.addfile(entry)
                continue
            content = source.read_bytes()
            entry.size = len(content)
            entry.mode = 0o755 if os.access(source, os.X_OK) else 0o644
            out.addfile(entry, io.BytesIO(content))
    return gzip.compress(tar.getvalue(), mtime=0)


def _maintainer(text: str) -> dict[str, str | int]:
    """A maintainer of metadata.json, who is a GitHub login and its number."""
    login, _, number = text.partition(":")
    if not (re.fullmatch(r"[-a-zA-Z0-9]+", login) and re.fullmatch(r"[0-9]+", number)):
        raise argparse.ArgumentTypeError(
            f"wanted LOGIN:ID of a GitHub user, not {text!r}. The page https://api.github.com/users/{login or 'LOGIN'} has the id"
        )
    return {"github": login, "github_user_id": int(number)}


def command_line(words: list[str] | None = None) -> argparse.Namespace:
    """The options; what the Central Registry would refuse is an error."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--url", help="where the archive will be; without it, where it is now")
    parser.add_argument("--homepage", default="", help="of the project, for the registry's page")
    parser.add_argument("--repository", action="append", default=[], help="github:owner/name")
    parser.add_argument(
        "--maintainer",
        action="append",
        default=[],
        type=_maintainer,
        help="on GitHub: login:id",
    )
    given = parser.parse_args(words)
    wanted = {
        "--homepage=https://example.com": given.homepage,
        "--repository=github:owner/name": given.repository,
        "--maintainer=login:id": given.maintainer,
    }
    missing = [option for option, value in wanted.items() if not value]
    if given.url and missing:
        parser.error(f"an entry for the Central Registry needs {' '.join(missing)} too")
    return given


def write_release(root: Path, directory: Path, arguments: argparse.Namespace) -> Path:
    """Writes the archive and the registry's entry.

    Args:
      root: the checkout.
      directory: where to; it is made.
      arguments: url, homepage, repository and maintainer of the command line.

    Returns:
      The archive.
    """
    version = module_version(root)
    prefix = f"torch-{version}"
    content = archive(root, committed_files(root), prefix)
    path = directory / f"{prefix}.tar.gz"
    entry = directory / "modules/torch" / version
    entry.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    url = (arguments.url or path.absolute().as_uri()).replace("{version}", version)
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode("ascii")
    source = {"integrity": f"sha256-{digest}", "strip_prefix": prefix, "url": url}
    versions = sorted(
        {version, *(one.name for one in entry.parent.iterdir() if one.is_dir())},
        key=lambda one: [int(part) for part in re.findall(r"\d+", one)],
    )
    metadata = {
        "homepage": arguments.homepage,
        "maintainers": arguments.maintainer,
        "repository": arguments.repository,
        "versions": versions,
        "yanked_versions": {},
    }
    (directory / "bazel_registry.json").write_text("{}\n", encoding="utf-8")
    written = {entry / "source.json": source, entry.parent / "metadata.json": metadata}
    for file, value in written.items():
        file.write_text(json.dumps(value, indent=4) + "\n", encoding="utf-8")
    shutil.copyfile(root / "MODULE.bazel", entry / "MODULE.bazel")
    shutil.copyfile(
        root / "registry/modules/torch" / version / "presubmit.yml", entry / "presubmit.yml"
    )
    return path


def main() -> None:
    """Makes a release of the checkout."""
    arguments = command_line()
    # `bazel run` starts elsewhere.
    here = Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    root = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", here))
    try:
        path = write_release(root, here / arguments.directory, arguments)
    except OSError as error:
        sys.exit(
            f"release: cannot write {error.filename} ({error.strerror}). "
            "Name another folder: ./bazelw run //:release -- /tmp/release"
        )
    print(f"{path}\n    --registry={(here / arguments.directory).absolute().as_uri()}")


if __name__ == "__main__":
    main()
