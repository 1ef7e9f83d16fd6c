"""The two ways to build a checkout of PyTorch: its own CMake, and the rules of overlay/pytorch."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.build.edits import YAML, Change, Edit, restore
from benchmarks.build.processor import ProcessorTime
from benchmarks.build.sides import ThroughCcache, actions_ran, ccache_environment, timed
from overlay.pytorch.budget import replaced
from overlay.pytorch.report import known_facts
from tools.lint.tree import source_root

# What both sides leave out: docs/pytorch.md lists it.
_OFF = (
    *("CUDA", "DISTRIBUTED", "FBGEMM", "ITT", "KINETO", "MAGMA", "MKLDNN", "NNPACK", "NUMA"),
    *("PYTORCH_QNNPACK", "ROCM", "XNNPACK", "XPU"),
)
OPTIONS = (
    "-DBLAS=Generic",
    "-DBUILD_CUSTOM_PROTOBUF=OFF",
    "-DBUILD_PYTHON=OFF",
    "-DBUILD_TEST=OFF",
    "-DUSE_SYSTEM_LIBS=ON",
    *(f"-DUSE_{name}=OFF" for name in _OFF),
)
PROGRAMS = {"cmake": "cmake", "ninja": "ninja-build", "ccache": "ccache"}
# What PyTorch's CMake looks for with these options. Debian testing has them in versions that fit.
PACKAGES = (
    "libblas-dev",
    "libcpp-httplib-dev",
    "libcpuinfo-dev",
    "libflatbuffers-dev",
    "libfmt-dev",
    "libfp16-dev",
    "libfxdiv-dev",
    "liblapack-dev",
    "libonnx-dev",
    "libprotobuf-dev",
    "libpsimd-dev",
    "libpthreadpool-dev",
    "libsleef-dev",
    "nlohmann-json3-dev",
    "protobuf-compiler",
)
# Submodules that Debian's source package keeps in another folder.
_SUBMODULES = ("kineto", "pocketfft")
# No sources: another build's outputs, and what is large.
_LEFT_OUT = shutil.ignore_patterns(".git", "__pycache__", "bazel-*")
_ATEN = "aten/src/ATen"


def installed(package: str) -> bool:
    """Whether Debian's package is there; assumed where nobody can tell."""
    if not shutil.which("dpkg-query"):
        return True
    line = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    return subprocess.run(line, capture_output=True, text=True, check=False).stdout == "installed"


def problem_of(
    source: Path,
    has_program: Callable[[str], object] = shutil.which,
    has_package: Callable[[str], bool] = installed,
) -> str:
    """Why nothing can be measured with a checkout, and what to do; empty if it can."""
    if not (source / "version.txt").exists() or not (source / "torchgen").is_dir():
        return (
            f"{source} is no checkout of PyTorch. Name one with --source. Debian's source package "
            "is one, with the patches that its own build applies:\n\n"
            "    apt-get source pytorch=2.6.0+dfsg-7"
        )
    programs = [package for name, package in PROGRAMS.items() if not has_program(name)]
    packages = [package for package in PACKAGES if not has_package(package)]
    lines = []
    if programs:
        command = f"apt-get install --no-install-recommends {' '.join(programs)}"
        lines.append(f"PyTorch's own build needs programs. To install them:\n\n    {command}")
    if packages:
        command = f"apt-get install --no-install-recommends -t testing {' '.join(packages)}"
        lines.append(f"PyTorch's own build needs libraries. To install them:\n\n    {command}")
    return "\n\n".join(lines)


def blas() -> str:
    """The library that CMake does not find by itself, where BLAS is the distribution's."""
    line = ["c++", "-print-file-name=libblas.so"]
    return subprocess.run(line, capture_output=True, text=True, check=True).stdout.strip()


def state_of(source: Path) -> str:
    """The path of a checkout, and a digest of what changes when one of its files does."""
    seen = hashlib.sha256()
    for folder, folders, names in os.walk(source):
        left_out = _left_out(source, folder, folders + names)
        folders[:] = sorted(set(folders) - left_out)
        for name in sorted(set(names) - left_out):
            path = Path(folder, name)
            status = path.lstat()
            line = f"{path.relative_to(source)} {status.st_size} {status.st_mtime_ns}\n"
            seen.update(line.encode(errors="surrogateescape"))
    return f"{source}\n{seen.hexdigest()}\n"


def make_copies(source: Path, scratch: Path, names: Sequence[str]) -> list[Path]:
    """Copies of a checkout, or those that are there; exits if these are of another one."""
    trees = [scratch / "checkouts" / name for name in names]
    record = scratch / "checkouts/source.txt"
    state = state_of(source)
    if record.exists() and record.read_text(encoding="utf-8") != state:
        known = record.read_text(encoding="utf-8").splitlines()[0]
        sys.exit(
            f"{scratch} holds copies of {known} as it was, which is not {source} as it is. "
            f"Name another folder with --scratch, or delete {scratch}."
        )
    for tree in trees:
        if not record.exists():
            # What an earlier run left that did not come to its end.
            shutil.rmtree(tree, ignore_errors=True)
            copy_checkout(source, tree)
    record.write_text(state, encoding="utf-8")
    return trees


def _left_out(source: Path, folder: str, names: Sequence[str]) -> set[str]:
    """What of a folder is no source."""
    ignored = set(_LEFT_OUT(folder, list(names)))
    return ignored | ({"build"} if Path(folder) == source else set())


def copy_checkout(source: Path, target: Path) -> None:
    """A copy of a checkout without what builds left in it."""

    def left_out(folder: str, names: list[str]) -> set[str]:
        return _left_out(source, folder, names)

    shutil.copytree(source, target, symlinks=True, ignore=left_out)
    for name in _SUBMODULES:
        # CMake looks for it where the submodule is.
        place = target / "third_party" / name
        if (target / "debian" / name).exists() and not any(place.glob("*")):
            shutil.rmtree(place, ignore_errors=True)
            place.symlink_to(target / "debian" / name)


def reading_compiler(scratch: Path) -> Path:
    """A program that reads what the compiler would read, in a folder of its own."""
    program = scratch / "compiler/reading_compiler.sh"
    program.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source_root() / "tests/budget/reading_compiler.sh", program)
    return program


def core_sources(source: Path, count: int = 60) -> list[str]:
    """Sources of ATen's core, and some native ones, drawn at random but always the same."""
    folder = source / _ATEN
    core = [
        str(path.relative_to(source))
        for path in folder.glob("core/**/*.cpp")
        if "_test" not in path.name and "test" not in path.relative_to(folder).parts
    ]
    native = sorted(str(path.relative_to(source)) for path in folder.glob("native/*.cpp"))
    return sorted(core) + random.Random(0).sample(native, min(count, len(native)))


def c10_sources(source: Path) -> list[str]:
    """The sources of c10."""
    version = (source / "version.txt").read_text(encoding="utf-8").strip()
    globs = known_facts(version)["c10_globs"]
    found = {path for pattern in globs for path in source.glob(pattern)}
    return sorted(str(path.relative_to(source)) for path in found)


@dataclass(frozen=True)
class Scope:
    """What is built.

    Attributes:
      bazel: targets.
      ninja: targets.
      options: options of Bazel.
    """

    bazel: Sequence[str]
    ninja: Sequence[str]
    options: Sequence[str] = ()


def scope_of(name: str, source: Path) -> Scope:
    """The scope `c10`, `core` or `cpu`."""
    if name == "c10":
        return Scope(["//pytorch:libc10"], ["c10"])
    if name == "cpu":
        return Scope(["//pytorch:libtorch_cpu"], ["torch_cpu"])
    sources = core_sources(source)
    parts = [f"c10/{path}" for path in c10_sources(source)] + [f"aten/{path}" for path in sources]
    return Scope(
        [f"@pytorch_source//:{part.rpartition('.')[0]}" for part in parts],
        [f"c10/CMakeFiles/c10.dir/{path.removeprefix('c10/')}.o" for path in c10_sources(source)]
        + [f"caffe2/CMakeFiles/torch_cpu.dir/__/{path}.o" for path in sources],
        # These are compiled and not linked.
        ["--output_groups=compilation_outputs"],
    )


@dataclass
class Overlay:
    """A checkout built by the rules of this tree.

    Attributes:
      tree: the checkout.
      scratch: output bases and disk cache.
      scope: what is built.
      jobs: as for make.
      compiler: what stands in for the compiler, if something does.
    """

    tree: Path
    scratch: Path
    scope: Scope
    jobs: int
    compiler: Path | None = None
    name: str = "Bazel"
    actions: int = field(default=0, init=False)
    processor: float = field(default=0, init=False)

    def run(self, command: str, *arguments: str) -> float:
        """Runs Bazel; seconds. `actions` are what it ran, `processor` what that took."""
        output_base = self.scratch / "output" / self.tree.name
        line = ["./bazelw", f"--output_base={output_base}", command, *arguments]
        processor = ProcessorTime(output_base)
        seconds, printed = timed(line, source_root(), os.environ)
        self.actions = actions_ran(printed)
        self.processor = processor.seconds()
        return seconds

    def options(self, debug: bool) -> list[str]:
        """Of each build."""
        return [
            "--experimental_convenience_symlinks=ignore",
            f"--repo_env=PYTORCH_SOURCE={self.tree}",
            # The scratch folder may be below /tmp, which the sandbox hides.
            f"--sandbox_add_mount_pair={self.tree}",
            f"--disk_cache={self.scratch}/disk",
            f"--jobs={self.jobs}",
            *self._compiler_options(),
            *(["--config=debug"] if debug else []),
            *self.scope.options,
        ]

    def _compiler_options(self) -> list[str]:
        if not self.compiler:
            return []
        # Nothing is timed, and a sandbox has a link for each of 7,000 headers.
        return [f"--repo_env=CC={self.compiler}", "--spawn_strategy=local"]

    def build(self, debug: bool = False) -> float:
        """Builds; seconds."""
        return self.run("build", *self.options(debug), *self.scope.bazel)

    def clean(self) -> None:
        """Forgets what was built, but not the cache."""
        self.run("clean", "--experimental_convenience_symlinks=ignore")

    def forget_cache(self) -> None:
        """Empties the cache."""
        shutil.rmtree(self.scratch / "disk", ignore_errors=True)

    def prepare(self) -> None:
        """Fetches third-party code and starts the server: CMake's is installed."""
        self.run("build", "--nobuild", *self.options(debug=False), *self.scope.bazel)

    def elsewhere(self, tree: Path) -> Overlay:
        """The same for another checkout."""
        return Overlay(tree, self.scratch, self.scope, self.jobs, self.compiler)

    def close(self) -> None:
        """Stops the server."""
        self.run("shutdown")


# Called with the compiler and its arguments: a link makes an empty file.
_LAUNCHER = """\
#!/bin/sh
set -eu
compiler=$1
shift
case " $* " in
  *" -c "*) READING_COMPILER=$compiler exec {reading} "$@" ;;
esac
while [ "$1" != -o ]; do shift; done
: > "$2"
"""


@dataclass
class OwnCMake(ThroughCcache):
    """A checkout built by PyTorch's own CMake, with Ninja and ccache.

    Attributes:
      tree: the checkout.
      scratch: ccache's cache.
      scope: what is built.
      jobs: as for make.
      checkouts: whether ccache is set up for several checkouts, or as PyTorch's CONTRIBUTING.md
        tells, with a larger cache and nothing else.
      compiler: what stands in for the compiler, if something does; then without ccache.
    """

    tree: Path
    scratch: Path
    scope: Scope
    jobs: int
    checkouts: bool = True
    compiler: Path | None = None
    configured: bool | None = field(default=None, init=False)
    actions: int = field(default=0, init=False)
    processor: float = field(default=0, init=False)

    @property
    def folder(self) -> Path:
        """The build folder."""
        return self.tree / "build"

    def environment(self) -> Mapping[str, str]:
        """ccache's settings, and where the generators find their packages."""
        return {
            **ccache_environment(self.cache, self.scratch, self.checkouts),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }

    def build(self, debug: bool = False) -> float:
        """Builds, after cmake where that is needed; seconds."""
        processor = ProcessorTime()
        folder = self.folder
        seconds = 0.0
        if self.configured != debug:
            line = ["cmake", "-G", "Ninja", "-S", str(self.tree), "-B", str(folder), *OPTIONS]
            line += [f"-DCMAKE_BUILD_TYPE={'Debug' if debug else 'Release'}"]
            line += [f"-DBLAS_LIBRARIES={blas()}", f"-DPython_EXECUTABLE={sys.executable}"]
            line += self._launchers()
            seconds += timed(line, self.tree, self.environment())[0]
            self.configured = debug
        line = ["ninja", "-C", str(folder), f"-j{self.jobs}", *self.scope.ninja]
        taken, printed = timed(line, self.tree, self.environment())
        self.actions = actions_ran(printed)
        self.processor = processor.seconds()
        return seconds + taken

    def _launchers(self) -> list[str]:
        """Options of cmake with which the stand-in is called instead of the compiler.

        What CMake itself asks the compiler goes to the compiler.
        """
        if not self.compiler:
            return []
        launcher = self.compiler.with_name("launcher.sh")
        launcher.write_text(_LAUNCHER.format(reading=self.compiler), encoding="utf-8")
        launcher.chmod(0o755)
        kinds = ("C_COMPILER", "CXX_COMPILER", "C_LINKER", "CXX_LINKER")
        return ["-DUSE_CCACHE=OFF", *(f"-DCMAKE_{kind}_LAUNCHER={launcher}" for kind in kinds)]

    def elsewhere(self, tree: Path) -> OwnCMake:
        """The same for another checkout."""
        return OwnCMake(tree, self.scratch, self.scope, self.jobs, self.checkouts, self.compiler)


@dataclass(frozen=True)
class Schema:
    """Another default value of one function, which the caches have not seen.

    Attributes:
      original: the checkout that the operators are taken from.
    """

    original: Path

    def apply(self, tree: Path, number: int) -> None:
        """Makes the change, always from the original."""
        text = (self.original / YAML).read_text(encoding="utf-8")
        pattern = r"^(- func: margin_ranking_loss\(.*margin=)[0-9.]+"
        (tree / YAML).write_text(replaced(text, pattern, rf"\g<1>{number}.0"), encoding="utf-8")

    def undo(self, tree: Path) -> None:
        """Takes it back."""
        restore(self.original / YAML, tree / YAML)


_SYMBOL = "\nnamespace {\n[[maybe_unused]] int benchmark_{n}() { return {n}; }\n}\n"


_OPERATOR = "\n- func: benchmark(Tensor self, int number={n}) -> Tensor\n"
_KERNEL = """
#include <ATen/core/Tensor.h>
namespace at::native {
Tensor benchmark(const Tensor& self, int64_t) { return self; }
}
"""


def edits_of(scope: str, source: Path) -> dict[str, tuple[Change, ...]]:
    """What is changed in a scope, by scenario."""

    def declared(path: str) -> Edit:
        opening = "namespace c10 {\n"
        return Edit(path, opening, f"{opening}extern int benchmark_{{n}};\n", source)

    found: dict[str, tuple[Change, ...]] = {
        "comment in a .cpp": (Edit("c10/util/Exception.cpp", "", "// {n}\n", source),),
        "one source changed": (Edit("c10/core/Scalar.cpp", "", _SYMBOL, source),),
    }
    if scope == "c10":
        return {**found, "a header of c10 changed": (declared("c10/core/DeviceType.h"),)}
    # The kernel of a new operator is in one of the sources of scope core.
    kernel = next(path for path in core_sources(source) if path.startswith(f"{_ATEN}/native/"))
    return {
        **found,
        "one source of ATen changed": (Edit(f"{_ATEN}/core/Dimname.cpp", "", _SYMBOL, source),),
        # Of these a quarter of ATen reads: one that all read is a build of everything.
        "a header of c10 changed": (declared("c10/core/GradMode.h"),),
        "comment in the YAML": (Edit(YAML, "", "\n# {n}\n", source),),
        "one operator's schema changed": (Schema(source),),
        "new operator": (
            Edit(YAML, "", _OPERATOR, source),
            Edit(kernel, "", _KERNEL, source),
        ),
    }
