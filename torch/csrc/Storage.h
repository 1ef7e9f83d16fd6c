#pragma once

#include <c10/core/Storage.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// torch._C.StorageBase: the bytes that tensors share. Python reads and writes them through the
// buffer protocol; torch.UntypedStorage derives from it.
struct THPStorage {
  PyObject_HEAD c10::Storage cdata;
};

TORCH_PYTHON_API extern PyTypeObject THPStorageType;

inline bool THPStorage_Check(PyObject* obj) { return PyObject_TypeCheck(obj, &THPStorageType); }

// A new reference.
TORCH_PYTHON_API PyObject* THPStorage_New(c10::Storage storage);
void THPStorage_init(PyObject* module);
