#include <torch/csrc/Dtype.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <string>

namespace {

struct DtypeEntry {
  c10::ScalarType type;
  const char* name;
  const char* alias;  // null where there is none
};

constexpr DtypeEntry kDtypes[] = {
    {c10::ScalarType::Byte, "uint8", nullptr},
    {c10::ScalarType::UInt16, "uint16", nullptr},
    {c10::ScalarType::UInt32, "uint32", nullptr},
    {c10::ScalarType::UInt64, "uint64", nullptr},
    {c10::ScalarType::Char, "int8", nullptr},
    {c10::ScalarType::Short, "int16", "short"},
    {c10::ScalarType::Int, "int32", "int"},
    {c10::ScalarType::Long, "int64", "long"},
    {c10::ScalarType::Half, "float16", "half"},
    {c10::ScalarType::Float, "float32", "float"},
    {c10::ScalarType::Double, "float64", "double"},
    {c10::ScalarType::ComplexFloat, "complex64", "cfloat"},
    {c10::ScalarType::ComplexDouble, "complex128", "cdouble"},
    {c10::ScalarType::Bool, "bool", nullptr},
    {c10::ScalarType::BFloat16, "bfloat16", nullptr},
};

enum class Kind { Signed, Unsigned, Floating, Complex, Quantized };

// Types that PyTorch has and no tensor here: programs compare with them, and use as an argument
// refuses (torch::unpack_dtype). Their scalar_type is Undefined.
struct AbsentDtype {
  const char* name;
  const char* alias;  // null where there is none
  size_t itemsize;
  Kind kind;
};

constexpr AbsentDtype kAbsentDtypes[] = {
    {"complex32", "chalf", 4, Kind::Complex},
    {"float8_e4m3fn", nullptr, 1, Kind::Floating},
    {"float8_e4m3fnuz", nullptr, 1, Kind::Floating},
    {"float8_e5m2", nullptr, 1, Kind::Floating},
    {"float8_e5m2fnuz", nullptr, 1, Kind::Floating},
    {"float8_e8m0fnu", nullptr, 1, Kind::Floating},
    {"float4_e2m1fn_x2", nullptr, 1, Kind::Floating},
    {"int1", nullptr, 1, Kind::Signed},
    {"int2", nullptr, 1, Kind::Signed},
    {"int3", nullptr, 1, Kind::Signed},
    {"int4", nullptr, 1, Kind::Signed},
    {"int5", nullptr, 1, Kind::Signed},
    {"int6", nullptr, 1, Kind::Signed},
    {"int7", nullptr, 1, Kind::Signed},
    {"uint1", nullptr, 1, Kind::Unsigned},
    {"uint2", nullptr, 1, Kind::Unsigned},
    {"uint3", nullptr, 1, Kind::Unsigned},
    {"uint4", nullptr, 1, Kind::Unsigned},
    {"uint5", nullptr, 1, Kind::Unsigned},
    {"uint6", nullptr, 1, Kind::Unsigned},
    {"uint7", nullptr, 1, Kind::Unsigned},
    {"bits8", nullptr, 1, Kind::Unsigned},
    {"bits16", nullptr, 2, Kind::Unsigned},
    {"bits1x8", nullptr, 1, Kind::Unsigned},
    {"bits2x4", nullptr, 1, Kind::Unsigned},
    {"bits4x2", nullptr, 1, Kind::Unsigned},
    {"qint8", nullptr, 1, Kind::Quantized},
    {"qint32", nullptr, 4, Kind::Quantized},
    {"quint8", nullptr, 1, Kind::Quantized},
    {"quint4x2", nullptr, 1, Kind::Quantized},
    {"quint2x4", nullptr, 1, Kind::Quantized},
};

PyObject* dtype_objects[c10::NumScalarTypes] = {};

c10::ScalarType type_of(PyObject* self) { return reinterpret_cast<THPDtype*>(self)->scalar_type; }

// Null for a type that tensors here have.
const AbsentDtype* absent(PyObject* self) {
  if (type_of(self) != c10::ScalarType::Undefined) return nullptr;
  for (const AbsentDtype& entry : kAbsentDtypes) {
    if (entry.name == reinterpret_cast<THPDtype*>(self)->name) return &entry;
  }
  return nullptr;
}

PyObject* THPDtype_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<THPDtype*>(self)->name);
}

PyObject* THPDtype_reduce(PyObject* self, PyObject* /*unused*/) {
  // A string makes pickle look the object up by that name in its module, torch.
  return PyUnicode_FromString(reinterpret_cast<THPDtype*>(self)->name);
}

PyObject* THPDtype_is_floating_point(PyObject* self, void* /*unused*/) {
  const AbsentDtype* entry = absent(self);
  return PyBool_FromLong(entry ? entry->kind == Kind::Floating
                               : c10::isFloatingType(type_of(self)));
}
PyObject* THPDtype_is_complex(PyObject* self, void* /*unused*/) {
  const AbsentDtype* entry = absent(self);
  return PyBool_FromLong(entry ? entry->kind == Kind::Complex : c10::isComplexType(type_of(self)));
}
PyObject* THPDtype_is_signed(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  const AbsentDtype* entry = absent(self);
  TORCH_CHECK(!entry || entry->kind != Kind::Quantized,
              "isSignedType not supported for quantized types");
  return PyBool_FromLong(entry ? entry->kind != Kind::Unsigned : c10::isSignedType(type_of(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* THPDtype_itemsize(PyObject* self, void* /*unused*/) {
  const AbsentDtype* entry = absent(self);
  return PyLong_FromSize_t(entry ? entry->itemsize : c10::elementSize(type_of(self)));
}
PyObject* THPDtype_module(PyObject* /*unused*/, void* /*unused*/) {
  return PyUnicode_FromString("torch");
}
PyObject* THPDtype_to_real(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPDtype(c10::toRealValueType(torch::unpack_dtype(self))));
  END_HANDLE_TH_ERRORS
}
PyObject* THPDtype_to_complex(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPDtype(c10::toComplexType(torch::unpack_dtype(self))));
  END_HANDLE_TH_ERRORS
}

PyGetSetDef kProperties[] = {
    {"is_floating_point", THPDtype_is_floating_point, nullptr, nullptr, nullptr},
    {"is_complex", THPDtype_is_complex, nullptr, nullptr, nullptr},
    {"is_signed", THPDtype_is_signed, nullptr, nullptr, nullptr},
    {"itemsize", THPDtype_itemsize, nullptr, nullptr, nullptr},
    {"__module__", THPDtype_module, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef kMethods[] = {
    {"__reduce__", THPDtype_reduce, METH_NOARGS, nullptr},
    {"to_real", THPDtype_to_real, METH_NOARGS, nullptr},
    {"to_complex", THPDtype_to_complex, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch.dtype";
  type.tp_basicsize = sizeof(THPDtype);
  type.tp_repr = THPDtype_repr;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_methods = kMethods;
  type.tp_getset = kProperties;
  return type;
}

}  // namespace

PyTypeObject THPDtypeType = make_type();

namespace torch {

PyObject* getTHPDtype(c10::ScalarType type) {
  PyObject* object = dtype_objects[static_cast<int>(type)];
  if (!object) throw torch::TypeError("dtype %s has no Python object", c10::toString(type));
  return object;
}

c10::ScalarType unpack_dtype(PyObject* dtype) {
  const c10::ScalarType type = type_of(dtype);
  if (C10_UNLIKELY(type == c10::ScalarType::Undefined)) {
    // The words are Python's, beside those of every other part of PyTorch that is not here.
    THPObjectPtr module(PyImport_ImportModule("torch._absent"));
    if (!module) throw python_error();
    THPObjectPtr none(PyObject_CallMethod(module.get(), "refuse_dtype", "s",
                                          reinterpret_cast<THPDtype*>(dtype)->name));
    throw python_error();
  }
  return type;
}

}  // namespace torch

namespace {

PyObject* add_dtype(PyObject* module, c10::ScalarType type, const char* name, const char* alias) {
  auto* object = PyObject_New(THPDtype, &THPDtypeType);
  if (!object) throw python_error();
  object->scalar_type = type;
  object->name = name;
  auto* dtype = reinterpret_cast<PyObject*>(object);
  PyModule_AddObjectRef(module, name, dtype);
  if (alias) PyModule_AddObjectRef(module, alias, dtype);
  return dtype;
}

}  // namespace

void THPDtype_init(PyObject* module) {
  if (PyType_Ready(&THPDtypeType) < 0) throw python_error();
  Py_INCREF(&THPDtypeType);
  PyModule_AddObject(module, "dtype", reinterpret_cast<PyObject*>(&THPDtypeType));
  for (const DtypeEntry& entry : kDtypes) {
    dtype_objects[static_cast<int>(entry.type)] =
        add_dtype(module, entry.type, entry.name, entry.alias);
  }
  for (const AbsentDtype& entry : kAbsentDtypes) {
    PyObject* dtype = add_dtype(module, c10::ScalarType::Undefined, entry.name, entry.alias);
    // float16.to_complex() is this one.
    if (entry.kind == Kind::Complex) {
      dtype_objects[static_cast<int>(c10::ScalarType::ComplexHalf)] = dtype;
    }
  }
}
