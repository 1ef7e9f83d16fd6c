"""Proves each part of a build: links, loads and runs it, and says what to type where it fails.

./bazelw run //tools:doctor
./bazelw run //tools:doctor --config=cuda --cublas     # of a build that is configured so
./bazelw run //tools:doctor -- --json                  # for a report of a problem

`bazelw` starts this file with python3 alone, since much of what it finds keeps Bazel from starting.
It ends with 1 where something is a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from tools.doctor import checkout, health

Finding = health.Finding
OK, WARNING, FAULT = health.OK, health.WARNING, health.FAULT

# How a library says its version: the function, and what it gives back.
_VERSIONS = {
    "cublas": ("libcublasLt.so", "cublasLtGetVersion", "size"),
    "cudnn": ("libcudnn.so", "cudnnGetVersion", "size"),
    "cupti": ("libcupti.so", "cuptiGetVersion", "pointer"),
    "nccl": ("libnccl.so", "ncclGetVersion", "pointer"),
    "onednn": ("libdnnl.so", "dnnl_version", "struct"),
}

_LOAD = """
import ctypes, sys
file, function, kind = sys.argv[1:]
call = getattr(ctypes.CDLL(file), function)
if kind == "pointer":
    value = ctypes.c_int()
    status = call(ctypes.byref(value))
    assert status == 0, f"{function} ends with {status}"
    print(value.value)
elif kind == "struct":
    class Version(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int) for name in ("major", "minor", "patch")]
    call.restype = ctypes.POINTER(Version)
    found = call().contents
    print(f"{found.major}.{found.minor}.{found.patch}")
else:
    call.restype = ctypes.c_size_t
    print(call())
"""


def libraries(report: dict[str, Any]) -> list[Finding]:
    """The libraries of the configured options: found, and loaded where they tell a version."""
    findings = []
    for fact in report["facts"]:
        part = f"--{fact['option']}"
        if fact.get("missing"):
            lines = [line.strip() for line in fact["missing"].split("\n") if line.strip()]
            _, _, typed = fact["missing"].partition("Type: ")
            line = next((one for one in lines if one.startswith("apt-get")), typed)
            findings.append(Finding(part, FAULT, lines[0], line or f"./bazelw build {part}=false"))
            continue
        words = {"package": fact.get("package", ""), "why": fact["why"]}
        for file in fact.get("files", []):
            if not Path(file).exists():
                says = f"{file} was found by Bazel and is gone"
                findings.append(Finding(part, FAULT, says, "./bazelw shutdown", **words))
                continue
            version = fact.get("version", "")
            says = "is there"
            name, function, kind = _VERSIONS.get(fact["option"], ("", "", ""))
            if name and Path(file).name.startswith(name):
                command = (sys.executable, "-c", _LOAD, file, function, kind)
                status, said, errors = checkout.run(*command)
                if status:
                    last = (
                        errors.strip().splitlines()[-1] if errors.strip() else f"ends with {status}"
                    )
                    line = f"./bazelw build {part}=false"
                    findings.append(
                        Finding(part, FAULT, f"does not load: {last}", line, file, **words)
                    )
                    continue
                says, version = f"loads; {function}() gives {said.strip()}", version or said.strip()
            findings.append(Finding(part, OK, says, file=file, version=version, **words))
    return findings


def proof(root: Path, words: Sequence[str]) -> list[Finding]:
    """Builds what calls the configured libraries, and runs it."""
    targets = ("//tools/doctor:probe", "//tools/doctor:report")
    quiet = ("--noshow_progress", "--ui_event_filters=-info", "--keep_going", "--color=no")
    again = f"./bazelw build //tools/doctor:probe {' '.join(words)}".rstrip()
    with tempfile.TemporaryDirectory() as directory:
        events = Path(directory, "events.json")
        command = (str(root / "bazelw"), "build", *quiet, *words)
        status, _, errors = checkout.run(
            *command, f"--build_event_json_file={events}", *targets, timeout=580, cwd=root
        )
        made = outputs(events.read_text(encoding="utf-8") if events.exists() else "")
    findings = []
    if "report.json" in made:
        report = json.loads(Path(made["report.json"]).read_text(encoding="utf-8"))
        report["facts"] = [fact for fact in report["facts"] if fact]
        findings += libraries(report)
        findings += [wrong_options(error) for error in report["values"]["errors"]]
    known = any(finding.status == FAULT for finding in findings)
    if status and not known:
        said = [
            line for line in errors.splitlines() if re.match(r"ERROR|FATAL|bazelw:|Error", line)
        ]
        says = "Bazel cannot build the probe: " + checkout.first_line("\n".join(said) or errors)
        findings.append(Finding("build", FAULT, says, again))
    if "probe" in made and not status:
        findings += probed(made["probe"], again)
    return findings


def wrong_options(error: str) -> Finding:
    """An option that cannot work; the message ends with the line to type."""
    says, _, line = error.rpartition("Type: ")
    return Finding("options", FAULT, says.strip() or error, line or "./bazelw run //tools:summary")


def outputs(events: str) -> dict[str, str]:
    """Files that a build made, by name, from its events: where they lie is Bazel's affair."""
    made = {}
    for line in events.splitlines():
        for file in json.loads(line).get("namedSetOfFiles", {}).get("files", []):
            if file.get("uri", "").startswith("file://"):
                made[Path(file["name"]).name] = file["uri"].removeprefix("file://")
    return made


def probed(program: str, again: str) -> list[Finding]:
    """What the probe computed, and which files answered."""
    status, said, errors = checkout.run(program)
    findings = []
    for line in said.splitlines():
        answer = json.loads(line)
        file = os.path.realpath(answer["file"]) if answer["file"].startswith("/") else ""
        file = "" if file == os.path.realpath(program) else file
        words = {
            "file": file or "linked into the program",
            "version": answer["version"],
            "package": checkout.package_of(file) if file else "",
            "why": "the loader found it" if file else "",
        }
        if answer["right"]:
            findings.append(Finding(answer["part"], OK, answer["says"], **words))
        else:
            says = f"{answer['says']}, and the result is wrong"
            line = (
                again
                if not file
                else f"apt-get install --reinstall {words['package'].split(' ')[0]}"
            )
            findings.append(Finding(answer["part"], FAULT, says, line, **words))
    if status:
        says = checkout.first_line(errors) or f"the probe ends with {status}"
        findings.append(Finding("probe", FAULT, says, again))
    return findings


def bazel(root: Path) -> list[Finding]:
    """Which Bazel answers, and in which mode."""
    # A check installs nothing, and does not wait while something is installed.
    command = ("env", "BAZELW_NO_INSTALL=1", str(root / "bazelw"), "--version")
    status, said, errors = checkout.run(*command, cwd=root)
    if status and "BAZELW_NO_INSTALL" in errors and "BAZELW_NO_INSTALL" not in os.environ:
        says = "bazelw has not installed it, or a package that the build needs"
        return [Finding("Bazel", FAULT, says, "./bazelw --version")]
    if status:
        lines = [line.strip() for line in errors.splitlines() if line.strip()]
        return [
            Finding("Bazel", FAULT, (lines or ["does not start"])[0], (lines or ["./bazelw"])[-1])
        ]
    system = (root / ".bazelrc.mode").exists()
    state = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "torch-bazelw/state"
    file = state.read_text(encoding="utf-8").split("\n")[2] if state.exists() else ""
    words = {
        "file": file,
        "version": checkout.first_line(said),
        "package": checkout.package_of(file),
    }
    mode = (
        "modules from this system's packages"
        if system
        else "modules from the Bazel Central Registry"
    )
    return [Finding("Bazel", OK, mode, why="bazelw chose it", **words)]


def python() -> list[Finding]:
    """The Python that the build takes: its headers and pip."""
    name = os.environ.get("PYTHON_BIN_PATH") or shutil.which("python3") or "python3"
    program = "import sys, sysconfig, os; print(sys.version.split()[0]); "
    program += "print(os.path.realpath(sys.executable)); print(sysconfig.get_paths()['include'])"
    status, said, errors = checkout.run(name, "-c", program)
    install = "apt-get install --no-install-recommends python3-dev python3-pip"
    if status:
        return [
            Finding("Python", FAULT, f"{name} does not run: {checkout.first_line(errors)}", install)
        ]
    version, file, include = said.splitlines()
    why = "PYTHON_BIN_PATH names it" if os.environ.get("PYTHON_BIN_PATH") else "the first in PATH"
    words = {"file": file, "version": version, "package": checkout.package_of(file), "why": why}
    if not Path(include, "Python.h").exists():
        return [
            Finding("Python", FAULT, f"it has no headers: {include}/Python.h", install, **words)
        ]
    if checkout.run(name, "-m", "pip", "--version")[0]:
        return [Finding("Python", WARNING, "it has no pip, which wheels come by", install, **words)]
    return [Finding("Python", OK, f"headers in {include}", **words)]


def caches(root: Path, found: dict[str, list[str]]) -> list[Finding]:
    """The disk cache, the remote ones, and who signs in to them."""
    findings = []
    if folder := checkout.last(found, "disk_cache"):
        findings += checkout.disk_cache(Path(folder.replace("%workspace%", str(root))).expanduser())
    urls = [(name, checkout.last(found, f"remote_{name}")) for name in ("cache", "executor")]
    for setting in found.get("credential_helper", []):
        url = next((url for _, url in urls if url), "")
        findings.append(checkout.credential_helper(root, setting, url))
    findings += [checkout.remote(f"remote {name}", url) for name, url in urls if url]
    return findings


def machine(root: Path, found: dict[str, list[str]]) -> list[Finding]:
    """What needs no Bazel."""
    jobs = checkout.last(found, "jobs")
    output = root / "bazel-bin"
    folder = Path(os.path.realpath(output)) if output.exists() else Path.home()
    cuda = "cuda" in found.get("config", []) or checkout.last(found, "cuda") in ("true", "1")
    environment = dict(entry.partition("=")[::2] for entry in found.get("repo_env", []))
    places = checkout.toolkit_places(os.environ, environment.get("CUDA_PATH", ""))
    return [
        checkout.place(root),
        *checkout.settings(root),
        health.home(),
        health.disk("output", folder, 12 << 30, "./bazelw clean --expunge"),
        health.disk(
            "temporary files", Path(tempfile.gettempdir()), 1 << 30, "export TMPDIR=$HOME/tmp"
        ),
        health.clock(checkout.newest_sources(root)),
        health.memory(
            int(jobs) if jobs.isdigit() else os.cpu_count() or 1,
            health.available_memory(),
            health.processes_killed(),
        ),
        *checkout.compiler(
            {**os.environ, **{k: v for k, v in environment.items() if k in ("CC", "CXX")}}
        ),
        *python(),
        *checkout.toolkits(places, cuda),
        *checkout.built(root),
        *caches(root, found),
    ]


def main(words: Sequence[str]) -> int:
    """Prints every finding; 1 if one is a fault."""
    words = list(words)
    own = words[words.index("--") + 1 :] if "--" in words else []
    options = words[: words.index("--")] if "--" in words else words
    parser = argparse.ArgumentParser(prog="doctor", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON, for a report of a problem")
    parser.add_argument("--quick", action="store_true", help="ask only what needs no Bazel")
    arguments = parser.parse_args(own)
    root = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY") or Path(__file__).parents[2])
    findings = machine(root, checkout.flags(root, options))
    if not arguments.json:
        print("\n".join(finding.text() for finding in findings), flush=True)
    more = [] if arguments.quick else bazel(root)
    if more and more[-1].status != FAULT:
        more += proof(root, options)
    faults = sum(finding.status == FAULT for finding in findings + more)
    if arguments.json:
        report = {"findings": [finding.json() for finding in findings + more]}
        print(json.dumps({"system": platform.platform(), "faults": faults} | report, indent=2))
    else:
        print("\n".join(finding.text() for finding in more))
        print(f"{faults} faults" if faults != 1 else "1 fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
