"""Extensions in C++ and CUDA: for setup.py, or compiled when they are first used.

setup(ext_modules=[CppExtension("texture", ["texture.cpp"])],
      cmdclass={"build_ext": BuildExtension})

texture = load("texture", ["texture.cpp"])
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch import _absent
from torch.utils import _cpp_commands, _cpp_cuda, _cpp_toolchain
from torch.utils._cpp_build import is_ninja_available

try:
    import setuptools
    from setuptools.command.build_ext import build_ext as _build_ext
except ImportError:  # load() needs none of it.
    setuptools = None
    _build_ext = object

CUDA_HOME = _cpp_cuda.find_root()
TORCH_LIB_PATH = _cpp_toolchain.library_directory()

_LOADED: dict[str, tuple[str, int]] = {}


def include_paths(device_type: str = "cpu") -> list[str]:
    """Directories of headers that an extension needs.

    Args:
        device_type: "cpu" for torch's own, "cuda" for CUDA's too.
    """
    paths = _cpp_toolchain.include_directories()
    if device_type == "cuda":
        paths.append(_cpp_cuda.find_toolkit().include)
    return paths


def library_paths(device_type: str = "cpu") -> list[str]:
    """Directories of libraries that an extension needs.

    Args:
        device_type: "cpu" for torch's own, "cuda" for CUDA's too.
    """
    paths = [TORCH_LIB_PATH]
    if device_type == "cuda":
        paths.append(_cpp_cuda.find_toolkit().lib)
    return paths


def get_compiler_abi_compatibility_and_version(compiler: str) -> tuple[bool, tuple[int, ...]]:
    """Whether extensions that a compiler makes work with this build.

    Args:
        compiler: its command.

    Returns:
        A bool, and the compiler's version.
    """
    before = os.environ.get("CXX")
    os.environ["CXX"] = compiler
    try:
        found = _cpp_toolchain.find_compiler()
    except RuntimeError:
        return False, (0, 0)
    finally:
        if before is None:
            del os.environ["CXX"]
        else:
            os.environ["CXX"] = before
    return True, found.version


def CppExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> Any:
    """A setuptools.Extension with torch's headers and libraries, to be built by `BuildExtension`.

    Args:
        name: of the module, with dots.
        sources: C++ files.
        *args, **kwargs: as for setuptools.Extension.
    """
    return _extension(name, sources, False, *args, **kwargs)


def CUDAExtension(name: str, sources: Sequence[str], *args: Any, **kwargs: Any) -> Any:
    """`CppExtension` for sources that may be .cu, with CUDA's headers and libraries.

    Args:
        name: of the module, with dots.
        sources: C++ and CUDA files.
        *args, **kwargs: as for setuptools.Extension.

    Raises:
        RuntimeError: this build or this machine has no CUDA.
    """
    _cpp_cuda.find_toolkit()
    return _extension(name, sources, True, *args, **kwargs)


def _extension(name: str, sources: Sequence[str], cuda: bool, *args: Any, **kwargs: Any) -> Any:
    if setuptools is None:
        raise RuntimeError("setup.py needs setuptools. To install it: pip install setuptools")
    device = "cuda" if cuda else "cpu"
    kwargs["include_dirs"] = [*kwargs.get("include_dirs", []), *include_paths(device)]
    kwargs["library_dirs"] = [*kwargs.get("library_dirs", []), *library_paths(device)]
    kwargs["libraries"] = [*kwargs.get("libraries", []), *_cpp_commands.libraries(cuda, True)]
    kwargs["language"] = "c++"
    return setuptools.Extension(name, list(sources), *args, **kwargs)


class BuildExtension(_build_ext):  # type: ignore[misc]
    """The `build_ext` of setuptools for extensions of torch.

    It adds torch's flags and include folders, compiles sources of CUDA by nvcc, and refuses a
    compiler or flags that do not fit torch before it compiles. `extra_compile_args` of an extension
    may be a dict with lists for "cxx" and "nvcc". Ninja compiles the sources if it is there.

    Use it in a setup.py::

        setup(
            ext_modules=[CppExtension("scale", ["scale.cpp"])],
            cmdclass={"build_ext": BuildExtension},
        )
    """

    use_ninja = True
    no_python_abi_suffix = False

    @classmethod
    def with_options(cls, **options: Any) -> Any:
        """Makes a subclass with other options, for `cmdclass`.

        Args:
            **options: `use_ninja=False` compiles without Ninja. `no_python_abi_suffix=True` calls
                the file `name.so`, without the name of Python's ABI.

        Returns:
            The class.

        Raises:
            TypeError: another option.
        """
        unknown = set(options) - {"use_ninja", "no_python_abi_suffix"}
        if unknown:
            raise TypeError(f"BuildExtension has no option {', '.join(sorted(unknown))}")
        return type(cls.__name__, (cls,), options)

    def build_extension(self, ext: Any) -> None:
        """Compiles one extension into the place that setuptools wants it; setuptools calls this.

        Args:
            ext: a `setuptools.Extension`: its sources, include folders, macros, libraries and
                flags.

        Raises:
            RuntimeError: there is no compiler, it fails, flags ask for another ABI than torch's, or
                a directory is not writable.
        """
        target = Path(self.get_ext_fullpath(ext.name)).absolute()
        work = Path(self.build_temp).absolute() / ext.name
        for directory in (target.parent, work):
            _cpp_commands.make_directory(directory, "pip install --user . or a virtual environment")
        extra = ext.extra_compile_args or []
        cxx = extra.get("cxx", []) if isinstance(extra, dict) else extra
        nvcc = extra.get("nvcc", []) if isinstance(extra, dict) else []
        macros = [f"-D{k}" if v is None else f"-D{k}={v}" for k, v in ext.define_macros]
        macros += [f"-U{name}" for name in ext.undef_macros or []]
        sources = [str(Path(source).absolute()) for source in ext.sources]
        _cpp_commands.build(
            ext.name.rpartition(".")[2],
            work,
            sources,
            target,
            includes=[str(Path(path).absolute()) for path in ext.include_dirs],
            cflags=[*macros, *cxx],
            cuda_cflags=[*macros, *nvcc],
            ldflags=[
                *(f"-L{path}" for path in ext.library_dirs),
                *(f"-l{library}" for library in ext.libraries),
                *(f"-Wl,-rpath,{path}" for path in ext.runtime_library_dirs or []),
                *(ext.extra_objects or []),
                *(ext.extra_link_args or []),
            ],
            ninja=self.use_ninja,
        )

    def get_ext_filename(self, ext_name: str) -> str:
        """The name of the module's file.

        Args:
            ext_name: the module's name, with its packages.

        Returns:
            A path below the folder of the build: `a/b.cpython-310-x86_64-linux-gnu.so`, or `a/b.so`
            with `no_python_abi_suffix`.
        """
        name: str = super().get_ext_filename(ext_name)
        if self.no_python_abi_suffix:
            return name.replace(sysconfig.get_config_var("EXT_SUFFIX"), ".so")
        return name


def _build_root() -> Path:
    named = os.environ.get("TORCH_EXTENSIONS_DIR")
    if named:
        return Path(named)
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    python = f"py{sys.version_info[0]}{sys.version_info[1]}"
    return Path(cache, "torch_extensions", f"{python}_{torch.version.cuda or 'cpu'}")


def load(
    name: str,
    sources: str | Sequence[str],
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    is_python_module: bool = True,
) -> Any:
    """Compiles sources if anything they depend on changed, and imports them.

    Args:
      name: of the module, TORCH_EXTENSION_NAME in the sources.
      sources: C++ and CUDA files.
      extra_cflags: further flags for C++.
      extra_cuda_cflags: further flags for nvcc.
      extra_ldflags: further flags for the link.
      extra_include_paths: further directories of headers.
      build_directory: where to build; TORCH_EXTENSIONS_DIR, or a cache of the user's.
      verbose: whether to print the commands.
      with_cuda: whether to link CUDA; found by the sources' names.
      is_python_module: whether to import it; otherwise it is loaded for its operators.

    Returns:
      The module, or the path of the library that was loaded.

    Raises:
      RuntimeError: there is no compiler, it fails, or the directory is not writable.
    """
    paths = [sources] if isinstance(sources, str) else list(sources)
    paths = [os.path.abspath(path) for path in paths]
    cuda = any(_cpp_commands.is_cuda(path) for path in paths) if with_cuda is None else with_cuda
    work = Path(build_directory) if build_directory else _build_root() / name
    _cpp_commands.make_directory(work, "another directory: TORCH_EXTENSIONS_DIR=DIRECTORY")
    flags = [list(given or []) for given in (extra_cflags, extra_cuda_cflags, extra_ldflags)]
    libraries = [f"-L{path}" for path in library_paths("cuda" if cuda else "cpu")]
    libraries += [f"-l{library}" for library in _cpp_commands.libraries(cuda, is_python_module)]
    module = _versioned(name, paths, flags)
    target = work / f"{module}.so"
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _cpp_commands.build(
            module,
            work,
            paths,
            target.absolute(),
            includes=[*(extra_include_paths or []), *(include_paths("cuda")[-1:] if cuda else [])],
            cflags=flags[0],
            cuda_cflags=flags[1],
            ldflags=[*libraries, *flags[2]],
            verbose=verbose,
        )
    if is_python_module:
        return _import_module(module, target)
    torch.ops.load_library(target)
    return str(target)


def _versioned(name: str, sources: Sequence[str], flags: object) -> str:
    """A module cannot be loaded twice: changed sources get another name in the same process."""
    digest = hashlib.sha256(repr(flags).encode())
    for source in sources:
        if Path(source).exists():
            digest.update(Path(source).read_bytes())
    known, version = _LOADED.get(name, ("", -1))
    if digest.hexdigest() != known:
        version += 1
    _LOADED[name] = (digest.hexdigest(), version)
    return f"{name}_v{version}" if version else name


def _import_module(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_inline(
    name: str,
    cpp_sources: str | Sequence[str],
    cuda_sources: str | Sequence[str] | None = None,
    functions: str | Sequence[str] | dict[str, str] | None = None,
    extra_cflags: Sequence[str] | None = None,
    extra_cuda_cflags: Sequence[str] | None = None,
    extra_ldflags: Sequence[str] | None = None,
    extra_include_paths: Sequence[str] | None = None,
    build_directory: str | None = None,
    verbose: bool = False,
    with_cuda: bool | None = None,
    is_python_module: bool = True,
    no_implicit_headers: bool = False,
) -> Any:
    """The same for sources in strings; `functions` of them become functions of the module.

    `functions` are names, or a dict from names to docstrings; each must be declared in
    `cpp_sources`. The header torch/extension.h is included unless `no_implicit_headers`.
    """
    cpp = [cpp_sources] if isinstance(cpp_sources, str) else list(cpp_sources)
    cuda = [cuda_sources] if isinstance(cuda_sources, str) else list(cuda_sources or [])
    names = [functions] if isinstance(functions, str) else functions or []
    docs = names if isinstance(names, dict) else {one: one for one in names}
    if not no_implicit_headers:
        cpp.insert(0, "#include <torch/extension.h>")
        cuda = ["#include <torch/types.h>", *cuda] if cuda else []
    if docs:
        cpp.append("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {")
        for function, doc in docs.items():
            text = doc.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            cpp.append(f'  m.def("{function}", &{function}, "{text}");')
        cpp.append("}")
    work = Path(build_directory) if build_directory else _build_root() / name
    _cpp_commands.make_directory(work, "another directory: TORCH_EXTENSIONS_DIR=DIRECTORY")
    sources = []
    for file, lines in (("main.cpp", cpp), ("cuda.cu", cuda)):
        if not lines:
            continue
        path, text = work / file, "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        sources.append(str(path))
    return load(
        name,
        sources,
        extra_cflags,
        extra_cuda_cflags,
        extra_ldflags,
        extra_include_paths,
        str(work),
        verbose,
        with_cuda,
        is_python_module,
    )


__getattr__ = _absent.explain(__name__)

__all__ = [
    "CUDA_HOME",
    "TORCH_LIB_PATH",
    "BuildExtension",
    "CUDAExtension",
    "CppExtension",
    "get_compiler_abi_compatibility_and_version",
    "include_paths",
    "is_ninja_available",
    "library_paths",
    "load",
    "load_inline",
]
