"""PyTorch's environment variables, as flags of this build.

One table says what each variable does. Whatever is set and is not in it, or contradicts another,
is an error. It names a known one only where that is probably meant.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.codegen.backend_table import OPTIONAL_BACKENDS, read_tables

_ON = {"1", "ON", "TRUE", "YES", "Y"}
_OFF = {"0", "OFF", "FALSE", "NO", "N", ""}

# Bazel takes a larger number of jobs for this one.
_MOST_JOBS = 5000


class SettingError(ValueError):
    """A variable or a setting that this build cannot follow."""


@dataclass(frozen=True)
class Variable:
    """What one variable does.

    Attributes:
      name: of the variable.
      shows: the flag, for people.
      meaning: one line.
      flags: from its value to Bazel's flags.
      sets: the fact that it decides; two variables may not decide one differently.
    """

    name: str
    shows: str
    meaning: str
    flags: Callable[[str], list[str]]
    sets: str


def switch_value(name: str, value: str) -> bool:
    """What PyTorch's switches accept."""
    if value.upper() in _ON:
        return True
    if value.upper() in _OFF:
        return False
    raise SettingError(f"{name}={value}: wanted 1 or 0 (ON or OFF). Type: {name}=1")


def _switch(name: str, option: str, meaning: str) -> Variable:
    def flags(value: str) -> list[str]:
        return [f"--{option}" if switch_value(name, value) else f"--{option}=false"]

    return Variable(name, f"--{option}", meaning, flags, option)


def _config(name: str, config: str, meaning: str, sets: str) -> Variable:
    def flags(value: str) -> list[str]:
        return [f"--config={config}"] if switch_value(name, value) else []

    return Variable(name, f"--config={config}", meaning, flags, sets)


def _split(name: str, value: str) -> list[str]:
    """The words of a value, as a shell splits them."""
    try:
        return shlex.split(value)
    except ValueError:
        raise SettingError(
            f"{name}={value}: a quotation mark or a backslash has no end. "
            f"Type: {name}={shlex.quote('-DNAME=1 -O2')}"
        ) from None


def _choice(name: str, shows: str, meaning: str, values: Mapping[str, str]) -> Variable:
    def flags(value: str) -> list[str]:
        if not value:
            return []
        for known, flag in values.items():
            if value.lower() == known.lower():
                return [flag]
        near = difflib.get_close_matches(value.lower(), [one.lower() for one in values], 1)
        example = next((known for known in values if [known.lower()] == near), None)
        raise SettingError(
            f"{name}={value}: this version has {', '.join(values)}. "
            + (
                f"Type: {name}={example}"
                if example
                else f"For example: {name}={next(iter(values))}"
            )
        )

    return Variable(name, shows, meaning, flags, shows.split("=")[0].lstrip("-"))


def _blas(name: str, library: str, meaning: str) -> Variable:
    def flags(value: str) -> list[str]:
        return [f"--blas={library}"] if switch_value(name, value) else []

    return Variable(name, f"--blas={library}", meaning, flags, "blas")


def _text(name: str, flag: str, meaning: str) -> Variable:
    def flags(value: str) -> list[str]:
        return [flag + value] if value else []

    return Variable(name, flag + "…", meaning, flags, flag.strip("-="))


def _absent(name: str, what: str) -> Variable:
    def flags(value: str) -> list[str]:
        if switch_value(name, value):
            raise SettingError(f"{name}={value}: this version has no {what}. Type: {name}=0")
        return []

    return Variable(name, "(off)", f"{what}: not in this version, on is an error", flags, name)


def _jobs(value: str) -> list[str]:
    if not value:
        return []
    if not re.fullmatch("[0-9]{1,9}", value) or not 1 <= int(value) <= _MOST_JOBS:
        raise SettingError(
            f"MAX_JOBS={value}: wanted a number from 1 to {_MOST_JOBS}. Type: MAX_JOBS=4"
        )
    return [f"--jobs={value}"]


def _ignored(name: str, meaning: str) -> Variable:
    return Variable(name, "(nothing)", meaning, lambda value: [], name)


def _words(name: str, option: str, meaning: str) -> Variable:
    """Flags of a compiler or linker, which Bazel takes one by one."""

    def flags(value: str) -> list[str]:
        return [f"--{option}={word}" for word in _split(name, value)]

    return Variable(name, f"--{option}=…", meaning, flags, name)


def _fixed(name: str, wanted: bool, fact: str) -> Variable:
    """A switch of PyTorch's CMake files that has one value here."""

    def flags(value: str) -> list[str]:
        if switch_value(name, value) != wanted:
            raise SettingError(f"{name}={value}: {fact}. Type: {name}={int(wanted)}")
        return []

    return Variable(name, "(on)" if wanted else "(off)", fact, flags, name)


def _refused(name: str, instead: str) -> Variable:
    def flags(value: str) -> list[str]:
        if value:
            raise SettingError(f"{name}={value}: {instead}. Type: unset {name}")
        return []

    return Variable(name, "(error)", instead, flags, name)


def _cxx11_abi(name: str) -> Variable:
    def flags(value: str) -> list[str]:
        if not switch_value(name, value):
            raise SettingError(
                f"{name}={value}: torch is built with the C++11 ABI alone. Type: {name}=1"
            )
        return []

    return Variable(name, "(on)", "the C++11 ABI, the only one: off is an error", flags, name)


def _cmake_architectures(value: str) -> list[str]:
    """CMake's list, `80;90a-real`, in the grammar of TORCH_CUDA_ARCH_LIST: `8.0+PTX;9.0a`."""
    wanted = []
    for entry in value.split(";"):
        found = re.fullmatch(r"(\d+)(\d[af]?)(-real)?", entry.strip())
        if not found:
            raise SettingError(
                f"CMAKE_CUDA_ARCHITECTURES={value}: wanted numbers such as 80 or 90a-real. "
                'Type: TORCH_CUDA_ARCH_LIST="8.0;9.0+PTX"'
            )
        wanted.append(f"{found[1]}.{found[2]}" + ("" if found[3] else "+PTX"))
    return ["--cuda_archs=" + ";".join(wanted)]


def optional_libraries() -> dict[str, Any]:
    """The table of optional libraries."""
    table = Path(__file__).parents[2] / "third_party/optional/libraries.bzl"
    libraries: dict[str, Any] = read_tables(table)["OPTIONAL_LIBRARIES"]
    return libraries


_BUILD_TYPES = {
    "Release": "--config=release",
    "Debug": "--config=debug",
    "RelWithDebInfo": "--config=relwithdebinfo",
    "MinSizeRel": "--config=minsize",
}
_BLAS = {
    "Eigen": "--blas=eigen",
    "OpenBLAS": "--blas=openblas",
    "BLIS": "--blas=blis",
    "ATLAS": "--blas=atlas",
    "MKL": "--blas=mkl",
    "vecLib": "--blas=accelerate",
    "Accelerate": "--blas=accelerate",
    "NVPL": "--blas=nvpl",
    "APL": "--blas=apl",
    "FlexiBLAS": "--blas=flexiblas",
}
# PyTorch's other switches; named, so that none of them looks like a misspelling of one above.
_NOT_HERE = [
    "C10D_GLOO",
    "C10D_MPI",
    "C10D_NCCL",
    "CK_FLASH_ATTENTION",
    "CPP_CODE_COVERAGE",
    "CUFILE",
    "FFMPEG",
    "GFLAGS",
    "GLOG",
    "GOLD_LINKER",
    "LEVELDB",
    "LIBUV",
    "LMDB",
    "MIMALLOC",
    "MKLDNN_ACL",
    "MKLDNN_CBLAS",
    "NVRTC",
    "OPENCL",
    "OPENCV",
    "PROF",
    "RCCL",
    "REDIS",
    "ROCKSDB",
    "SNPE",
    "STATIC_NCCL",
    "SYSTEM_LIBS",
    "SYSTEM_NCCL",
    "TBB",
    "UCC",
    "VALGRIND",
    "ZMQ",
]
_CACHE = "--disk_cache=~/.cache/torch-bazel-disk"

_BACKENDS = [
    _switch(backend.variable or f"USE_{name.upper()}", name, f"the {backend.title} backend")
    for name, backend in OPTIONAL_BACKENDS.items()
]
_LIBRARIES = [
    _switch(library.variable, name, library.title) for name, library in optional_libraries().items()
]
# Refused, unless one of the tables above has it.
_ABSENT = [
    _absent("BUILD_CAFFE2", "Caffe2"),
    _absent("USE_CUSPARSELT", "cuSPARSELt"),
    _absent("USE_FBGEMM", "FBGEMM"),
    _absent("USE_FLASH_ATTENTION", "FlashAttention"),
    _absent("USE_GLOO", "Gloo"),
    _absent("USE_ITT", "ITT"),
    _absent("USE_KINETO", "Kineto (USE_CUPTI=1 brings torch.profiler)"),
    _absent("USE_LSAN", "leak sanitizer of its own (USE_ASAN has it)"),
    _absent("USE_MAGMA", "MAGMA"),
    _absent("USE_MEM_EFF_ATTENTION", "memory-efficient attention"),
    _absent("USE_METAL", "Metal shaders of its own (USE_MPS)"),
    _absent("USE_MPI", "MPI"),
    _absent("USE_NATIVE_ARCH", "build for one processor: kernels choose by themselves"),
    _absent("USE_NNPACK", "NNPACK"),
    _absent("USE_NUMA", "NUMA binding"),
    _absent("USE_PRECOMPILED_HEADERS", "precompiled headers"),
    _absent("USE_PYTORCH_QNNPACK", "QNNPACK"),
    _absent("USE_QNNPACK", "QNNPACK"),
    _absent("USE_STATIC_CUDNN", "cuDNN"),
    _absent("USE_TENSORPIPE", "TensorPipe"),
    _absent("USE_TENSORRT", "TensorRT"),
    _absent("USE_XNNPACK", "XNNPACK"),
    *(_absent(f"USE_{name}", name) for name in _NOT_HERE),
    _absent("BUILD_TEST", "tests in the wheel"),
    _absent("BUILD_EXECUTORCH", "ExecuTorch"),
    _absent("BUILD_FUNCTORCH", "functorch library: torch.func is a part of torch"),
    _absent("BUILD_MOBILE_AUTOGRAD", "build for mobile devices"),
    _absent("BUILD_STATIC_RUNTIME_BENCHMARK", "static runtime"),
    _absent("BUILD_TENSOREXPR_BENCHMARK", "tensor expressions"),
]

VARIABLES = [
    Variable("MAX_JOBS", "--jobs=…", "actions at a time", _jobs, "jobs"),
    Variable(
        "CMAKE_BUILD_TYPE",
        "--config=…",
        "Release, Debug, RelWithDebInfo or MinSizeRel",
        _choice("CMAKE_BUILD_TYPE", "--config=…", "", _BUILD_TYPES).flags,
        "build type",
    ),
    _config("DEBUG", "debug", "no optimisation, debugger symbols", "build type"),
    _config("REL_WITH_DEB_INFO", "relwithdebinfo", "optimised, debugger symbols", "build type"),
    _choice("BLAS", "--blas=…", ", ".join(_BLAS), _BLAS),
    _blas("USE_MKL", "mkl", "MKL"),
    Variable(
        "USE_LAPACK",
        "--lapack=eigen",
        "if 0, Eigen finds eigenvalues and singular values",
        lambda value: [] if switch_value("USE_LAPACK", value) else ["--lapack=eigen"],
        "lapack",
    ),
    _blas("USE_STATIC_MKL", "mkl_static", "MKL, linked in"),
    _switch("USE_OPENMP", "openmp", "parallel loops on OpenMP threads"),
    Variable(
        "ATEN_THREADING",
        "--openmp",
        "OMP, or NATIVE for the library's own threads",
        _choice("ATEN_THREADING", "", "", {"OMP": "--openmp", "NATIVE": "--openmp=false"}).flags,
        "openmp",
    ),
    _switch("USE_PER_OPERATOR_HEADERS", "per_operator_headers", "exact operator dependencies"),
    *_BACKENDS,
    _text("TORCH_CUDA_ARCH_LIST", "--cuda_archs=", "GPU architectures: 8.0;9.0+PTX"),
    Variable(
        "CMAKE_CUDA_ARCHITECTURES",
        "--cuda_archs=…",
        "the same as CMake writes it: 80;90a-real",
        _cmake_architectures,
        "cuda_archs",
    ),
    _text("CUDA_HOME", "--repo_env=CUDA_PATH=", "the CUDA toolkit"),
    _text("CUDA_PATH", "--repo_env=CUDA_PATH=", "the CUDA toolkit"),
    *_LIBRARIES,
    _switch("USE_DISTRIBUTED", "distributed", "torch.distributed"),
    _config("USE_ASAN", "asan", "under the address sanitizer", "sanitizer"),
    _config("USE_TSAN", "tsan", "under the thread sanitizer", "sanitizer"),
    _config("USE_UBSAN", "ubsan", "under the undefined-behaviour sanitizer", "sanitizer"),
    Variable(
        "USE_CCACHE",
        _CACHE,
        "keep what was compiled, for every checkout",
        lambda value: [_CACHE] if switch_value("USE_CCACHE", value) else [],
        "cache",
    ),
    *(
        Variable(
            name,
            "--subcommands",
            "print every command",
            lambda value, name=name: ["--subcommands"] if switch_value(name, value) else [],  # type: ignore[misc]
            "commands",
        )
        for name in ("CMAKE_VERBOSE_MAKEFILE", "VERBOSE")
    ),
    _words("CFLAGS", "copt", "for every compile"),
    _words("CXXFLAGS", "cxxopt", "for every compile of C++"),
    _words("LDFLAGS", "linkopt", "for every link"),
    _cxx11_abi("TORCH_CXX11_ABI"),
    _cxx11_abi("_GLIBCXX_USE_CXX11_ABI"),
    _refused("CUDA_NVCC_FLAGS", "flags for nvcc are `copts` of a torch_cuda_library"),
    _refused("TORCH_NVCC_FLAGS", "flags for nvcc are `copts` of a torch_cuda_library"),
    _refused("PYTORCH_BUILD_VERSION", "the version is that of MODULE.bazel and of the commit"),
    _refused("PYTORCH_BUILD_NUMBER", "the version is that of MODULE.bazel and of the commit"),
    _refused("PYTORCH_ROCM_ARCH", "this version has no ROCm backend"),
    _refused(
        "PYTORCH_EXTRA_INSTALL_REQUIREMENTS",
        "what the wheel requires is in third_party/optional/libraries.bzl",
    ),
    _refused("BUILD_LIBTORCH_WHL", "that wheel is ./bazelw build //torch:libtorch_wheel"),
    _refused("BUILD_PYTHON_ONLY", "that wheel is ./bazelw build //torch:thin_wheel"),
    _refused(
        "CMAKE_ONLY", "no CMake runs here; ./bazelw build --nobuild //torch:_C only configures"
    ),
    _fixed("BUILD_PYTHON", True, "without Python it is ./bazelw build //:libtorch"),
    _fixed("BUILD_SHARED_LIBS", True, "the libraries are shared"),
    _fixed("BUILD_BINARY", False, "PyTorch's binaries are not in this version"),
    _fixed("BUILD_DOCS", False, "the documentation is in docs/"),
    _fixed("BUILD_JNI", False, "the Java bindings are not in this version"),
    _fixed("BUILD_LITE_INTERPRETER", False, "the lite interpreter is not in this version"),
    _ignored("BUILD_CUSTOM_PROTOBUF", "nothing here uses protobuf"),
    _ignored("CUDA_DEVICE_DEBUG", "device code has no debugger symbols in this version"),
    _ignored("CMAKE_FRESH", "Bazel configures again when something changed"),
    _ignored("CMAKE_GENERATOR", "Bazel schedules the build itself"),
    _ignored("NINJA_STATUS", "pip install -v shows Bazel's progress"),
    _ignored("CCACHE_DIR", f"USE_CCACHE keeps everything in {_CACHE.partition('=')[2]}"),
    _ignored("CMAKE_PREFIX_PATH", "libraries are modules or packages of the system: docs/build.md"),
    _ignored("MKL_ROOT", "MKL comes from its wheels"),
    _ignored("CUDNN_ROOT", "cuDNN comes from its wheel: USE_CUDNN=1"),
    _ignored("LIBKINETO_NOCUPTI", "CUPTI is off unless USE_CUPTI=1"),
    _ignored("USE_CUPTI_SO", "CUPTI is a shared library: USE_CUPTI=1 brings it"),
    *(one for one in _ABSENT if one.name not in {used.name for used in _BACKENDS + _LIBRARIES}),
]

_BY_NAME = {variable.name: variable for variable in VARIABLES}

# A variable, the flag it means, and the variable that it gives way to: PyTorch takes both.
_GIVES_WAY = {
    ("BLAS", "--blas=mkl", "USE_STATIC_MKL"),
    ("REL_WITH_DEB_INFO", "--config=relwithdebinfo", "DEBUG"),
    ("USE_MKL", "--blas=mkl", "USE_STATIC_MKL"),
}

# Every variable that looks like one of these is meant for a build of PyTorch.
_FAMILY = re.compile(r"USE_(?!BAZEL_)[A-Z0-9_]+|TORCH_CUDA_[A-Z_]+|PYTORCH_BUILD_[A-Z_]+")
_PREFIXES = ("USE_", "TORCH_CUDA_", "PYTORCH_BUILD_", "BUILD_")


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is probably meant; what all names of a family share says nothing."""
    prefix = next((one for one in _PREFIXES if name.upper().startswith(one)), "")
    stems = {one[len(prefix) :]: one for one in known if one.upper().startswith(prefix)}
    near = difflib.get_close_matches(name[len(prefix) :], stems, 1, 0.7 if prefix else 0.85)
    return stems[near[0]] if near else None


def _unknown(name: str, known: Iterable[str], what: str) -> SettingError:
    near = _nearest(name, known)
    return SettingError(
        f"{name} is no {what} of this build. "
        + (f"Did you mean {near}? " if near else "")
        + "All of them: ./bazelw run //tools:summary -- --env"
    )


def _spelled_out(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with variables for `NO_X=1` and `CMAKE_ARGS=-DX=Y`, which PyTorch takes too.

    A variable that is set itself goes before.
    """
    result = dict(environment)
    for word in _split("CMAKE_ARGS", result.pop("CMAKE_ARGS", "")):
        found = re.fullmatch(r"-D(\w+)(?::\w+)?=(.*)", word)
        if not found or found[1] not in _BY_NAME:
            raise SettingError(
                f"CMAKE_ARGS has {word}, and no CMake runs here. All variables: "
                "./bazelw run //tools:summary -- --env"
            )
        result.setdefault(found[1], found[2])
    for name in [name for name in result if name.startswith("NO_")]:
        positive = "USE_" + name.removeprefix("NO_")
        if positive in _BY_NAME:
            off = switch_value(name, result.pop(name))
            result.setdefault(positive, "0" if off else "1")
    return result


def flags_of(environment: Mapping[str, str]) -> list[str]:
    """Bazel's flags for an environment.

    Args:
      environment: every variable, as os.environ.

    Returns:
      The flags, in the table's order.

    Raises:
      SettingError: a variable is unknown, has a value it cannot have, or contradicts another.
    """
    environment = _spelled_out(environment)
    for name in sorted(environment):
        if name in _BY_NAME:
            continue
        near = difflib.get_close_matches(name, _BY_NAME, 1, 0.9)
        if _FAMILY.fullmatch(name) or near:
            raise _unknown(name, _BY_NAME, "variable")
    decided: dict[str, tuple[Variable, list[str]]] = {}
    for variable in VARIABLES:
        if variable.name not in environment:
            continue
        flags = variable.flags(environment[variable.name])
        if not flags:
            continue
        if variable.sets in decided and decided[variable.sets][1] != flags:
            other, others = decided[variable.sets]
            if (variable.name, flags[0], other.name) in _GIVES_WAY:
                continue
            if (other.name, others[0], variable.name) in _GIVES_WAY:
                decided[variable.sets] = (variable, flags)
                continue
            raise SettingError(
                f"{other.name}={environment[other.name]} means {' '.join(others)}, and {variable.name}={environment[variable.name]} means {' '.join(flags)}. "
                f"Unset one: unset {variable.name}"
            )
        decided[variable.sets] = (variable, flags)
    return [flag for _, flags in decided.values() for flag in flags]


# What `pip install . -C name=value` may name besides the variables, in lower case.
_SETTINGS = {
    "bazel": "further flags of Bazel, as a shell would split them",
    "startup": "flags of Bazel itself, before its command",
}


def settings_of(
    settings: Mapping[str, str | list[str]] | None, environment: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Bazel's flags for pip's `config_settings`, which go before the environment.

    Args:
      settings: as PEP 517 gives them: `{"use_cuda": "1", "bazel": "--verbose_failures"}`.
      environment: every variable.

    Returns:
      Bazel's startup flags and its flags.
    """
    extra: dict[str, list[str]] = {name: [] for name in _SETTINGS}
    chosen = dict(environment)
    for name, value in (settings or {}).items():
        text = " ".join(value) if isinstance(value, list) else value
        if name in extra:
            extra[name] = _split(name, text)
        elif name.upper() in _BY_NAME:
            chosen[name.upper()] = text
        else:
            known = [*_SETTINGS, *(one.lower() for one in _BY_NAME)]
            raise _unknown(name, known, "setting")
    return extra["startup"], flags_of(chosen) + extra["bazel"]


def table() -> str:
    """The table for people: a variable a line."""
    widths = [
        max(len(getattr(variable, column)) for variable in VARIABLES)
        for column in ("name", "shows")
    ]
    return "\n".join(
        f"{variable.name:<{widths[0]}}  {variable.shows:<{widths[1]}}  {variable.meaning}"
        for variable in VARIABLES
    )
