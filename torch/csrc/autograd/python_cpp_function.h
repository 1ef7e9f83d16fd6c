#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/python_headers.h>

#include <memory>

namespace torch::autograd {

// A node of the graph as Python sees it: `<SigmoidBackward0 object at ...>`. Each C++ class of
// nodes gets a Python type of its name when its first object is asked for.
struct THPCppFunction {
  PyObject_HEAD std::shared_ptr<Node> cdata;
};

// The object of a node, a new reference; None for null. A node has one object while it lives.
TORCH_PYTHON_API PyObject* functionToPyObject(const std::shared_ptr<Node>& node);
// The node of such an object or of a Python Function's context; null for anything else.
TORCH_PYTHON_API std::shared_ptr<Node> nodeFromPyObject(PyObject* obj);

// What grad_fn objects and contexts of Python Functions share.
PyObject* node_next_functions(Node& node);
PyObject* node_metadata(Node& node);
PyObject* node_register_hook(Node& node, PyObject* hook);
PyObject* node_register_prehook(Node& node, PyObject* hook);

}  // namespace torch::autograd
