"""Checks of a checkout: its place, its settings, its caches, its compilers. Needs no Bazel."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from pathlib import Path

from tools.doctor import health

OK, WARNING, FAULT = health.OK, health.WARNING, health.FAULT
Finding = health.Finding

_COMMANDS = [
    "always",
    "analyze-profile",
    "aquery",
    "build",
    "canonicalize-flags",
    "clean",
    "common",
    "config",
    "coverage",
    "cquery",
    "dump",
    "fetch",
    "help",
    "import",
    "info",
    "license",
    "mobile-install",
    "mod",
    "print_action",
    "query",
    "run",
    "shutdown",
    "startup",
    "sync",
    "test",
    "try-import",
    "vendor",
    "version",
]
_RC_FILES = (".bazelrc", ".bazelrc.mode", ".bazelrc.user")


def run(*command: str, timeout: int = 60, **options: str | Path) -> tuple[int, str, str]:
    """A program's exit status, output and errors; 127 where it cannot be run."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=timeout,
            cwd=options.get("cwd"),
            input=str(options.get("text", "")),
        )
    except subprocess.TimeoutExpired:
        return 124, "", f"no answer within {timeout} s"
    except OSError as error:
        return 127, "", error.strerror or str(error)
    return done.returncode, done.stdout, done.stderr


def first_line(text: str) -> str:
    """The first line that is not empty."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def package_of(file: str) -> str:
    """Name and version of the distribution's package that a file is from; empty if nobody knows."""
    if not shutil.which("dpkg-query"):
        return ""
    for path in (file, file.removeprefix("/usr")):
        status, said, _ = run("dpkg-query", "--search", path)
        if status == 0:
            name = said.split(": ")[0].split(",")[0].strip()
            form = "--showformat=${Package} ${Version}"
            return run("dpkg-query", "--show", form, name)[1]
    return ""


def place(root: Path) -> Finding:
    """Bazel finds no workspace below a folder whose name is not ASCII."""
    if str(root).isascii():
        return Finding("checkout", OK, "its path is ASCII", file=str(root))
    wrong = sorted({letter for letter in str(root) if not letter.isascii()})
    says = f"the path has {' '.join(wrong)}, which Bazel cannot read; it must be ASCII"
    return Finding("checkout", FAULT, says, f'mv "{root}" ~/torch', file=str(root))


def settings(root: Path) -> list[Finding]:
    """`.bazelrc.user`: Bazel passes over a file that it cannot read or whose name is wrong."""
    findings = []
    for path in sorted(root.iterdir()):
        name = path.name
        if name in _RC_FILES or not path.is_file() or name.endswith((".bak", ".orig", "~")):
            continue
        near = difflib.SequenceMatcher(None, name, ".bazelrc.user").ratio()
        if "bazelrc" in name or near > 0.75:
            says = f"{name} is read by nobody; personal settings are in .bazelrc.user"
            findings.append(
                Finding("settings", FAULT, says, f"mv {name} .bazelrc.user", file=str(path))
            )
    path = root / ".bazelrc.user"
    if not path.exists() and not path.is_symlink():
        return [*findings, Finding("settings", OK, "there is no .bazelrc.user")]
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        says = ".bazelrc.user is not UTF-8"
        line = "iconv -f latin1 -t utf-8 -o new .bazelrc.user && mv new .bazelrc.user"
        return [*findings, Finding("settings", FAULT, says, line, file=str(path))]
    except OSError as error:
        says = f".bazelrc.user cannot be read, and Bazel passes over it: {error.strerror}"
        line = "chmod u+r .bazelrc.user" if path.is_file() else "rm -r .bazelrc.user"
        return [*findings, Finding("settings", FAULT, says, line, file=str(path))]
    wrong = []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.split("#")[0].split()[:1]
        command = word[0].partition(":")[0] if word else ""
        if command and command not in _COMMANDS:
            near_command = difflib.get_close_matches(command, _COMMANDS, 1, 0.7)
            says = f"line {number} begins with {command!r}, which is no command of Bazel"
            fix = f"sed -i '{number}s/{command}/{(near_command or ['build'])[0]}/' .bazelrc.user"
            wrong.append(Finding("settings", FAULT, says, fix, file=str(path)))
    if not wrong:
        lines = len([line for line in text.splitlines() if line.split("#")[0].strip()])
        wrong = [Finding("settings", OK, f"{lines} settings are read", file=str(path))]
    return findings + wrong


def flags(root: Path, words: Sequence[str]) -> dict[str, list[str]]:
    """Flags with values that `.bazelrc.user` and the command line give, by name.

    Lines of a `--config` count where it is on.
    """
    entries: list[tuple[str, str]] = []
    for name in (".bazelrc", "config/remote.bazelrc", ".bazelrc.user"):
        try:
            text = (root / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        for line in text.splitlines():
            command, *rest = line.split("#")[0].split() or [""]
            entries += [(command.partition(":")[2], word) for word in rest]
    entries += [("", word) for word in words]
    on = {""}
    while True:
        more = {
            word.removeprefix("--config=")
            for config, word in entries
            if config in on and word.startswith("--config=")
        }
        if more <= on:
            break
        on |= more
    found: dict[str, list[str]] = {}
    for config, word in entries:
        name, equals, value = word.partition("=")
        if config in on and name.startswith("--"):
            found.setdefault(name.removeprefix("--"), []).append(value if equals else "true")
    return found


def last(found: Mapping[str, list[str]], name: str) -> str:
    """The value that counts, or an empty string."""
    return found.get(name, [""])[-1]


def disk_cache(folder: Path, samples: int = 40) -> list[Finding]:
    """Whether entries of a disk cache are what their names say: the hash of their content."""
    line = "rm -rf " + str(folder)
    findings = [health.disk("disk cache", folder, 8 << 30, f"df -h {folder}")]
    if findings[0].status == FAULT or not (folder / "cas").is_dir():
        return findings
    found = []
    folders = [path for path in (folder / "cas").iterdir() if path.is_dir()]
    random.shuffle(folders)
    for directory in folders[:samples]:
        entries = [path for path in directory.iterdir() if re.fullmatch("[0-9a-f]{64}", path.name)]
        found += random.sample(entries, min(1 if len(folders) > samples else 3, len(entries)))
    wrong = [path for path in found if _sha256(path) != path.name]
    if wrong:
        says = f"{len(wrong)} of {len(found)} entries are not what their names say"
        return [Finding("disk cache", FAULT, says, line, file=str(wrong[0]))]
    says = f"{len(found)} entries drawn at random are what their names say"
    return [*findings, Finding("disk cache", OK, says, file=str(folder))]


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    except OSError:
        return path.name  # Bazel's garbage collector was faster.
    return digest.hexdigest()


def remote(part: str, url: str, headers: Mapping[str, str] | None = None) -> Finding:
    """Whether a remote cache or executor answers as one, and has the time right."""
    without = "./bazelw ... --remote_cache= --remote_executor="
    scheme, _, rest = url.rpartition("://")
    host, _, port = rest.split("/")[0].partition(":")
    if not scheme.startswith("http"):
        number = int(port) if port.isdigit() else {"grpcs": 443}.get(scheme, 80)
        try:
            socket.create_connection((host, number), timeout=5).close()
        except OSError as error:
            return Finding(part, FAULT, f"{url} does not answer: {error}", without)
        return Finding(part, OK, f"{host}:{number} takes connections", file=url)
    # Nothing has this name: a cache says so.
    name = hashlib.sha256(os.urandom(32)).hexdigest()
    request = urllib.request.Request(f"{url.rstrip('/')}/cas/{name}", headers=dict(headers or {}))
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            status, date = answer.status, answer.headers.get("Date")
    except urllib.error.HTTPError as error:
        status, date = error.code, error.headers.get("Date")
    except OSError as error:
        return Finding(part, FAULT, f"{url} does not answer: {error}", without)
    if status in (401, 403):
        says = f"{url} refuses us ({status}); it wants a credential helper: docs/remote.md"
        return Finding(part, FAULT, says, without)
    if status != 404:
        says = f"{url} answers {status} for an entry that does not exist: it is no cache"
        return Finding(part, FAULT, says, without)
    if date:
        here = parsedate_to_datetime(date).timestamp() - time.time()
        if abs(here) > 60:
            says = f"the clocks of {url} and of this machine are {abs(here):.0f} s apart"
            return Finding("clock", FAULT, says, "sudo timedatectl set-ntp true")
    return Finding(part, OK, "it knows what it has not", file=url)


def credential_helper(root: Path, setting: str, url: str) -> Finding:
    """Runs a credential helper as Bazel does."""
    host, _, path = setting.rpartition("=")
    program = path.replace("%workspace%", str(root))
    without = f"sed -i '/credential_helper=.*{Path(program).name}/d' .bazelrc.user"
    if not shutil.which(program):
        exists = Path(program).exists()
        says = f"{program} {'is not executable' if exists else 'does not exist'}"
        line = f"chmod +x {program}" if exists else without
        return Finding("credential helper", FAULT, says, line)
    uri = url or f"https://{host.lstrip('*.') or 'example.com'}/"
    status, said, errors = run(program, "get", text=json.dumps({"uri": uri}), timeout=10)
    try:
        answer = json.loads(said)
        names = ", ".join(answer.get("headers", {})) or "no header"
    except (ValueError, AttributeError):
        status, names = status or 1, ""
    if status:
        says = f"{program} get: {first_line(errors) or 'its answer is no JSON'}"
        return Finding(
            "credential helper", FAULT, says, f'echo \'{{"uri": "{uri}"}}\' | {program} get'
        )
    return Finding("credential helper", OK, f"for {uri} it gives {names}", file=program)


_PROGRAM = r"""
#include <cstdio>
#include <stdexcept>
#include <string>
template <typename T> concept Number = requires(T a) { a + a; };
int run(Number auto n) { throw std::runtime_error(std::to_string(n)); }
int main() {
  try { run(20); } catch (const std::exception& e) { return std::string(e.what()) == "20" ? 0 : 1; }
}
"""


def compiler(environment: Mapping[str, str]) -> list[Finding]:
    """Compiles, links and runs a program of C++20 with the compiler that Bazel takes."""
    name = environment.get("CXX") or ("c++" if shutil.which("c++") else "g++")
    why = "CXX names it" if environment.get("CXX") else "the first of that name in PATH"
    install = "apt-get install --no-install-recommends g++"
    path = shutil.which(name)
    if not path:
        return [Finding("compiler", FAULT, f"there is no {name}", install)]
    version = first_line(run(path, "--version")[1])
    file = os.path.realpath(path)
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory, "probe.cpp")
        source.write_text(_PROGRAM, encoding="utf-8")
        program = str(Path(directory, "probe"))
        status, _, errors = run(path, "-std=c++20", str(source), "-o", program)
        if not status:
            status, _, errors = run(program)
            errors = errors or f"the program ends with {status}"
    words = {"file": file, "version": version, "package": package_of(file), "why": why}
    if status:
        says = f"{name} makes no program of C++20: {first_line(errors)}"
        return [Finding("compiler", FAULT, says, install, **words)]
    findings = [Finding("compiler", OK, "compiles, links and runs C++20", **words)]
    if environment.get("CC"):
        other = first_line(run(environment["CC"], "--version")[1])
        if ("clang" in other.lower()) != ("clang" in version.lower()):
            says = f"CC is {environment['CC']} and CXX is {name}: two kinds of compiler"
            line = (
                "export CC=clang CXX=clang++"
                if "clang" in other.lower()
                else "export CC=gcc CXX=g++"
            )
            findings.append(Finding("compiler", WARNING, says, line))
    return findings


def toolkits(places: Iterable[tuple[str, Path]], needed: bool) -> list[Finding]:
    """The CUDA toolkits of a machine: two of different versions are mixed up sooner or later.

    Args:
      places: why it is looked at, and the folder.
      needed: whether CUDA is on.
    """
    found: dict[str, tuple[str, str]] = {}
    wrong = []
    for why, folder in places:
        nvcc = folder / "bin/nvcc"
        if not nvcc.exists():
            if "CUDA_" in why:
                says = f"{why} names {folder}, which has no bin/nvcc"
                wrong.append(Finding("CUDA toolkit", FAULT, says, f"unset {why}", file=str(folder)))
            continue
        release = re.search(r"\bV(\d+\.\d+)", run(str(nvcc), "--version")[1])
        version = release[1] if release else "unknown"
        of_header = _header_version(folder)
        if version != of_header:
            says = f"nvcc is of CUDA {version}, its cuda.h of {of_header}"
            line = "./bazelw build --repo_env=CUDA_TOOLKIT=wheels --config=cuda //torch:_C"
            status = FAULT if needed else WARNING
            wrong.append(Finding("CUDA toolkit", status, says, line, file=str(nvcc), why=why))
        found.setdefault(os.path.realpath(folder), (version, why))
    versions = {version for version, _ in found.values()}
    if len(versions) > 1:
        says = "two toolkits: " + ", ".join(
            f"{path} ({version}, {why})" for path, (version, why) in found.items()
        )
        first = next(iter(found))
        line = f"echo 'common --repo_env=CUDA_PATH={first}' >> .bazelrc.user"
        wrong.append(Finding("CUDA toolkit", FAULT if needed else WARNING, says, line))
    return wrong or [
        Finding("CUDA toolkit", OK, "is there", file=path, version=version, why=why)
        for path, (version, why) in found.items()
    ]


def _header_version(toolkit: Path) -> str:
    """The version that cuda.h names, such as 13.0."""
    for folder in ("include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"):
        header = toolkit / folder / "cuda.h"
        if header.exists():
            found = re.search(r"#define CUDA_VERSION (\d+)", header.read_text(encoding="utf-8"))
            number = int(found[1]) if found else 0
            return f"{number // 1000}.{number % 1000 // 10}"
    return "no version, for there is none"


def toolkit_places(environment: Mapping[str, str], named: str) -> list[tuple[str, Path]]:
    """Where a CUDA toolkit may be, as the build looks for it."""
    places = [("--repo_env=CUDA_PATH", Path(named))] if named else []
    places += [
        (name, Path(environment[name]))
        for name in ("CUDA_PATH", "CUDA_HOME")
        if environment.get(name)
    ]
    if nvcc := shutil.which("nvcc"):
        # It may be a link or a script; it says itself where it belongs.
        said = run(nvcc, "--dryrun", "-x", "cu", "-c", "/dev/null")[2]
        top = re.search(r"^#\$ TOP=(.*)$", said, re.MULTILINE)
        folder = top[1].strip() if top else str(Path(os.path.realpath(nvcc)).parents[1])
        places.append(("nvcc in PATH", Path(os.path.realpath(folder))))
    return [*places, ("the usual place", Path("/usr/local/cuda"))]


def built(root: Path) -> list[Finding]:
    """The libraries beside `_C.so` of the last build: whole, and those that Bazel made."""
    package = root / "bazel-bin/torch"
    again = "rm -rf bazel-bin/torch/lib && ./bazelw build //torch"
    findings = [
        Finding("libraries", FAULT, finding.says, again, file=finding.file)
        for finding in health.broken_libraries([str(package)])
    ]
    made = {"libc10.so": "c10", "libtorch_cpu.so": "aten", "libtorch_python.so": "torch"}
    for name, folder in made.items():
        copy, original = package / "lib" / name, root / "bazel-bin" / folder / name
        if copy.exists() and original.exists() and not _same(copy, original):
            says = f"{copy.name} beside _C.so is another file than {original}"
            findings.append(Finding("libraries", FAULT, says, again, file=str(copy)))
    there = (package / "_C.so").exists()
    says = "whole, and those of this build" if there else "not built yet"
    return findings or [Finding("libraries", OK, says, file=str(package) if there else "")]


def _same(one: Path, other: Path) -> bool:
    if one.samefile(other):
        return True
    return one.stat().st_size == other.stat().st_size and _sha256(one) == _sha256(other)


def newest_sources(root: Path) -> list[Path]:
    """Files that were written in the past, for the clock."""
    return [root / name for name in ("MODULE.bazel", ".git/HEAD", ".git/index", ".bazelrc.user")]
