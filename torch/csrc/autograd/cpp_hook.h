#pragma once

#include <torch/csrc/autograd/function_hook.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace torch::autograd {

/// A tensor's C++ hooks; a removed hook leaves an empty function, so that indices stay.
using hooks_list = std::vector<std::function<Variable(const Variable&)>>;

/// Calls the C++ hooks of the tensor that is output `value_idx` of the node.
struct TORCH_API CppFunctionTensorPreHook : public FunctionPreHook {
  CppFunctionTensorPreHook(std::shared_ptr<hooks_list> hooks, size_t value_idx);
  variable_list operator()(const variable_list& values) override;

  std::shared_ptr<hooks_list> hooks_;
  size_t value_idx_;
};

/// Calls one C++ hook on output `value_idx` of the node.
struct TORCH_API CppFunctionSingleTensorPreHook : public FunctionPreHook {
  CppFunctionSingleTensorPreHook(std::function<Variable(const Variable&)> hook, size_t value_idx);
  variable_list operator()(const variable_list& values) override;

  std::function<Variable(const Variable&)> hook_;
  size_t value_idx_;
};

}  // namespace torch::autograd
