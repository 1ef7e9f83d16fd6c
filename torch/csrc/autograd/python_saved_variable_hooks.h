#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
#include <torch/csrc/python_headers.h>

namespace torch::autograd {

// Hooks written in Python: `pack_hook(tensor)` returns any object, `unpack_hook(object)` a tensor.
struct PySavedVariableHooks : public SavedVariableHooks {
  PySavedVariableHooks(PyObject* pack_hook, PyObject* unpack_hook);
  ~PySavedVariableHooks() override;
  void call_pack_hook(const at::Tensor& tensor) override;
  at::Tensor call_unpack_hook() override;

 private:
  PyObject* pack_hook_;
  PyObject* unpack_hook_;
  PyObject* data_ = nullptr;
};

// Adds torch._C._autograd, which torch.autograd.graph is made of.
void THPSavedVariableHooks_initModule(PyObject* module);

}  // namespace torch::autograd
