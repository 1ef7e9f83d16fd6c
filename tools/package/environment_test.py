"""The table of environment variables: complete, true to the build's options, and its messages."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tools.package.environment import VARIABLES, SettingError, flags_of, settings_of, table

OPTIONS = json.loads(Path(os.environ["REPORT"]).read_text(encoding="utf-8"))["options"]
BAZELRC = Path(os.environ["BAZELRC"]).read_text(encoding="utf-8")
FLAGS = Path(os.environ["FLAGS"]).read_text(encoding="utf-8")

# Options that follow from where pip runs, not from a variable.
_BY_PIP = {"python_version"}


def test_every_option_has_its_variable() -> None:
    decided = {variable.sets for variable in VARIABLES}
    missing = {option["name"] for option in OPTIONS} - decided - _BY_PIP
    assert not missing, f"add to tools/package/environment.py: {sorted(missing)}"


def test_every_flag_exists() -> None:
    aliases = set(re.findall(r"--flag_alias=(\w+)=", FLAGS))
    configs = set(re.findall(r"^(?:build|common):(\w+) ", BAZELRC, re.MULTILINE))
    native = {"copt", "cxxopt", "disk_cache", "jobs", "linkopt", "repo_env", "subcommands"}
    values = {
        "BLAS": "Eigen",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_CUDA_ARCHITECTURES": "80",
        "MAX_JOBS": "1",
    }
    checked = 0
    for variable in VARIABLES:
        try:
            flags = variable.flags(values.get(variable.name, "1"))
        except SettingError:
            continue
        for flag in flags:
            name, _, value = flag.removeprefix("--").partition("=")
            assert name in aliases | native | {"config"}, variable.name
            assert name != "config" or value in configs, variable.name
            checked += 1
    assert checked > 15


def test_what_seeds_and_users_set() -> None:
    environment = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_GENERATOR": "Ninja",
        "CUDA_HOME": "/usr/local/cuda-12.1",
        "HOME": "/nowhere",
        "MAX_JOBS": "32",
        "TORCH_CUDA_ARCH_LIST": "8.0;9.0+PTX",
        "USE_BAZEL_VERSION": "7.7.1",
        "USE_CCACHE": "1",
        "USE_CUDA": "1",
        "USE_KINETO": "0",
        "USE_OPENMP": "OFF",
    }
    assert flags_of(environment) == [
        "--jobs=32",
        "--config=release",
        "--openmp=false",
        "--cuda",
        "--cuda_archs=8.0;9.0+PTX",
        "--repo_env=CUDA_PATH=/usr/local/cuda-12.1",
        "--disk_cache=~/.cache/torch-bazel-disk",
    ]


def test_lines_that_people_copy() -> None:
    """What guides to building PyTorch tell their readers to type."""
    debug = "CUDA_DEVICE_DEBUG=1 DEBUG=1 REL_WITH_DEB_INFO=1 USE_DISTRIBUTED=0 USE_MKLDNN=0 "
    debug += "BUILD_CAFFE2=0 BUILD_TEST=0 USE_NNPACK=0 USE_XNNPACK=0 USE_QNNPACK=0 "
    debug += "USE_FLASH_ATTENTION=0 USE_MEM_EFF_ATTENTION=0"
    assert flags_of(dict(word.split("=") for word in debug.split())) == [
        "--config=debug",
        "--onednn=false",
        "--distributed=false",
    ]
    guide = "USE_MKL=1 MKL_ROOT=/opt/intel/mkl USE_STATIC_MKL=1 CMAKE_GENERATOR=Ninja "
    guide += "CUDNN_ROOT=/usr/local/cudnn USE_TENSORRT=0 CCACHE_DIR=/var/cache/ccache USE_CCACHE=1 "
    guide += "CMAKE_CUDA_ARCHITECTURES=70;80-real;90a TORCH_CXX11_ABI=1 CMAKE_VERBOSE_MAKEFILE=1 "
    guide += "LIBKINETO_NOCUPTI=1 USE_CUPTI=0"
    assert flags_of(dict(word.split("=") for word in guide.split())) == [
        "--blas=mkl_static",
        "--cuda_archs=7.0+PTX;8.0;9.0a+PTX",
        "--cupti=false",
        "--disk_cache=~/.cache/torch-bazel-disk",
        "--subcommands",
    ]


def test_two_variables_that_say_the_same() -> None:
    assert flags_of({"DEBUG": "1", "CMAKE_BUILD_TYPE": "Debug"}) == ["--config=debug"]
    assert flags_of({"DEBUG": "0", "CMAKE_BUILD_TYPE": "Release"}) == ["--config=release"]


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"USE_CUDDA": "1"}, "USE_CUDDA is no variable of this build. Did you mean USE_CUDA?"),
        ({"MAX_JOB": "1"}, "MAX_JOB is no variable of this build. Did you mean MAX_JOBS?"),
        (
            {"TORCH_CUDA_ARCHS": "8.0"},
            "TORCH_CUDA_ARCHS is no variable of this build. Did you mean TORCH_CUDA_ARCH_LIST?",
        ),
        ({"USE_LTO": "1"}, "USE_LTO is no variable of this build. All of them:"),
        ({"USE_NIGHTLY": "1"}, "USE_NIGHTLY is no variable of this build. All of them:"),
        ({"PYTORCH_BUILD_VERSION": "2"}, "is that of MODULE.bazel and of the commit. Type: unset"),
        ({"PYTORCH_ROCM_ARCH": "gfx90a"}, "this version has no ROCm backend. Type: unset"),
        (
            {"BUILD_PYTHON": "0"},
            "is ./bazelw build //:libtorch. Type: BUILD_PYTHON=1",
        ),
        ({"BUILD_BINARY": "ON"}, "are not in this version. Type: BUILD_BINARY=0"),
        ({"CMAKE_ARGS": "-GNinja"}, "CMAKE_ARGS has -GNinja, and no CMake runs here."),
        ({"CMAKE_ARGS": "-DUSE_KINETO=ON"}, "USE_KINETO=ON: this version has no Kineto"),
        ({"NO_CUDA": "perhaps"}, "NO_CUDA=perhaps: wanted 1 or 0 (ON or OFF)."),
        ({"USE_OPENMP": "maybe"}, "USE_OPENMP=maybe: wanted 1 or 0 (ON or OFF). Type:"),
        ({"MAX_JOBS": "all"}, "MAX_JOBS=all: wanted a number from 1 to 5000. Type: MAX_JOBS=4"),
        ({"MAX_JOBS": "100000"}, "MAX_JOBS=100000: wanted a number from 1 to 5000."),
        ({"MAX_JOBS": "9" * 5000}, "999: wanted a number from 1 to 5000."),
        ({"BLAS": "OpenBLASS"}, "Type: BLAS=OpenBLAS"),
        (
            {"CMAKE_BUILD_TYPE": "Fast"},
            "this version has Release, Debug, RelWithDebInfo, MinSizeRel. "
            "For example: CMAKE_BUILD_TYPE=Release",
        ),
        (
            {"USE_KINETO": "1"},
            "USE_KINETO=1: this version has no Kineto (USE_CUPTI=1 brings torch.profiler). "
            "Type: USE_KINETO=0",
        ),
        (
            {"CMAKE_BUILD_TYPE": "Release", "DEBUG": "1"},
            "CMAKE_BUILD_TYPE=Release means --config=release, and DEBUG=1 means --config=debug. "
            "Unset one: unset DEBUG",
        ),
        (
            {"BLAS": "OpenBLAS", "USE_STATIC_MKL": "1"},
            "BLAS=OpenBLAS means --blas=openblas, and USE_STATIC_MKL=1 means --blas=mkl_static.",
        ),
        (
            {"CMAKE_CUDA_ARCHITECTURES": "native"},
            'wanted numbers such as 80 or 90a-real. Type: TORCH_CUDA_ARCH_LIST="8.0;9.0+PTX"',
        ),
        ({"CFLAGS": "-DX='a b"}, "CFLAGS=-DX='a b: a quotation mark or a backslash has no end."),
        ({"CMAKE_ARGS": '-DX="'}, "has no end. Type: CMAKE_ARGS='-DNAME=1 -O2'"),
        ({"MAX_JOBS": "²"}, "MAX_JOBS=²: wanted a number from 1 to 5000. Type: MAX_JOBS=4"),
        ({"BUILD_PYTHON_ONLY": "1"}, "//torch:thin_wheel. Type: unset BUILD_PYTHON_ONLY"),
        ({"BUILD_LIBTORCH_WHL": "1"}, "is ./bazelw build //torch:libtorch_wheel. Type: unset"),
        ({"CMAKE_ONLY": "1"}, "build --nobuild //torch:_C only configures. Type: unset CMAKE_ONLY"),
        ({"PYTORCH_EXTRA_INSTALL_REQUIREMENTS": "x"}, "third_party/optional/libraries.bzl. Type:"),
        ({"BUILD_EXECUTORCH": "1"}, "this version has no ExecuTorch. Type: BUILD_EXECUTORCH=0"),
        (
            {"ATEN_THREADING": "TBB"},
            "this version has OMP, NATIVE. For example: ATEN_THREADING=OMP",
        ),
        (
            {"ATEN_THREADING": "NATIVE", "USE_OPENMP": "1"},
            "ATEN_THREADING=NATIVE means --openmp=false. Unset one: unset ATEN_THREADING",
        ),
        ({"TORCH_CXX11_ABI": "0"}, "with the C++11 ABI alone. Type: TORCH_CXX11_ABI=1"),
        (
            {"CUDA_NVCC_FLAGS": "-v"},
            "flags for nvcc are `copts` of a torch_cuda_library. Type: unset CUDA_NVCC_FLAGS",
        ),
        (
            {"CUDA_HOME": "/a", "CUDA_PATH": "/b"},
            "CUDA_HOME=/a means --repo_env=CUDA_PATH=/a, and CUDA_PATH=/b means",
        ),
    ],
)
def test_messages(environment: dict[str, str], message: str) -> None:
    with pytest.raises(SettingError) as caught:
        flags_of(environment)
    assert message in str(caught.value)


def test_an_empty_variable_is_not_set() -> None:
    names = ("MAX_JOBS", "CMAKE_BUILD_TYPE", "BLAS", "ATEN_THREADING", "CFLAGS", "CUDA_HOME")
    assert flags_of(dict.fromkeys(names, "")) == []


@pytest.mark.parametrize("name", ["USE_RCCL", "USE_GLOG", "USE_STATIC_NCCL", "USE_MKLDNN_ACL"])
def test_another_switch_of_pytorch_is_no_misspelling(name: str) -> None:
    assert flags_of({name: "0"}) == []
    what = name.removeprefix("USE_")
    with pytest.raises(SettingError, match=f"this version has no {what}. Type: {name}=0"):
        flags_of({name: "1"})


@pytest.mark.parametrize(
    "name",
    ["builddir", "editable_mode", "--build-option", "--global-option", "jobs", "setup_args"],
)
def test_settings_of_other_builds_get_no_suggestion(name: str) -> None:
    with pytest.raises(SettingError) as error:
        settings_of({name: "1"}, {})
    assert "Did you mean" not in str(error.value)


def test_a_setting_that_no_shell_splits() -> None:
    with pytest.raises(SettingError, match=r"bazel=--jobs='2: a quotation mark .* has no end"):
        settings_of({"bazel": "--jobs='2"}, {})


def test_flags_of_compilers_and_other_spellings() -> None:
    environment = {
        "BUILD_PYTHON": "1",
        "CFLAGS": "-O3 '-DNAME=a b'",
        "CMAKE_ARGS": "-DUSE_OPENMP=OFF -DCMAKE_BUILD_TYPE:STRING=Debug -DBUILD_TEST=0",
        "CXXFLAGS": "-Wshadow",
        "LDFLAGS": "-Wl,-O1",
        "NO_CUDA": "1",
        "NO_DISTRIBUTED": "0",
        "NO_SUCH_THING": "1",
        "USE_DISTRIBUTED": "0",
        "VERBOSE": "1",
    }
    assert flags_of(environment) == [
        "--config=debug",
        "--openmp=false",
        "--cuda=false",
        "--distributed=false",
        "--subcommands",
        "--copt=-O3",
        "--copt=-DNAME=a b",
        "--cxxopt=-Wshadow",
        "--linkopt=-Wl,-O1",
    ]


def test_config_settings_go_before_the_environment() -> None:
    settings: dict[str, str | list[str]] = {
        "bazel": ["--verbose_failures", "--keep_going"],
        "max_jobs": "2",
        "startup": "--output_base='/a b'",
    }
    assert settings_of(settings, {"MAX_JOBS": "8", "USE_OPENMP": "0"}) == (
        ["--output_base=/a b"],
        ["--jobs=2", "--openmp=false", "--verbose_failures", "--keep_going"],
    )
    assert settings_of(None, {}) == ([], [])
    with pytest.raises(SettingError, match=r"use_cudda is no setting .* mean use_cuda\?"):
        settings_of({"use_cudda": "1"}, {})


def test_the_table_shows_every_variable() -> None:
    lines = table().splitlines()
    assert [line.split()[0] for line in lines] == [variable.name for variable in VARIABLES]
    assert any(line.split()[:2] == ["USE_CUDA", "--cuda"] for line in lines)
