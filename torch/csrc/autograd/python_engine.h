#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::autograd {

// Adds torch._C._EngineBase and the engine Python runs backward passes with.
void THPEngine_initModule(PyObject* module);

}  // namespace torch::autograd
