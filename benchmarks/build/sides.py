"""The two sides of the benchmark: Bazel with a disk cache, and CMake with Ninja and ccache."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.build.cmake import LAYERS, SAMPLE, Layer, cmake_lists, compiles, unlisted
from benchmarks.build.processor import ProcessorTime

_PROCESSES = re.compile(r"^INFO: \d+ process(?:es)?: (.*)\.$", re.MULTILINE)
_STEP = re.compile(r"^\[(\d+)/\d+\] ", re.MULTILINE)
_CLASSES = re.compile(rb"-XX:AOTCache=([^\0]+)")


def actions_ran(printed: str) -> int:
    """How many actions a build ran, by what Bazel or Ninja printed.

    Bazel's hits in a cache and its own bookkeeping are none. Ninja counts what ccache had.
    """
    counts = 0
    for kinds in _PROCESSES.findall(printed):
        for kind in kinds.split(", "):
            number, name = kind.split(" ", 1)
            counts += 0 if name == "internal" or name.endswith("cache hit") else int(number)
    return counts + max(map(int, _STEP.findall(printed)), default=0)


def timed(
    command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> tuple[float, str]:
    """Runs a command; its seconds and what it prints. Exits with that if it fails."""
    started = time.monotonic()
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            printed, _ = process.communicate()
        except BaseException:
            # Ninja ends its compilers, and Bazel's server what it runs for the client.
            os.killpg(process.pid, signal.SIGINT)
            raise
    if process.returncode != 0:
        sys.exit(f"{printed[-6000:]}\n{' '.join(command)}\nfailed in {folder}")
    return time.monotonic() - started, printed


def began_without_classes(output_base: Path) -> bool:
    """Whether Bazel's server began before the file of its classes was there.

    bazelw makes that file once, in the background; this waits for it.
    """
    line = output_base / "server/cmdline"
    named = _CLASSES.findall(line.read_bytes())
    if not named:
        return False
    # Java takes the last one.
    classes = Path(os.fsdecode(named[-1]))
    lock = classes.with_suffix(".lock")
    if lock.exists():
        with lock.open(encoding="utf-8") as making:
            fcntl.flock(making, fcntl.LOCK_SH)
    return classes.exists() and classes.stat().st_mtime > line.stat().st_mtime


@dataclass
class Bazel:
    """A checkout built by Bazel.

    Attributes:
      tree: the checkout.
      scratch: output base and disk cache.
      targets: what is built.
      jobs: as for make.
    """

    tree: Path
    scratch: Path
    targets: Sequence[str]
    jobs: int
    name: str = "Bazel"
    actions: int = field(default=0, init=False)
    processor: float = field(default=0, init=False)

    @property
    def output_base(self) -> Path:
        """Bazel's: checkouts share the cache and nothing else."""
        return self.scratch / "output" / self.tree.name

    def run(self, command: str, *arguments: str) -> float:
        """Runs Bazel; seconds. `actions` are what it ran, `processor` what that took."""
        line = ["./bazelw", f"--output_base={self.output_base}", command, *arguments]
        processor = ProcessorTime(self.output_base)
        seconds, printed = timed(line, self.tree, os.environ)
        self.actions = actions_ran(printed)
        self.processor = processor.seconds()
        return seconds

    def build(self, debug: bool = False) -> float:
        """Builds; seconds."""
        options = [f"--jobs={self.jobs}", f"--disk_cache={self.scratch}/disk"]
        mode = ["--config=debug"] if debug else []
        return self.run("build", *options, *mode, *self.targets)

    def clean(self) -> None:
        """Forgets what was built, but not the cache."""
        self.run("clean")

    def forget_cache(self) -> None:
        """Empties the cache."""
        shutil.rmtree(self.scratch / "disk", ignore_errors=True)

    def prepare(self) -> None:
        """Fetches third-party code: CMake's is installed. Starts the server, with its classes."""
        self.run("build", "--nobuild", *self.targets)
        if began_without_classes(self.output_base):
            self.close()
            self.run("build", "--nobuild", *self.targets)

    def elsewhere(self, tree: Path) -> Bazel:
        """The same for another checkout."""
        return Bazel(tree, self.scratch, self.targets, self.jobs)

    def close(self) -> None:
        """Stops the server."""
        self.run("shutdown")


def shell_environment() -> dict[str, str]:
    """Without what the launcher of this program set: `python -m` finds modules of its folder."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}


def ccache_environment(cache: Path, scratch: Path, checkouts: bool) -> dict[str, str]:
    """The environment with ccache's settings: for several checkouts as its manual sets them."""
    shared = {"CCACHE_BASEDIR": str(scratch), "CCACHE_NOHASHDIR": "1"}
    settings = {"CCACHE_DIR": str(cache), "CCACHE_MAXSIZE": "25G"}
    return {**shell_environment(), **settings, **(shared if checkouts else {})}


class ThroughCcache:
    """What the sides that build by CMake and Ninja share.

    Attributes:
      folder: what is built.
    """

    scratch: Path
    checkouts: bool
    configured: bool | None

    @property
    def name(self) -> str:
        """What the tables call it."""
        return "CMake + Ninja + ccache" + ("" if self.checkouts else ", its defaults")

    @property
    def cache(self) -> Path:
        """Where ccache keeps what it has."""
        return self.scratch / ("ccache" if self.checkouts else "ccache-defaults")

    @property
    def folder(self) -> Path:
        """The build folder."""
        raise NotImplementedError

    def clean(self) -> None:
        """Forgets what was built, but not the cache."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.configured = None

    def forget_cache(self) -> None:
        """Empties the cache."""
        shutil.rmtree(self.cache, ignore_errors=True)

    def prepare(self) -> None:
        """Nothing: what it needs is installed."""

    def close(self) -> None:
        """Nothing runs on."""


@dataclass
class CMake(ThroughCcache):
    """A checkout built by CMake, Ninja and ccache.

    Attributes:
      tree: the checkout.
      scratch: build folders and cache.
      layers: what is built.
      facts: what CMakeLists.txt refers to: the generator, its outputs, external folders.
      jobs: as for make.
      checkouts: whether ccache is set up for several checkouts, or as PyTorch's CONTRIBUTING.md
        tells, with a larger cache and nothing else.
    """

    tree: Path
    scratch: Path
    layers: Sequence[Layer]
    facts: Facts
    jobs: int
    checkouts: bool = True
    configured: bool | None = field(default=None, init=False)
    actions: int = field(default=0, init=False)
    processor: float = field(default=0, init=False)

    @property
    def folder(self) -> Path:
        """The build folder: in the checkout, so that paths relative to it are the same in all."""
        return self.tree / "cmake"

    def environment(self) -> dict[str, str]:
        """ccache's settings, and where the generator finds its reader of YAML."""
        return {
            **ccache_environment(self.cache, self.scratch, self.checkouts),
            "PYTHONPATH": self.facts.pythonpath,
        }

    def configure(self, debug: bool) -> float:
        """Runs cmake."""
        source = self.folder / "source"
        source.mkdir(parents=True, exist_ok=True)
        text = cmake_lists(self.layers, self.facts.generator, self.facts.generated)
        (source / "CMakeLists.txt").write_text(text, encoding="utf-8")
        line = ["cmake", "-G", "Ninja", "-S", str(source), "-B", str(self.folder / "build")]
        line += [f"-DCMAKE_BUILD_TYPE={'Debug' if debug else 'Release'}"]
        line += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", f"-DTREE={self.tree}"]
        # Below the build folder, where ccache's relative paths and Ninja's are the same.
        generated = self.folder / "build/generated"
        line += [f"-DGENERATED={generated}", f"-DEXTERNAL={self.facts.external}"]
        for path, text in self.facts.templates.items():
            (generated / path).parent.mkdir(parents=True, exist_ok=True)
            (generated / path).write_text(text, encoding="utf-8")
        self.configured = debug
        return timed(line, self.tree, self.environment())[0]

    def build(self, debug: bool = False) -> float:
        """Builds, after cmake where that is needed; seconds."""
        processor = ProcessorTime()
        seconds = 0.0 if self.configured == debug else self.configure(debug)
        line = ["ninja", "-C", str(self.folder / "build"), f"-j{self.jobs}"]
        taken, printed = timed(line, self.tree, self.environment())
        self.actions = actions_ran(printed)
        self.processor = processor.seconds()
        return seconds + taken

    def elsewhere(self, tree: Path) -> CMake:
        """The same for another checkout."""
        return CMake(tree, self.scratch, self.layers, self.facts, self.jobs, self.checkouts)


@dataclass(frozen=True)
class Facts:
    """What CMakeLists.txt refers to.

    Attributes:
      generator: command that writes generated files; empty for none.
      generated: what it writes.
      external: folder of third-party code.
      pythonpath: where the generator's YAML reader is.
      templates: what headers made of templates say, which cmake would write by configure_file.
    """

    generator: str
    generated: Sequence[str]
    external: Path
    pythonpath: str
    templates: Mapping[str, str] = field(default_factory=dict)


def _query(bazel: Bazel, *arguments: str) -> str:
    line = ["./bazelw", f"--output_base={bazel.output_base}", *arguments]
    result = subprocess.run(line, cwd=bazel.tree, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{result.stderr[-4000:]}\n{' '.join(line)}\nfailed")
    return result.stdout


def layers_of(bazel: Bazel, count: int, sample: bool = False) -> list[Layer]:
    """The first so many shared libraries, each without the sources of those below.

    With `sample` only some sources of the last one.
    """
    below: set[str] = set()
    layers = []
    for name, target in LAYERS[:count]:
        # Compiled for the target, not the tools that run during the build.
        query = f'mnemonic("CppCompile", deps({target}))'
        graph = json.loads(
            _query(bazel, "aquery", query, "--output=jsonproto", "--include_param_files")
        )
        known = [c for c in compiles(graph) if c.source + str(c.options) not in below]
        below |= {c.source + str(c.options) for c in known}
        layers.append(Layer(name, known))
    if sample:
        known = [c for c in layers[-1].compiles if Path(c.source).stem in SAMPLE]
        layers[-1] = Layer(layers[-1].name, known, linked=False)
    missing = unlisted(layers, bazel.tree)
    if missing:
        sys.exit(f"not in build_variables.bzl: {', '.join(missing)}")
    return layers


def facts_of(bazel: Bazel, layers: Sequence[Layer]) -> Facts:
    """Where generated and third-party files are."""
    base = Path(_query(bazel, "info", "output_base").strip())
    external = base / "external"
    if len(layers) == 1:
        return Facts("", (), external, "")
    yaml = next(external.glob("*pypi_pyyaml/site-packages"))
    python = (next(external.glob("*host_python")) / "interpreter.txt").read_text().strip()
    command = [
        *(python, "-m", "tools.codegen"),
        *("--derivatives", "tools/autograd/derivatives.yaml"),
        *("--generate", "headers", "sources", "autograd", "python"),
    ]
    listed = bazel.scratch / "generated.txt"
    environment = {**shell_environment(), "PYTHONPATH": str(yaml)}
    timed([*command, "--output-dependencies", str(listed)], bazel.tree, environment)
    written = listed.read_text(encoding="utf-8").split()
    command += ["--install-dir", "${GENERATED}"]
    bazel.run("build", "//torch:version.h")
    version = (bazel.tree / "bazel-bin/torch/version.h").read_text(encoding="utf-8")
    templates = {"torch/version.h": version}
    return Facts(" ".join(command), written, external, str(yaml), templates)
