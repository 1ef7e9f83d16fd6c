#pragma once

// C++ results to Python objects; every function returns a new reference.

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>

#include <tuple>
#include <utility>
#include <vector>

namespace torch::autograd {

inline PyObject* wrap(bool value) { return PyBool_FromLong(value); }
inline PyObject* wrap(int64_t value) { return THPUtils_packInt64(value); }
inline PyObject* wrap(double value) { return PyFloat_FromDouble(value); }
inline PyObject* wrap(at::Tensor tensor) { return THPVariable_Wrap(std::move(tensor)); }
inline PyObject* wrap(const c10::Scalar& scalar) { return utils::scalar_to_python(scalar); }
inline PyObject* wrap(c10::ScalarType type) { return Py_NewRef(torch::getTHPDtype(type)); }
inline PyObject* wrap(c10::IntArrayRef values) {
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < values.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), THPUtils_packInt64(values[i]));
  }
  return tuple.release();
}
inline PyObject* wrap(std::vector<at::Tensor> tensors) {
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), wrap(std::move(tensors[i])));
  }
  return tuple.release();
}

template <class... Ts>
PyObject* wrap(std::tuple<Ts...> values) {
  THPObjectPtr tuple(PyTuple_New(sizeof...(Ts)));
  if (!tuple) throw python_error();
  Py_ssize_t i = 0;
  std::apply([&](auto&... items) { (PyTuple_SET_ITEM(tuple.get(), i++, wrap(items)), ...); },
             values);
  return tuple.release();
}

// The same as an instance of a namedtuple.
template <class... Ts>
PyObject* wrap(PyTypeObject* type, std::tuple<Ts...> values) {
  THPObjectPtr tuple(PyStructSequence_New(type));
  if (!tuple) throw python_error();
  Py_ssize_t i = 0;
  std::apply(
      [&](auto&... items) { (PyStructSequence_SetItem(tuple.get(), i++, wrap(items)), ...); },
      values);
  return tuple.release();
}

}  // namespace torch::autograd
