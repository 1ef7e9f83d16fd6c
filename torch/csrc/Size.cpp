#include <torch/csrc/Size.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>

#include <string>

namespace {

PyObject* THPSize_pynew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  THPObjectPtr self(PyTuple_Type.tp_new(type, args, kwargs));
  if (!self) throw python_error();
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self.get()); ++i) {
    PyObject* item = PyTuple_GET_ITEM(self.get(), i);
    if (PyLong_Check(item)) continue;
    THPObjectPtr number(PyNumber_Index(item));
    if (!number) {
      PyErr_Clear();
      throw torch::TypeError("torch.Size() takes an iterable of 'int' (item %zd is '%s')", i,
                             Py_TYPE(item)->tp_name);
    }
    PyTuple_SET_ITEM(self.get(), i, number.release());
    Py_DECREF(item);
  }
  return self.release();
  END_HANDLE_TH_ERRORS
}

PyObject* THPSize_repr(PyObject* self) {
  HANDLE_TH_ERRORS
  std::string text = "torch.Size([";
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(PyLong_AsLongLong(PyTuple_GET_ITEM(self, i)));
  }
  return THPUtils_packString(text + "])");
  END_HANDLE_TH_ERRORS
}

// Makes a Size of the tuple that the base type's slot returned; steals it.
PyObject* as_size(PyObject* result) {
  HANDLE_TH_ERRORS
  THPObjectPtr owner(result);
  if (!result || !PyTuple_CheckExact(result)) return owner.release();
  return PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&THPSizeType), result, nullptr);
  END_HANDLE_TH_ERRORS
}

PyObject* THPSize_concat(PyObject* a, PyObject* b) {
  return as_size(PyTuple_Type.tp_as_sequence->sq_concat(a, b));
}
// `tuple + Size`: Python asks the subclass first.
PyObject* THPSize_add(PyObject* a, PyObject* b) {
  if (!PyTuple_Check(a) || !PyTuple_Check(b)) Py_RETURN_NOTIMPLEMENTED;
  return THPSize_concat(a, b);
}
PyObject* THPSize_repeat(PyObject* a, Py_ssize_t n) {
  return as_size(PyTuple_Type.tp_as_sequence->sq_repeat(a, n));
}
PyObject* THPSize_subscript(PyObject* a, PyObject* index) {
  return as_size(PyTuple_Type.tp_as_mapping->mp_subscript(a, index));
}

PyObject* THPSize_numel(PyObject* self, PyObject* /*unused*/) {
  int64_t numel = 1;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i) {
    numel *= PyLong_AsLongLong(PyTuple_GET_ITEM(self, i));
  }
  return THPUtils_packInt64(numel);
}

PyObject* THPSize_reduce(PyObject* self, PyObject* /*unused*/) {
  THPObjectPtr list(PySequence_List(self));
  if (!list) return nullptr;
  return Py_BuildValue("(O(O))", &THPSizeType, list.get());
}

PySequenceMethods kSequence = {};
PyMappingMethods kMapping = {};
PyNumberMethods kNumber = {};

PyMethodDef kMethods[] = {
    {"numel", THPSize_numel, METH_NOARGS, nullptr},
    {"__reduce__", THPSize_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch.Size";
  type.tp_repr = THPSize_repr;
  type.tp_as_sequence = &kSequence;
  type.tp_as_mapping = &kMapping;
  type.tp_as_number = &kNumber;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_TUPLE_SUBCLASS;
  type.tp_methods = kMethods;
  type.tp_new = THPSize_pynew;
  return type;
}

}  // namespace

PyTypeObject THPSizeType = make_type();

PyObject* THPSize_New(c10::IntArrayRef sizes) {
  PyObject* self = THPSizeType.tp_alloc(&THPSizeType, static_cast<Py_ssize_t>(sizes.size()));
  if (!self) throw python_error();
  for (size_t i = 0; i < sizes.size(); ++i) {
    PyTuple_SET_ITEM(self, static_cast<Py_ssize_t>(i), THPUtils_packInt64(sizes[i]));
  }
  return self;
}

void THPSize_init(PyObject* module) {
  kSequence.sq_concat = THPSize_concat;
  kSequence.sq_repeat = THPSize_repeat;
  kNumber.nb_add = THPSize_add;
  kMapping.mp_subscript = THPSize_subscript;
  THPSizeType.tp_base = &PyTuple_Type;
  if (PyType_Ready(&THPSizeType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "Size", reinterpret_cast<PyObject*>(&THPSizeType));
}
