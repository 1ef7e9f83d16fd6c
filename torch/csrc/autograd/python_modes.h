#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::autograd {

// Adds anomaly mode's switches and the class _InferenceMode to torch._C.
void init_modes(PyObject* module);

}  // namespace torch::autograd
