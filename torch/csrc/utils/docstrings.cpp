#include <torch/csrc/utils/docstrings.h>

#include <string_view>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/THP.h>

namespace torch::utils {

namespace {

// A new reference, or null without an error.
PyObject* member(PyObject* owner, const char* name) {
  PyObject* result = PyObject_GetAttrString(owner, name);
  if (!result) PyErr_Clear();
  return result;
}

// CPython reads the text where these point, whenever someone asks for __doc__. Nothing is copied.
void describe(PyObject* object, const char* text) {
  if (PyCFunction_Check(object)) {
    reinterpret_cast<PyCFunctionObject*>(object)->m_ml->ml_doc = text;
  } else if (Py_IS_TYPE(object, &PyMethodDescr_Type)) {
    reinterpret_cast<PyMethodDescrObject*>(object)->d_method->ml_doc = text;
  } else if (Py_IS_TYPE(object, &PyGetSetDescr_Type)) {
    reinterpret_cast<PyGetSetDescrObject*>(object)->d_getset->doc = text;
  } else if (PyType_Check(object)) {
    auto* type = reinterpret_cast<PyTypeObject*>(object);
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) type->tp_doc = text;
  }
}

}  // namespace

void add_docstrings(PyObject* module) {
  THPObjectPtr functions(PyObject_GetAttrString(module, "_VariableFunctionsClass"));
  if (!functions) throw python_error();
  std::string_view owner_name;
  THPObjectPtr owner;
  for (const Docstring* doc = kDocstrings; doc->name; ++doc) {
    if (owner_name != doc->owner) {
      owner_name = doc->owner;
      owner = THPObjectPtr(member(module, doc->owner));
    }
    THPObjectPtr object(owner ? member(owner.get(), doc->name) : nullptr);
    if (owner_name.empty()) {
      // Functions of torch that are written by hand are in one of two places.
      object = THPObjectPtr(member(functions.get(), doc->name));
      if (!object) object = THPObjectPtr(member(module, doc->name));
    }
    if (object) describe(object.get(), doc->text);
  }
}

}  // namespace torch::utils
