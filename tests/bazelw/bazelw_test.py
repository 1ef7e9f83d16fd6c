"""What ./bazelw decides, installs and says, on machines made of stand-in programs."""

from __future__ import annotations

import hashlib
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

TREE = Path(os.environ.get("TEST_SRCDIR", "."), os.environ.get("TEST_WORKSPACE", "."))
MIRROR = "http://mirror.example/debian/"
VERSION = (TREE / ".bazelversion").read_text(encoding="utf-8").strip()
SYSTEM_TOOLS = (
    "cat cut dirname env grep id ln mkdir mv nohup readlink rm sed sh sleep tail timeout tr"
)
REGISTRY = '{"versions": ["1.0.0"]}'
PROXY = "<!DOCTYPE html><title>Sign in to the network</title>"


@dataclass
class Machine:
    """A machine with an empty home, a few tools, and what a test adds."""

    home: Path
    tree: str = "tree"
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for directory in (
            "bin",
            self.tree,
            "etc/apt/sources.list.d",
            "etc/apt/preferences.d",
            "usr/bin",
        ):
            (self.home / directory).mkdir(parents=True)
        for tool in SYSTEM_TOOLS.split():
            path = shutil.which(tool)
            assert path, tool
            (self.home / "bin" / tool).symlink_to(path)
        for name in (
            "bazelw",
            ".bazelversion",
            "tools/bazel",
            "tools/failed_download.py",
            "tools/java_cache.py",
            "tools/nearest_option.py",
            "tools/run_bazel.py",
        ):
            (self.home / self.tree / name).parent.mkdir(exist_ok=True)
            shutil.copy(TREE / name, self.home / self.tree / name)
        self.program("id", "echo 0")
        self.program("c++")
        # It has its headers and pip.
        self.program("python3", f'case "$*" in *.py*) exec {sys.executable} "$@" ;; esac')

    def program(self, name: str, script: str = "exit 0") -> Path:
        """Puts a shell script where a program is looked for."""
        path = self.home / (name if "/" in name else f"bin/{name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def bazel(self, name: str = "bazel", version: str = VERSION) -> Path:
        """A Bazel that tells its version, or the arguments it was given."""
        return self.program(
            name, f'[ "$*" = --version ] && echo "bazel {version}" || echo "ran: $*"'
        )

    def network(self, reachable: bool, page: str = REGISTRY) -> None:
        """Whether web addresses answer, and what the registry says."""
        self.program(
            "curl",
            f"echo asked >> {self.home}/asked\n"
            f"case \"$*\" in *metadata.json) echo '{page}';; esac\n"
            f"exit {0 if reachable else 6}",
        )

    def java(self, version: str) -> Path:
        """A Java, for which Debian's Bazel makes a cache when its server ends.

        Returns:
          The cache.
        """
        java = self.program("jdk/bin/java")
        (self.home / "jdk/release").write_text(f'JAVA_RUNTIME_VERSION="{version}"\n', "utf-8")
        (self.home / "bin/java").symlink_to(java)
        self.program(
            "usr/share/packaged-bazel",
            f'[ "$*" != --version ] || {{ echo "bazel {VERSION}"; exit; }}\n'
            "for word; do case $word in\n"
            "--output_base=*) output=${word#*=} ;;\n"
            "*AOTCacheOutput=*) made=${word##*=}\n"
            'mkdir -p "$output/server"\n'
            # The server outlives this.
            "{ sleep 1; echo classes > $made; } &\n"
            'echo $! > "$output/server/server.pid.txt" ;;\n'
            "esac; done\n"
            'echo "ran: $*"',
        )
        key = self.home / "usr/share/bazel/install_base_key"
        key.parent.mkdir(parents=True)
        key.write_text("key", "utf-8")
        return self.home / f".cache/torch-bazelw/bazel-key-java-{version}.aot"

    def launcher(self, real: Path, name: str = "bazel") -> Path:
        """A bazelisk: it runs the workspace's tools/bazel in place of the real one."""
        return self.program(
            name, f'BAZEL_REAL={real} exec {self.home}/{self.tree}/tools/bazel "$@"'
        )

    def debian(self, *, packages: bool = True) -> None:
        """Debian's tools: apt-get notes its arguments and installs Bazel."""
        (self.home / "etc/debian_version").touch()
        self.program("dpkg-query", 'echo "ii "' if packages else "exit 1")
        # It knows Bazel once it has read testing's lists.
        self.program("apt-cache", f"[ -e {self.home}/lists ] && echo '  {VERSION}+ds-1 50'")
        bazel = self.bazel("usr/share/packaged-bazel")
        self.program(
            "apt-get",
            f'echo "$*" >> {self.home}/apt.log\n'
            f'[ "$1" != update ] || : > {self.home}/lists\n'
            f'case "$*" in indextargets*) printf "%s\\n" {MIRROR[:-1]}-security/ {MIRROR};; esac\n'
            f'case "$*" in *bazel-bootstrap*) mkdir -p {self.home}/usr/share/bazel/embedded_tools;'
            f" ln -s {bazel} {self.home}/usr/bin/bazel;; esac",
        )

    @property
    def flags(self) -> list[str]:
        """The flags that .bazelrc imports: system mode's, or none."""
        path = self.home / self.tree / ".bazelrc.mode"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if not line.startswith("#")]

    @property
    def system(self) -> list[str]:
        """What they are in system mode."""
        registry = f"file://{self.home}/tree/third_party/system_registry"
        return ["common --config=system", f"common --registry={registry}"]

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a program there."""
        return {
            "PATH": str(self.home / "bin"),
            "HOME": str(self.home),
            "BAZELW_PREFIX": str(self.home / "usr"),
            "BAZELW_ETC": str(self.home / "etc"),
            **self.environment,
        }

    def run(
        self,
        *arguments: str,
        group: bool = False,
        folder: Path | None = None,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Runs bazelw there."""
        program = str(self.home / self.tree / "bazelw")
        return self.run_program(program, *arguments, group=group, folder=folder, **environment)

    def run_program(
        self,
        *words: str,
        group: bool = False,
        folder: Path | None = None,
        **environment: str,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a program there, in a session of its own where the test interrupts it."""
        return subprocess.run(
            words,
            cwd=folder or self.home / self.tree,
            env={**self.variables, **environment},
            text=True,
            capture_output=True,
            check=False,
            timeout=60,
            start_new_session=group,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "machine")


def fails(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """The run failed and its message has all of the words."""
    assert result.returncode == 1, result
    for word in words:
        assert word in result.stderr, result.stderr


def test_bazel_of_the_right_version_and_the_registry(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    result = machine.run("build", "//...")
    assert result.stdout == "ran: build //...\n"
    assert "modules from the Bazel Central Registry" in result.stderr
    assert machine.flags == []


def test_no_registry_means_the_packages_of_debian(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    result = machine.run("--output_base=/x", "build", "//...")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith(" --output_base=/x build //...\n")
    assert "--nosystem_rc" in result.stdout
    assert machine.flags == machine.system
    assert "--config=system" in result.stderr.splitlines()[-1]
    log = (machine.home / "apt.log").read_text()
    assert "-t testing bazel-bootstrap" in log
    pin = (machine.home / "etc/apt/preferences.d/torch-bazelw").read_text()
    assert "Pin-Priority: 50" in pin
    source = (machine.home / "etc/apt/sources.list.d/torch-bazelw.list").read_text()
    assert source == f"deb {MIRROR} testing main\n"


def wait_for(path: Path) -> None:
    """Until something in the background has made a file."""
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end, path
        time.sleep(0.01)


def test_a_server_starts_from_the_classes_of_an_earlier_one(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    cache = machine.java("25.0.5+8-1-Debian")
    old = cache.with_name("bazel-key-java-25.0.1.aot")
    old.parent.mkdir(parents=True)
    old.touch()
    first = machine.run("build", "//...")
    assert f" --host_jvm_args=-XX:AOTCache={cache} " in first.stdout
    assert f" --server_javabase={machine.home}/jdk " in first.stdout
    wait_for(cache)
    assert cache.read_text("utf-8") == "classes\n"
    assert not old.exists()
    # The options stay, so that the server does.
    assert machine.run("build", "//...").stdout == first.stdout


def test_a_cache_that_cannot_be_made_is_tried_once(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    cache = machine.java("26+1")
    bazel = machine.home / "usr/share/packaged-bazel"
    fails_here = 'case "$*" in *AOTCacheOutput*) echo tried; exit 1 ;; esac\nfor word'
    bazel.write_text(bazel.read_text("utf-8").replace("for word", fails_here, 1))
    assert machine.run("build").returncode == 0
    wait_for(cache)
    log = cache.with_name("java_cache.log")
    assert "tried" in log.read_text("utf-8")
    assert cache.read_bytes() == b""
    log.unlink()
    assert machine.run("build").returncode == 0
    assert not log.exists()


@pytest.mark.parametrize("version", ["21.0.9+10", "24.0.2+12", "1.8.0_462", "9+181"])
def test_a_java_that_keeps_no_classes(machine: Machine, version: str) -> None:
    machine.network(False)
    machine.debian()
    cache = machine.java(version)
    result = machine.run("build")
    assert result.returncode == 0
    assert "AOTCache" not in result.stdout
    assert not cache.with_name("java_cache.log").exists()


def test_continuous_integration_makes_no_cache_for_later(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    cache = machine.java("25.0.5+8-1-Debian")
    assert f"AOTCache={cache} " in machine.run("build", CI="true").stdout
    assert not cache.with_name("java_cache.log").exists()


def test_no_mirror_to_install_from(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.program("apt-get", "exit 0")
    fails(machine.run("build"), "apt knows no Debian mirror", "apt-get update", "testing main")


def test_an_image_without_package_lists(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    apt = machine.home / "bin/apt-get"
    script = apt.read_text(encoding="utf-8").replace(
        "indextargets*) ", f"indextargets*) [ -e {machine.home}/lists ] || exit 0; "
    )
    apt.write_text(script, encoding="utf-8")
    result = machine.run("build")
    assert result.stdout.endswith(" build\n"), result
    assert "bazel-bootstrap" in (machine.home / "apt.log").read_text()
    # Somebody who is not root is told to.
    (machine.home / "lists").unlink()
    (machine.home / ".cache/torch-bazelw/state").unlink()
    shutil.rmtree(machine.home / "usr")
    machine.program("id", "echo 1000")
    fails(machine.run("build"), "apt knows no Debian mirror", "sudo apt-get update")


def test_it_says_what_it_will_install_before(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    lines = machine.run("version").stderr.splitlines()
    announced = next(i for i, line in enumerate(lines) if "will be installed" in line)
    began = next(i for i, line in enumerate(lines) if "with apt-get" in line)
    assert announced < began
    assert "BAZELW_NO_INSTALL=1" in lines[announced]


def test_it_decides_once(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    machine.run("build")
    asked = (machine.home / "asked").read_text()
    second = machine.run("build")
    assert second.stdout == "ran: build\n"
    assert second.stderr == ""
    assert (machine.home / "asked").read_text() == asked


def test_a_vanished_bazel_is_looked_for_again(machine: Machine) -> None:
    bazel = machine.bazel()
    machine.network(True)
    machine.run("build")
    bazel.unlink()
    machine.bazel("bazelisk")
    assert "bazelisk" in machine.run("build").stderr


def test_the_mode_can_be_given(machine: Machine) -> None:
    machine.bazel()
    machine.network(False)
    assert machine.run("build", BAZELW_MODE="registry").stdout == "ran: build\n"
    assert not (machine.home / "asked").exists()
    assert machine.flags == []


def test_the_modes_flags_go_with_the_mode(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.run("build")
    assert machine.flags == machine.system
    machine.bazel("bazelisk")
    assert machine.run("build", BAZELW_MODE="registry").stdout == "ran: build\n"
    assert machine.flags == []


def test_a_checkout_that_cannot_be_written(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    # Not by its permissions, which root does not heed.
    (machine.home / "tree/.bazelrc.mode").mkdir()
    machine.program("mv", f'case "$2" in *.mode) exit 1;; esac; exec {shutil.which("mv")} "$@"')
    flags = machine.home / ".cache/torch-bazelw/system.bazelrc"
    result = machine.run("build")
    assert result.stdout.endswith(f" --bazelrc={flags} build\n"), result
    assert flags.read_text(encoding="utf-8").splitlines()[1:] == machine.system
    machine.program("mv", "exit 1")
    flags.unlink()
    fails(machine.run("build"), "can be written", "XDG_CACHE_HOME=")


def test_a_launcher_runs_the_bazel_of_its_choice(machine: Machine) -> None:
    """bazelisk and Bazel's launcher: `bazel build` is `./bazelw build`."""
    real = machine.bazel("elsewhere/bazel-real")
    launcher = machine.launcher(real)
    machine.network(True)
    result = machine.run_program(str(launcher), "build", "//...")
    assert result.stdout == "ran: build //...\n", result
    assert "modules from the Bazel Central Registry" in result.stderr
    # What was decided holds for the next call, and for one by the file.
    for again in (machine.run_program(str(launcher), "build"), machine.run("build")):
        assert (again.stdout, again.stderr) == ("ran: build\n", "")


def test_a_launcher_chooses_the_mode_too(machine: Machine) -> None:
    launcher = machine.launcher(machine.bazel("elsewhere/bazel-real"))
    machine.network(False)
    machine.debian()
    result = machine.run_program(str(launcher), "build", "//...")
    assert result.returncode == 0, result.stderr
    assert "--nosystem_rc" in result.stdout
    assert machine.flags == machine.system


def test_a_launcher_that_bazelw_finds_is_asked_once(machine: Machine) -> None:
    """bazelw runs the launcher, which runs bazelw: the second is the Bazel itself."""
    real = machine.program(
        "elsewhere/bazel-real",
        f'[ "$*" = --version ] && echo "bazel {VERSION}" && exit; env | grep BAZEL; echo "ran: $*"',
    )
    machine.launcher(real)
    # Nothing is remembered, so that a second decision would be seen.
    result = machine.run("build", BAZELW_MODE="registry")
    assert result.stdout.splitlines()[-1] == "ran: build"
    # Programs of `bazel run` start from anew.
    assert "BAZEL_REAL" not in result.stdout
    assert "BAZELW_DECIDED" not in result.stdout
    assert result.stderr.count("bazelw:") == 1


def test_another_bazel_by_bazelisk(machine: Machine) -> None:
    machine.network(True)
    bazelisk = machine.bazel("bazelisk", version="8.5.1")
    result = machine.run("build", USE_BAZEL_VERSION="8.x")
    assert result.stdout == "ran: build\n", result
    assert f"Bazel 8.x ({bazelisk})" in result.stderr
    # It is not the tree's own.
    assert "(bazel 8.5.1)" in machine.run("build").stderr


def test_a_bazel_by_its_path_is_for_bazelisk(machine: Machine) -> None:
    launcher = machine.launcher(machine.bazel("elsewhere/bazel-real"), "bazelisk")
    machine.network(False)
    machine.debian()
    result = machine.run_program(str(launcher), "build", USE_BAZEL_VERSION="/usr/bin/bazel")
    assert result.returncode == 0, result.stderr
    assert machine.flags == machine.system


def test_another_bazel_needs_the_registry(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    result = machine.run("build", USE_BAZEL_VERSION="8.x")
    fails(result, "no Bazel 8.x", f"packages are for Bazel {VERSION}", "-u USE_BAZEL_VERSION")


def test_a_proxy_that_answers_with_a_page(machine: Machine) -> None:
    machine.bazel()
    machine.network(True, PROXY)
    fails(machine.run("build"), "answers with a page that is not its own", "this is not Debian")
    machine.debian()
    assert "--config=system" in machine.run("build").stderr.splitlines()[-1]


def test_the_registry_is_read_without_curl(machine: Machine) -> None:
    """Python reads it, where there is no curl."""
    machine.bazel()
    machine.program(
        "python3",
        f'case "$*" in *.py*) exec {sys.executable} "$@" ;; *) echo \'{REGISTRY}\' ;; esac',
    )
    assert "modules from the Bazel Central Registry" in machine.run("build").stderr


@pytest.mark.parametrize(
    ("status", "reachable", "page", "words"),
    [
        (32, False, REGISTRY, "the registry does not answer"),
        (32, True, REGISTRY, "it answers now"),
        (32, True, PROXY, "a page that is not its own"),
        (48, True, PROXY, "a page that is not its own"),
        (48, True, REGISTRY, None),  # Bazel says what is wrong, such as a version that was yanked.
        (1, False, REGISTRY, None),
    ],
)
def test_a_registry_that_answers_and_then_stops(
    machine: Machine, status: int, reachable: bool, page: str, words: str | None
) -> None:
    machine.bazel()
    machine.network(True)
    machine.run("build")
    machine.program("bazel", f"echo the reason >&2; exit {status}")
    machine.network(reachable, page)
    result = machine.run("build")
    assert result.returncode == status
    if words is None:
        assert result.stderr == "the reason\n"
    else:
        assert words in result.stderr
        assert "BAZELW_MODE=system ./bazelw" in result.stderr


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("cache", 1),
        ("cache", 2),
        ("cache", 7),
        ("output_base", 1),
        ("output_user_root", 1),
        ("settings", 1),
    ],
)
def test_a_host_of_modules_that_stops(machine: Machine, where: str, status: int) -> None:
    """The registry goes on, and Bazel ends as where a build fails: what it said tells."""
    machine.bazel()
    machine.network(True)
    machine.run("build")
    name = hashlib.md5(str(machine.home / machine.tree).encode(), usedforsecurity=False).hexdigest()
    bases = {
        "cache": machine.home / ".cache/bazel/_bazel_me" / name,
        "output_user_root": machine.home / "user" / name,
    }
    base = bases.get(where, machine.home / "base")
    base.mkdir(parents=True)
    words = {
        "output_base": [f"--output_base={base}"],
        "output_user_root": ["--output_user_root", str(base.parent)],
    }
    if where == "settings":
        settings = machine.home / machine.tree / ".bazelrc.user"
        settings.write_text(f"build --jobs=1\nstartup --output_base={base}\n")
    log = base / "command.log"
    machine.program("bazel", f"echo the reason >&2; exit {status}")

    def said(text: str) -> str:
        log.write_text(f"INFO: Loading\nERROR: java.io.IOException: {text}", encoding="utf-8")
        result = machine.run(*words.get(where, []), "build")
        assert result.returncode == status
        return result.stderr

    of_module = "Error downloading [https://github.com/x.tar.gz] to /base/external/rules_cc+/x"
    message = said(f"{of_module}: Premature EOF")
    assert "modules could not be downloaded from github.com. To try again" in message
    assert "BAZELW_MODE=system ./bazelw" in message
    assert "from github.com" in said(of_module.replace("+/", "~/").replace("]", ", https://x/y]"))
    assert "from github.com" in said(of_module.replace("rules_cc+/", "platforms/"))
    # Of a repository that has an answer of its own, in both modes; another reason; another command.
    for text in (of_module.replace("rules_cc+/", "+one+another/"), "no space left"):
        assert "downloaded" not in said(text)
    log.write_text(of_module, encoding="utf-8")
    os.utime(log, (1, 1))
    assert "downloaded" not in machine.run(*words.get(where, []), "build").stderr


def test_no_registry_and_no_package_of_the_distribution(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.program("apt-cache", "echo '  9.9.9 50'")
    said = f"the registry does not answer, and {MIRROR} has no bazel-bootstrap {VERSION}"
    fails(machine.run("build"), said, "BAZELW_BAZEL=/path/to/bazel ./bazelw")


def test_unknown_mode(machine: Machine) -> None:
    result = machine.run("build", BAZELW_MODE="offline")
    fails(result, "BAZELW_MODE is 'offline'; it may be registry or system", "BAZELW_MODE=system")


def test_no_python(machine: Machine) -> None:
    (machine.home / "bin/python3").unlink()
    fails(machine.run("build"), "no python3 in PATH", "apt-get install", "python3-dev")


def test_no_compiler(machine: Machine) -> None:
    (machine.home / "bin/c++").unlink()
    fails(machine.run("build"), "no C++ compiler in PATH", "apt-get install", "g++")


def test_wrong_version_and_no_npm(machine: Machine) -> None:
    path = machine.bazel(version="6.0.0")
    machine.network(True)
    result = machine.run("build")
    fails(result, f"no Bazel {VERSION}", f"{path} (bazel 6.0.0)", "apt-get install", "npm")


def test_a_space_in_the_path_is_written_as_a_url_has_it(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "machine", tree="my 100% tree")
    machine.network(False)
    machine.debian()
    machine.run("build")
    assert machine.flags[1].startswith(
        f"common --registry=file://{machine.home}/my%20100%25%20tree/"
    )


def test_wrong_version_gets_the_right_one_beside_it(machine: Machine) -> None:
    machine.bazel(version="6.0.0")
    machine.network(True)
    bazelisk = machine.bazel("elsewhere/bazelisk")
    target = machine.home / ".cache/torch-bazelw/node_modules/.bin"
    machine.program("npm", f"mkdir -p {target} && ln -s {bazelisk} {target}/bazelisk")
    result = machine.run("build")
    assert result.stdout == "ran: build\n", result.stderr
    assert "with npm" in result.stderr


def test_registry_without_bazelisk_falls_back_to_debian(machine: Machine) -> None:
    machine.network(True)
    machine.debian()
    result = machine.run("build")
    assert "bazelisk cannot be installed: using Debian's Bazel" in result.stderr
    assert machine.flags == machine.system, result.stderr


def test_not_root(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.program("id", "echo 1000")
    result = machine.run("build")
    fails(result, "Installing it needs root", "sudo ./bazelw --version")
    # Without sudo: what an administrator is to type, packages included.
    machine.debian(packages=False)
    lines = [line.strip() for line in machine.run("build").stderr.splitlines()]
    apt = machine.home / "etc/apt"
    assert lines[2:5] == [
        f"echo 'deb {MIRROR} testing main' > {apt}/sources.list.d/torch-bazelw.list",
        rf"printf 'Package: *\nPin: release a=testing\nPin-Priority: 50\n'"
        f" > {apt}/preferences.d/torch-bazelw",
        "apt-get update",
    ]
    assert lines[5].endswith("-t testing bazel-bootstrap -o Dpkg::Options::=--force-overwrite")
    assert "libgtest-dev" in lines[6]


def test_not_debian(machine: Machine) -> None:
    machine.network(False)
    fails(machine.run("build"), "this is not Debian", "npm install -g @bazel/bazelisk")


def test_installing_can_be_refused(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    result = machine.run("build", BAZELW_NO_INSTALL="1")
    fails(result, "BAZELW_NO_INSTALL is set", "apt-get install -t testing bazel-bootstrap")
    assert not (machine.home / "apt.log").exists()


def test_missing_packages_are_named_in_one_line(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.run("version")
    machine.debian(packages=False)
    (machine.home / ".cache/torch-bazelw/state").unlink()
    result = machine.run("build", BAZELW_NO_INSTALL="1")
    fails(result, "missing packages")
    command = result.stderr.splitlines()[-1]
    assert command.strip().startswith("apt-get install")
    assert {"libgtest-dev", "libhwy-dev", "libeigen3-dev"} <= set(command.split())


def test_missing_packages_need_root(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.run("version")
    machine.debian(packages=False)
    (machine.home / ".cache/torch-bazelw/state").unlink()
    machine.program("id", "echo 1000")
    fails(machine.run("build"), "installing them needs root", "sudo apt-get install")


def test_failed_installation_shows_its_last_words(machine: Machine) -> None:
    machine.network(False)
    machine.debian()
    machine.program(
        "apt-get",
        f'case "$*" in indextargets*) echo {MIRROR}; exit;; esac; echo no space left; exit 100',
    )
    fails(machine.run("build"), "no space left", "that failed", "install.log")


def test_a_named_bazel_must_exist(machine: Machine) -> None:
    result = machine.run("build", BAZELW_BAZEL="/no/such")
    fails(result, "BAZELW_BAZEL is not a program: /no/such", "unset BAZELW_BAZEL")


def test_no_home(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    result = machine.run("build", HOME="", XDG_CACHE_HOME=str(machine.home / "cache"))
    assert result.stdout == "ran: build\n"


def test_a_checkout_whose_path_is_not_ascii(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "Müller")
    fails(machine.run("build"), "not ASCII", "Müller", "mv '")


def test_settings_that_bazel_would_pass_over(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    settings = machine.home / machine.tree / ".bazelrc.user"
    settings.write_text("build --jobs=2\n")
    assert machine.run("build").returncode == 0
    settings.unlink()
    settings.mkdir()
    fails(machine.run("build"), ".bazelrc.user cannot be read", "chmod u+r")
    settings.rmdir()
    settings.symlink_to(settings)
    fails(machine.run("build"), ".bazelrc.user is a link to a file that is not there", "rm ")
    settings.unlink()
    settings.write_text("import %workspace%/mine.bazelrc\nbuild --jobs=2\n")
    fails(
        machine.run("build"), "mine.bazelrc, which cannot be read", "try-import %workspace%/mine.b"
    )
    settings.with_name("mine.bazelrc").touch()
    assert machine.run("build").returncode == 0
    settings.write_bytes(b"build --copt=-DX=\xe9 --config=debug\n")
    result = machine.run("build")
    assert (result.returncode, result.stderr) == (0, "")
    settings.unlink()
    settings.with_name(".bazelrc.usr").touch()
    result = machine.run("build")
    assert result.returncode == 0
    assert "nobody reads .bazelrc.usr" in result.stderr
    assert "mv .bazelrc.usr .bazelrc.user" in result.stderr


@pytest.mark.parametrize(
    ("words", "settings", "fine"),
    [
        (("build", "--config=debug", "--config=release"), "", False),
        (("build", "--config=debug"), "build --jobs=2 --config=minsize\n", False),
        (("build", "--config", "debug", "--config", "release"), "", False),
        (("build", "--config=debug", "--config=debug", "--config=asan"), "", True),
        (("run", "//x", "--config=debug", "--", "--config=release"), "", True),
        (("build", "--config=debug"), "build:mine --config=minsize\n# --config=release\n", True),
    ],
)
def test_two_build_types(
    machine: Machine, words: tuple[str, ...], settings: str, fine: bool
) -> None:
    machine.bazel()
    machine.network(True)
    (machine.home / machine.tree / ".bazelrc.user").write_text(settings)
    result = machine.run(*words)
    if fine:
        assert result.returncode == 0, result.stderr
    else:
        fails(
            result,
            "--config=debug ",
            "are build types, and a build has only one",
            "./bazelw ... --config=debug",
        )


@pytest.mark.parametrize(
    ("words", "settings", "fine"),
    [
        (("--config=asan", "--config=tsan"), "", False),
        (("--config", "asan", "--config", "tsan"), "", False),
        (("--config=asan",), "test --config=tsan\n", False),
        (("--config=asan", "--config=ubsan", "--config=debug"), "", True),
    ],
)
def test_two_sanitizers(
    machine: Machine, words: tuple[str, ...], settings: str, fine: bool
) -> None:
    machine.bazel()
    machine.network(True)
    (machine.home / machine.tree / ".bazelrc.user").write_text(settings)
    result = machine.run("build", *words)
    if fine:
        assert result.returncode == 0, result.stderr
    else:
        fails(
            result,
            "--config=asan --config=tsan exclude each other",
            "./bazelw ... --config=asan",
        )


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("--noopenmp", "--openmp=false"),
        ("--no_openmp", "--openmp=false"),
        ("--no-openmp", "--openmp=false"),
        ("--no_cuda", None),
        ("--nobuild", None),
        ("--noblas", None),
    ],
)
def test_switches_of_this_tree_have_no_form_with_no(
    machine: Machine, word: str, instead: str | None
) -> None:
    machine.bazel()
    machine.network(True)
    tree = machine.home / machine.tree
    for folder, name, text in (
        ("config", "flags.bazelrc", "build --flag_alias={0}=//config:{0}\n"),
        ("docs", "options.md", "| `--{0}` | on | Meaning. |\n"),
    ):
        (tree / folder).mkdir(exist_ok=True)
        (tree / folder / name).write_text(text.format("openmp"))
    result = machine.run("build", word)
    if instead is None:
        assert result.returncode == 0, result.stderr
    else:
        fails(result, f"{word} is no flag. To turn openmp off:", f"./bazelw ... {instead}")
    assert machine.run("run", "//x", "--", word).returncode == 0


def options_of_the_tree(machine: Machine) -> Path:
    """Gives the tree four options and two configurations; returns its folder."""
    tree = machine.home / machine.tree
    (tree / "MODULE.bazel").touch()
    (tree / "config").mkdir()
    (tree / ".bazelrc").write_text(
        "build:remote-cache --x\nimport %workspace%/config/flags.bazelrc\n"
        "try-import %workspace%/.bazelrc.user\n"
    )
    names = ("blas", "cuda", "cuda_archs", "openmp")
    (tree / "config/flags.bazelrc").write_text(
        "".join(f"build --flag_alias={name}=//config:{name}\n" for name in names)
        + "build:cuda --//config:cuda=True\n"
    )
    (tree / "docs").mkdir()
    (tree / "docs/options.md").write_text(
        "| `--cuda` | off | M. |\n| `--openmp` | on | M. |\n"
        "\n## `--blas`\n\n* `eigen`: Eigen.\n* `openblas`: OpenBLAS.\n* `mkl`: MKL.\n"
        "\n## `--python_version`\n\n* `host`: The host's.\n* `3.11`: CPython 3.11.\n"
        "\n## Options that need others\n\n* `--cudnn` needs `--cuda`.\n"
    )
    return tree


@pytest.mark.parametrize(
    ("word", "names", "example"),
    [
        ("--blas=opnblas", "eigen, openblas, mkl", "--blas=openblas"),
        ("--blas=OpenBLAS", "eigen, openblas, mkl", "--blas=openblas"),
        ("--blas=cublas", "eigen, openblas, mkl", "--blas=eigen"),
        ("--python_version=3.10", "host, 3.11", "--python_version=host"),
        ("--blas=mkl", None, None),
        ("--cuda_archs=banana", None, None),
    ],
)
def test_a_value_that_an_option_has_not(
    machine: Machine, word: str, names: str | None, example: str | None
) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || exit 1')
    assert machine.run("build").returncode == 1
    tree = options_of_the_tree(machine)
    expected = f"bazelw: {word}: the values are {names}. For example:\n    ./bazelw ... {example}\n"
    result = machine.run("build", word, "//x", "--", "--blas=of a program")
    assert result.returncode == 1
    assert result.stderr == (expected if names else "")
    (tree / ".bazelrc.user").write_text(f"build {word} # --blas=comment\n")
    assert machine.run("build", "//x").stderr == (expected if names else "")


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("--blass=eigen", "--blas=eigen"),
        # The opposite of what is meant would be worse than nothing.
        ("--no_opnemp", "--openmp=false"),
        ("--NoOpnemp", "--openmp=false"),
        ("--nocpu", None),
        ("--mkl", "--blas=mkl"),
        ("--eigen", None),
        ("--host", None),
        ("--opnemp", "--openmp"),
        ("--use_openmp=0", "--openmp=0"),
        ("--USE_CUDA=1", "--cuda=1"),
        ("--cuda_arch=8.0", "--cuda_archs=8.0"),
        ("--cuda-archs=8.0", "--cuda_archs=8.0"),
        ("--config=cudda", "--config=cuda"),
        ("--config=remotecache", "--config=remote-cache"),
        ("--config cudda", "--config=cuda"),
        # Bazel's own, and what resembles nothing.
        ("--cpu=k8", None),
        ("--copt=-O1", None),
        ("--frobnicate", None),
        ("--config=cuda", None),
        ("--config=mine", None),
    ],
)
def test_a_misspelled_option_names_the_nearest(
    machine: Machine, word: str, instead: str | None
) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || exit 2')
    assert machine.run("build").returncode == 2
    tree = options_of_the_tree(machine)
    result = machine.run("build", "--jobs=2", *word.split(), "//x", "--", "--blass=of a program")
    assert result.returncode == 2
    if instead is None:
        assert result.stderr == ""
    else:
        assert result.stderr == (
            f"bazelw: {word} is misspelled. This tree has:\n    ./bazelw ... {instead}\n"
        )
    personal = tree / ".bazelrc.user"
    personal.write_text(f"build {word} # --blass\nbuild:mine --jobs=2\n")
    result = machine.run("build")
    assert (f"{word} in {personal} is misspelled. Write:\n    {instead}\n" in result.stderr) == (
        instead is not None
    )


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("--blas=eigen", "build", "//x"), "build --blas=eigen"),
        (("--config=cuda", "test"), "test --config=cuda"),
        (("--batch", "build", "--blas=eigen"), None),
        (("--blas=eigen", "biuld"), None),
    ],
)
def test_an_option_before_the_command(
    machine: Machine, words: tuple[str, ...], command: str | None
) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || exit 2')
    options_of_the_tree(machine)
    machine.run("build")
    said = machine.run(*words).stderr
    if command is None:
        assert said == ""
    else:
        assert said == (
            f"bazelw: {words[0]} stands before Bazel's command. Type:\n    ./bazelw {command} ...\n"
        )


def test_variables_of_pytorchs_build(machine: Machine) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || exit 1')
    machine.run("build")
    flags = "\n    ./bazelw run //tools:summary -- --env\n"
    said = machine.run("build", "//x", "USE_CUDA=1", "--", "USE_X=1").stderr
    assert said == (
        f"bazelw: USE_CUDA=1 is no target; pip reads PyTorch's variables. As flags:{flags}"
    )
    assert machine.run("run", "//x", "--", "USE_X=1").stderr == ""
    machine.bazel()
    said = machine.run("build", USE_CUDA="0", USE_XPU="1", USE_BAZEL_VERSION=VERSION).stderr
    assert re.search(
        "^bazelw: only pip reads PyTorch's variables, not Bazel: USE_(CUDA USE_XPU|XPU USE_CUDA). "
        f"As flags:{flags}$",
        said,
        re.MULTILINE,
    )
    assert machine.run("build", USE_CUDA="0", BUILD_WORKSPACE_DIRECTORY="/x").stderr == ""


def test_a_folder_outside_of_the_checkout(machine: Machine) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || exit 2')
    machine.run("build", folder=machine.home / machine.tree)
    tree = machine.home / machine.tree
    assert machine.run("build", folder=machine.home).stderr == (
        f"bazelw: {machine.home} is in no checkout. Type:\n    cd {tree}\n"
    )
    (tree / "MODULE.bazel").touch()
    assert machine.run("build", folder=tree / "tools").stderr == ""


def test_a_link_to_bazelw(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    link = machine.home / "bin/torch-build"
    link.symlink_to(machine.home / machine.tree / "bazelw")
    assert machine.run_program(str(link), "build").stdout == "ran: build\n"


def test_an_interrupt_of_the_whole_group_is_bazels_to_answer(machine: Machine) -> None:
    machine.network(True)
    machine.program(
        "bazel",
        f'[ "$*" = --version ] && echo "bazel {VERSION}" && exit\n'
        "trap 'echo tidied up; exit 8' INT\nkill -INT 0\nsleep 0.1",
    )
    result = machine.run("build", group=True)
    assert result.returncode == 8
    # A program that sends it to a group looks like one that sends it to bazelw alone.
    assert set(result.stdout.splitlines()) == {"tidied up"}


WAITING_BAZEL = """
import os, signal
def caught(number, frame):
    os.write(1, f"caught {signal.Signals(number).name}\\n".encode())
for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"):
    signal.signal(signal.Signals[name], caught)
os.write(1, b"ready\\n")
os.write(1, f"read {input()}\\n".encode())
raise SystemExit(8)
"""


@pytest.fixture
def bazelw(machine: Machine) -> str:
    """A bazelw whose Bazel tells when it is ready, each signal that comes, and what it read."""
    machine.network(True)
    (machine.home / "bazel.py").write_text(WAITING_BAZEL, encoding="utf-8")
    machine.program(
        "bazel",
        f'[ "$*" = --version ] && echo "bazel {VERSION}" && exit\n'
        f"exec {sys.executable} -S {machine.home}/bazel.py",
    )
    return str(machine.home / machine.tree / "bazelw")


def started(bazelw: str, machine: Machine) -> subprocess.Popen[str]:
    """The bazelw once its Bazel is ready."""
    process = subprocess.Popen(
        [bazelw, "build"],
        env=machine.variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"])
def test_a_signal_to_bazelw_alone_reaches_bazel_once(
    machine: Machine, bazelw: str, name: str
) -> None:
    with started(bazelw, machine) as process:
        assert process.stdout
        process.send_signal(signal.Signals[name])
        assert process.stdout.readline() == f"caught {name}\n"
        assert process.communicate("a line\n", timeout=60)[0] == "read a line\n"
    assert process.returncode == 8


def test_bazel_ends_where_bazelw_is_killed(machine: Machine, bazelw: str) -> None:
    with started(bazelw, machine) as process:
        assert process.stdout
        process.kill()
        assert process.stdout.readline() == "caught SIGTERM\n"
        process.communicate("a line\n", timeout=60)


def test_a_terminal_has_bazel_in_the_foreground(machine: Machine, bazelw: str) -> None:
    child, terminal = pty.fork()
    if child == 0:
        os.execve(bazelw, [bazelw, "run"], machine.variables)
    said = ""

    def until(words: str) -> None:
        nonlocal said
        while words not in said:
            said += os.read(terminal, 4096).decode()

    signal.alarm(60)
    until("ready")
    os.write(terminal, b"\x03")
    until("caught SIGINT")
    os.write(terminal, b"typed\n")
    until("read typed")
    _, status = os.waitpid(child, 0)
    signal.alarm(0)
    os.close(terminal)
    assert said.count("caught SIGINT") == 1
    assert os.waitstatus_to_exitcode(status) == 8


@pytest.mark.parametrize(("ends", "status"), [("exit 37", 37), ("kill -9 $$", 137)])
def test_it_ends_as_bazel_does(machine: Machine, ends: str, status: int) -> None:
    machine.network(True)
    machine.program("bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" && exit\n{ends}')
    assert machine.run("build").returncode == status


def test_bazel_gets_the_callers_environment(machine: Machine) -> None:
    machine.network(True)
    machine.program(
        "bazel", f'[ "$*" = --version ] && echo "bazel {VERSION}" || echo "${{LC_CTYPE-unset}}"'
    )
    assert machine.run("build", LC_ALL="").stdout == "unset\n"
    assert machine.run("build", LC_CTYPE="C").stdout == "C\n"


def test_a_bazel_that_does_not_run(machine: Machine) -> None:
    broken = machine.home / "broken"
    broken.write_text("")
    broken.chmod(0o755)
    machine.network(True)
    result = machine.run("build", BAZELW_BAZEL=str(broken))
    assert (result.returncode, result.stderr) == (
        126,
        f"bazelw: {broken} does not run: Exec format error\n",
    )


@pytest.mark.parametrize("name", ["XDG_CACHE_HOME", "HOME"])
def test_a_folder_of_the_environment_is_absolute(machine: Machine, name: str) -> None:
    machine.bazel()
    machine.network(True)
    result = machine.run("build", **{name: "some/where"})
    fails(result, f"{name} is 'some/where'; it may be an absolute path", f"    {name}=/")


def test_a_home_that_cannot_be_written(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    result = machine.run("build", HOME="/proc/no/such")
    fails(result, "/proc/no/such/.cache/torch-bazelw cannot be made", "XDG_CACHE_HOME=/tmp/")


def test_a_disk_cache_that_cannot_be_used(machine: Machine) -> None:
    machine.bazel()
    machine.network(True)
    result = machine.run("build", "--disk_cache=/proc/cache")
    fails(result, "the disk cache /proc/cache cannot be written", "--disk_cache=")
    cache = machine.home / "cache"
    for blocks, full in ((90_000, True), (900_000_000, False)):
        machine.program("df", f"echo Filesystem; echo /dev/x 9 9 {blocks} 9% /")
        (machine.home / machine.tree / ".bazelrc.user").write_text("build --disk_cache=~/cache\n")
        result = machine.run("build")
        assert result.returncode == 0, result.stderr
        assert cache.is_dir()
        assert ("has 87 MiB left" in result.stderr) == full, result.stderr


def test_the_doctor_runs_without_bazel(machine: Machine) -> None:
    doctor = machine.home / machine.tree / "tools/doctor/doctor.py"
    doctor.parent.mkdir(parents=True)
    doctor.write_text("import sys; print('doctor:', *sys.argv[1:])\n")
    machine.program("python3", f'exec {sys.executable} "$@"')
    result = machine.run("run", "//tools:doctor", "--cublas", "--", "--json")
    assert result.stdout == "doctor: --cublas -- --json\n", result.stderr


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
