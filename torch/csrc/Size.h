#pragma once

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <torch/csrc/python_headers.h>

// torch.Size: a tuple of ints with `numel`, which stays a Size when sliced or concatenated.
TORCH_PYTHON_API extern PyTypeObject THPSizeType;

inline bool THPSize_Check(PyObject* obj) { return Py_TYPE(obj) == &THPSizeType; }

// A new reference.
TORCH_PYTHON_API PyObject* THPSize_New(c10::IntArrayRef sizes);
void THPSize_init(PyObject* module);
