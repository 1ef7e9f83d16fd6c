#pragma once

#include <torch/csrc/python_headers.h>

namespace torch {

// Functions of torch._C that call any registered operator by name, for torch.ops:
//
//   _operator_overloads("aten::add") -> ["Tensor", "out", ...]
//   _operator_schema("aten::add", "Tensor") -> str
//   _call_operator("aten::add", "Tensor", args: tuple, kwargs: dict)
//
// Arguments are converted by the operator's schema; RuntimeError names what does not fit.
PyMethodDef* operator_functions();

}  // namespace torch
