"""The wheel in a fresh environment: it installs, runs, and says the truth about what it needs."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.package.environment import Environment, fresh_environment
from tools.package.elf import is_elf, read_needs
from tools.package.older_glibc import FLOOR, elf_hash
from tools.package.platform_tag import MANYLINUX_LIBRARIES, least_glibc


def only_wheel(variable: str) -> Path:
    """The wheel in a directory that the build made."""
    (wheel,) = Path(os.environ[variable]).resolve().glob("*.whl")
    return wheel


WHEEL = only_wheel("WHEEL")
HELLO = Path(os.environ["HELLO"]).resolve()
PROGRAM = re.compile(
    r"tensor\(\[0\.\d{4}\], grad_fn=<SigmoidBackward0>\)\n"
    r"tensor\(0\.\d{4}, grad_fn=<MseLossBackward0>\)\n"
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = fresh_environment(tmp_path_factory.mktemp("wheel") / "environment")
    made.install(WHEEL)
    return made


def test_hello_world(environment: Environment) -> None:
    done = environment.run(environment.python, HELLO)
    assert PROGRAM.fullmatch(done.stdout), done.stdout
    where = environment.run(environment.python, "-c", "import torch; print(torch.__file__)").stdout
    assert Path(where.strip()).is_relative_to(environment.site_packages)


def test_version(environment: Environment) -> None:
    command = "import importlib.metadata as m, torch; "
    command += "print(torch.__version__, m.version('torch'))"
    own, metadata = environment.run(environment.python, "-c", command).stdout.split()
    source: dict[str, str] = {}
    exec(Path(os.environ["VERSION"]).read_text(encoding="utf-8"), source)
    assert own == metadata == source["__version__"]


def test_pip_takes_it_for_the_pytorch_whose_interface_it_has(
    environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "program").mkdir()
    for wanted, there in (("torch>=2.6,<3", True), ("torch==2.13.0", True), ("torch>=2.14", False)):
        info = tmp_path / "program-1.dist-info"
        text = f"Metadata-Version: 2.1\nName: program\nVersion: 1\nRequires-Dist: {wanted}\n"
        wheel = tmp_path / "program-1-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"{info.name}/METADATA", text)
            archive.writestr(f"{info.name}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
            archive.writestr(f"{info.name}/RECORD", "")
        done = environment.pip(
            "install", "--no-index", "--dry-run", wheel, check=False, PIP_NO_INDEX="1"
        )
        assert (done.returncode == 0) == there, f"{wanted}: {done.stdout}{done.stderr}"


def test_what_it_says_of_itself(environment: Environment) -> None:
    program = "import torch; print(torch.__config__.show()); "
    program += "print(torch.__config__.parallel_info()); print(torch.utils.cmake_prefix_path)"
    said = environment.run(environment.python, "-c", program, env={"OMP_NUM_THREADS": "3"}).stdout
    assert said.startswith("PyTorch built with:\n  - Version 2.")
    assert "_GLIBCXX_USE_CXX11_ABI=1" in said
    assert "\tat::get_num_threads() : 3\n" in said
    assert "\tOMP_NUM_THREADS : 3\n" in said
    packed = (environment.site_packages / "torch/lib/libgomp.so.1").exists()
    backend = "OpenMP" if packed else "native thread pool"
    assert f"\n  - Parallel backend: {backend}\n" in said
    assert f"\nATen parallel backend: {backend}\n" in said
    assert f"\nOpenMP runtime : {environment.site_packages}" in said or not packed
    blas = re.search(r"\n  - BLAS: (\w+), (\S.*)\n", said)
    assert blas is not None
    assert blas[2] == "linked in" or Path(blas[2]).is_file()
    assert f"BLAS_INFO={blas[1]}, BUILD_TYPE=" in said
    assert "\n  - LAPACK is enabled (" in said
    assert f"USE_OPENMP={'ON' if packed else 'OFF'}" in said
    prefix = Path(said.splitlines()[-1])
    assert (prefix / "Torch/TorchConfig.cmake").is_file()

    report = environment.run(environment.python, "-m", "torch.utils.collect_env").stdout
    version = f"{sys.version_info[0]}.{sys.version_info[1]}."
    for line in ("PyTorch version: 2.", f"Python version: {version}", "[pip3] torch==2."):
        assert f"\n{line}" in report, report
    assert re.search(r"^Libc version: glibc-2\.\d+$", report, re.MULTILINE)


def test_a_damaged_library_is_said_and_not_a_signal(
    environment: Environment, tmp_path: Path
) -> None:
    package = tmp_path / "torch"
    shutil.copytree(environment.site_packages / "torch", package)
    (info,) = environment.site_packages.glob("torch-*.dist-info")
    shutil.copytree(info, tmp_path / info.name)
    python, place = environment.python, {"PYTHONPATH": str(tmp_path)}
    report = ("-m", "torch.utils.collect_env")
    assert "of the wheel are whole" in environment.run(python, *report, env=place).stdout
    (package / "py.typed").write_text("of another wheel")
    assert "torch/py.typed is another file" in environment.run(python, *report, env=place).stdout
    library = package / "lib/libtorch_cpu.so"
    os.truncate(library, library.stat().st_size // 2)
    for command in (("-c", "import torch"), report):
        done = environment.run(python, *command, env=place, check=False)
        assert done.returncode == 1
        assert "libtorch_cpu.so is damaged: it has" in done.stderr
        assert "pip install --force-reinstall" in done.stderr


def test_layout(environment: Environment) -> None:
    torch = environment.site_packages / "torch"
    version = f"{sys.version_info[0]}{sys.version_info[1]}"
    assert (torch / f"_C.cpython-{version}-{os.uname().machine}-linux-gnu.so").is_file()
    for path in (
        "_C/__init__.pyi",
        "include/ATen/ATen.h",
        "include/ATen/ops/add.h",
        "include/c10/core/Device.h",
        "include/pybind11/pybind11.h",
        "include/torch/csrc/autograd/custom_function.h",
        "include/torch/library.h",
        "lib/libc10.so",
        "lib/libtorch.so",
        "lib/libtorch_cpu.so",
        "lib/libtorch_python.so",
        "py.typed",
        "share/cmake/Torch/TorchConfig.cmake",
        "share/cmake/Caffe2/Caffe2Config.cmake",
        "share/cmake/Torch/TorchConfigVersion.cmake",
    ):
        assert (torch / path).is_file(), path


def test_everything_that_is_loaded_is_inside_or_on_every_system(environment: Environment) -> None:
    files = [path for path in environment.site_packages.rglob("*.so*") if is_elf(path)]
    assert len(files) >= 4
    for file in files:
        assert read_needs(file).run_path in {"", "$ORIGIN", "$ORIGIN/lib"}, file
    for file in files:
        for line in environment.run("ldd", file).stdout.splitlines():
            name, _, found = line.strip().partition(" => ")
            name = Path(name.split(" ")[0]).name
            if name.startswith("linux-vdso") or name in MANYLINUX_LIBRARIES:
                continue
            assert found.startswith(str(environment.site_packages)), f"{file.name}: {line}"


def test_no_library_asks_for_a_newer_glibc_than_it_needs(environment: Environment) -> None:
    program = "import torch; print(torch._C._COMPILER)"
    compiler = environment.run(environment.python, "-c", program).stdout.split()
    if compiler[0] == "GCC" and int(compiler[1].partition(".")[0]) > 12:
        pytest.skip(f"functions of strings are of a newer libstdc++ in {' '.join(compiler)}")
    for file in environment.site_packages.rglob("*.so*"):
        least = least_glibc(read_needs(file).all_versions())
        assert least.glibc <= FLOOR, (
            f"{file.name} asks for {least.version}; objdump -T says for which function. Avoid it, "
            "or name its older version in tools/package/older_glibc.py"
        )
    assert int(WHEEL.name.rpartition("manylinux_2_")[2].split("_")[0]) <= FLOOR


def test_auditwheel_agrees_with_the_tag() -> None:
    command = [sys.executable, "-m", "auditwheel", "show", str(WHEEL)]
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        command,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
        text=True,
    )
    said = " ".join(done.stdout.split())
    found = re.search(r'consistent with the following platform tag: "(\w+)"', said)
    assert found, done.stdout + done.stderr
    claimed = int(WHEEL.name.rpartition("manylinux_2_")[2].split("_")[0])
    assert found[1] == f"manylinux_2_{claimed}_{os.uname().machine}", said
    # Nothing that a repair would have to bring in.
    assert "external shared libraries are required" not in said, said


def test_nothing_of_the_machine_that_built_it() -> None:
    with zipfile.ZipFile(WHEEL) as archive:
        names = archive.namelist()
        others = {"torch/lib/libscipy_openblas.so"}
        size = sum(one.compress_size for one in archive.infolist() if one.filename not in others)
        assert size < 20_000_000 or "torch/lib/libtorch_cuda.so" in names
        for name in names:
            data = archive.read(name)
            for trace in (b"/execroot/", b"/sandbox/", b"/bazel-out/"):
                assert trace not in data, f"{name} holds {trace!r}"


def test_licences(environment: Environment) -> None:
    (info,) = environment.site_packages.glob("torch-*.dist-info")
    listed = re.findall(r"^License-File: (.*)$", (info / "METADATA").read_text(), re.MULTILINE)
    assert {"LICENSE", "eigen/LICENSE", "highway/LICENSE", "pybind11/LICENSE"} <= set(listed)
    for name in listed:
        # NVIDIA's names the place of its words.
        least = 300 if name == "cuda/LICENSE" else 1000
        assert len((info / "licenses" / name).read_text()) > least, name
    packed = (environment.site_packages / "torch/lib/libgomp.so.1").exists()
    assert packed == ("gcc_runtime/LICENSE" in listed)
    lapack = (environment.site_packages / "torch/lib/libscipy_openblas.so").exists()
    assert lapack == ("scipy_openblas32/LICENSE" in listed)


def test_the_bill_of_materials(environment: Environment) -> None:
    (info,) = environment.site_packages.glob("torch-*.dist-info")
    bill = json.loads((info / "sboms/torch.spdx.json").read_text(encoding="utf-8"))
    named = {Path(one["fileName"]): one["checksums"] for one in bill["files"]}
    libraries = [path for path in environment.site_packages.rglob("*.so*") if is_elf(path)]
    assert {environment.site_packages / name for name in named} == set(libraries)
    for name, digests in named.items():
        data = (environment.site_packages / name).read_bytes()
        for one in digests:
            digest = hashlib.new(one["algorithm"].lower(), data)
            assert one["checksumValue"] == digest.hexdigest(), name
    own, *others = bill["packages"]
    assert own["name"] == "torch"
    licenses = {path.name for path in (info / "licenses").iterdir() if path.is_dir()}
    assert {one["name"] for one in others} == licenses
    for one in others:
        assert one["licenseConcluded"] not in ("", "NOASSERTION"), one


def test_split_wheels_are_the_same_package(tmp_path: Path, environment: Environment) -> None:
    split = fresh_environment(tmp_path / "split")
    libraries, thin = only_wheel("LIBTORCH_WHEEL"), only_wheel("THIN_WHEEL")
    assert "-py3-none-" in libraries.name
    split.install(libraries, thin)
    assert PROGRAM.fullmatch(split.run(split.python, HELLO).stdout)

    def names(one: Environment) -> set[str]:
        root = one.site_packages / "torch"
        return {
            str(path.relative_to(root))
            for path in root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    assert names(split) == names(environment)
    with zipfile.ZipFile(libraries) as one, zipfile.ZipFile(thin) as other:
        assert not set(one.namelist()) & set(other.namelist())


def broken(environment: Environment, root: Path) -> Path:
    """A copy of the installed package, to break, without the thousands of headers."""
    ignored = shutil.ignore_patterns("include")
    shutil.copytree(environment.site_packages / "torch", root / "torch", ignore=ignored)
    return root / "torch"


def message(environment: Environment, root: Path) -> str:
    """What `import torch` says of a broken copy."""
    done = environment.run(environment.python, "-c", "import torch", cwd=root, check=False)
    assert done.returncode == 1
    return done.stderr.splitlines()[-1]


def test_another_python(environment: Environment, tmp_path: Path) -> None:
    torch = broken(environment, tmp_path)
    (module,) = torch.glob("_C.cpython-*.so")
    module.rename(torch / "_C.cpython-37-x86_64-linux-gnu.so")
    said = message(environment, tmp_path)
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"ImportError: torch is built for Python 3.7, and this is Python {here}." in said
    assert f"./bazelw build //torch:wheel --python_version={here}; then " in said


def test_pip_refuses_a_wheel_of_another_python(environment: Environment, tmp_path: Path) -> None:
    other = tmp_path / re.sub(r"-cp\d+-cp\d+-", "-cp37-cp37m-", WHEEL.name)
    shutil.copy(WHEEL, other)
    said = environment.pip("install", "--no-deps", other, check=False).stderr
    assert "is not a supported wheel on this platform" in said


def test_sources_without_the_compiled_part(environment: Environment, tmp_path: Path) -> None:
    torch = broken(environment, tmp_path)
    next(torch.glob("_C.cpython-*.so")).unlink()
    shutil.rmtree(torch / "_C")
    said = message(environment, tmp_path)
    assert "holds torch's sources and no compiled torch._C" in said
    assert "pip install -e ." in said


def test_a_library_was_lost(environment: Environment, tmp_path: Path) -> None:
    torch = broken(environment, tmp_path)
    (torch / "lib/libtorch_cpu.so").unlink()
    said = message(environment, tmp_path)
    assert "torch was not installed completely: libtorch_cpu.so is missing" in said
    assert "pip install --force-reinstall --no-deps bazel-bin/torch/wheel/*.whl" in said


def test_an_older_glibc(environment: Environment, tmp_path: Path) -> None:
    torch = broken(environment, tmp_path)
    # The loader compares names of versions: one that no glibc has stands for a later glibc's.
    library = torch / "lib/libc10.so"
    data = library.read_bytes()
    assert b"GLIBC_2.34\0" in data
    library.write_bytes(renamed_version(data, b"GLIBC_2.34", b"GLIBC_2.94"))
    said = message(environment, tmp_path)
    assert "this build of torch needs glibc 2.94 or later, and this system has an older" in said
    assert "manylinux tag is at most this system's glibc" in said


def test_an_older_cpp_library(environment: Environment) -> None:
    text = "import sys; from pathlib import Path; from torch._load_error import explain; "
    text += 'print(explain(ImportError("version `GLIBCXX_3.4.99\' not found"), Path()))'
    said = environment.run(environment.python, "-c", text).stdout
    assert "needs a C++ library with GLIBCXX 3.4.99 or later, and this system has an older" in said


def renamed_version(data: bytes, old: bytes, new: bytes) -> bytes:
    """A library that asks for another symbol version: its name and its hash."""
    data = data.replace(old + b"\0", new + b"\0")
    return data.replace(elf_hash(old).to_bytes(4, "little"), elf_hash(new).to_bytes(4, "little"))
