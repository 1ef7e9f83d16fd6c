"""The operator model: what one entry of native_functions.yaml means.

Names follow torchgen.model, so that people who know PyTorch's generator find their way. Everything
is an immutable value. Nothing here reads files: `parse.py` builds these values and reports errors,
`api/` spells them in C++.

What an emitter usually needs:

* `FunctionSchema` (`f.func`): `name` (`OperatorName`: `.name.base`, `.name.inplace`,
  `.overload_name`, `unambiguous_name()` -> ``add_Tensor``), `arguments` (`Arguments`), `returns`
  (tuple of `Return`), `kind()` (`SchemaKind`), `modifies_arguments()`, `is_out_fn()`,
  `aliased_return_names()`, `signature()` (what functional, in-place and out variants share) and
  `str(f.func)`, which is the text of the YAML again.
* `Arguments`: `flat_all`, `flat_positional`, `flat_kwarg_only`, `flat_non_out` (tuples of
  `Argument`, schema order), `out`, `self_arg`, `tensor_options` (`TensorOptionsArguments`, set when
  the schema has dtype, layout, device and pin_memory together), and `all`, `positional`,
  `kwarg_only` where self and the options are single items.
* `Argument`: `name`, `type` (`BaseType`, `OptionalType`, `ListType`), `default` (schema text or
  None), `annotation` (aliasing, or None), `is_write`.
* `Type`: `is_base_ty_like(BaseTy.Tensor)` looks through optional and list, `is_tensor_like()`,
  `is_nullable()`, `is_list_like()`.
* `NativeFunction`: `func`, `variants`, `dispatch`, `structured`, `structured_delegate`, `tags`,
  `python_module`, `manual_cpp_binding`, `is_view_op`, `root_name` (base name: the stem of the
  per-operator headers and the key of every shard).
* `NativeFunctionsGroup`: the functional, in-place, out (and mutable) variants of one signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache

from tools.codegen.schema_error import SchemaError

__all__ = [
    "Annotation",
    "Argument",
    "Arguments",
    "BackendMetadata",
    "BaseOperatorName",
    "BaseTy",
    "BaseType",
    "CustomClassType",
    "DeviceCheckType",
    "DispatchKey",
    "FunctionSchema",
    "ListType",
    "Location",
    "NativeFunction",
    "NativeFunctionsGroup",
    "OperatorName",
    "OptionalType",
    "Precompute",
    "Return",
    "SchemaKind",
    "SelfArgument",
    "Tag",
    "TensorOptionsArguments",
    "Type",
    "UfuncInnerLoop",
    "UfuncKey",
    "Variant",
    "by_signature",
    "group_functions",
]

# The value of a tag is checked against tags.yaml by the parser, not by a type.
Tag = str


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


STRUCTURED_DISPATCH_KEYS = frozenset(
    {DispatchKey.CPU, DispatchKey.CUDA, DispatchKey.MPS, DispatchKey.XPU, DispatchKey.MTIA}
)


class BaseTy(Enum):
    """The atomic types of the schema language."""

    Generator = "Generator"
    ScalarType = "ScalarType"
    Tensor = "Tensor"
    int = "int"
    Dimname = "Dimname"
    DimVector = "DimVector"
    float = "float"
    str = "str"
    bool = "bool"
    Layout = "Layout"
    Device = "Device"
    DeviceIndex = "DeviceIndex"
    Scalar = "Scalar"
    MemoryFormat = "MemoryFormat"
    QScheme = "QScheme"
    Storage = "Storage"
    Stream = "Stream"
    SymInt = "SymInt"
    SymBool = "SymBool"
    GraphModule = "GraphModule"

    __hash__ = object.__hash__


_BASE_TYPES: Mapping[str, BaseTy] = {t.value: t for t in BaseTy}


class Type:
    """A schema type; the concrete ones are `BaseType`, `OptionalType`, `ListType`."""

    __slots__ = ()

    @staticmethod
    def parse(text: str) -> Type:
        """The type written as `text`, without aliasing annotation."""
        return _parse_type(text)

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        """True if this is `base_ty`, or an optional or a list of it."""
        raise NotImplementedError

    def is_tensor_like(self) -> bool:
        """True for Tensor, Tensor?, Tensor[], Tensor?[]."""
        return self.is_base_ty_like(BaseTy.Tensor)

    def is_generator_like(self) -> bool:
        """True for Generator and Generator?."""
        return self.is_base_ty_like(BaseTy.Generator)

    def is_symint_like(self) -> bool:
        """True for SymInt in any form."""
        return self.is_base_ty_like(BaseTy.SymInt)

    def is_nullable(self) -> bool:
        """True if None is a value."""
        return False

    def is_list_like(self) -> ListType | None:
        """The list inside this type, if it is a list or an optional list."""
        return None


@dataclass(frozen=True, slots=True)
class BaseType(Type):
    """An atomic type."""

    name: BaseTy

    def __str__(self) -> str:
        return self.name.value

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.name is base_ty


@dataclass(frozen=True, slots=True)
class CustomClassType(Type):
    """A TorchScript class, `__torch__.torch.classes.ns.Name`."""

    class_name: str

    def __str__(self) -> str:
        return f"__torch__.torch.classes.{self.class_name}"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class OptionalType(Type):
    """`T?`."""

    elem: Type

    def __str__(self) -> str:
        return f"{self.elem}?"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return True

    def is_list_like(self) -> ListType | None:
        return self.elem.is_list_like()


@dataclass(frozen=True, slots=True)
class ListType(Type):
    """`T[]` or `T[N]`; with a size, one value stands for N equal ones."""

    elem: Type
    size: int | None = None

    def __str__(self) -> str:
        return f"{self.elem}[{'' if self.size is None else self.size}]"

    def is_base_ty_like(self, base_ty: BaseTy) -> bool:
        return self.elem.is_base_ty_like(base_ty)

    def is_nullable(self) -> bool:
        return self.elem.is_nullable()

    def is_list_like(self) -> ListType | None:
        return self


@dataclass(frozen=True, slots=True)
class Annotation:
    """Aliasing: `(a)` may view, `(a!)` is written, `(a -> *)` enters every set."""

    alias_set: tuple[str, ...]
    is_write: bool
    alias_set_after: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> Annotation:
        """The annotation inside the parentheses."""
        before, arrow, after = text.partition(" -> ")
        is_write = before.endswith("!")
        names = tuple(n.strip() for n in before.rstrip("!").split("|"))
        for name in names:
            if not name.isidentifier() and name != "*":
                raise SchemaError(f"expected an alias set such as 'a' or 'a!', got '{text}'", text)
        return Annotation(names, is_write, tuple(after.split("|")) if arrow else ())

    def __str__(self) -> str:
        text = "|".join(self.alias_set) + ("!" if self.is_write else "")
        return f"{text} -> {'|'.join(self.alias_set_after)}" if self.alias_set_after else text


def _annotated(type_: Type, annotation: Annotation | None) -> str:
    """The type's text with the annotation after the word Tensor."""
    text = str(type_)
    return text if annotation is None else text.replace("Tensor", f"Tensor({annotation})", 1)


def _read_word(text: str, at: int) -> int:
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] in "_."):
        end += 1
    return end


def _scan_type(text: str, at: int) -> tuple[Type, Annotation | None, int]:
    """Reads a type with its annotation at `text[at:]`; the offset behind it comes last."""
    end = _read_word(text, at)
    word = text[at:end]
    base = _BASE_TYPES.get(word)
    type_: Type
    if base is not None:
        type_ = BaseType(base)
    elif word.startswith("__torch__.torch.classes."):
        type_ = CustomClassType(word.removeprefix("__torch__.torch.classes."))
    else:
        from tools.codegen.schema_error import nearest

        what = f"unknown type '{word}'" if word else "expected a type"
        raise SchemaError(what + nearest(word, _BASE_TYPES), text, at)
    annotation = None
    at = end
    while at < len(text):
        char = text[at]
        if char == "?":
            type_ = OptionalType(type_)
            at += 1
        elif char == "[":
            close = text.find("]", at)
            if close < 0:
                raise SchemaError("expected ']' after '['", text, at)
            size = text[at + 1 : close]
            if size and not size.isdecimal():
                raise SchemaError(f"expected a list size, got '{size}'", text, at + 1)
            type_ = ListType(type_, int(size) if size else None)
            at = close + 1
        elif char == "(" and annotation is None:
            close = text.find(")", at)
            if close < 0:
                raise SchemaError("expected ')' after the alias set", text, at)
            try:
                annotation = Annotation.parse(text[at + 1 : close])
            except SchemaError as error:
                raise SchemaError(error.message, text, at + 1) from None
            at = close + 1
        else:
            break
    return type_, annotation, at


@cache
def _parse_type(text: str) -> Type:
    type_, annotation, end = _scan_type(text, 0)
    if end != len(text) or annotation is not None:
        raise SchemaError(f"unexpected '{text[end:]}' after the type", text, end)
    return type_


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: type, name, default (schema text), aliasing."""

    name: str
    type: Type
    default: str | None = None
    annotation: Annotation | None = None
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Kept: arguments are keys of what is known of them.
        object.__setattr__(
            self, "_hash", hash((self.name, self.type, self.default, self.annotation))
        )

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> Argument:
        """Reads `Tensor(a!)? self=None`."""
        return _parse_argument(text)

    @property
    def alias_info(self) -> Annotation | None:
        """The annotation under torchgen's other name for it."""
        return self.annotation

    @property
    def is_write(self) -> bool:
        """True if the operator writes to this argument."""
        return self.annotation is not None and self.annotation.is_write

    def __str__(self) -> str:
        text = f"{_annotated(self.type, self.annotation)} {self.name}"
        return text if self.default is None else f"{text}={self.default}"


@cache
def _parse_argument(text: str) -> Argument:
    type_, annotation, at = _scan_type(text, 0)
    if at >= len(text) or text[at] != " ":
        raise SchemaError("expected a space and an argument name after the type", text, at)
    end = _read_word(text, at + 1)
    name = text[at + 1 : end]
    if not name.isidentifier():
        raise SchemaError("expected an argument name", text, at + 1)
    if end == len(text):
        return Argument(name, type_, None, annotation)
    if text[end] != "=" or end + 1 == len(text):
        raise SchemaError("expected '=' and a default value, or ','", text, end)
    return Argument(name, type_, text[end + 1 :], annotation)


@dataclass(frozen=True, slots=True)
class Return:
    """One return value; the name is optional."""

    name: str | None
    type: Type
    annotation: Annotation | None = None

    @staticmethod
    def parse(text: str) -> Return:
        """Reads `Tensor(a!) out`."""
        return _parse_return(text)

    @property
    def alias_info(self) -> Annotation | None:
        """The annotation under torchgen's other name for it."""
        return self.annotation

    @property
    def is_write(self) -> bool:
        """True if this is an argument that was written to."""
        return self.annotation is not None and self.annotation.is_write

    def __str__(self) -> str:
        text = _annotated(self.type, self.annotation)
        return text if self.name is None else f"{text} {self.name}"


@cache
def _parse_return(text: str) -> Return:
    type_, annotation, at = _scan_type(text, 0)
    if at == len(text):
        return Return(None, type_, annotation)
    name = text[at + 1 :]
    if text[at] != " " or not name.isidentifier():
        raise SchemaError("expected the end or a return name", text, at)
    return Return(name, type_, annotation)


@dataclass(frozen=True, slots=True)
class SelfArgument:
    """The argument a method is called on."""

    argument: Argument


@dataclass(frozen=True, slots=True)
class TensorOptionsArguments:
    """dtype, layout, device, pin_memory: one `TensorOptions` in convenient C++ signatures."""

    dtype: Argument
    layout: Argument
    device: Argument
    pin_memory: Argument

    def all(self) -> tuple[Argument, ...]:
        """The four, in schema order."""
        return (self.dtype, self.layout, self.device, self.pin_memory)


_TENSOR_OPTIONS = (
    ("dtype", BaseTy.ScalarType),
    ("layout", BaseTy.Layout),
    ("device", BaseTy.Device),
    ("pin_memory", BaseTy.bool),
)


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a schema, split the way C++ wants them."""

    pre_self_positional: tuple[Argument, ...]
    self_arg: SelfArgument | None
    post_self_positional: tuple[Argument, ...]
    pre_tensor_options_kwarg_only: tuple[Argument, ...]
    tensor_options: TensorOptionsArguments | None
    post_tensor_options_kwarg_only: tuple[Argument, ...]
    out: tuple[Argument, ...]

    @staticmethod
    def make(
        positional: Iterable[Argument], kwarg_only: Iterable[Argument], out: Iterable[Argument]
    ) -> Arguments:
        """Finds self and the tensor options in plain lists."""
        positional, kwarg_only = tuple(positional), tuple(kwarg_only)
        pre_self: tuple[Argument, ...] = ()
        self_arg = None
        rest = positional
        for i, arg in enumerate(positional):
            if arg.name == "self":
                pre_self, self_arg, rest = positional[:i], SelfArgument(arg), positional[i + 1 :]
                break
        options = None
        before = kwarg_only
        after: tuple[Argument, ...] = ()
        for i, arg in enumerate(kwarg_only):
            four = kwarg_only[i : i + 4]
            if (
                arg.name == "dtype"
                and len(four) == 4
                and all(
                    a.name == name and a.type.is_base_ty_like(ty)
                    for a, (name, ty) in zip(four, _TENSOR_OPTIONS, strict=True)
                )
            ):
                options = TensorOptionsArguments(*four)
                before, after = kwarg_only[:i], kwarg_only[i + 4 :]
                break
        return Arguments(pre_self, self_arg, rest, before, options, after, tuple(out))

    @staticmethod
    def parse(text: str) -> Arguments:
        """Reads what stands between the parentheses of a schema."""
        positional: list[Argument] = []
        kwarg_only: list[Argument] = []
        out: list[Argument] = []
        target = positional
        seen: set[str] = set()
        for piece in _split_arguments(text):
            if piece == "*":
                if target is not positional:
                    raise SchemaError("'*' appears twice", text, text.rfind("*"))
                target = kwarg_only
                continue
            arg = _parse_argument(piece)
            if arg.name in seen:
                raise SchemaError(f"two arguments are named '{arg.name}'", piece)
            seen.add(arg.name)
            if arg.is_write and target is not positional:
                out.append(arg)
            elif out:
                raise SchemaError(f"'{arg.name}' stands after the out arguments", piece)
            else:
                target.append(arg)
        return Arguments.make(positional, kwarg_only, out)

    @property
    def flat_positional(self) -> tuple[Argument, ...]:
        """Positional arguments, self in its place."""
        self_ = () if self.self_arg is None else (self.self_arg.argument,)
        return self.pre_self_positional + self_ + self.post_self_positional

    @property
    def flat_kwarg_only(self) -> tuple[Argument, ...]:
        """Keyword-only arguments without out."""
        options = () if self.tensor_options is None else self.tensor_options.all()
        return self.pre_tensor_options_kwarg_only + options + self.post_tensor_options_kwarg_only

    @property
    def flat_non_out(self) -> tuple[Argument, ...]:
        """Everything but out."""
        return self.flat_positional + self.flat_kwarg_only

    @property
    def flat_all(self) -> tuple[Argument, ...]:
        """Everything, in schema order."""
        return self.flat_positional + self.flat_kwarg_only + self.out

    @property
    def positional(self) -> tuple[Argument | SelfArgument, ...]:
        """Positional arguments with self marked."""
        self_ = () if self.self_arg is None else (self.self_arg,)
        return self.pre_self_positional + self_ + self.post_self_positional

    @property
    def kwarg_only(self) -> tuple[Argument | TensorOptionsArguments, ...]:
        """Keyword-only arguments with the options as one item."""
        options = () if self.tensor_options is None else (self.tensor_options,)
        return self.pre_tensor_options_kwarg_only + options + self.post_tensor_options_kwarg_only

    @property
    def non_out(self) -> tuple[Argument | SelfArgument | TensorOptionsArguments, ...]:
        """`positional` then `kwarg_only`."""
        return self.positional + self.kwarg_only

    @property
    def all(self) -> tuple[Argument | SelfArgument | TensorOptionsArguments, ...]:
        """`non_out` then out."""
        return self.positional + self.kwarg_only + self.out

    @property
    def has_tensor_arg(self) -> bool:
        """True if a non-out argument is tensor-like."""
        return any(a.type.is_tensor_like() for a in self.flat_non_out)

    @property
    def has_generator_arg(self) -> bool:
        """True if a non-out argument is a generator."""
        return any(a.type.is_generator_like() for a in self.flat_non_out)

    @property
    def has_symint_arg(self) -> bool:
        """True if a non-out argument is SymInt in any form."""
        return any(a.type.is_symint_like() for a in self.flat_non_out)

    @property
    def mutable_arg_names(self) -> list[str]:
        """Names of the arguments that are written to."""
        return [a.name for a in self.flat_all if a.is_write]

    def signature(self, *, keep_defaults: bool = False) -> Arguments:
        """What the variants of one operator have in common: types and names.

        No aliasing, no out, and no tensor options: with out= the tensor has them.
        """

        def strip(args: tuple[Argument, ...]) -> tuple[Argument, ...]:
            return tuple(
                a
                if a.annotation is None and (keep_defaults or a.default is None)
                else Argument(a.name, a.type, a.default if keep_defaults else None)
                for a in args
            )

        self_arg = self.self_arg
        if self_arg is not None:
            self_arg = SelfArgument(strip((self_arg.argument,))[0])
        return Arguments(
            strip(self.pre_self_positional),
            self_arg,
            strip(self.post_self_positional),
            strip(self.pre_tensor_options_kwarg_only),
            None,
            strip(self.post_tensor_options_kwarg_only),
            (),
        )

    def __str__(self) -> str:
        pieces = [str(a) for a in self.flat_positional]
        keywords = self.flat_kwarg_only + self.out
        if keywords:
            pieces.append("*")
            pieces += [str(a) for a in keywords]
        return ", ".join(pieces)


_COMMA_IN_BRACKETS = re.compile(r"\[[^\]]*, ")


def _split_arguments(text: str) -> list[str]:
    """Splits at `, `, but not inside quotes or brackets."""
    if '"' not in text and "'" not in text and not _COMMA_IN_BRACKETS.search(text):
        return text.split(", ") if text else []
    pieces: list[str] = []
    start = 0
    quote = ""
    depth = 0
    i = 0
    while i < len(text):
        char = text[i]
        if quote:
            if char == "\\":
                i += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "[]":
            depth += 1 if char == "[" else -1
        elif char == "," and depth == 0 and text.startswith(", ", i):
            pieces.append(text[start:i])
            start = i + 2
        i += 1
    if quote:
        raise SchemaError(f"a string that starts with {quote} does not end", text, len(text))
    pieces.append(text[start:])
    return pieces


AUGMENTED_ASSIGNMENT_NAMES = frozenset(
    {"add", "sub", "mul", "div", "mod", "pow", "lshift", "rshift", "and", "xor", "or"}
)


@dataclass(frozen=True, slots=True)
class BaseOperatorName:
    """The name before the dot: `add`, `add_`, `__iand__`, `_batch_norm_functional`."""

    base: str
    inplace: bool = False
    dunder_method: bool = False
    functional_overload: bool = False

    @staticmethod
    def parse(text: str) -> BaseOperatorName:
        """Splits off the marks of in-place and dunder names."""
        if not text.isidentifier():
            raise SchemaError(f"'{text}' is not an operator name", text)
        if text.startswith("__") and text.endswith("__") and len(text) > 4:
            word = text[2:-2]
            if word.startswith("i") and word[1:] in AUGMENTED_ASSIGNMENT_NAMES:
                return BaseOperatorName(word[1:], inplace=True, dunder_method=True)
            return BaseOperatorName(word, dunder_method=True)
        functional = "_functional" in text and text.endswith("_functional")
        if functional:
            return BaseOperatorName(text.removesuffix("_functional"), functional_overload=True)
        if text.endswith("_"):
            return BaseOperatorName(text[:-1], inplace=True)
        return BaseOperatorName(text)

    def __str__(self) -> str:
        if self.dunder_method:
            return f"__{'i' if self.inplace else ''}{self.base}__"
        suffix = "_functional" if self.functional_overload else ""
        return f"{self.base}{suffix}{'_' if self.inplace else ''}"


@dataclass(frozen=True, slots=True)
class OperatorName:
    """`name` or `name.overload`."""

    name: BaseOperatorName
    overload_name: str = ""
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Kept: names are keys of most tables.
        object.__setattr__(self, "_hash", hash((self.name, self.overload_name)))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> OperatorName:
        """Reads `add_.Tensor`."""
        base, dot, overload = text.partition(".")
        if dot and not overload.isidentifier():
            raise SchemaError("expected an overload name after '.'", text, len(base) + 1)
        return OperatorName(BaseOperatorName.parse(base), overload)

    def unambiguous_name(self) -> str:
        """A C++ identifier that no other operator has: `add__Tensor`."""
        return f"{self.name}_{self.overload_name}" if self.overload_name else str(self.name)

    def remove_inplace(self) -> OperatorName:
        """The name of the functional variant."""
        return OperatorName(replace(self.name, inplace=False), self.overload_name)

    def with_overload(self, overload: str) -> OperatorName:
        """The same operator, another overload."""
        return OperatorName(self.name, overload)

    def __str__(self) -> str:
        return f"{self.name}.{self.overload_name}" if self.overload_name else str(self.name)


@dataclass(frozen=True, slots=True)
class FunctionSchema:
    """`name.overload(arguments) -> returns`."""

    name: OperatorName
    arguments: Arguments
    returns: tuple[Return, ...]
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.name, self.arguments, self.returns)))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def parse(text: str) -> FunctionSchema:
        """Reads a schema; raises `SchemaError` with the place that is wrong."""
        opening = text.find("(")
        if opening < 0:
            raise SchemaError("expected '(' after the operator name", text, len(text))
        name = OperatorName.parse(text[:opening])
        closing = text.rfind(") -> ")
        if closing < opening:
            raise SchemaError("expected ') -> ' and the return types", text, len(text))
        arguments = Arguments.parse(text[opening + 1 : closing])
        tail = text[closing + 5 :]
        if tail.startswith("(") and tail.endswith(")"):
            inner = tail[1:-1]
            returns = tuple(_parse_return(piece) for piece in inner.split(", ")) if inner else ()
        else:
            returns = (_parse_return(tail),)
        schema = FunctionSchema(name, arguments, returns)
        schema.check()
        return schema

    def check(self) -> None:
        """Raises `SchemaError` for a schema whose parts contradict each other."""
        out = self.arguments.out
        if out:
            if self.returns and len(self.returns) != len(out):
                raise SchemaError(
                    f"an out function returns its {len(out)} out arguments or nothing, "
                    f"not {len(self.returns)} values"
                )
            for arg, ret in zip(out, self.returns, strict=False):
                if ret.annotation != arg.annotation:
                    raise SchemaError(
                        f"out argument '{arg.name}' and its return differ in aliasing: "
                        f"({arg.annotation}) and ({ret.annotation})",
                        str(arg),
                    )
        if self.name.name.inplace:
            self_arg = self.arguments.self_arg
            if self_arg is None or not (
                self_arg.argument.is_write or self_arg.argument.type.is_list_like()
            ):
                raise SchemaError("an in-place operator writes to 'self': Tensor(a!) self", "self")

    def kind(self) -> SchemaKind:
        """Which variant this is."""
        if self.arguments.out:
            is_scratch = any(a.name.startswith("_scratch_") for a in self.arguments.out)
            return SchemaKind.scratch if is_scratch else SchemaKind.out
        if self.name.name.inplace:
            return SchemaKind.inplace
        if any(a.is_write for a in self.arguments.flat_positional):
            return SchemaKind.mutable
        return SchemaKind.functional

    def is_out_fn(self) -> bool:
        """True if there are out arguments."""
        return bool(self.arguments.out)

    def is_functional_fn(self) -> bool:
        """True for names marked `_functional`."""
        return self.name.name.functional_overload

    def is_mutable(self) -> bool:
        """True if an argument is written to."""
        return any(a.is_write for a in self.arguments.flat_all)

    def modifies_arguments(self) -> bool:
        """True for in-place, out and mutable functions."""
        return self.kind() is not SchemaKind.functional

    @property
    def returns_are_aliased(self) -> bool:
        """True if a return may share memory with an argument."""
        return any(r.annotation is not None for r in self.returns)

    def has_symint(self) -> bool:
        """True if an argument or return is SymInt in any form."""
        return self.arguments.has_symint_arg or any(r.type.is_symint_like() for r in self.returns)

    def aliased_return_names(self) -> list[str | None]:
        """For each return, the argument it is, when it is one that was written to."""
        names: list[str | None] = []
        for ret in self.returns:
            match = [
                a.name
                for a in self.arguments.flat_all
                if a.annotation is not None and a.annotation == ret.annotation
            ]
            names.append(match[0] if len(match) == 1 else None)
        return names

    def signature(self, *, keep_names_and_defaults: bool = False) -> FunctionSchema:
        """What the variants of one operator share: names without in-place and out, no defaults.

        An argument that is written to and not returned counts as a return, the last one.
        """
        keep = keep_names_and_defaults
        arguments = self.arguments
        written = arguments.out + arguments.post_self_positional
        if arguments.self_arg is not None:
            written = (arguments.self_arg.argument, *written)
        returned = {r.annotation for r in self.returns}
        returns = tuple(Return(r.name if keep else None, r.type) for r in self.returns) + tuple(
            Return(f"{a.name}_out" if keep else None, a.type)
            for a in written
            if a.is_write and a.annotation not in returned
        )
        name = self.name.name
        base = BaseOperatorName(name.base, dunder_method=name.dunder_method)
        return FunctionSchema(OperatorName(base), arguments.signature(keep_defaults=keep), returns)

    def with_name(self, name: OperatorName) -> FunctionSchema:
        """The same schema under another name."""
        return replace(self, name=name)

    def __str__(self) -> str:
        return _schema_text(self)


@cache
def _schema_text(func: FunctionSchema) -> str:
    if len(func.returns) == 1:
        returns = str(func.returns[0])
    else:
        returns = f"({', '.join(map(str, func.returns))})"
    return f"{func.name}({func.arguments}) -> {returns}"


@dataclass(frozen=True, slots=True)
class BackendMetadata:
    """The kernel of one operator at one dispatch key."""

    kernel: str
    structured: bool = False
    cpp_namespace: str = "at::native"


@dataclass(frozen=True, slots=True)
class UfuncInnerLoop:
    """`Generic: add (AllAndComplex, BFloat16)`: a scalar function and the types it covers."""

    name: str
    key: UfuncKey
    supported_dtypes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Precompute:
    """Arguments a meta function replaces by values it has computed.

    `replace` maps the argument to what stands in its place; `add` comes behind all arguments.
    """

    replace: Mapping[str, tuple[Argument, ...]]
    add: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class NativeFunction:
    """One entry of native_functions.yaml."""

    func: FunctionSchema
    loc: Location = field(compare=False)
    namespace: str = "aten"
    variants: frozenset[Variant] = frozenset({Variant.function})
    dispatch: Mapping[DispatchKey, BackendMetadata] = field(default_factory=dict)
    tags: frozenset[Tag] = frozenset()
    structured: bool = False
    structured_delegate: OperatorName | None = None
    structured_inherits: str | None = None
    precomputed: Precompute | None = None
    ufunc_inner_loop: Mapping[UfuncKey, UfuncInnerLoop] = field(default_factory=dict)
    autogen: tuple[OperatorName, ...] = ()
    # For a variant that `autogen` asked for: the function its kernel calls.
    generated_from: OperatorName | None = None
    device_guard: bool = True
    device_check: DeviceCheckType = DeviceCheckType.ExactSame
    python_module: str | None = None
    category_override: str | None = None
    cpp_no_default_args: frozenset[str] = frozenset()
    use_const_ref_for_mutable_tensors: bool = False
    manual_kernel_registration: bool = False
    manual_cpp_binding: bool = False

    @property
    def root_name(self) -> str:
        """The base name: stem of the per-operator headers, key of every shard."""
        return self.func.name.name.base

    @property
    def is_view_op(self) -> bool:
        """True if a return views an argument that is not written to."""
        # Resizing changes the storage too: its functional form is a copy.
        resizes = self.func.name.name.base in ("resize", "resize_as")
        inplace_view = "inplace_view" in self.tags and not resizes
        is_non_mutating_view = any(
            r.annotation is not None and not r.is_write for r in self.func.returns
        )
        is_wildcard = any(
            a.annotation is not None and "*" in a.annotation.alias_set_after
            for a in self.func.arguments.flat_all
        )
        return is_non_mutating_view or inplace_view or is_wildcard

    @property
    def has_composite_implicit_autograd_kernel(self) -> bool:
        """True if autograd comes from the operators the kernel calls."""
        return DispatchKey.CompositeImplicitAutograd in self.dispatch

    @property
    def has_composite_explicit_autograd_kernel(self) -> bool:
        """True if one kernel serves every backend but derivatives are written by hand."""
        return DispatchKey.CompositeExplicitAutograd in self.dispatch

    @property
    def has_composite_explicit_autograd_non_functional_kernel(self) -> bool:
        """True for composite kernels that call in-place or view operators."""
        return DispatchKey.CompositeExplicitAutogradNonFunctional in self.dispatch

    @property
    def has_composite_kernel(self) -> bool:
        """True if any composite key has a kernel."""
        return any(key.is_composite for key in self.dispatch)

    @property
    def part_of_structured_group(self) -> bool:
        """True for structured operators and those that delegate to one."""
        return self.structured or self.structured_delegate is not None


@dataclass(frozen=True, slots=True)
class NativeFunctionsGroup:
    """The variants of one signature: functional, in-place, out, mutable."""

    functional: NativeFunction
    inplace: NativeFunction | None
    mutable: NativeFunction | None
    out: NativeFunction

    @property
    def structured(self) -> bool:
        """True if the out variant holds the kernel and the others are generated from it."""
        return self.out.structured

    def functions(self) -> Iterator[NativeFunction]:
        """The variants that exist, functional first."""
        for f in (self.functional, self.inplace, self.mutable, self.out):
            if f is not None:
                yield f

    @property
    def signature(self) -> FunctionSchema:
        """The shared signature."""
        return self.out.func.signature()

    @property
    def root_name(self) -> str:
        """Base name of the functional variant."""
        return self.functional.root_name


def by_signature(
    functions: Iterable[NativeFunction],
    signature: Callable[[NativeFunction], FunctionSchema] = lambda f: f.func.signature(),
) -> list[dict[SchemaKind, list[NativeFunction]]]:
    """The functions that share a signature, by kind, in the order of their first members."""
    by_name: dict[BaseOperatorName, list[NativeFunction]] = {}
    for f in functions:
        name = f.func.name.name
        by_name.setdefault(BaseOperatorName(name.base, False, name.dunder_method), []).append(f)
    result: dict[tuple[BaseOperatorName, FunctionSchema | None], _Kinds] = {}
    for f in functions:
        name = f.func.name.name
        key = BaseOperatorName(name.base, False, name.dunder_method)
        # Signatures take time: an operator alone with its name needs none.
        shared = signature(f) if len(by_name[key]) > 1 else None
        result.setdefault((key, shared), {}).setdefault(f.func.kind(), []).append(f)
    return list(result.values())


def group_functions(
    functions: Iterable[NativeFunction],
    signature: Callable[[NativeFunction], FunctionSchema] = lambda f: f.func.signature(),
) -> list[NativeFunction | NativeFunctionsGroup]:
    """Groups functions that share a signature and have at least a functional and an out variant.

    The order is that of the first member of each group.
    """
    result: list[NativeFunction | NativeFunctionsGroup] = []
    for kinds in by_signature(functions, signature):
        first = {kind: fs[0] for kind, fs in kinds.items()}
        if SchemaKind.functional in first and SchemaKind.out in first:
            group = NativeFunctionsGroup(
                first[SchemaKind.functional],
                first.get(SchemaKind.inplace),
                first.get(SchemaKind.mutable),
                first[SchemaKind.out],
            )
            result.append(group)
            member = set(map(id, group.functions()))
            result += [f for fs in kinds.values() for f in fs if id(f) not in member]
        else:
            result += [f for fs in kinds.values() for f in fs]
    return result


_Kinds = dict[SchemaKind, list[NativeFunction]]
