#pragma once

// The base of objects that operators share by reference count. torch::class_, which would register
// such a class for Python and TorchScript, is not in this version: wrap the class with pybind11.

#include <c10/util/intrusive_ptr.h>

namespace torch {

struct CustomClassHolder : c10::intrusive_ptr_target {};

}  // namespace torch
