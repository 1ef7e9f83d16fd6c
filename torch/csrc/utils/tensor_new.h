#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/python_headers.h>

#include <optional>
#include <string>

namespace torch::utils {

// "torch.FloatTensor", "torch.cuda.FloatTensor": PyTorch's old names of a dtype on a device.
std::string options_to_string(c10::ScalarType type, c10::Device device);

// The dtype of a Python number, a sequence or an array. Throws for anything else.
c10::ScalarType infer_scalar_type(PyObject* data);

// A new tensor with the values of numbers, sequences, arrays or a tensor. Always copies.
at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype,
                            std::optional<c10::Device> device);

// The tensor that a list in an index stands for: bool makes a mask, everything else int64.
at::Tensor indexing_tensor_from_data(PyObject* data);

// torch.Tensor(...), torch.FloatTensor(...): sizes, a sequence of values, another tensor or a
// storage, which both share their memory.
at::Tensor legacy_tensor_ctor(c10::ScalarType type, PyObject* args, PyObject* kwargs);

}  // namespace torch::utils
