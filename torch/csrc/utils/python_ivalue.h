#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

#include <exception>
#include <optional>

namespace torch {

// The value of `obj` as a schema's type; nothing when it is of another type.
TORCH_PYTHON_API std::optional<c10::IValue> ivalue_from_python(PyObject* obj,
                                                               const c10::Type& type);
// A new reference. Throws c10::Error for types that Python has no form of.
TORCH_PYTHON_API PyObject* ivalue_to_python(const c10::IValue& value, const c10::Type& type);
// Arguments in the schema's order, defaults filled in. Throws c10::Error, which names what does not
// fit.
c10::Stack arguments_from_python(const c10::FunctionSchema& schema, PyObject* args,
                                 PyObject* kwargs);

// Sets the Python error of a C++ exception where PyTorch calls through pybind11: std::out_of_range
// becomes IndexError, for example, and not RuntimeError. Needs the GIL.
void translate_exception_as_pybind11(const std::exception_ptr& exception);

}  // namespace torch
