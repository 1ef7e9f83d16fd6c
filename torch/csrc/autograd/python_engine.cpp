#include <torch/csrc/autograd/python_engine.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/python_cpp_function.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_numbers.h>

#include <ATen/OutsideWrites.h>
#include <c10/util/Exception.h>

namespace torch::autograd {

namespace {

struct THPEngine {
  PyObject_HEAD
};

// The engine as Python uses it: nodes run without the GIL, and take it when they need it.
struct PythonEngine final : public Engine {
 protected:
  void thread_on_exception(const std::shared_ptr<GraphTask>& graph_task,
                           const std::shared_ptr<Node>& fn) override {
    // The Python error must leave the interpreter before another thread of C++ carries it.
    try {
      throw;
    } catch (python_error& e) {
      e.persist();
    } catch (...) {
    }
    Engine::thread_on_exception(graph_task, fn);
  }
};

Engine& python_engine() {
  static PythonEngine engine;
  return engine;
}

// The edge that a torch.autograd.graph.GradientEdge names, a tuple of a node and the number of its
// input; an empty one for other objects.
Edge edge_of(PyObject* item) {
  if (!PyTuple_Check(item) || PyTuple_GET_SIZE(item) < 2) return {};
  std::shared_ptr<Node> node = nodeFromPyObject(PyTuple_GET_ITEM(item, 0));
  if (!node) return {};
  const int64_t number = THPUtils_unpackLong(PyTuple_GET_ITEM(item, 1));
  TORCH_CHECK_INDEX(number >= 0 && static_cast<uint64_t>(number) < node->num_inputs(),
                    "a GradientEdge names output ", number, " of ", node->name(), ", which has ",
                    node->num_inputs());
  return {std::move(node), static_cast<uint32_t>(number)};
}

// The gradient of a scalar with respect to itself.
Variable implicit_grad(const Edge& edge) {
  const InputMetadata& output = edge.function->input_metadata(edge.input_nr);
  Variable grad = output.zeros_like();
  TORCH_CHECK(grad.numel() == 1, "grad can be implicitly created only for scalar outputs");
  return grad.fill_(1);
}

void check_shape(Py_ssize_t index, const Variable& grad, const Edge& edge) {
  const InputMetadata& output = edge.function->input_metadata(edge.input_nr);
  const at::IntArrayRef expected = output.shape();
  TORCH_CHECK(output.was_default_constructed() || grad.sizes() == expected,
              "Mismatch in shape: grad_output[", index, "] has a shape of torch.Size(",
              grad.sizes(), ") and output[", index, "] has a shape of torch.Size(", expected, ").");
}

// run_backward(tensors, grad_tensors, keep_graph, create_graph, inputs=(), allow_unreachable=False,
//              accumulate_grad=False)
PyObject* THPEngine_run_backward(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  PyObject* tensors = nullptr;
  PyObject* grad_tensors = nullptr;
  unsigned char keep_graph = 0;
  unsigned char create_graph = 0;
  PyObject* inputs = nullptr;
  unsigned char allow_unreachable = 0;
  unsigned char accumulate_grad = 0;
  const char* keywords[] = {"tensors", "grad_tensors",      "keep_graph",      "create_graph",
                            "inputs",  "allow_unreachable", "accumulate_grad", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OObb|Obb", const_cast<char**>(keywords), &tensors,
                                   &grad_tensors, &keep_graph, &create_graph, &inputs,
                                   &allow_unreachable, &accumulate_grad)) {
    return nullptr;
  }
  if (!PyTuple_Check(tensors)) {
    throw torch::TypeError("tensors argument is expected to be a tuple, but got %s",
                           Py_TYPE(tensors)->tp_name);
  }
  if (!PyTuple_Check(grad_tensors)) {
    throw torch::TypeError("grad_tensors argument is expected to be a tuple, but got %s",
                           Py_TYPE(grad_tensors)->tp_name);
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(tensors);
  if (PyTuple_GET_SIZE(grad_tensors) != count) {
    throw torch::RuntimeError("got %zd tensors and %zd gradients", count,
                              PyTuple_GET_SIZE(grad_tensors));
  }

  edge_list roots;
  variable_list grads;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyTuple_GET_ITEM(tensors, i);
    Edge edge = edge_of(item);
    const bool is_tensor = THPVariable_Check(item);
    if (!is_tensor && !edge.function) {
      throw torch::TypeError("element %zd of tensors tuple is not a Tensor or a GradientEdge", i);
    }
    if (is_tensor) edge = impl::gradient_edge(THPVariable_Unpack(item));
    if (!edge.function) {
      throw torch::RuntimeError(
          "element %zd of tensors does not require grad and does not have a grad_fn", i);
    }
    PyObject* grad = PyTuple_GET_ITEM(grad_tensors, i);
    if (THPVariable_Check(grad)) {
      grads.push_back(THPVariable_Unpack(grad));
      // torch.autograd compares the shapes of tensors.
      if (!is_tensor) check_shape(i, grads.back(), edge);
    } else if (grad == Py_None && !is_tensor) {
      grads.push_back(implicit_grad(edge));
    } else if (grad == Py_None) {
      TORCH_CHECK(!THPVariable_Unpack(item).requires_grad(), "element ", i,
                  " of gradients tuple is None, but the corresponding Tensor requires grad");
      grads.emplace_back();
    } else {
      throw torch::TypeError("element %zd of gradients tuple is not a Tensor or None", i);
    }
    roots.push_back(std::move(edge));
  }

  edge_list outputs;
  const Py_ssize_t num_inputs = inputs ? PyTuple_GET_SIZE(inputs) : 0;
  for (Py_ssize_t i = 0; i < num_inputs; ++i) {
    PyObject* item = PyTuple_GET_ITEM(inputs, i);
    if (Edge edge = edge_of(item); edge.function) {
      outputs.push_back(std::move(edge));
      continue;
    }
    if (!THPVariable_Check(item)) {
      throw torch::TypeError("all inputs have to be Tensors or GradientEdges, but got %s",
                             Py_TYPE(item)->tp_name);
    }
    const Variable& tensor = THPVariable_Unpack(item);
    const auto output_nr = static_cast<uint32_t>(tensor.output_nr());
    std::shared_ptr<Node> node = tensor.grad_fn();
    if (!node) node = impl::try_get_grad_accumulator(tensor);
    if (accumulate_grad) tensor.retain_grad();
    if (!tensor.requires_grad()) {
      throw torch::RuntimeError("One of the differentiated Tensors does not require grad");
    }
    if (node) {
      outputs.emplace_back(std::move(node), output_nr);
    } else {
      // A leaf that the graph does not reach: its gradient is None.
      outputs.emplace_back(impl::grad_accumulator(tensor), output_nr);
    }
  }

  variable_list results;
  {
    const GilRelease no_gil;
    results = python_engine().execute(roots, grads, keep_graph != 0, create_graph != 0,
                                      accumulate_grad != 0, outputs);
  }
  at::adopt_results(results);
  if (accumulate_grad || num_inputs == 0) Py_RETURN_NONE;
  THPObjectPtr tuple(PyTuple_New(num_inputs));
  if (!tuple) throw python_error();
  for (Py_ssize_t i = 0; i < num_inputs; ++i) {
    TORCH_CHECK(allow_unreachable || results[i].defined(), "The differentiated Tensor at index ", i,
                " appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior.");
    PyTuple_SET_ITEM(tuple.get(), i, THPVariable_Wrap(results[i]));
  }
  return tuple.release();
  END_HANDLE_TH_ERRORS
}

PyObject* THPEngine_queue_callback(PyObject* /*self*/, PyObject* callback) {
  HANDLE_TH_ERRORS
  std::shared_ptr<PyObject> held(Py_NewRef(callback), [](PyObject* obj) {
    const GilAcquire gil;
    Py_DECREF(obj);
  });
  python_engine().queue_callback([held] {
    const GilAcquire gil;
    THPObjectPtr result(PyObject_CallNoArgs(held.get()));
    if (!result) throw python_error();
  });
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// torch._C._current_graph_task_id(): the number of the running pass of this thread, or -1.
PyObject* current_graph_task_id(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyLong_FromLongLong(get_current_graph_task_id());
}

// torch._C._is_checkpoint_valid(): whether the running pass computes all gradients, so that a pass
// inside of it, which a reentrant checkpoint runs, gives none that nobody asked for.
PyObject* is_checkpoint_valid(PyObject* /*self*/, PyObject* /*unused*/) {
  const auto* exec_info = get_current_graph_task_exec_info();
  return PyBool_FromLong(exec_info == nullptr || exec_info->empty());
}

// torch._C._will_engine_execute_node(node): whether the running pass reaches the node.
PyObject* will_engine_execute_node(PyObject* /*self*/, PyObject* obj) {
  HANDLE_TH_ERRORS
  const std::shared_ptr<Node> node = nodeFromPyObject(obj);
  if (!node) {
    throw torch::TypeError("_will_engine_execute_node expects a node of the graph, but got %s",
                           Py_TYPE(obj)->tp_name);
  }
  const auto* exec_info = get_current_graph_task_exec_info();
  TORCH_CHECK(exec_info, "_will_engine_execute_node should be called during the backward pass");
  if (exec_info->empty()) {
    return PyBool_FromLong(get_current_graph_task_nodes_in_graph()->contains(node.get()));
  }
  const auto found = exec_info->find(node.get());
  return PyBool_FromLong(found != exec_info->end() && found->second.should_execute());
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_current_graph_task_id", current_graph_task_id, METH_NOARGS, nullptr},
    {"_is_checkpoint_valid", is_checkpoint_valid, METH_NOARGS, nullptr},
    {"_will_engine_execute_node", will_engine_execute_node, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyMethodDef kMethods[] = {
    {"run_backward",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(THPEngine_run_backward)),
     METH_VARARGS | METH_KEYWORDS, nullptr},
    {"queue_callback", THPEngine_queue_callback, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._EngineBase";
  type.tp_basicsize = sizeof(THPEngine);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_methods = kMethods;
  type.tp_new = PyType_GenericNew;
  return type;
}

PyTypeObject THPEngineType = make_type();

}  // namespace

void THPEngine_initModule(PyObject* module) {
  if (PyType_Ready(&THPEngineType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "_ImperativeEngine", reinterpret_cast<PyObject*>(&THPEngineType));
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
  Engine::set_default_engine_stub(python_engine);
}

}  // namespace torch::autograd
