#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::utils {

// Adds to torch._C:
//   _to_dlpack(tensor, versioned=False) -> capsule on the tensor's memory
//   _from_dlpack(capsule) -> tensor on the capsule's memory, which it consumes
void init_dlpack(PyObject* module);

}  // namespace torch::utils
