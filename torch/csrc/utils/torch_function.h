#pragma once

// Calls that belong to another class than torch.Tensor: Python's `__torch_function__`.
//
// The entries of all tables of functions, methods and properties, and the operators of tensors, are
// made by the templates below. Before the body runs, they look whether an argument's class defines
// `__torch_function__`, or whether a torch.overrides.TorchFunctionMode is active; then
// torch.overrides gets the call. Arguments of exactly torch.Tensor, Parameter or a type of Python's
// own cost one comparison each.

#include <c10/macros/Macros.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>

#include <algorithm>
#include <cstddef>

namespace torch {

// Whether a call with these arguments belongs to somebody else. `self` is null or a module for
// functions. Arguments are those of vectorcall; lists and tuples count with their elements.
TORCH_PYTHON_API bool has_torch_function(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                         PyObject* kwnames);
TORCH_PYTHON_API bool has_torch_function(PyObject* first, PyObject* second = nullptr);
// Whether a TorchFunctionMode gets this thread's calls.
TORCH_PYTHON_API bool torch_function_mode_is_active();

// Hands the call over. The function is the attribute `name` of torch.Tensor, of the module that
// `self` is, or, where `self` is null, of torch. A new reference.
TORCH_PYTHON_API PyObject* call_torch_function(const char* name, PyObject* self,
                                               PyObject* const* args, Py_ssize_t nargs,
                                               PyObject* kwnames);
// The same for `torch.Tensor.NAME.__get__` and `__set__`; `value` is null for the former.
TORCH_PYTHON_API PyObject* call_torch_function_of_property(const char* name, PyObject* self,
                                                           PyObject* value);

// A binary operator: the method `name` of `a`, or `reflected` of `b` where `a` is no tensor.
// Returns NotImplemented where nobody answers, so that Python asks the other operand.
TORCH_PYTHON_API PyObject* call_torch_function_of_operands(const char* name, const char* reflected,
                                                           PyObject* a, PyObject* b);

// Adds the functions of torch._C with which torch.overrides is made.
void init_torch_function(PyObject* module);

// A name as a template argument.
template <size_t N>
struct FixedName {
  consteval FixedName(const char (&name)[N]) { std::copy_n(name, N, text); }
  char text[N];
};

template <FixedName name, auto function>
PyObject* overridable(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (C10_UNLIKELY(has_torch_function(self, args, nargs, kwnames))) {
    return call_torch_function(name.text, self, args, nargs, kwnames);
  }
  return function(self, args, nargs, kwnames);
}

template <FixedName name, auto function>
PyObject* overridable_without_arguments(PyObject* self, PyObject* unused) {
  if (C10_UNLIKELY(has_torch_function(self))) {
    return call_torch_function(name.text, self, nullptr, 0, nullptr);
  }
  return function(self, unused);
}

template <FixedName name, auto function>
PyObject* overridable_getter(PyObject* self, void* closure) {
  if (C10_UNLIKELY(has_torch_function(self))) {
    return call_torch_function_of_property(name.text, self, nullptr);
  }
  return function(self, closure);
}

template <FixedName name, auto function>
int overridable_setter(PyObject* self, PyObject* value, void* closure) {
  if (value && C10_UNLIKELY(has_torch_function(self))) {
    PyObject* result = call_torch_function_of_property(name.text, self, value);
    Py_XDECREF(result);
    return result ? 0 : -1;
  }
  return function(self, value, closure);
}

template <FixedName name, auto function>
PyObject* overridable_unary(PyObject* self) {
  if (C10_UNLIKELY(has_torch_function(self))) {
    return call_torch_function(name.text, self, nullptr, 0, nullptr);
  }
  return function(self);
}

template <FixedName name, auto function>
int overridable_bool(PyObject* self) {
  if (C10_UNLIKELY(has_torch_function(self))) {
    PyObject* result = call_torch_function(name.text, self, nullptr, 0, nullptr);
    const int truth = result ? PyObject_IsTrue(result) : -1;
    Py_XDECREF(result);
    return truth;
  }
  return function(self);
}

template <FixedName name, auto function>
Py_ssize_t overridable_length(PyObject* self) {
  if (C10_UNLIKELY(has_torch_function(self))) {
    PyObject* result = call_torch_function(name.text, self, nullptr, 0, nullptr);
    const Py_ssize_t length = result ? PyLong_AsSsize_t(result) : -1;
    Py_XDECREF(result);
    return length;
  }
  return function(self);
}

// A function that makes a tensor of data: modes are asked, the class of the data is not.
template <FixedName name, auto function>
PyObject* overridable_by_modes(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                               PyObject* kwnames) {
  if (C10_UNLIKELY(torch_function_mode_is_active())) {
    return call_torch_function(name.text, self, args, nargs, kwnames);
  }
  return function(self, args, nargs, kwnames);
}

template <auto function>
PyObject* overridable_getitem(PyObject* self, PyObject* index) {
  if (C10_UNLIKELY(has_torch_function(self, &index, 1, nullptr))) {
    return call_torch_function("__getitem__", self, &index, 1, nullptr);
  }
  return function(self, index);
}

template <auto function>
int overridable_setitem(PyObject* self, PyObject* index, PyObject* value) {
  PyObject* const args[] = {index, value};
  if (value && C10_UNLIKELY(has_torch_function(self, args, 2, nullptr))) {
    PyObject* result = call_torch_function("__setitem__", self, args, 2, nullptr);
    Py_XDECREF(result);
    return result ? 0 : -1;
  }
  return function(self, index, value);
}

// `reflected` is the method of the right operand, called where the left one is no tensor.
template <FixedName name, FixedName reflected, auto function>
PyObject* overridable_binary(PyObject* a, PyObject* b) {
  if (C10_UNLIKELY(has_torch_function(a, b))) {
    return call_torch_function_of_operands(name.text, reflected.text, a, b);
  }
  return function(a, b);
}

// `x ** y` and `x **= y`; a modulus is left to `function`.
template <FixedName name, FixedName reflected, auto function>
PyObject* overridable_power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus == Py_None && C10_UNLIKELY(has_torch_function(a, b))) {
    return call_torch_function_of_operands(name.text, reflected.text, a, b);
  }
  return function(a, b, modulus);
}

template <auto function>
PyObject* overridable_comparison(PyObject* a, PyObject* b, int op) {
  if (C10_UNLIKELY(has_torch_function(a, b))) {
    // By the numbers of CPython: Py_LT, Py_LE, Py_EQ, Py_NE, Py_GT, Py_GE.
    constexpr const char* kNames[] = {"lt", "le", "__eq__", "ne", "gt", "ge"};
    return call_torch_function_of_operands(kNames[op], kNames[op], a, b);
  }
  return function(a, b, op);
}

}  // namespace torch
