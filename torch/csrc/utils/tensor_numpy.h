#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/python_headers.h>

#include <optional>

// The NumPy bridge. It speaks NumPy's array interface, a dict of pointer, shape, strides and type,
// so that nothing here is compiled against NumPy and torch works without it.

namespace torch::utils {

bool is_numpy_array(PyObject* obj);
// The dtype of a NumPy array or scalar; nothing when torch has none like it.
std::optional<c10::ScalarType> numpy_scalar_type(PyObject* obj);

// A tensor on the array's own memory, which it keeps alive.
at::Tensor tensor_from_numpy(PyObject* obj, bool warn_if_readonly = true);
// An ndarray on the tensor's own memory, which it keeps alive; a new reference. `force` first
// detaches and moves to the CPU.
PyObject* tensor_to_numpy(PyObject* self, bool force);

}  // namespace torch::utils
