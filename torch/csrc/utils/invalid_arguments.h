#pragma once

#include <torch/csrc/python_headers.h>

#include <string>
#include <vector>

namespace torch {

// "NAME() received an invalid combination of arguments - got (...), but expected one of: ...".
// `options` are signatures as FunctionSignature::to_string gives them, without the name.
std::string format_invalid_args(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                const std::string& function_name,
                                const std::vector<std::string>& options);

}  // namespace torch
