"""Names of PyTorch that this release is without: a program that uses one reads what is missing.

There are three ways, for three uses. A module such as `torch.onnx` exists, because programs import
it, ask it `is_available()` and compare with its classes; its other functions and classes refuse
when they are called, and are made when they are first asked for (`names_of`). A single name of a
module that is otherwise there, such as `torch.sparse_coo_tensor`, is an AttributeError with a
reason, so that `hasattr` tells the truth (`explain`, `mark_class`); `from torch import` of it is an
ImportError with that reason. A module that cannot be imported, such as `torch.ao.nn`, is a
ModuleNotFoundError with a reason (`_Missing`).
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FrameType, ModuleType
from typing import Any, NoReturn

from torch import _absent_names


@dataclass(frozen=True)
class Part:
    """A part of PyTorch that is not here.

    Attributes:
      what: how PyTorch calls it, after "this release is without".
      instead: what to use, as an imperative.
    """

    what: str
    instead: str

    def message(self, name: str) -> str:
        """What whoever uses `name` reads."""
        return f"{name}: this release is without {self.what}; {self.instead}"

    def refuse(self, name: str) -> NoReturn:
        """Raises NotImplementedError for a use of `name`."""
        raise NotImplementedError(self.message(name))


JIT = Part("TorchScript's compiler", "call the Python function or module itself")
FX = Part("torch.fx, which records programs as graphs", "use hooks of nn.Module")
EXPORT = Part("torch.export", "save the state dict with torch.save, and export it with PyTorch")
ONNX = Part("the export to ONNX", "save the state dict with torch.save, and export it with PyTorch")
COMPILE = Part(
    "a compiler of Python programs", "call the function itself, which torch.compile returns"
)
DISTRIBUTED = Part(
    "torch.distributed",
    "use one process; torch.distributed.is_available() is False",
)
SPARSE = Part(
    "sparse tensors", "use dense tensors, with index_add_ or scatter_add_ for sums by index"
)
NESTED = Part("nested tensors", "use a list of tensors, or pad them to one length")
QUANTIZED = Part("quantised tensors", "use torch.float16 or torch.bfloat16, and torch.autocast")
PACKAGE = Part("torch.package", "use torch.save for weights, and a Python package for code")
MPS = Part("what is Metal's own", "use operators of torch; TORCH_MPS_MEMORY_MIB limits the memory")
METAL_TRACES = Part("Metal's traces", "time with torch.mps.Event(enable_timing=True)")
XPU = Part("Intel's GPUs", 'use device "cpu" or "cuda"; torch.xpu.is_available() is False')
MTIA = Part("MTIA devices", 'use device "cpu" or "cuda"; torch.mtia.is_available() is False')
FORWARD_AD = Part(
    "forward-mode differentiation",
    "use torch.autograd.functional.jvp, which goes backward twice",
)
FUNCTIONAL_RNN = Part("recurrent networks as functions", "use torch.nn.LSTM, GRU or RNN")
MAP_NORM = Part("normalization across maps", "use nn.LocalResponseNorm")
SYMBOLIC = Part("symbolic sizes", "use Python's numbers")
SMALL_TYPES = Part("float8 and types of less than 8 bits", "use torch.bfloat16 or torch.int8")
COMPLEX_HALF = Part("complex numbers of two float16", "use torch.complex64")
DATAPIPES = Part("data pipes", "use torch.utils.data.Dataset and DataLoader")
OTHER = Part("this name of PyTorch 2.13", "docs/python.md tells what is there")
PROFILER = Part("this part of a profiler", "use torch.profiler.profile")
DISPATCH_MODES = Part(
    "modes that see the operators below autograd", "use torch.overrides.TorchFunctionMode"
)
FLEX = Part(
    "flexible attention, which PyTorch compiles for each score function",
    "use torch.nn.functional.scaled_dot_product_attention with a mask",
)
MIOPEN = Part("AMD's MIOpen", "use the function of torch.nn.functional")
CUDNN = Part(
    "operators that name cuDNN", "use the function of torch.nn.functional, which calls cuDNN"
)
MKLDNN = Part("tensors in oneDNN's layout", "use a dense tensor")
REMOVED = Part("functions that PyTorch removed too", "use the function of torch.linalg")
CUDA_CHOICES = Part(
    "a choice between implementations of one operator on CUDA",
    "call the operator: the kernel follows from the build and the inputs",
)
HIP = Part("AMD's GPUs, and the translation of CUDA to HIP", 'use device "cpu" or "cuda"')
FUNCTORCH = Part("functorch's own modules", "use torch.func")
MASKED = Part("MaskedTensor", "use the functions of torch.masked with mask=")
CALLGRIND = Part("counts of instructions, which Valgrind makes", "use Timer.blocked_autorange")
CPP_TIMER = Part(
    "a timer of C++ statements", "measure an operator from Python, or with std::chrono in C++"
)
THROUGHPUT = Part("measurements of a module in many threads", "use torch.utils.benchmark.Timer")
NUMA = Part("modules that place processes on processors", "start Python with numactl")
PRIVATE = Part("this private module of PyTorch", "use public names, which docs/python.md lists")
PRUNING = Part("torch.ao.pruning", "use torch.nn.utils.prune")
CHOICES_OF_CODE = Part(
    "this library of kernels", "call the operator; its kernel follows from the build"
)
GRAPHS = Part("graphs of modules for TensorBoard", "use add_text with the text of the module")
VIDEO = Part("an encoder of videos", "use add_images, or imageio and a file of your own")
TRACES_OF_MEMORY = Part("pictures of a GPU's memory", "use torch.cuda.memory_stats")
LATER = Part(
    "tensors of zeros without memory, and copies that are made when they are written",
    "use zeros() and clone(), which fill memory at once",
)
TEST_OPERATORS = Part("operators of PyTorch's own tests", "leave the test out")
CUDA_TOOLS = Part("queries of a GPU's state", "use nvidia-smi, or torch.cuda.memory_stats")


def names_of(
    module: str, part: Part, *, classes: str = "", functions: str = ""
) -> Callable[[str], Any]:
    """The `__getattr__` of a module whose functions refuse.

    Args:
      module: its name.
      part: what is missing.
      classes: names of classes, words of one text. They can be compared with and derived from,
        and no object of them can be made.
      functions: names of functions, which refuse when they are called.

    Returns:
      A function that makes them; it raises AttributeError for other names.
    """
    made: dict[str, Any] = {}

    def getattr_(name: str) -> Any:
        if name not in made and (found := submodule(module, name)):
            return found
        if name not in made:
            if name in classes.split():
                made[name] = absent_class(module, name, part)
            elif name in functions.split():
                made[name] = absent_function(module, name, part)
            else:
                raise attribute_error(module, name, None if name.startswith("__") else part)
        return made[name]

    return getattr_


def _no(*args: Any) -> bool:
    """What `is_available` and its like of an absent module answer."""
    return False


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes the modules below a package when they are imported."""

    def __init__(self, package: str, part: Part, modules: dict[str, str]) -> None:
        self._package = package
        self._part = part
        self._modules = modules
        self._made: dict[str, Any] = {}

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        name = fullname.removeprefix(self._package + ".")
        if name not in self._modules:
            return None
        # As a package, so that an import of what PyTorch has below it says why that is absent.
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__
        names_here = self._modules[name.removeprefix(self._package + ".")].split()
        module.__doc__ = self._part.message(name)
        module.__dict__["__all__"] = names_here

        def getattr_(attribute: str) -> Any:
            if f"{name.removeprefix(self._package + '.')}.{attribute}" in self._modules:
                return importlib.import_module(f"{name}.{attribute}")
            if attribute not in names_here:
                known = None if attribute.startswith("__") else self._part
                raise attribute_error(name, attribute, known)
            # A class or function that several modules have is one.
            if attribute not in self._made:
                package = sys.modules[self._package] if self._package != "torch" else None
                made = getattr(package, attribute, None)
                if made is None or isinstance(made, ModuleType):
                    if package is None and attribute.startswith("is_"):
                        return _no
                    make = absent_class if attribute[0].isupper() else absent_function
                    made = make(name, attribute, self._part)
                self._made[attribute] = made
            return self._made[attribute]

        module.__dict__["__getattr__"] = getattr_


def provide_modules(package: str, part: Part, modules: dict[str, str]) -> None:
    """Makes modules below `package` importable, whose functions and classes refuse.

    Args:
      package: its name.
      part: what is missing.
      modules: for each module below it, such as `fsdp.wrap`, its public names, words of one text.
        Those of classes begin with a capital letter.
    """
    sys.meta_path.append(_Modules(package, part, modules))


class _Elsewhere(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules of PyTorch whose names stand in another module here."""

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _absent_names.ELSEWHERE:
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        source = importlib.import_module(_absent_names.ELSEWHERE[module.__name__])
        module.__doc__ = f"The names of {source.__name__}, as PyTorch has them."
        module.__dict__["__all__"] = source.__all__
        module.__dict__["__getattr__"] = lambda name: getattr(source, name)


class _Missing(importlib.abc.MetaPathFinder):
    """Says why a module of PyTorch cannot be imported that no other finder knows."""

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        part = _missing_part(fullname)
        # Without an import statement somebody asks whether the module is there, and the answer
        # is None: importlib.util.find_spec. The caller is importlib's _find_spec, and its caller
        # tells the two apart.
        caller = sys._getframe(1).f_back
        if part is None or caller is None or caller.f_code.co_name != "_find_and_load_unlocked":
            return None
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :]:
            if spec := finder.find_spec(fullname, path, target):  # type: ignore[arg-type]
                return spec
        raise ModuleNotFoundError(part.message(f"No module named '{fullname}'"), name=fullname)


def _missing_part(fullname: str) -> Part | None:
    """The part that the module `fullname` belongs to, if PyTorch has it and this release not."""
    package, _, name = fullname.partition(".")
    if package != "torch":
        return None
    while name:
        if found := _missing().get(name):
            return found
        name = name.rpartition(".")[0]
    return None


@cache
def _missing() -> dict[str, Part]:
    return {
        name: globals()[part]
        for part, names_ in _absent_names.MISSING.items()
        for name in names_.split()
    }


def install() -> None:
    """Makes the modules of `torch._absent_names` importable; `import torch` does it once."""
    sys.meta_path.append(_Elsewhere())
    for part, modules in _absent_names.MODULES.items():
        provide_modules("torch", globals()[part], modules)
    sys.meta_path.append(_Missing())


def absent_class(module: str, name: str, part: Part) -> type:
    """A class without objects."""

    def refuse(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
        part.refuse(f"{module}.{name}")

    body = {"__doc__": part.message(name), "__module__": module, "__new__": refuse}
    return type(name, (), body)


def absent_function(module: str, name: str, part: Part) -> Callable[..., NoReturn]:
    """A function that refuses."""

    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        part.refuse(f"{module}.{name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__module__ = module
    refuse.__doc__ = part.message(name)
    return refuse


def attribute_error(owner: str, name: str, part: Part | None = None) -> Exception:
    """For the `__getattr__` of the module `owner`: an error with the reason, where one is known.

    Python replaces an AttributeError in `from owner import name` by an ImportError without the
    reason, so there it is an ImportError already.

    Args:
      owner: a module, such as `torch.nn`.
      name: what it has not.
      part: what is missing, where every other name of the module belongs to that.
    """
    text = f"module '{owner}' has no attribute '{name}'"
    part = _parts(owner).get(name) or _missing().get(f"{owner}.{name}".partition(".")[2]) or part
    if part and _is_import_from():
        return ImportError(part.message(f"cannot import name '{name}' from '{owner}'"), name=owner)
    return AttributeError(part.message(text) if part else text, name=name)


def _is_import_from() -> bool:
    """Whether `from module import name` asks for the name, not `module.name` or `hasattr`."""
    import opcode

    frame: FrameType | None = sys._getframe(1)
    while frame and frame.f_code.co_name in ("__getattr__", "getattr_", "attribute_error"):
        frame = frame.f_back
    if frame is None or frame.f_lasti < 0:
        return False
    return frame.f_code.co_code[frame.f_lasti] == opcode.opmap["IMPORT_FROM"]


def refuse_dtype(name: str) -> NoReturn:
    """Raises for an argument that is a dtype of PyTorch's which no tensor here has.

    Args:
      name: such as `float8_e4m3fn`. The binding of dtypes has the list.
    """
    if name.startswith("q"):
        part = QUANTIZED
    else:
        part = COMPLEX_HALF if name == "complex32" else SMALL_TYPES
    part.refuse(f"torch.{name}")


def submodule(owner: str, name: str) -> ModuleType | None:
    """The module `owner.name`, imported now; None where there is none.

    In PyTorch, `import torch` imports nearly all modules, and programs use them as attributes.
    """
    full = f"{owner}.{name}"
    package = sys.modules.get(owner)
    if package is None or name.startswith("__") or not hasattr(package, "__path__"):
        return None
    if name.startswith("_"):  # Only files count, as programs import these at their own risk.
        found = importlib.machinery.PathFinder.find_spec(full, package.__path__)
        return None if found is None else importlib.import_module(full)
    if name in _parts(owner):
        return None
    if importlib.util.find_spec(full) is None:
        return None
    return importlib.import_module(full)


def explain(owner: str) -> Callable[[str], Any]:
    """The `__getattr__` of the module `owner` that is otherwise there."""

    def getattr_(name: str) -> Any:
        found = submodule(owner, name)
        if found is None:
            raise attribute_error(owner, name)
        return found

    return getattr_


class _AbsentMember:
    """Stands for a method that a class is without; looking it up is an AttributeError."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(self._message)


def mark_class(cls: type, owner: str) -> None:
    """Makes the names that the class `owner` is without say so; others cost nothing more."""
    for name, part in _parts(owner).items():
        if not hasattr(cls, name):
            text = part.message(f"'{cls.__name__}' object has no attribute '{name}'")
            setattr(cls, name, _AbsentMember(text))


def names(owner: str) -> frozenset[str]:
    """All names of PyTorch that `owner`, such as `torch.nn`, is without."""
    return frozenset(_parts(owner))


@cache
def _parts(owner: str) -> dict[str, Part]:
    other = CUDA_TOOLS if owner.startswith("torch.cuda") else OTHER
    found = dict.fromkeys(_absent_names.NAMES.get(owner, "").split(), other)
    for name in found:
        if instead := _instead().get(name):
            found[name] = Part(OTHER.what, instead)
    for part, names_ in ABSENT.get(owner, {}).items():
        found.update(dict.fromkeys(names_.split(), part))
    return found


@cache
def _instead() -> dict[str, str]:
    return {
        name: instead
        for instead, names_ in _absent_names.INSTEAD.items()
        for name in names_.split()
    }


# Classes of TorchScript, which annotations name. No object of them can be made.
TORCHSCRIPT_CLASSES = frozenset(
    [
        "AliasDb",
        "AnyType",
        "Argument",
        "ArgumentSpec",
        "AwaitType",
        "Block",
        "BoolType",
        "CallStack",
        "Capsule",
        "ClassType",
        "Code",
        "CompilationUnit",
        "CompleteArgumentSpec",
        "ComplexType",
        "ConcreteModuleType",
        "ConcreteModuleTypeBuilder",
        "DeepCopyMemoTable",
        "DeserializationStorageContext",
        "DeviceObjType",
        "DictType",
        "EnumType",
        "ErrorReport",
        "ExecutionPlan",
        "FloatType",
        "FunctionSchema",
        "FutureType",
        "Gradient",
        "Graph",
        "GraphExecutorState",
        "InferredType",
        "InterfaceType",
        "IntType",
        "IODescriptor",
        "ListType",
        "LiteScriptModule",
        "LockingLogger",
        "LoggerBase",
        "Node",
        "NoneType",
        "NoopLogger",
        "NumberType",
        "OperatorInfo",
        "OptionalType",
        "PyObjectType",
        "PyTorchFileWriter",
        "RRefType",
        "ScriptClassFunction",
        "ScriptDict",
        "ScriptDictIterator",
        "ScriptDictKeyIterator",
        "ScriptList",
        "ScriptListIterator",
        "ScriptMethod",
        "ScriptModuleSerializer",
        "ScriptObjectProperty",
        "SerializationStorageContext",
        "StaticModule",
        "StreamObjType",
        "StringType",
        "SymBoolType",
        "SymIntType",
        "TensorType",
        "TracingState",
        "TupleType",
        "Type",
        "UnionType",
        "Use",
        "Value",
    ]
)


@cache
def torchscript_class(name: str) -> type:
    """The class `torch.<name>`, which is `torch._C.<name>` too."""
    return absent_class("torch", name, JIT)


# By module or class: the names of PyTorch that it is without, by the part to which they belong.
# A test compares with PyTorch: each of its names is there or is here, and none is both.
ABSENT: dict[str, dict[Part, str]] = {
    "torch": {
        SPARSE: (
            "ccol_indices_copy col_indices_copy crow_indices_copy dsmm hsmm hspmm "
            "indices_copy resize_as_sparse_ row_indices_copy saddmm smm sparse_bsc_tensor "
            "sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor sparse_csc_tensor "
            "sparse_csr_tensor sspaddmm values_copy"
        ),
        QUANTIZED: (
            "choose_qparams_optimized dequantize empty_quantized "
            "QInt32Storage QInt8Storage QUInt2x4Storage QUInt4x2Storage QUInt8Storage "
            "fake_quantize_per_channel_affine fake_quantize_per_tensor_affine "
            "fbgemm_linear_fp16_weight fbgemm_linear_fp16_weight_fp32_activation "
            "fbgemm_linear_int8_weight fbgemm_linear_int8_weight_fp32_activation "
            "fbgemm_linear_quantize_weight fbgemm_pack_gemm_matrix_fp16 "
            "fbgemm_pack_quantized_matrix fused_moving_avg_obs_fake_quant int_repr "
            "per_channel_affine per_channel_affine_float_qparams per_channel_symmetric "
            "per_tensor_affine per_tensor_symmetric q_per_channel_axis q_per_channel_scales "
            "q_per_channel_zero_points q_scale q_zero_point qscheme "
            "_empty_affine_quantized _empty_per_channel_affine_quantized "
            "quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic "
            "quantized_batch_norm quantized_gru quantized_gru_cell quantized_lstm "
            "_convert_weight_to_int4pack _convert_weight_to_int4pack_for_cpu _weight_int4pack_mm "
            "_weight_int4pack_mm_for_cpu _weight_int8pack_mm "
            "quantized_lstm_cell quantized_max_pool1d quantized_max_pool2d "
            "quantized_max_pool3d quantized_rnn_relu_cell quantized_rnn_tanh_cell"
        ),
        SMALL_TYPES: "bit",
        JIT: (
            "import_ir_module import_ir_module_from_buffer JITException "
            "merge_type_from_type_comment ModuleDict ParameterDict parse_ir parse_schema "
            "parse_type_comment unify_type_list"
        ),
        SYMBOLIC: "sym_constrain_range sym_constrain_range_for_size sym_fresh_size",
        CUDNN: (
            "cudnn_affine_grid_generator cudnn_batch_norm cudnn_convolution "
            "cudnn_convolution_add_relu cudnn_convolution_relu cudnn_convolution_transpose "
            "cudnn_grid_sampler cudnn_is_acceptable"
        ),
        MIOPEN: (
            "miopen_batch_norm miopen_convolution miopen_convolution_add_relu "
            "miopen_convolution_relu miopen_convolution_transpose miopen_ctc_loss "
            "miopen_depthwise_convolution miopen_rnn"
        ),
        MKLDNN: (
            "mkldnn_adaptive_avg_pool2d mkldnn_convolution mkldnn_linear_backward_weights "
            "mkldnn_max_pool2d mkldnn_max_pool3d"
        ),
        COMPILE: "cond while_loop",
        REMOVED: "eig lstsq matrix_rank solve symeig",
        FUNCTIONAL_RNN: "gru gru_cell lstm lstm_cell rnn_relu rnn_relu_cell rnn_tanh rnn_tanh_cell",
        LATER: "_efficientzerotensor _lazy_clone",
        TEST_OPERATORS: (
            "_test_autograd_multiple_dispatch _test_autograd_multiple_dispatch_view "
            "_test_autograd_multiple_dispatch_view_copy _test_check_tensor"
        ),
    },
    "torch.Tensor": {
        SPARSE: (
            "ccol_indices coalesce col_indices crow_indices dense_dim indices is_coalesced "
            "resize_as_sparse_ row_indices smm sparse_dim sparse_mask sparse_resize_ "
            "sparse_resize_and_clear_ sspaddmm to_sparse to_sparse_bsc to_sparse_bsr "
            "to_sparse_coo to_sparse_csc to_sparse_csr values"
        ),
        QUANTIZED: (
            "dequantize int_repr q_per_channel_axis q_per_channel_scales "
            "q_per_channel_zero_points q_scale q_zero_point qscheme"
        ),
        NESTED: "to_padded_tensor",
        MKLDNN: "to_mkldnn",
        XPU: "xpu",
        MTIA: "mtia",
        REMOVED: "eig lstsq solve symeig",
        LATER: "_is_zerotensor _lazy_clone",
    },
    "torch.nn": {
        MAP_NORM: "CrossMapLRN2d",
        QUANTIZED: "intrinsic qat quantizable quantized",
    },
    "torch.optim": {
        SPARSE: "SparseAdam",
    },
    "torch.autograd": {
        FORWARD_AD: "forward_ad",
    },
    "torch.cuda": {
        CUDA_TOOLS: (
            "clock_rate device_memory_used list_gpu_processes power_draw temperature utilization"
        ),
    },
}
