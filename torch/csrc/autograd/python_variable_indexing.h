#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::autograd {

// The mapping protocol of tensors: basic indices make views, tensors and sequences of ints gather.
Py_ssize_t THPVariable_length(PyObject* self);
PyObject* THPVariable_getitem(PyObject* self, PyObject* index);
// `value` null means deletion, which tensors do not support.
int THPVariable_setitem(PyObject* self, PyObject* index, PyObject* value);

}  // namespace torch::autograd
