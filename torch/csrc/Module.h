#pragma once

#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// Builds torch._C; null with a Python error set when that fails. torch/csrc/stub.cpp, the whole of
// the extension module itself, calls it.
extern "C" TORCH_PYTHON_API PyObject* initModule();
