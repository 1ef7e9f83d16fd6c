#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>

// torch.device.
struct THPDevice {
  PyObject_HEAD c10::Device device;
};

TORCH_PYTHON_API extern PyTypeObject THPDeviceType;

inline bool THPDevice_Check(PyObject* obj) { return Py_TYPE(obj) == &THPDeviceType; }

// A new reference.
TORCH_PYTHON_API PyObject* THPDevice_New(const c10::Device& device);
void THPDevice_init(PyObject* module);
