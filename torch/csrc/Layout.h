#pragma once

#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// torch.layout and torch.memory_format: named constants, one object each.
struct THPLayout {
  PyObject_HEAD c10::Layout layout;
  const char* name;
};

struct THPMemoryFormat {
  PyObject_HEAD c10::MemoryFormat memory_format;
  const char* name;
};

TORCH_PYTHON_API extern PyTypeObject THPLayoutType;
TORCH_PYTHON_API extern PyTypeObject THPMemoryFormatType;

inline bool THPLayout_Check(PyObject* obj) { return Py_TYPE(obj) == &THPLayoutType; }
inline bool THPMemoryFormat_Check(PyObject* obj) { return Py_TYPE(obj) == &THPMemoryFormatType; }

void THPLayout_init(PyObject* module);
void THPMemoryFormat_init(PyObject* module);

namespace torch {
// Borrowed references.
TORCH_PYTHON_API PyObject* getTHPLayout(c10::Layout layout);
TORCH_PYTHON_API PyObject* getTHPMemoryFormat(c10::MemoryFormat memory_format);
}  // namespace torch
