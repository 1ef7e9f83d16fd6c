#include <torch/csrc/autograd/python_function.h>

#include <ATen/ops/alias_ops.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_cpp_function.h>
#include <torch/csrc/autograd/python_hook.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_strings.h>

#include <structmember.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace torch::autograd {

namespace {

THPFunction* as_function(PyObject* self) { return reinterpret_cast<THPFunction*>(self); }

PyObject* THPFunction_new(PyTypeObject* type, PyObject* /*args*/, PyObject* /*kwargs*/) {
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  THPFunction* function = as_function(self);
  new (&function->cdata) std::weak_ptr<PyNode>();
  new (&function->saved_variables) std::vector<SavedVariable>();
  new (&function->output_info) std::vector<InputMetadata>();
  new (&function->is_variable_input) std::vector<bool>();
  new (&function->is_differentiable_output) std::vector<bool>();
  function->materialize_grads = true;
  function->materialize_non_diff_grads = true;
  return self;
}

int THPFunction_traverse(PyObject* self, visitproc visit, void* arg) {
  THPFunction* function = as_function(self);
  Py_VISIT(function->dict);
  Py_VISIT(function->needs_input_grad);
  Py_VISIT(function->to_save);
  Py_VISIT(function->non_differentiable);
  Py_VISIT(function->dirty_tensors);
  return 0;
}

int THPFunction_clear(PyObject* self) {
  THPFunction* function = as_function(self);
  Py_CLEAR(function->dict);
  Py_CLEAR(function->needs_input_grad);
  Py_CLEAR(function->to_save);
  Py_CLEAR(function->non_differentiable);
  Py_CLEAR(function->dirty_tensors);
  function->saved_variables.clear();
  return 0;
}

void THPFunction_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  THPFunction* function = as_function(self);
  THPFunction_clear(self);
  function->cdata.~weak_ptr();
  function->saved_variables.~vector();
  function->output_info.~vector();
  function->is_variable_input.~vector();
  function->is_differentiable_output.~vector();
  Py_TYPE(self)->tp_free(self);
}

std::shared_ptr<PyNode> node_of(PyObject* self) {
  std::shared_ptr<PyNode> node = as_function(self)->cdata.lock();
  if (!node) {
    throw torch::RuntimeError(
        "Attribute of a Function's context is invalid: the graph it belongs to was freed, or nothing required grad");
  }
  return node;
}

// Whether `obj` is one of the objects in `tuple`, which may be null or None.
bool contains(PyObject* tuple, PyObject* obj) {
  if (!tuple || tuple == Py_None) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    if (PyTuple_GET_ITEM(tuple, i) == obj) return true;
  }
  return false;
}

void require_tuple(PyObject* value, const char* method) {
  if (!value || value == Py_None || PyTuple_Check(value)) return;
  throw torch::TypeError("%s attribute is expected to be a tuple, but is %s", method,
                         Py_TYPE(value)->tp_name);
}

// Gives the outputs of `forward` their history and moves what was saved into the context.
PyObject* process_outputs(THPFunction* ctx, const std::shared_ptr<PyNode>& node,
                          const variable_list& inputs, PyObject* raw_output, bool is_executable) {
  const bool single = !PyTuple_Check(raw_output);
  THPObjectPtr outputs(single ? PyTuple_Pack(1, raw_output) : Py_NewRef(raw_output));
  if (!outputs) throw python_error();
  const Py_ssize_t count = PyTuple_GET_SIZE(outputs.get());
  THPObjectPtr results(PyTuple_New(count));
  if (!results) throw python_error();
  require_tuple(ctx->to_save, "saved tensors");
  require_tuple(ctx->dirty_tensors, "dirty_tensors");
  require_tuple(ctx->non_differentiable, "non_differentiable");

  ctx->output_info.clear();
  ctx->is_differentiable_output.clear();
  std::vector<Variable> views;
  std::unordered_set<PyObject*> modified;
  size_t differentiable = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyTuple_GET_ITEM(outputs.get(), i);
    if (!THPVariable_Check(item)) {
      // Not a tensor: passed through, and its gradient never comes.
      if (is_executable) node->add_input_metadata(Node::undefined_input());
      ctx->output_info.emplace_back();
      ctx->is_differentiable_output.push_back(false);
      PyTuple_SET_ITEM(results.get(), i, Py_NewRef(item));
      continue;
    }
    Variable output = THPVariable_Unpack(item);
    const bool is_input = std::any_of(inputs.begin(), inputs.end(),
                                      [&](const Variable& input) { return input.is_same(output); });
    const bool is_modified = contains(ctx->dirty_tensors, item);
    const bool is_differentiable = is_executable && !contains(ctx->non_differentiable, item) &&
                                   isDifferentiableType(output.scalar_type());
    ctx->is_differentiable_output.push_back(is_differentiable);
    differentiable += is_differentiable ? 1 : 0;
    if (is_modified) {
      modified.insert(item);
      if (!is_input) {
        TORCH_WARN(
            "Only input Tensors should be given to ctx.mark_dirty(). If a Tensor is not an input, there is no need to pass it to mark_dirty().");
      }
      if (is_differentiable) {
        TORCH_CHECK(!(output.requires_grad() && output.is_leaf()),
                    "a leaf Variable that requires grad has been used in an in-place operation.");
        check_inplace_allowed(output, is_executable);
      }
      impl::bump_version(output);
    } else if (is_input) {
      // The same tensor cannot have two histories: a view of it has the new one.
      const c10::AutoGradMode no_grad(false);
      output =
          is_differentiable ? at::_ops::alias::call(output) : at::Tensor(output.variable_data());
    }
    if (!is_modified && output.is_view()) views.push_back(output);
    if (!is_differentiable) {
      // A view stays one, as a view that is made without a Function.
      if (!is_modified && output.requires_grad() && !output.is_view()) {
        output = at::Tensor(output.variable_data());
      }
      if (is_executable) node->add_input_metadata(output);
      ctx->output_info.emplace_back(output);
    } else {
      const uint32_t output_nr = node->add_input_metadata(output);
      ctx->output_info.emplace_back(output);
      if (is_modified) {
        impl::rebase_history(output, Edge(node, output_nr));
      } else {
        impl::set_gradient_edge(output, Edge(node, output_nr));
      }
    }
    PyTuple_SET_ITEM(results.get(), i, THPVariable_Wrap(output));
  }

  if (ctx->dirty_tensors && ctx->dirty_tensors != Py_None) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ctx->dirty_tensors); ++i) {
      TORCH_CHECK(
          modified.count(PyTuple_GET_ITEM(ctx->dirty_tensors, i)) > 0,
          "Some elements marked as dirty during the forward method were not returned as output. "
          "The inputs that are modified inplace must all be outputs of the Function.");
    }
  }
  // To change such a view in place would go past the Function's own backward.
  for (const Variable& view : views) {
    impl::get_view_autograd_meta(view)->set_creation_meta(
        differentiable > 1 ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::IN_CUSTOM_FUNCTION);
  }

  if (is_executable) {
    if (ctx->to_save && ctx->to_save != Py_None) {
      ctx->saved_variables.clear();
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(ctx->to_save); ++i) {
        PyObject* item = PyTuple_GET_ITEM(ctx->to_save, i);
        if (item == Py_None) {
          ctx->saved_variables.emplace_back(Variable(), false);
        } else if (THPVariable_Check(item)) {
          const Variable& tensor = THPVariable_Unpack(item);
          ctx->saved_variables.emplace_back(tensor, tensor.grad_fn() == node);
        } else {
          throw torch::TypeError(
              "save_for_backward can only save variables, but argument %zd is of type %s", i,
              Py_TYPE(item)->tp_name);
        }
      }
    }
  } else {
    ctx->saved_variables.clear();
  }
  Py_CLEAR(ctx->to_save);
  Py_CLEAR(ctx->non_differentiable);
  Py_CLEAR(ctx->dirty_tensors);
  if (single) return Py_NewRef(PyTuple_GET_ITEM(results.get(), 0));
  return results.release();
}

// The `setup_context` of a class that does not define it, which lives as long as the program.
PyObject* default_setup_context() {
  // The GIL guards it. A static that its first use initialises would have a lock of its own, and
  // whoever waits for that keeps the GIL from the import.
  static PyObject* function = nullptr;
  if (!function) {
    THPObjectPtr module(PyImport_ImportModule("torch.autograd.function"));
    if (!module) throw python_error();
    THPObjectPtr base(PyObject_GetAttrString(module, "_SingleLevelFunction"));
    if (!base) throw python_error();
    function = PyObject_GetAttrString(base, "setup_context");
    if (!function) throw python_error();
  }
  return function;
}

// Function.apply(*args, **kwargs): a class method. Names become positions.
PyObject* THPFunction_apply(PyObject* cls, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  THPObjectPtr positional;
  if (kwargs != nullptr && PyDict_GET_SIZE(kwargs) > 0) {
    THPObjectPtr module(PyImport_ImportModule("torch.autograd.function"));
    if (!module) throw python_error();
    positional = PyObject_CallMethod(module.get(), "_positional", "OOO", cls, args, kwargs);
    if (!positional) throw python_error();
    args = positional.get();
  }
  THPObjectPtr backward_cls(PyObject_GetAttrString(cls, "_backward_cls"));
  if (!backward_cls) throw python_error();
  THPObjectPtr ctx_obj(PyObject_CallNoArgs(backward_cls));
  if (!ctx_obj) throw python_error();
  THPFunction* ctx = as_function(ctx_obj);

  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  variable_list inputs;
  edge_list edges;
  THPObjectPtr needs_input_grad(PyTuple_New(count));
  if (!needs_input_grad) throw python_error();
  bool any_requires_grad = false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyTuple_GET_ITEM(args, i);
    bool requires_grad = false;
    const bool is_tensor = THPVariable_Check(item);
    ctx->is_variable_input.push_back(is_tensor);
    if (is_tensor) {
      const Variable& tensor = THPVariable_Unpack(item);
      requires_grad = tensor.requires_grad();
      inputs.push_back(tensor);
      edges.push_back(requires_grad ? impl::gradient_edge(tensor) : Edge());
    }
    any_requires_grad |= requires_grad;
    PyTuple_SET_ITEM(needs_input_grad.get(), i, PyBool_FromLong(requires_grad));
  }
  const bool is_executable = any_requires_grad && c10::GradMode::is_enabled();
  std::shared_ptr<PyNode> node(new PyNode(Py_NewRef(ctx_obj.get())), deleteNode);
  ctx->cdata = node;
  ctx->needs_input_grad = needs_input_grad.release();
  if (is_executable) node->set_next_edges(std::move(edges));

  THPObjectPtr forward(PyObject_GetAttrString(cls, "forward"));
  if (!forward) throw python_error();
  THPObjectPtr setup(PyObject_GetAttrString(cls, "setup_context"));
  if (!setup) throw python_error();
  const bool has_setup = setup.get() != default_setup_context();

  THPObjectPtr output;
  {
    const c10::AutoGradMode no_grad(false);
    if (has_setup) {
      output = PyObject_CallObject(forward, args);
      if (!output) throw python_error();
      THPObjectPtr done(
          PyObject_CallFunctionObjArgs(setup, ctx_obj.get(), args, output.get(), nullptr));
      if (!done) throw python_error();
    } else {
      THPObjectPtr with_ctx(PyTuple_New(count + 1));
      if (!with_ctx) throw python_error();
      PyTuple_SET_ITEM(with_ctx.get(), 0, Py_NewRef(ctx_obj.get()));
      for (Py_ssize_t i = 0; i < count; ++i) {
        PyTuple_SET_ITEM(with_ctx.get(), i + 1, Py_NewRef(PyTuple_GET_ITEM(args, i)));
      }
      output = PyObject_CallObject(forward, with_ctx);
      if (!output) throw python_error();
    }
  }
  return process_outputs(ctx, node, inputs, output, is_executable);
  END_HANDLE_TH_ERRORS
}

PyObject* get_saved_tensors(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  THPFunction* ctx = as_function(self);
  if (ctx->has_freed_buffers) throw torch::RuntimeError("%s", ERR_BACKWARD_TWICE);
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(ctx->saved_variables.size())));
  if (!tuple) throw python_error();
  const std::shared_ptr<PyNode> node = ctx->cdata.lock();
  for (size_t i = 0; i < ctx->saved_variables.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                     THPVariable_Wrap(ctx->saved_variables[i].unpack(node)));
  }
  return tuple.release();
  END_HANDLE_TH_ERRORS
}

PyObject* get_saved_variables(PyObject* self, void* closure) {
  constexpr const char* kText = "'saved_variables' is deprecated; use 'saved_tensors'";
  if (PyErr_WarnEx(PyExc_DeprecationWarning, kText, 1) < 0) return nullptr;
  return get_saved_tensors(self, closure);
}

PyObject* get_next_functions(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return node_next_functions(*node_of(self));
  END_HANDLE_TH_ERRORS
}

PyObject* get_metadata(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return node_metadata(*node_of(self));
  END_HANDLE_TH_ERRORS
}

PyObject* get_materialize_grads(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(as_function(self)->materialize_grads);
}
int set_materialize_grads(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (!value || !PyBool_Check(value)) {
    throw torch::TypeError("materialize_grads must be a bool");
  }
  as_function(self)->materialize_grads = value == Py_True;
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_materialize_non_diff_grads(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(as_function(self)->materialize_non_diff_grads);
}
int set_materialize_non_diff_grads(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (!value || !PyBool_Check(value)) {
    throw torch::TypeError("_materialize_non_diff_grads must be a bool");
  }
  as_function(self)->materialize_non_diff_grads = value == Py_True;
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_requires_grad(PyObject* /*self*/, void* /*unused*/) { Py_RETURN_TRUE; }

template <PyObject* THPFunction::* Member>
PyObject* get_object(PyObject* self, void* /*unused*/) {
  PyObject* value = as_function(self)->*Member;
  return Py_NewRef(value ? value : Py_None);
}
template <PyObject* THPFunction::* Member>
int set_object(PyObject* self, PyObject* value, void* /*unused*/) {
  if (value == Py_None) value = nullptr;
  Py_XINCREF(value);
  Py_XSETREF(as_function(self)->*Member, value);
  return 0;
}

PyObject* name(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPUtils_packString(node_of(self)->name());
  END_HANDLE_TH_ERRORS
}
PyObject* register_hook(PyObject* self, PyObject* hook) {
  HANDLE_TH_ERRORS
  return node_register_hook(*node_of(self), hook);
  END_HANDLE_TH_ERRORS
}
PyObject* register_prehook(PyObject* self, PyObject* hook) {
  HANDLE_TH_ERRORS
  return node_register_prehook(*node_of(self), hook);
  END_HANDLE_TH_ERRORS
}

PyGetSetDef kProperties[] = {
    {"saved_tensors", get_saved_tensors, nullptr, nullptr, nullptr},
    {"saved_variables", get_saved_variables, nullptr, nullptr, nullptr},
    {"metadata", get_metadata, nullptr, nullptr, nullptr},
    {"next_functions", get_next_functions, nullptr, nullptr, nullptr},
    {"requires_grad", get_requires_grad, nullptr, nullptr, nullptr},
    {"materialize_grads", get_materialize_grads, set_materialize_grads, nullptr, nullptr},
    {"_materialize_non_diff_grads", get_materialize_non_diff_grads, set_materialize_non_diff_grads,
     nullptr, nullptr},
    {"needs_input_grad", get_object<&THPFunction::needs_input_grad>,
     set_object<&THPFunction::needs_input_grad>, nullptr, nullptr},
    {"to_save", get_object<&THPFunction::to_save>, set_object<&THPFunction::to_save>, nullptr,
     nullptr},
    {"non_differentiable", get_object<&THPFunction::non_differentiable>,
     set_object<&THPFunction::non_differentiable>, nullptr, nullptr},
    {"dirty_tensors", get_object<&THPFunction::dirty_tensors>,
     set_object<&THPFunction::dirty_tensors>, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef kMethods[] = {
    {"name", name, METH_NOARGS, nullptr},
    {"apply", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(THPFunction_apply)),
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, nullptr},
    {"register_hook", register_hook, METH_O, nullptr},
    {"register_prehook", register_prehook, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._FunctionBase";
  type.tp_basicsize = sizeof(THPFunction);
  type.tp_dealloc = THPFunction_dealloc;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = THPFunction_traverse;
  type.tp_clear = THPFunction_clear;
  type.tp_methods = kMethods;
  type.tp_getset = kProperties;
  type.tp_dictoffset = offsetof(THPFunction, dict);
  type.tp_new = THPFunction_new;
  return type;
}

}  // namespace

PyTypeObject THPFunctionType = make_type();

PyNode::PyNode(PyObject* obj) : obj(obj) {}

PyNode::~PyNode() {
  if (!Py_IsInitialized()) return;
  const GilAcquire gil;
  Py_DECREF(obj);
}

std::string PyNode::name() const {
  const GilAcquire gil;
  return Py_TYPE(obj)->tp_name;
}

void PyNode::release_variables() {
  if (!Py_IsInitialized()) return;
  const GilAcquire gil;
  THPFunction* ctx = as_function(obj);
  ctx->saved_variables.clear();
  ctx->has_freed_buffers = true;
}

variable_list PyNode::apply(variable_list&& inputs) {
  const GilAcquire gil;
  try {
    return call_backward(std::move(inputs));
  } catch (python_error& e) {
    // The error leaves the interpreter here: C++ may run Python code before the engine rethrows it.
    e.persist();
    throw;
  }
}

variable_list PyNode::call_backward(variable_list&& inputs) {
  THPFunction* ctx = as_function(obj);

  THPObjectPtr grads(PyTuple_New(static_cast<Py_ssize_t>(inputs.size())));
  if (!grads) throw python_error();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool zeros = !inputs[i].defined() && ctx->materialize_grads &&
                       i < ctx->output_info.size() &&
                       !ctx->output_info[i].was_default_constructed() &&
                       (ctx->materialize_non_diff_grads || ctx->is_differentiable_output[i]);
    PyTuple_SET_ITEM(grads.get(), static_cast<Py_ssize_t>(i),
                     THPVariable_Wrap(zeros ? ctx->output_info[i].zeros_like() : inputs[i]));
  }

  THPObjectPtr apply(PyObject_GetAttrString(obj, "apply"));
  if (!apply) throw python_error();
  THPObjectPtr result(PyObject_CallObject(apply, grads));
  if (!result) throw python_error();
  if (!PyTuple_Check(result.get())) {
    THPObjectPtr tuple(PyTuple_Pack(1, result.get()));
    result = std::move(tuple);
  }

  const std::vector<bool>& is_variable = ctx->is_variable_input;
  const auto expected = static_cast<Py_ssize_t>(is_variable.size());
  Py_ssize_t given = PyTuple_GET_SIZE(result.get());
  bool all_none = true;
  for (Py_ssize_t i = expected; i < given; ++i) {
    all_none &= PyTuple_GET_ITEM(result.get(), i) == Py_None;
  }
  if (given > expected && all_none) given = expected;
  if (given != expected) {
    throw torch::RuntimeError(
        "function %s returned an incorrect number of gradients (expected %zd, got %zd)",
        name().c_str(), expected, given);
  }
  variable_list outputs;
  for (Py_ssize_t i = 0; i < expected; ++i) {
    PyObject* item = PyTuple_GET_ITEM(result.get(), i);
    if (!is_variable[i]) {
      if (item != Py_None) {
        throw torch::RuntimeError(
            "function %s returned a gradient different than None at position %zd, but the corresponding forward input was not a Variable",
            name().c_str(), i + 1);
      }
      continue;
    }
    if (item == Py_None) {
      outputs.emplace_back();
    } else if (THPVariable_Check(item)) {
      outputs.push_back(THPVariable_Unpack(item));
    } else {
      throw torch::RuntimeError("expected Variable or None (got %s)", Py_TYPE(item)->tp_name);
    }
  }
  return outputs;
}

void THPFunction_initModule(PyObject* module) {
  if (PyType_Ready(&THPFunctionType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "_FunctionBase", reinterpret_cast<PyObject*>(&THPFunctionType));
}

}  // namespace torch::autograd
