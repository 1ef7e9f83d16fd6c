#pragma once

// For extension modules of Python: the C++ interface, pybind11, and its conversion of tensors.
//
//   torch::Tensor twice(torch::Tensor x) { return x * 2; }
//   PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("twice", &twice); }

#include <torch/all.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/version.h>

[[gnu::used]] static const int* const torch_version_of_headers = &TORCH_COMPILED_FOR;
