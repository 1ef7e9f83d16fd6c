"""How Python spells schema types: the one table of signatures, stubs and bindings.

`signature` is the word of the run-time parser (`kTypes` of torch/csrc/utils/python_signatures.cpp),
`stub` that of the `.pyi` files. `accessor` and `optional` are the functions of `PythonArgs`
(torch/csrc/utils/python_arg_parser.h) that convert an argument, and one that may be None. A type
without them is one of PyTorch's that this tree does not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools.codegen.model import BaseTy, BaseType, ListType, OptionalType, Type


@dataclass(frozen=True, slots=True)
class PythonType:
    """A value."""

    signature: str
    stub: str
    accessor: str | None = None
    optional: str | None = None


@dataclass(frozen=True, slots=True)
class PythonListType:
    """A list of values. `view` makes the argument of C++ from what the accessor returns."""

    signature: str
    accessor: str | None = None
    optional: str | None = None
    view: str = ""


VALUES: Mapping[BaseTy, PythonType] = {
    BaseTy.Tensor: PythonType("Tensor", "Tensor", "tensor", "optionalTensor"),
    BaseTy.Scalar: PythonType("Scalar", "Number", "scalar", "scalarOptional"),
    BaseTy.int: PythonType("int64_t", "_int", "toInt64", "toInt64Optional"),
    BaseTy.SymInt: PythonType("SymInt", "_int", "toInt64", "toInt64Optional"),
    BaseTy.DeviceIndex: PythonType("DeviceIndex", "_int", "toInt64", "toInt64Optional"),
    BaseTy.float: PythonType("double", "_float", "toDouble", "toDoubleOptional"),
    BaseTy.bool: PythonType("bool", "_bool", "toBool", "toBoolOptional"),
    BaseTy.SymBool: PythonType("bool", "_bool", "toBool", "toBoolOptional"),
    BaseTy.str: PythonType("c10::string_view", "str", "stringView", "stringViewOptional"),
    BaseTy.ScalarType: PythonType("ScalarType", "_dtype", "scalartype", "scalartypeOptional"),
    BaseTy.Layout: PythonType("Layout", "_layout", "layout", "layoutOptional"),
    BaseTy.Device: PythonType("Device", "_DeviceLike", "device", "deviceOptional"),
    BaseTy.MemoryFormat: PythonType(
        "MemoryFormat", "memory_format", "memoryformat", "memoryformatOptional"
    ),
    BaseTy.Generator: PythonType("Generator", "Generator", "generator", "generator"),
    BaseTy.Dimname: PythonType("Dimname", "str | None"),
    BaseTy.QScheme: PythonType("QScheme", "Any"),
    BaseTy.Storage: PythonType("Storage", "Any"),
    BaseTy.Stream: PythonType("Stream", "Any"),
}
LISTS: Mapping[BaseTy, PythonListType] = {
    BaseTy.Tensor: PythonListType("TensorList", "tensorlist", view="at::TensorList"),
    BaseTy.int: PythonListType("IntArrayRef", "intlist", "intlistOptional", "as_int_array_ref"),
    BaseTy.SymInt: PythonListType(
        "SymIntArrayRef", "intlist", "intlistOptional", "as_int_array_ref"
    ),
    BaseTy.float: PythonListType(
        "ArrayRef<double>", "doublelist", "doublelistOptional", "as_double_array_ref"
    ),
    BaseTy.Scalar: PythonListType(
        "ArrayRef<Scalar>", "scalarlist", view="at::ArrayRef<c10::Scalar>"
    ),
    BaseTy.bool: PythonListType("ArrayRef<bool>"),
    BaseTy.Dimname: PythonListType("DimnameList"),
    BaseTy.str: PythonListType("ArrayRef<c10::string_view>"),
}
# The arguments of a factory that PyTorch gathers into TensorOptions.
OPTIONS: Mapping[str, BaseTy] = {
    "dtype": BaseTy.ScalarType,
    "layout": BaseTy.Layout,
    "device": BaseTy.Device,
    "pin_memory": BaseTy.bool,
    "requires_grad": BaseTy.bool,
}


def is_absent(type_: Type) -> bool:
    """Whether no operator of this tree can take an argument of the type."""
    optional = isinstance(type_, OptionalType)
    if isinstance(type_, OptionalType):
        type_ = type_.elem
    row: PythonType | PythonListType
    if isinstance(type_, ListType):
        elem = type_.elem
        if not isinstance(elem, BaseType) or (elem.name is BaseTy.bool and type_.size is not None):
            return False  # Tensor?[] and bool[N] have accessors of their own.
        row = LISTS[elem.name]
    else:
        # Others have no binding.
        if not isinstance(type_, BaseType) or type_.name not in VALUES:
            return False
        row = VALUES[type_.name]
    return (row.optional if optional else row.accessor) is None
