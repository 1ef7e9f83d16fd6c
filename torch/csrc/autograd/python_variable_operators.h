#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::autograd {

// Fills the number, comparison, mapping and hash slots. Subclasses inherit C slots directly, which
// is faster than methods looked up by name.
void init_variable_operators(PyTypeObject* type);

}  // namespace torch::autograd
