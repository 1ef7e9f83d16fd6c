"""Lets PyTorch's own test helpers be imported by this torch.

The helpers (`torch.testing._internal` and the pure Python that it reads) are the real ones, loaded
from the files of an installed PyTorch. A module or a name that they import and this torch does not
have becomes an `Absent`: it can be named, subclassed and put into a decorator, and raises
`AbsentError` when it is used, so that a test that needs it is counted apart from one that failed.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Pure Python that the helpers stand on; where this torch has the module, its own is taken.
HELPERS = (
    "torch.testing._internal",
    "torch.testing._comparison",
    "torch.testing._utils",
    "torch._utils_internal",
    "torch._vendor",
    "torch.torch_version",
    "torch.utils._import_utils",
    "torch.utils._pytree",
    "torchgen",
)


class _Unpatched(contextlib.ContextDecorator):
    """A change of settings that nothing here reads."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass


def _operator(qualname: str) -> Any:
    """The default overload of "namespace::name"."""
    import torch

    namespace, name = qualname.split("::")
    return getattr(getattr(torch.ops, namespace), name).default


# What the helpers call for every test, or need the value of while they are imported.
VALUES: dict[str, Any] = {
    "torch._C._get_privateuse1_backend_name": lambda: "privateuseone",
    "torch.jagged": None,
    # Below autograd there are no modes of Python here.
    "torch._C._DisableFuncTorch": contextlib.nullcontext,
    "torch.utils._mode_utils.no_dispatch": contextlib.nullcontext,
    "torch._dynamo.config.compiled_autograd": False,
    "torch._dynamo.config.inline_inbuilt_nn_modules": True,
    "torch._custom_op.impl.get_op": _operator,
    "torch._library.utils.lookup_op": _operator,
    "torch._custom_op.impl.global_registry": {},
    "torch._dynamo.config.patch": _Unpatched,
    "torch._dynamo.config.suppress_errors": False,
    "torch.compiler.set_stance": lambda *args: None,
    "torch.sparse.check_sparse_tensor_invariants.is_enabled": lambda: False,
    "torch.sparse.check_sparse_tensor_invariants.disable": lambda: None,
    "torch.sparse.check_sparse_tensor_invariants.enable": lambda: None,
    "torch._lazy.ts_backend.init": lambda: None,
    "torch._C._len_torch_function_stack": lambda: 0,
    "torch._logging.scribe.open_source_signpost": lambda *args, **kwargs: None,
    "torch._C._TorchFunctionState.ENABLED": None,
    "torch._C._get_torch_function_state": lambda: None,
    "torch._C._set_torch_function_state": lambda state: None,
}

# PyTorch has no such names either, and the helpers ask for them.
_NOWHERE = ("*", "_foreach_copy", "_foreach_zero", "copy", "zero")

_tests_run = False


def refuse_from_now_on() -> None:
    """After the imports: what is absent raises when it is called."""
    global _tests_run
    _tests_run = True


class AbsentError(NotImplementedError):
    """Something that this torch does not have was used."""


class Absent:
    """A name that is not there: it can be named, and nothing else."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name
        # What the allow-list of torch.load asks of everything in it.
        self.__dict__.update(__module__="absent", __qualname__=name)

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # As a module, it has nothing.
            return []
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return stand_in(f"{self._name}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _tests_run:
            raise AbsentError(f"{self._name} is not there")
        # While modules are imported: as a decorator it changes nothing.
        return args[0] if args and isinstance(args[0], types.FunctionType) else self

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return ()

    def __iter__(self) -> Any:
        return iter(())

    def __or__(self, other: Any) -> Any:
        return other

    __ror__ = __or__

    def __repr__(self) -> str:
        return f"<absent {self._name}>"


class AbsentDtype(Absent):
    """An element type that is not there."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        last = name.rpartition(".")[2]
        self.__dict__["is_complex"] = last.startswith(("complex", "chalf"))
        self.__dict__["is_floating_point"] = last.startswith("float")
        self.__dict__["is_signed"] = not last.startswith(("u", "bits"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(f"{self!r} is no function")

    def __repr__(self) -> str:
        return self._name


_DTYPE = re.compile(r"torch\.(complex32|chalf|float[48]_\w+|u?int[1-7]|qu?int\w+|bits\w+)")


class _AbsentType(type):
    """The class of stand-ins for classes: nothing is an instance of one."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return False

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(f"{cls.__name__}.{name}")


def _refuse(self: Any, *args: Any, **kwargs: Any) -> None:
    if _tests_run:
        raise AbsentError(f"{type(self).__name__} is not there")


def stand_in(full_name: str) -> Any:
    """What a missing name becomes: a class where PyTorch's spelling says that it is one."""
    if full_name in VALUES:
        return VALUES[full_name]
    if _QUESTION.search(full_name):
        return lambda *args, **kwargs: False
    if _DTYPE.fullmatch(full_name):
        return AbsentDtype(full_name)
    last = full_name.rpartition(".")[2]
    if last.lstrip("_")[:1].isupper() and not last.isupper():
        return _AbsentType(full_name, (), {"__init__": _refuse, "__module__": "absent"})
    return Absent(full_name)


class _StandInModule(types.ModuleType):
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(f"{self.__name__}.{name}")


class _Extended:
    """An object with further attributes, which takes none itself."""

    def __init__(self, extended: Any) -> None:
        self._extended = extended

    def __getattr__(self, name: str) -> Any:
        return getattr(self._extended, name)


class Helpers(importlib.abc.MetaPathFinder):
    """Finds the helpers in the files of an installed PyTorch."""

    def __init__(self, helpers: Path) -> None:
        self._helpers = helpers

    def file(self, name: str) -> Path | None:
        """PyTorch's file of a module."""
        top, *parts = name.split(".")
        base = self._helpers.with_name(top).joinpath(*parts)
        for path in (base / "__init__.py", base.with_suffix(".py")):
            if path.is_file():
                return path
        return None

    def is_helper(self, name: str) -> bool:
        """Whether PyTorch's own file of this module is used."""
        return any(name == helper or name.startswith(helper + ".") for helper in HELPERS)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        file = self.file(name) if self.is_helper(name) else None
        if not file:
            return None
        self.provide_names(file)
        spec = importlib.util.spec_from_file_location(name, file)
        if spec and file.name == "__init__.py":
            # No directory, or the parts would be found without asking here.
            spec.submodule_search_locations = []
        return spec

    def provide_names(self, file: Path) -> None:
        """Gives modules of this torch the names that `file` uses of them and that they lack."""
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                self._provide_from(node.module, [alias.name for alias in node.names])
                # A test file that this one takes tests from.
                other = file.parent.joinpath(*node.module.split(".")).with_suffix(".py")
                if other.name.startswith("test_") and other.is_file():
                    self.provide_names(other)
            elif isinstance(node, ast.Attribute):
                self._provide(_path_of(node))

    def _provide_from(self, module_name: str, names: list[str]) -> None:
        """Adds what `from module_name import names` would miss."""
        if module_name.partition(".")[0] != "torch" or self.is_helper(module_name):
            return
        # By its name: an attribute `torch.autograd.gradcheck` is a function, the module another.
        parent = sys.modules.get(module_name.rpartition(".")[0])
        if parent is not None and not hasattr(parent, "__path__"):
            parent.__path__ = []  # Here it is one module, and in PyTorch a package.
        module = importlib.import_module(module_name)
        for name in names:
            if name != "*" and not _has(module, name):
                full = f"{module_name}.{name}"
                try:
                    importlib.import_module(full)
                except ImportError:
                    setattr(module, name, stand_in(full))

    def _provide(self, path: list[str]) -> None:
        """Walks along `torch.a.b` as far as modules go, and adds the first name that is missing."""
        if path[:1] != ["torch"] or self.is_helper(".".join(path[:3])):
            return
        module = importlib.import_module("torch")
        for i, name in enumerate(path[1:], start=2):
            if name in _NOWHERE or (name.startswith("__") and name.endswith("__")):
                return
            if not _has(module, name):
                full = ".".join(path[:i])
                try:
                    if path[1] == "_C":
                        raise ImportError(f"{full} is no file")
                    importlib.import_module(full)
                except ImportError:
                    setattr(module, name, stand_in(full))
                    return
            following = getattr(module, name)
            if (
                path[:i] in (["torch", "Tensor"], ["torch", "_C", "_VariableFunctions"])
                and len(path) > i
                and not _has(following, path[i])
            ):
                if name == "_VariableFunctions" and not isinstance(following, _Extended):
                    following = _Extended(following)
                    setattr(module, name, following)
                setattr(following, path[i], stand_in(".".join(path[: i + 1])))
            if not isinstance(following, types.ModuleType) or isinstance(following, _StandInModule):
                return
            module = following


def _has(owner: Any, name: str) -> bool:
    """Whether there is an attribute; `torch.classes` raises RuntimeError where there is none."""
    try:
        return hasattr(owner, name)
    except RuntimeError:
        return False


def _path_of(node: ast.expr) -> list[str]:
    """`torch.a.b` as its names; empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last: modules of PyTorch that this torch does not have."""

    def __init__(self, helpers: Helpers) -> None:
        self._helpers = helpers

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not name.startswith(("torch.", "functorch.")):
            return None
        parent = sys.modules.get(name.rpartition(".")[0])
        compiled = name.startswith("torch._C._") and name[len("torch._C.") :].islower()
        if compiled or self._helpers.file(name) or isinstance(parent, _StandInModule):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return _StandInModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


def _stand_in_for_missing(module: Any) -> None:
    """While modules are imported, `module.name` is a stand-in where there is nothing."""
    found = getattr(module, "__getattr__", None)

    def missing(name: str) -> Any:
        final = _tests_run or name.startswith("__") or name in _NOWHERE
        try:
            if found:
                return found(name)
        except AttributeError:
            if final:
                raise
        if final:
            raise AttributeError(f"module '{module.__name__}' has no attribute '{name}'")
        try:
            return importlib.import_module(f"{module.__name__}.{name}")
        except ImportError:
            return stand_in(f"{module.__name__}.{name}")

    module.__getattr__ = missing


def _stand_in_for_operators(namespace: Any) -> None:
    """While modules are imported, `torch.ops.aten.name` is there for every name."""
    found = namespace.__getattr__

    def missing(self: Any, name: str) -> Any:
        try:
            return found(self, name)
        except AttributeError:
            if _tests_run or name.startswith("__"):
                raise
            return stand_in(f"{self.__name__}.{name}")

    namespace.__getattr__ = missing


def _add_where_missing(full_name: str, value: Any) -> None:
    """Gives a value to something that this torch has without it, as a class that only refuses."""
    *owners, name = full_name.split(".")
    owner: Any = importlib.import_module("torch")
    for step in owners[1:]:
        owner = getattr(owner, step, None)
    if isinstance(owner, (type, types.ModuleType, types.SimpleNamespace)) and not hasattr(
        owner, name
    ):
        in_class = isinstance(owner, type) and callable(value)
        setattr(owner, name, staticmethod(value) if in_class else value)


def _of_what_is_there(function: Any) -> Any:
    """`function`, whose answer about an absent dtype is absent too."""

    @functools.wraps(function, updated=())
    def answer(*args: Any, **kwargs: Any) -> Any:
        return args[0] if args and isinstance(args[0], Absent) else function(*args, **kwargs)

    return answer


# The answer is no.
_QUESTION = re.compile(r"[._](_?is_\w+|has_\w+)$")


class _AnyDtype(type):
    """torch.dtype; the absent dtypes are instances of it too."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, (AbsentDtype, _DTYPES[0]))


_DTYPES: list[Any] = []


def install(directory: Path) -> Helpers:
    """Makes `import torch.testing._internal` work, with the files of PyTorch in `directory`."""
    for full_name, value in VALUES.items():
        _add_where_missing(full_name, value)
    torch = importlib.import_module("torch")
    _DTYPES.append(torch.dtype)
    torch.dtype = _AnyDtype("dtype", (), {"__module__": "torch"})
    for flag in ("is_ipu", "is_maia", "is_mps", "is_mtia", "is_vulkan", "is_xla", "is_xpu"):
        if not hasattr(torch.Tensor, flag):
            setattr(torch.Tensor, flag, False)
    torch.finfo = _of_what_is_there(torch.finfo)
    torch.iinfo = _of_what_is_there(torch.iinfo)
    torch._C.__path__ = []  # PyTorch's has modules.
    # A directory beside the test files has this name too.
    sys.modules["functorch"] = _StandInModule("functorch")
    sys.modules["functorch"].__path__ = []
    for name in ("torch", "torch.linalg", "torch.nn", "torch.nn.functional", "torch.special"):
        _stand_in_for_missing(importlib.import_module(name))
    _stand_in_for_operators(type(torch.ops.aten))
    helpers = Helpers(directory)
    # After the finder of files, and before this torch's own of modules that only refuse.
    place = sys.meta_path.index(importlib.machinery.PathFinder) + 1
    sys.meta_path.insert(place, helpers)
    sys.meta_path.append(StandIns(helpers))
    # Test files ask torch.testing for it as an attribute.
    if helpers.file("torch.testing._utils"):
        importlib.import_module("torch.testing._utils")
    return helpers
