#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// torch.dtype. One object a ScalarType, created once and immortal.
struct THPDtype {
  PyObject_HEAD c10::ScalarType scalar_type;
  const char* name;  // without the "torch." in front
};

TORCH_PYTHON_API extern PyTypeObject THPDtypeType;

inline bool THPDtype_Check(PyObject* obj) { return Py_TYPE(obj) == &THPDtypeType; }

void THPDtype_init(PyObject* module);

namespace torch {
// The object of a dtype (borrowed). Throws for a ScalarType Python has no name for.
TORCH_PYTHON_API PyObject* getTHPDtype(c10::ScalarType type);
}  // namespace torch
