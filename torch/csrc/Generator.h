#pragma once

#include <ATen/core/Generator.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// torch.Generator.
struct THPGenerator {
  PyObject_HEAD at::Generator cdata;
};

TORCH_PYTHON_API extern PyTypeObject THPGeneratorType;

inline bool THPGenerator_Check(PyObject* obj) { return PyObject_TypeCheck(obj, &THPGeneratorType); }

// A new reference.
TORCH_PYTHON_API PyObject* THPGenerator_New(at::Generator generator);
void THPGenerator_init(PyObject* module);
