#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/python_headers.h>

namespace torch::utils {

// The element at `data`, of type `type`, as a new Python number.
PyObject* load_scalar(const void* data, c10::ScalarType type);
// Converts a Python number into the element at `data`. Throws TypeError when it is no number and
// RuntimeError when it does not fit.
void store_scalar(void* data, c10::ScalarType type, PyObject* obj);

// A Scalar from a Python number or a tensor with one element; and back, a new reference.
TORCH_PYTHON_API c10::Scalar scalar_from_python(PyObject* obj);
TORCH_PYTHON_API PyObject* scalar_to_python(const c10::Scalar& scalar);
// A zero-dimensional tensor that takes part in type promotion as a Python number does.
TORCH_PYTHON_API at::Tensor wrapped_scalar_tensor(const c10::Scalar& scalar);

}  // namespace torch::utils
