#pragma once

#include <c10/core/ScalarType.h>
#include <torch/csrc/Export.h>
#include <torch/csrc/python_headers.h>

namespace torch {

// The element type that a torch.dtype stands for, wherever one is an argument. Throws
// NotImplementedError for those that PyTorch has and this release has not, such as
// torch.float8_e4m3fn.
TORCH_PYTHON_API c10::ScalarType unpack_dtype(PyObject* dtype);

}  // namespace torch
