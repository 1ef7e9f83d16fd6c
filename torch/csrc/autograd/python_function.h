#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/csrc/python_headers.h>

#include <memory>
#include <vector>

namespace torch::autograd {

// torch._C._FunctionBase: the context of one call of a Function written in Python. The node owns
// the context, the context knows the node weakly.
struct THPFunction {
  PyObject_HEAD PyObject* dict;
  std::weak_ptr<struct PyNode> cdata;
  PyObject* needs_input_grad;
  PyObject* to_save;
  PyObject* non_differentiable;
  PyObject* dirty_tensors;
  std::vector<SavedVariable> saved_variables;
  // Shape and type of each output, to make zeros of an undefined gradient.
  std::vector<InputMetadata> output_info;
  std::vector<bool> is_variable_input;
  bool has_freed_buffers;
  bool materialize_grads;
  // Whether outputs that are not differentiable get zeros too, and which those are.
  bool materialize_non_diff_grads;
  std::vector<bool> is_differentiable_output;
};

TORCH_PYTHON_API extern PyTypeObject THPFunctionType;

inline bool THPFunction_Check(PyObject* obj) { return PyObject_TypeCheck(obj, &THPFunctionType); }

// Calls `backward` of a Python Function.
struct PyNode : public Node {
  explicit PyNode(PyObject* obj);  // steals the reference
  ~PyNode() override;

  variable_list apply(variable_list&& inputs) override;
  std::string name() const override;
  void release_variables() override;

  PyObject* obj;

 private:
  variable_list call_backward(variable_list&& inputs);
};

void THPFunction_initModule(PyObject* module);

}  // namespace torch::autograd
