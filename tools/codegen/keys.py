"""The words of native_functions.yaml that are enumerations, and places in files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tools.codegen.backend_table import BACKEND_KEYS, BACKENDS


@dataclass(frozen=True, slots=True)
class Location:
    """A line of an input file."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Variant(Enum):
    """How C++ and Python may call an operator."""

    function = "function"
    method = "method"


class DeviceCheckType(Enum):
    """Whether the generated wrapper checks that all tensors share a device."""

    NoCheck = "NoCheck"
    ExactSame = "ExactSame"


class SchemaKind(Enum):
    """The role of a function among the variants of one signature."""

    functional = "functional"
    inplace = "inplace"
    out = "out"
    mutable = "mutable"
    scratch = "scratch"


class UfuncKey(Enum):
    """Which types a ufunc inner loop is written for."""

    CUDAFunctor = "CUDAFunctor"
    CUDAFunctorOnOther = "CUDAFunctorOnOther"
    CUDAFunctorOnSelf = "CUDAFunctorOnSelf"
    CPUScalar = "CPUScalar"
    CPUVector = "CPUVector"
    ScalarOnly = "ScalarOnly"
    Generic = "Generic"


class DispatchKey(Enum):
    """A dispatch key. `parse` accepts the spelling of the YAML."""

    Undefined = "Undefined"
    FPGA = "FPGA"
    MAIA = "MAIA"
    Vulkan = "Vulkan"
    Metal = "Metal"
    MkldnnCPU = "MkldnnCPU"
    CustomRNGKeyId = "CustomRNGKeyId"
    Dense = "Dense"
    Sparse = "Sparse"
    SparseCsr = "SparseCsr"
    NestedTensor = "NestedTensor"
    Quantized = "Quantized"
    Python = "Python"
    PythonDispatcher = "PythonDispatcher"
    PreDispatch = "PreDispatch"
    Functionalize = "Functionalize"
    ZeroTensor = "ZeroTensor"
    Conjugate = "Conjugate"
    Negative = "Negative"
    BackendSelect = "BackendSelect"
    Named = "Named"
    ADInplaceOrView = "ADInplaceOrView"
    AutogradOther = "AutogradOther"
    AutogradFunctionality = "AutogradFunctionality"
    AutogradNestedTensor = "AutogradNestedTensor"
    Tracer = "Tracer"
    Autocast = "Autocast"
    AutocastCPU = "AutocastCPU"
    AutocastCUDA = "AutocastCUDA"
    AutocastXPU = "AutocastXPU"
    Batched = "Batched"
    VmapMode = "VmapMode"
    FuncTorchBatched = "FuncTorchBatched"
    FuncTorchGradWrapper = "FuncTorchGradWrapper"
    FuncTorchVmapMode = "FuncTorchVmapMode"
    BatchedNestedTensor = "BatchedNestedTensor"

    # Alias keys: one registration that fills several runtime keys.
    Autograd = "Autograd"
    CompositeImplicitAutograd = "CompositeImplicitAutograd"
    CompositeImplicitAutogradNestedTensor = "CompositeImplicitAutogradNestedTensor"
    CompositeExplicitAutograd = "CompositeExplicitAutograd"
    CompositeExplicitAutogradNonFunctional = "CompositeExplicitAutogradNonFunctional"
    FuncTorchBatchedDecomposition = "FuncTorchBatchedDecomposition"

    # One key for each pair of functionality and backend.
    CPU = "CPU"
    CUDA = "CUDA"
    HIP = "HIP"
    XLA = "XLA"
    MTIA = "MTIA"
    MPS = "MPS"
    IPU = "IPU"
    XPU = "XPU"
    HPU = "HPU"
    VE = "VE"
    Lazy = "Lazy"
    Meta = "Meta"
    PrivateUse1 = "PrivateUse1"
    PrivateUse2 = "PrivateUse2"
    PrivateUse3 = "PrivateUse3"
    QuantizedCPU = "QuantizedCPU"
    QuantizedCUDA = "QuantizedCUDA"
    QuantizedHIP = "QuantizedHIP"
    QuantizedXLA = "QuantizedXLA"
    QuantizedMTIA = "QuantizedMTIA"
    QuantizedMPS = "QuantizedMPS"
    QuantizedIPU = "QuantizedIPU"
    QuantizedXPU = "QuantizedXPU"
    QuantizedHPU = "QuantizedHPU"
    QuantizedVE = "QuantizedVE"
    QuantizedLazy = "QuantizedLazy"
    QuantizedMeta = "QuantizedMeta"
    QuantizedPrivateUse1 = "QuantizedPrivateUse1"
    QuantizedPrivateUse2 = "QuantizedPrivateUse2"
    QuantizedPrivateUse3 = "QuantizedPrivateUse3"
    SparseCPU = "SparseCPU"
    SparseCUDA = "SparseCUDA"
    SparseHIP = "SparseHIP"
    SparseXLA = "SparseXLA"
    SparseMTIA = "SparseMTIA"
    SparseMPS = "SparseMPS"
    SparseIPU = "SparseIPU"
    SparseXPU = "SparseXPU"
    SparseHPU = "SparseHPU"
    SparseVE = "SparseVE"
    SparseLazy = "SparseLazy"
    SparseMeta = "SparseMeta"
    SparsePrivateUse1 = "SparsePrivateUse1"
    SparsePrivateUse2 = "SparsePrivateUse2"
    SparsePrivateUse3 = "SparsePrivateUse3"
    SparseCsrCPU = "SparseCsrCPU"
    SparseCsrCUDA = "SparseCsrCUDA"
    SparseCsrHIP = "SparseCsrHIP"
    SparseCsrXLA = "SparseCsrXLA"
    SparseCsrMTIA = "SparseCsrMTIA"
    SparseCsrMPS = "SparseCsrMPS"
    SparseCsrIPU = "SparseCsrIPU"
    SparseCsrXPU = "SparseCsrXPU"
    SparseCsrHPU = "SparseCsrHPU"
    SparseCsrVE = "SparseCsrVE"
    SparseCsrLazy = "SparseCsrLazy"
    SparseCsrMeta = "SparseCsrMeta"
    SparseCsrPrivateUse1 = "SparseCsrPrivateUse1"
    SparseCsrPrivateUse2 = "SparseCsrPrivateUse2"
    SparseCsrPrivateUse3 = "SparseCsrPrivateUse3"
    NestedTensorCPU = "NestedTensorCPU"
    NestedTensorCUDA = "NestedTensorCUDA"
    NestedTensorHIP = "NestedTensorHIP"
    NestedTensorXLA = "NestedTensorXLA"
    NestedTensorMTIA = "NestedTensorMTIA"
    NestedTensorMPS = "NestedTensorMPS"
    NestedTensorIPU = "NestedTensorIPU"
    NestedTensorXPU = "NestedTensorXPU"
    NestedTensorHPU = "NestedTensorHPU"
    NestedTensorVE = "NestedTensorVE"
    NestedTensorLazy = "NestedTensorLazy"
    NestedTensorMeta = "NestedTensorMeta"
    NestedTensorPrivateUse1 = "NestedTensorPrivateUse1"
    NestedTensorPrivateUse2 = "NestedTensorPrivateUse2"
    NestedTensorPrivateUse3 = "NestedTensorPrivateUse3"
    AutogradCPU = "AutogradCPU"
    AutogradCUDA = "AutogradCUDA"
    AutogradHIP = "AutogradHIP"
    AutogradXLA = "AutogradXLA"
    AutogradMTIA = "AutogradMTIA"
    AutogradMPS = "AutogradMPS"
    AutogradIPU = "AutogradIPU"
    AutogradXPU = "AutogradXPU"
    AutogradHPU = "AutogradHPU"
    AutogradVE = "AutogradVE"
    AutogradLazy = "AutogradLazy"
    AutogradMeta = "AutogradMeta"
    AutogradPrivateUse1 = "AutogradPrivateUse1"
    AutogradPrivateUse2 = "AutogradPrivateUse2"
    AutogradPrivateUse3 = "AutogradPrivateUse3"

    # Keys of this tree's backends that PyTorch has not.
    _ignore_ = "_key"
    for _key in BACKEND_KEYS:
        if _key not in vars():
            vars()[_key] = _key

    def __str__(self) -> str:
        return self.value

    # Members are compared by identity; an Enum's own hash is computed in Python each time.
    __hash__ = object.__hash__

    @property
    def is_composite(self) -> bool:
        """True for the alias keys whose kernels call other operators."""
        return self.value.startswith("Composite")

    @property
    def is_structured(self) -> bool:
        """True where kernels of structured operators are generated from meta and impl."""
        return self in STRUCTURED_DISPATCH_KEYS


# The CPU, and each backend that a flag turns on and that has kernels of its own.
STRUCTURED_DISPATCH_KEYS = frozenset(
    {
        DispatchKey.CPU,
        *(DispatchKey(b.key) for b in BACKENDS.values() if b.flag and not b.kernels),
    }
)
