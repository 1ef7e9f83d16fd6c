#include <torch/csrc/Dtype.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/object_ptr.h>

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

PyObject* dtype_objects[c10::NumScalarTypes] = {};

c10::ScalarType type_of(PyObject* self) { return reinterpret_cast<THPDtype*>(self)->scalar_type; }

PyObject* THPDtype_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<THPDtype*>(self)->name);
}

PyObject* THPDtype_reduce(PyObject* self, PyObject* /*unused*/) {
  // A string makes pickle look the object up by that name in its module, torch.
  return PyUnicode_FromString(reinterpret_cast<THPDtype*>(self)->name);
}

PyObject* THPDtype_is_floating_point(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(c10::isFloatingType(type_of(self)));
}
PyObject* THPDtype_is_complex(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(c10::isComplexType(type_of(self)));
}
PyObject* THPDtype_is_signed(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(c10::isSignedType(type_of(self)));
}
PyObject* THPDtype_itemsize(PyObject* self, void* /*unused*/) {
  return PyLong_FromSize_t(c10::elementSize(type_of(self)));
}
PyObject* THPDtype_module(PyObject* /*unused*/, void* /*unused*/) {
  return PyUnicode_FromString("torch");
}
PyObject* THPDtype_to_real(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPDtype(c10::toRealValueType(type_of(self))));
  END_HANDLE_TH_ERRORS
}
PyObject* THPDtype_to_complex(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  const c10::ScalarType type = type_of(self);
  if (c10::isComplexType(type)) return Py_NewRef(self);
  return Py_NewRef(torch::getTHPDtype(type == c10::ScalarType::Double
                                          ? c10::ScalarType::ComplexDouble
                                          : c10::ScalarType::ComplexFloat));
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

}  // namespace torch

void THPDtype_init(PyObject* module) {
  if (PyType_Ready(&THPDtypeType) < 0) throw python_error();
  Py_INCREF(&THPDtypeType);
  PyModule_AddObject(module, "dtype", reinterpret_cast<PyObject*>(&THPDtypeType));
  for (const DtypeEntry& entry : kDtypes) {
    auto* object = PyObject_New(THPDtype, &THPDtypeType);
    if (!object) throw python_error();
    object->scalar_type = entry.type;
    object->name = entry.name;
    dtype_objects[static_cast<int>(entry.type)] = reinterpret_cast<PyObject*>(object);
    PyModule_AddObjectRef(module, entry.name, reinterpret_cast<PyObject*>(object));
    if (entry.alias)
      PyModule_AddObjectRef(module, entry.alias, reinterpret_cast<PyObject*>(object));
  }
}
