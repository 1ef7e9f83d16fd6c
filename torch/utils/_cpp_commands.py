"""The commands that compile and link an extension."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.utils import _cpp_cuda, _cpp_toolchain
from torch.utils._cpp_build import Step, run

_CUDA_SOURCES = (".cu",)


def is_cuda(source: str) -> bool:
    """Whether nvcc compiles this source."""
    return source.endswith(_CUDA_SOURCES)


def _definitions(name: str) -> list[str]:
    return [
        f"-DTORCH_EXTENSION_NAME={name}",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
    ]


def compile_steps(
    name: str,
    work: Path,
    sources: Sequence[str],
    objects: Sequence[str],
    includes: Sequence[str],
    cflags: Sequence[str],
    cuda_cflags: Sequence[str],
) -> list[Step]:
    """A step for each source; RuntimeError if the compiler or a flag does not fit torch."""
    _cpp_toolchain.check_abi([*cflags, *cuda_cflags])
    compiler = _cpp_toolchain.find_compiler()
    common = [*_definitions(name), *(f"-I{path}" for path in includes)]
    # nvcc wants the directory as a word of its own.
    system = ["-isystem", _cpp_toolchain.python_include()]
    system += [word for path in _cpp_toolchain.include_directories() for word in ("-isystem", path)]
    # The last of two -std wins: an extension may ask for a later one.
    wanted = ["-fPIC", "-std=c++20", "-O2"]
    steps = []
    for source, output in zip(sources, objects, strict=True):
        depfile = f"{output}.d"
        if is_cuda(source):
            toolkit = _cpp_cuda.find_toolkit()
            flags = ["-std=c++20", "--expt-relaxed-constexpr", "-ccbin", compiler.path]
            flags += ["-Xcompiler", "-fPIC", *toolkit.arch_flags(cuda_cflags), *cuda_cflags]
            mended = _cpp_cuda.header_flags(work)
            words = [toolkit.nvcc, "-MD", "-MF", depfile, *mended, *common, *system, *flags]
        else:
            flags = [flag for flag in cflags if flag not in wanted]
            words = [compiler.path, "-MMD", "-MF", depfile, *common, *system, *wanted, *flags]
        words += ["-c", source, "-o", output]
        steps.append(Step(output, (source,), tuple(words), depfile))
    return steps


def libraries(with_cuda: bool, with_python: bool) -> list[str]:
    """Names of the libraries that an extension is linked with."""
    names = ["c10", "torch_cpu"] + (["torch_python"] if with_python else [])
    return names + (["c10_cuda", "torch_cuda", *_cpp_cuda.RUNTIME] if with_cuda else [])


def make_directory(path: Path, remedy: str) -> None:
    """Makes a directory; RuntimeError with the remedy if it cannot be written."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise RuntimeError(f"cannot write {path} ({error.strerror}). Use {remedy}") from None


def build(
    name: str,
    work: Path,
    sources: Sequence[str],
    target: Path,
    includes: Sequence[str],
    cflags: Sequence[str],
    cuda_cflags: Sequence[str],
    ldflags: Sequence[str],
    ninja: bool = True,
    verbose: bool = False,
) -> None:
    """Compiles and links `target`, in the directory `work`."""
    missing = [source for source in sources if not Path(source).exists()]
    if missing:
        raise RuntimeError(f"{missing[0]} does not exist; give sources relative to {os.getcwd()}")
    stems = [Path(source).stem + (".cuda" if is_cuda(source) else "") for source in sources]
    objects = [
        f"{stem}{number if stems.count(stem) > 1 else ''}.o" for number, stem in enumerate(stems)
    ]
    steps = compile_steps(name, work, sources, objects, includes, cflags, cuda_cflags)
    link = [_cpp_toolchain.find_compiler().path, "-shared", *objects, *ldflags, "-o", str(target)]
    run(work, [*steps, Step(str(target), tuple(objects), tuple(link))], verbose, ninja)
