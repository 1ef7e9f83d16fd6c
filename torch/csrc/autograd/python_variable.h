#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>

// torch._C.TensorBase, the C part of torch.Tensor. It owns a tensor; the TensorImpl points back
// without owning, so that a tensor has one Python object for as long as that object is needed.
// `dict` and `weakrefs` belong to the base type: a subclass adds no storage of its own.
struct THPVariable {
  PyObject_HEAD at::Tensor cdata;
  PyObject* dict;
  PyObject* weakrefs;
  PyObject* backward_hooks;
  PyObject* post_accumulate_grad_hooks;
};

TORCH_PYTHON_API extern PyTypeObject THPVariableType;
// torch.Tensor and torch.nn.Parameter once Python has defined them, else null.
TORCH_PYTHON_API extern PyObject* THPVariableClass;
TORCH_PYTHON_API extern PyObject* ParameterClass;

void THPVariable_initModule(PyObject* module);

// The Python object of a tensor, a new reference; None for an undefined one.
TORCH_PYTHON_API PyObject* THPVariable_Wrap(at::Tensor var);
// The same for a tensor nobody else knows: a new object of class `type`.
TORCH_PYTHON_API PyObject* THPVariable_NewWithVar(PyTypeObject* type, at::Tensor var);

inline bool THPVariable_CheckExact(PyObject* obj) {
  return Py_TYPE(obj) == reinterpret_cast<PyTypeObject*>(THPVariableClass) ||
         Py_TYPE(obj) == reinterpret_cast<PyTypeObject*>(ParameterClass);
}

inline bool THPVariable_Check(PyObject* obj) {
  return THPVariable_CheckExact(obj) || PyObject_TypeCheck(obj, &THPVariableType);
}

// The tensor of an object that passed THPVariable_Check.
inline const at::Tensor& THPVariable_Unpack(PyObject* obj) {
  return reinterpret_cast<THPVariable*>(obj)->cdata;
}
