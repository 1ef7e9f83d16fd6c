#pragma once

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/python_headers.h>

#include <cstddef>

namespace torch::autograd {

// Hooks written in Python. Each holds an ordered dict of callables, which Python shares: removing
// a hook means removing it from the dict.

// On the gradient of one tensor: `hook(grad)` may return its replacement.
struct PyFunctionTensorPreHook : public FunctionPreHook {
  PyFunctionTensorPreHook(PyObject* dict, size_t value_idx);
  ~PyFunctionTensorPreHook() override;
  variable_list operator()(const variable_list& values) override;

  PyObject* dict;
  size_t value_idx;
};

// Before a node: `hook(grad_outputs)` may return a replacement tuple.
struct PyFunctionPreHook : public FunctionPreHook {
  explicit PyFunctionPreHook(PyObject* dict);
  ~PyFunctionPreHook() override;
  variable_list operator()(const variable_list& values) override;

  PyObject* dict;
};

// After a node: `hook(grad_inputs, grad_outputs)` may return a replacement of grad_inputs.
struct PyFunctionPostHook : public FunctionPostHook {
  explicit PyFunctionPostHook(PyObject* dict);
  ~PyFunctionPostHook() override;
  variable_list operator()(const variable_list& outputs, const variable_list& inputs) override;

  PyObject* dict;
};

// After accumulation into a leaf: `hook(param)`.
struct PyFunctionPostAccGradHook : public PostAccumulateGradHook {
  explicit PyFunctionPostAccGradHook(PyObject* dict);
  ~PyFunctionPostAccGradHook() override;
  void operator()(const Variable& tensor) override;

  PyObject* dict;
};

}  // namespace torch::autograd
