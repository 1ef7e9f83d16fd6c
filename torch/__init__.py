"""Tensors and neural networks with PyTorch's names."""

from __future__ import annotations

import builtins as _builtins
import importlib as _importlib
import sys as _sys
from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from typing import TYPE_CHECKING, Any

from torch import _health
from torch._placement import place as _place
from torch._waiting import brief_spinning as _brief_spinning

try:
    # The loader would map a library that ends early, and the program die of SIGBUS without a word.
    _health.require_whole_libraries(__path__)
    with _brief_spinning():
        from torch import _C

    if getattr(_C, "__file__", None) is None:  # The directory of its types alone.
        raise ModuleNotFoundError("No module named 'torch._C'")
except _health.DamagedLibraryError:
    raise
except ImportError as _error:
    from pathlib import Path as _Path

    from torch._load_error import explain as _explain

    raise ImportError(_explain(_error, _Path(__file__).parent)) from _error

import torch as torch
from torch import _absent, _build_settings
from torch import version as version
from torch._C import (
    Generator,
    OutOfMemoryError,
    Size,
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    default_generator,
    device,
    dtype,
    get_autocast_dtype,
    get_default_device,
    get_default_dtype,
    get_num_threads,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    is_grad_enabled,
    is_inference_mode_enabled,
    layout,
    memory_format,
    set_anomaly_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
    set_default_device,
    set_num_threads,
)
from torch._C import (
    StorageBase as StorageBase,
)
from torch.torch_version import __version__

# dtypes, layouts and memory formats live in _C under the names they have here.
for _name in dir(_C):
    if isinstance(getattr(_C, _name), (dtype, layout, memory_format)):
        globals()[_name] = getattr(_C, _name)

version.debug = _build_settings.ASSERTIONS

# The toolkit's version, 1000 * major + 10 * minor, which only a build with CUDA has.
if hasattr(_C, "_cuda_getCompiledVersion"):
    _toolkit = _C._cuda_getCompiledVersion()
    version.cuda = f"{_toolkit // 1000}.{_toolkit % 1000 // 10}"
    del _toolkit

from torch._tensor import Tensor  # noqa: E402

_C._set_tensor_class(Tensor)
_C._look_for_libraries_in(f"{__path__[0]}/lib")
_absent.mark_class(Tensor, "torch.Tensor")
_absent.install()
# Programs tell PyTorch which of its parts they use; nobody is told here.
setattr(_C, "_log_api_usage_once", lambda *_: None)  # noqa: B010

# Every generated function of the operator library, but those of torch._foreach and the one that
# torch.unique calls.
_functions = [
    name
    for name in dir(_C._VariableFunctions)
    if not name.startswith(("__", "_foreach_")) and name != "unique_dim"
]
for _name in _functions:
    globals()[_name] = getattr(_C._VariableFunctions, _name)
_place("torch", globals(), [n for n in dir(_C._VariableFunctions) if n in globals()])
del _functions
# Functions of these groups are pickled by the names of the groups.
for _name in ("_fft", "_linalg", "_nn", "_special"):
    _sys.modules.setdefault(f"torch._C.{_name}", getattr(_C, _name))
globals()["spmm"] = _C._VariableFunctions.mm
newaxis: None = None
del _name

from torch import autograd as autograd  # noqa: E402
from torch._ops import ops as ops  # noqa: E402
from torch.autograd.grad_mode import (  # noqa: E402
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)
from torch.functional import _int_mm as _int_mm  # noqa: E402
from torch.functional import (  # noqa: E402
    _native_multi_head_attention as _native_multi_head_attention,
)
from torch.functional import (  # noqa: E402
    _transform_bias_rescale_qkv as _transform_bias_rescale_qkv,
)
from torch.functional import (  # noqa: E402
    asarray,
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block_diag,
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    cdist,
    chain_matmul,
    conv_tbc,
    einsum,
    from_file,
    frombuffer,
    histogramdd,
    is_conj,
    is_distributed,
    is_inference,
    is_neg,
    is_storage,
    lu,
    meshgrid,
    nonzero_static,
    norm,
    range_,
    segment_reduce,
    split,
    tensordot,
    typename,
    unique,
    unique_consecutive,
    unravel_index,
)

globals()["_segment_reduce"] = segment_reduce
globals()["range"] = range_
_place(
    "torch",
    globals(),
    [
        "asarray",
        "autocast_decrement_nesting",
        "autocast_increment_nesting",
        "clear_autocast_cache",
        "from_file",
        "frombuffer",
        "get_autocast_dtype",
        "get_default_device",
        "get_default_dtype",
        "get_num_threads",
        "is_anomaly_check_nan_enabled",
        "is_anomaly_enabled",
        "is_autocast_cache_enabled",
        "is_autocast_enabled",
        "is_conj",
        "is_distributed",
        "is_grad_enabled",
        "is_inference",
        "is_inference_mode_enabled",
        "is_neg",
        "is_storage",
        "range",
        "set_anomaly_enabled",
        "set_autocast_cache_enabled",
        "set_autocast_dtype",
        "set_autocast_enabled",
        "set_default_device",
        "set_num_threads",
        "typename",
    ],
)
# Nothing records programs; packages that ask find that so, and annotate with TorchScript's classes.
_C._get_tracing_state = lambda: None  # type: ignore[attr-defined]
_C._is_tracing = lambda: False  # type: ignore[attr-defined]
_C._are_functorch_transforms_active = lambda: False  # type: ignore[attr-defined]


def _name_of_extension(name: str) -> Any:
    if name in _absent.TORCHSCRIPT_CLASSES:
        return _absent.torchscript_class(name)
    raise AttributeError(f"module 'torch._C' has no attribute '{name}'")


setattr(_C, "__getattr__", _name_of_extension)  # noqa: B010
from torch import _dispatch_keys  # noqa: E402

_dispatch_keys.install()
from torch._conversion import parse_to as _parse_to  # noqa: E402

setattr(_C._nn, "_parse_to", _parse_to)  # noqa: B010
from torch._functorch import wrappers as _wrappers  # noqa: E402

setattr(_C, "_functorch", _wrappers)  # noqa: B010
_sys.modules["torch._C._functorch"] = _wrappers
del _wrappers
from torch._lobpcg import lobpcg  # noqa: E402
from torch._lowrank import pca_lowrank, svd_lowrank  # noqa: E402
from torch.random import get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: E402

if TYPE_CHECKING:
    from torch import amp as amp
    from torch import backends as backends
    from torch import cuda as cuda
    from torch import distributions as distributions
    from torch import linalg as linalg
    from torch import nn as nn
    from torch import optim as optim
    from torch import testing as testing
    from torch import utils as utils
    from torch._C import *  # noqa: F403
    from torch._C._VariableFunctions import *  # type: ignore[assignment]  # noqa: F403
    from torch._streams import Event as Event
    from torch._streams import Stream as Stream
    from torch._type_info import finfo as finfo
    from torch._type_info import iinfo as iinfo
    from torch.amp import GradScaler as GradScaler
    from torch.amp import autocast as autocast
    from torch.compiler import compile as compile
    from torch.serialization import PyTorchFileReader as PyTorchFileReader
    from torch.serialization import load as load
    from torch.serialization import save as save
    from torch.storage import TypedStorage as TypedStorage
    from torch.storage import UntypedStorage as UntypedStorage

# Imported when first used: `import torch` stays fast.
_LAZY_MODULES = frozenset(
    {
        "__config__",
        "__future__",
        "_dynamo",
        "_jit_internal",
        "_guards",
        "_subclasses",
        "_utils",
        "accelerator",
        "amp",
        "ao",
        "backends",
        "compiler",
        "cpu",
        "cuda",
        "distributed",
        "distributions",
        "export",
        "fft",
        "func",
        "futures",
        "fx",
        "hub",
        "jit",
        "library",
        "linalg",
        "masked",
        "mps",
        "mtia",
        "multiprocessing",
        "nested",
        "nn",
        "onnx",
        "optim",
        "overrides",
        "package",
        "profiler",
        "quasirandom",
        "random",
        "return_types",
        "serialization",
        "signal",
        "sparse",
        "special",
        "storage",
        "testing",
        "torch_version",
        "types",
        "utils",
        "xpu",
    }
)
# Names of torch itself, by the module that defines them.
_LAZY_NAMES = {
    "Event": "_streams",
    "Future": "futures",
    "GradScaler": "amp",
    "PyTorchFileReader": "serialization",
    "ScriptClass": "_classes",
    "ScriptFunction": "jit",
    "ScriptModule": "jit",
    "ScriptObject": "_classes",
    "Stream": "_streams",
    "SymBool": "_symbolic",
    "SymFloat": "_symbolic",
    "SymInt": "_symbolic",
    "Tag": "_ops",
    "TypedStorage": "storage",
    "UntypedStorage": "storage",
    **dict.fromkeys(
        (
            "_assert",
            "_assert_tensor_metadata",
            "_check",
            "_check_index",
            "_check_is_size",
            "_check_not_implemented",
            "_check_tensor_all",
            "_check_type",
            "_check_value",
            "_check_with",
        ),
        "_checks",
    ),
    "autocast": "amp",
    "classes": "_classes",
    "compile": "compiler",
    "finfo": "_type_info",
    "iinfo": "_type_info",
    "load": "serialization",
    "save": "serialization",
    **dict.fromkeys(
        (
            "are_deterministic_algorithms_enabled",
            "get_autocast_cpu_dtype",
            "get_autocast_gpu_dtype",
            "get_deterministic_debug_mode",
            "get_device_module",
            "get_float32_matmul_precision",
            "get_num_interop_threads",
            "is_autocast_cpu_enabled",
            "is_deterministic_algorithms_warn_only_enabled",
            "is_warn_always_enabled",
            "set_autocast_cpu_dtype",
            "set_autocast_cpu_enabled",
            "set_autocast_gpu_dtype",
            "set_deterministic_debug_mode",
            "set_float32_matmul_precision",
            "set_flush_denormal",
            "set_num_interop_threads",
            "set_warn_always",
            "use_deterministic_algorithms",
        ),
        "_settings",
    ),
    "set_default_tensor_type": "_tensor_types",
    "sym_float": "_symbolic",
    "sym_int": "_symbolic",
    "sym_ite": "_symbolic",
    "sym_max": "_symbolic",
    "sym_min": "_symbolic",
    "sym_not": "_symbolic",
    "sym_sqrt": "_symbolic",
    "sym_sum": "_symbolic",
    "to_dlpack": "utils.dlpack",
    "vmap": "func",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY_MODULES:
        return _importlib.import_module(f"torch.{name}")
    if name in _LAZY_NAMES:
        module = _importlib.import_module(f"torch.{_LAZY_NAMES[name]}")
        globals()[name] = getattr(module, name)
        if module.__name__.startswith("torch._"):
            _place("torch", globals(), [name])
        return globals()[name]
    if name.startswith("_foreach_"):
        globals()[name] = getattr(_importlib.import_module("torch._foreach"), name)
        return globals()[name]
    if name.endswith("Tensor"):
        kinds = _importlib.import_module("torch._tensor_types").TENSOR_TYPES
        if name in kinds:
            return kinds[name]
    if name.endswith("Storage"):
        classes = _importlib.import_module("torch.storage").STORAGE_CLASSES
        if name == "Storage":
            default = get_default_dtype()
            return next(kind for kind in classes.values() if kind.dtype is default)
        if name in classes:
            return classes[name]
    if name in _absent.TORCHSCRIPT_CLASSES:
        return _absent.torchscript_class(name)
    return _explain_absent(name)


_explain_absent = _absent.explain("torch")


def is_tensor(obj: object) -> _builtins.bool:
    """Whether an object is a tensor.

    Args:
        obj: anything; an object of a subclass is a tensor too.

    Example::

        >>> torch.is_tensor(torch.ones(1)), torch.is_tensor([1])
        (True, False)
    """
    return isinstance(obj, Tensor)


def set_default_dtype(d: dtype) -> None:
    """Sets the dtype of floating-point tensors that are made without one, for the whole process.

    Args:
        d: float32, the default at first, float64, float16 or bfloat16.

    Raises:
        TypeError: another dtype.

    Example::

        >>> torch.set_default_dtype(torch.float64)
        >>> torch.tensor(1.5).dtype
        torch.float64
        >>> torch.set_default_dtype(torch.float32)
    """
    _C._set_default_dtype(d)


def from_dlpack(ext_tensor: Any) -> Tensor:
    """A tensor on the memory of another library's array, by the DLPack protocol. A change of one is
    seen in the other.

    Args:
        ext_tensor: an object with `__dlpack__`, such as a NumPy array, or a DLPack capsule, which
            can be used once.

    Raises:
        RuntimeError: a dtype or a device that there is none of here.

    Example::

        >>> x = torch.zeros(2)
        >>> torch.from_dlpack(x)[0] = 1
        >>> x
        tensor([1., 0.])
    """
    if not hasattr(ext_tensor, "__dlpack__"):
        return _C._from_dlpack(ext_tensor)
    if isinstance(ext_tensor, Tensor):
        ext_tensor.__dlpack_device__()  # refuses devices that DLPack does not know
    try:
        capsule = ext_tensor.__dlpack__(max_version=(1, 0))
    except TypeError:
        # A library from before the array interface of 2023.
        capsule = ext_tensor.__dlpack__()
    return _C._from_dlpack(capsule)


def set_printoptions(
    precision: _builtins.int | None = None,
    threshold: _builtins.float | None = None,
    edgeitems: _builtins.int | None = None,
    linewidth: _builtins.int | None = None,
    profile: str | None = None,
    sci_mode: _builtins.bool | None = None,
) -> None:
    """Sets how tensors print, for the whole process. What is None stays.

    Args:
        precision: digits behind the point, 4 at first.
        threshold: how many elements are printed in full, 1000 at first; of more tensors `edgeitems`
            at each end of a dimension.
        edgeitems: 3 at first.
        linewidth: characters of a line, 80 at first.
        profile: "default", "short" or "full", whose values the other arguments change.
        sci_mode: whether numbers have exponents; None lets the numbers decide.

    Example::

        >>> torch.set_printoptions(precision=2)
        >>> torch.tensor([1.23456])
        tensor([1.23])
        >>> torch.set_printoptions(profile="default")
    """
    from torch import _tensor_str

    _tensor_str.set_printoptions(precision, threshold, edgeitems, linewidth, profile, sci_mode)


def is_vulkan_available() -> _builtins.bool:
    """Whether this process has the Vulkan backend, and the machine a device for it."""
    return _builtins.bool(_C._device_count("vulkan"))


def compiled_with_cxx11_abi() -> _builtins.bool:
    """Whether extensions must be compiled with _GLIBCXX_USE_CXX11_ABI=1."""
    return _C._GLIBCXX_USE_CXX11_ABI


__all__ = [
    "Generator",
    "OutOfMemoryError",
    "Size",
    "Tensor",
    "__version__",
    "asarray",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "autocast_decrement_nesting",
    "autocast_increment_nesting",
    "autograd",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "clear_autocast_cache",
    "compiled_with_cxx11_abi",
    "conv_tbc",
    "default_generator",
    "device",
    "dtype",
    "einsum",
    "enable_grad",
    "from_dlpack",
    "from_file",
    "frombuffer",
    "get_autocast_dtype",
    "get_default_device",
    "get_default_dtype",
    "get_num_threads",
    "get_rng_state",
    "histogramdd",
    "inference_mode",
    "initial_seed",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_autocast_cache_enabled",
    "is_autocast_enabled",
    "is_conj",
    "is_distributed",
    "is_grad_enabled",
    "is_inference",
    "is_inference_mode_enabled",
    "is_neg",
    "is_storage",
    "is_tensor",
    "is_vulkan_available",
    "layout",
    "lobpcg",
    "lu",
    "manual_seed",
    "memory_format",
    "meshgrid",
    "no_grad",
    "nonzero_static",
    "norm",
    "ops",
    "pca_lowrank",
    "seed",
    "segment_reduce",
    "set_anomaly_enabled",
    "set_autocast_cache_enabled",
    "set_autocast_dtype",
    "set_autocast_enabled",
    "set_default_device",
    "set_default_dtype",
    "set_grad_enabled",
    "set_num_threads",
    "set_printoptions",
    "set_rng_state",
    "split",
    "svd_lowrank",
    "tensordot",
    "typename",
    "unique",
    "unique_consecutive",
    "unravel_index",
]
