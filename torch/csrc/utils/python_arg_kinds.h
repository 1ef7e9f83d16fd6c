#pragma once

// What an argument may be, beyond its Python type: for the sources of python_arg_parser.h alone.

#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/tensor_numpy.h>

namespace torch {

inline bool is_zero_dim_tensor(PyObject* obj) {
  if (!THPVariable_Check(obj)) return false;
  const at::Tensor& tensor = THPVariable_Unpack(obj);
  return tensor.defined() && tensor.dim() == 0 && !tensor.requires_grad();
}

// An integer in an array of no dimensions: NumPy converts no other one to an index.
inline bool is_zero_dim_int_array(PyObject* obj) {
  if (!utils::is_numpy_array(obj)) return false;
  THPObjectPtr number(PyNumber_Index(obj));
  if (!number) PyErr_Clear();
  return number.get() != nullptr;
}

inline bool is_int(PyObject* obj) {
  if (THPUtils_checkLong(obj)) return true;
  if (is_zero_dim_int_array(obj)) return true;
  return is_zero_dim_tensor(obj) &&
         c10::isIntegralType(THPVariable_Unpack(obj).scalar_type(), /*includeBool=*/false);
}

inline bool is_sequence(PyObject* obj) { return PyTuple_Check(obj) || PyList_Check(obj); }

}  // namespace torch
