#include <torch/csrc/autograd/python_cpp_function.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/python_function.h>
#include <torch/csrc/autograd/python_hook.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_strings.h>

#include <memory>
#include <string>
#include <string_view>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>

namespace torch::autograd {

namespace {

// The dict of `grad_fn.metadata`, which lives as long as the node: a hook that changes nothing.
struct Metadata final : public FunctionPostHook {
  explicit Metadata(PyObject* dict) : dict(Py_NewRef(dict)) {}
  ~Metadata() override {
    if (!Py_IsInitialized()) return;
    const GilAcquire gil;
    Py_DECREF(dict);
  }
  variable_list operator()(const variable_list& outputs, const variable_list& /*inputs*/) override {
    return outputs;
  }

  PyObject* dict;
};

// traceback.format_stack's list, of its entries in one text.
PyObject* stack_entries(const std::string& text) {
  constexpr std::string_view kEntry = "\n  File ";
  THPObjectPtr list(PyList_New(0));
  if (!list) throw python_error();
  for (size_t begin = 0; begin < text.size();) {
    const size_t next = text.find(kEntry, begin);
    const size_t end = next == std::string::npos ? text.size() : next + 1;
    const THPObjectPtr entry(THPUtils_packString(text.substr(begin, end - begin)));
    if (!entry || PyList_Append(list, entry) < 0) throw python_error();
    begin = end;
  }
  return list.release();
}

Node& node_of(PyObject* self) { return *reinterpret_cast<THPCppFunction*>(self)->cdata; }

void cpp_function_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  auto& cdata = reinterpret_cast<THPCppFunction*>(self)->cdata;
  if (cdata) cdata->set_pyobj(nullptr);
  cdata.~shared_ptr();
  Py_TYPE(self)->tp_free(self);
}

int cpp_function_traverse(PyObject* self, visitproc visit, void* arg) {
  const auto& cdata = reinterpret_cast<THPCppFunction*>(self)->cdata;
  if (!cdata || cdata.use_count() > 1) return 0;
  for (const auto& hook : cdata->pre_hooks()) {
    if (auto* python = dynamic_cast<PyFunctionPreHook*>(hook.get())) Py_VISIT(python->dict);
  }
  for (const auto& hook : cdata->post_hooks()) {
    if (auto* python = dynamic_cast<PyFunctionPostHook*>(hook.get())) Py_VISIT(python->dict);
    if (auto* metadata = dynamic_cast<Metadata*>(hook.get())) Py_VISIT(metadata->dict);
  }
  return 0;
}

PyObject* get_next_functions(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return node_next_functions(node_of(self));
  END_HANDLE_TH_ERRORS
}

PyObject* get_metadata(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return node_metadata(node_of(self));
  END_HANDLE_TH_ERRORS
}

PyObject* get_requires_grad(PyObject* /*self*/, void* /*unused*/) { Py_RETURN_TRUE; }

PyObject* get_variable(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  auto* accumulate = dynamic_cast<AccumulateGrad*>(&node_of(self));
  if (!accumulate) throw torch::AttributeError("only AccumulateGrad has a variable");
  return THPVariable_Wrap(accumulate->variable);
  END_HANDLE_TH_ERRORS
}

PyObject* name(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPUtils_packString(node_of(self).name());
  END_HANDLE_TH_ERRORS
}

PyObject* sequence_nr(PyObject* self, PyObject* /*unused*/) {
  return PyLong_FromUnsignedLongLong(node_of(self).sequence_nr());
}

PyObject* register_hook(PyObject* self, PyObject* hook) {
  HANDLE_TH_ERRORS
  return node_register_hook(node_of(self), hook);
  END_HANDLE_TH_ERRORS
}

PyObject* register_prehook(PyObject* self, PyObject* hook) {
  HANDLE_TH_ERRORS
  return node_register_prehook(node_of(self), hook);
  END_HANDLE_TH_ERRORS
}

PyObject* call(PyObject* self, PyObject* args, PyObject* /*kwargs*/) {
  HANDLE_TH_ERRORS
  variable_list inputs;
  const auto wanted = static_cast<Py_ssize_t>(node_of(self).num_inputs());
  if (PyTuple_GET_SIZE(args) != wanted) {
    throw torch::TypeError("expected %zd arguments, got %zd instead", wanted,
                           PyTuple_GET_SIZE(args));
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i) {
    PyObject* item = PyTuple_GET_ITEM(args, i);
    if (item == Py_None) {
      inputs.emplace_back();
    } else if (THPVariable_Check(item)) {
      inputs.push_back(THPVariable_Unpack(item));
    } else {
      throw torch::TypeError("argument %zd is not a Variable", i);
    }
  }
  variable_list outputs = node_of(self)(std::move(inputs));
  if (outputs.size() == 1) return THPVariable_Wrap(std::move(outputs[0]));
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < outputs.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), THPVariable_Wrap(outputs[i]));
  }
  return tuple.release();
  END_HANDLE_TH_ERRORS
}

// What a node saved has no names here.
PyObject* get_attribute(PyObject* self, PyObject* attribute) {
  PyObject* found = PyObject_GenericGetAttr(self, attribute);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  HANDLE_TH_ERRORS
  if (!THPUtils_checkString(attribute)) return nullptr;
  const std::string text = THPUtils_unpackString(attribute);
  if (text.starts_with("_saved_") || text.starts_with("_raw_saved_")) {
    PyErr_Clear();
    throw torch::AttributeError(
        "'%s' object has no attribute '%s': this release is without names of what a node saved; use torch.autograd.graph.saved_tensors_hooks",
        Py_TYPE(self)->tp_name, text.c_str());
  }
  return nullptr;
  END_HANDLE_TH_ERRORS
}

PyGetSetDef kProperties[] = {
    {"metadata", get_metadata, nullptr, nullptr, nullptr},
    {"next_functions", get_next_functions, nullptr, nullptr, nullptr},
    {"requires_grad", get_requires_grad, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyGetSetDef kAccumulateProperties[] = {
    {"metadata", get_metadata, nullptr, nullptr, nullptr},
    {"next_functions", get_next_functions, nullptr, nullptr, nullptr},
    {"requires_grad", get_requires_grad, nullptr, nullptr, nullptr},
    {"variable", get_variable, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef kMethods[] = {
    {"name", name, METH_NOARGS, nullptr},
    {"_sequence_nr", sequence_nr, METH_NOARGS, nullptr},
    {"register_hook", register_hook, METH_O, nullptr},
    {"register_prehook", register_prehook, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// The Python type of a class of nodes, made once and kept.
PyTypeObject* type_of(Node& node) {
  static std::unordered_map<std::type_index, PyTypeObject*> types;
  PyTypeObject*& type = types[std::type_index(typeid(node))];
  if (type) return type;
  // As immortal as the type; without the namespace.
  const std::string full_name = node.name();
  const size_t colon = full_name.rfind(':');
  const auto* text =
      new std::string(colon == std::string::npos ? full_name : full_name.substr(colon + 1));
  type = new PyTypeObject{PyVarObject_HEAD_INIT(nullptr, 0)};
  type->tp_name = text->c_str();
  type->tp_basicsize = sizeof(THPCppFunction);
  type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type->tp_dealloc = cpp_function_dealloc;
  type->tp_traverse = cpp_function_traverse;
  type->tp_call = call;
  type->tp_getattro = get_attribute;
  type->tp_methods = kMethods;
  type->tp_getset = dynamic_cast<AccumulateGrad*>(&node) ? kAccumulateProperties : kProperties;
  if (PyType_Ready(type) < 0) throw python_error();
  return type;
}

bool is_cpp_function(PyObject* obj) { return Py_TYPE(obj)->tp_dealloc == cpp_function_dealloc; }

}  // namespace

PyObject* functionToPyObject(const std::shared_ptr<Node>& node) {
  if (!node) Py_RETURN_NONE;
  if (auto* python = dynamic_cast<PyNode*>(node.get())) return Py_NewRef(python->obj);
  if (PyObject* existing = node->pyobj()) return Py_NewRef(existing);
  PyTypeObject* type = type_of(*node);
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) throw python_error();
  new (&reinterpret_cast<THPCppFunction*>(self)->cdata) std::shared_ptr<Node>(node);
  node->set_pyobj(self);
  return self;
}

std::shared_ptr<Node> nodeFromPyObject(PyObject* obj) {
  if (is_cpp_function(obj)) return reinterpret_cast<THPCppFunction*>(obj)->cdata;
  if (THPFunction_Check(obj)) return reinterpret_cast<THPFunction*>(obj)->cdata.lock();
  return nullptr;
}

PyObject* node_next_functions(Node& node) {
  const edge_list& edges = node.next_edges();
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(edges.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < edges.size(); ++i) {
    THPObjectPtr function(functionToPyObject(edges[i].function));
    PyObject* pair = Py_BuildValue("(OI)", function.get(), edges[i].input_nr);
    if (!pair) throw python_error();
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), pair);
  }
  return tuple.release();
}

PyObject* node_metadata(Node& node) {
  for (const auto& hook : node.post_hooks()) {
    if (auto* metadata = dynamic_cast<Metadata*>(hook.get())) return Py_NewRef(metadata->dict);
  }
  THPObjectPtr dict(PyDict_New());
  if (!dict) throw python_error();
  // What anomaly mode noted.
  if (const auto found = node.metadata().find("traceback_"); found != node.metadata().end()) {
    const THPObjectPtr entries(stack_entries(found->second));
    if (PyDict_SetItemString(dict, "traceback_", entries) < 0) throw python_error();
  }
  node.add_post_hook(std::make_unique<Metadata>(dict));
  return dict.release();
}

namespace {

// torch.utils.hooks.RemovableHandle for `dict`, with `hook` entered into it.
PyObject* enter_hook(PyObject* dict, PyObject* hook) {
  THPObjectPtr module(PyImport_ImportModule("torch.utils.hooks"));
  if (!module) throw python_error();
  THPObjectPtr handle(PyObject_CallMethod(module, "RemovableHandle", "O", dict));
  if (!handle) throw python_error();
  THPObjectPtr id(PyObject_GetAttrString(handle, "id"));
  if (!id || PyObject_SetItem(dict, id, hook) < 0) throw python_error();
  return handle.release();
}

PyObject* new_hook_dict() {
  THPObjectPtr module(PyImport_ImportModule("collections"));
  if (!module) throw python_error();
  PyObject* dict = PyObject_CallMethod(module, "OrderedDict", nullptr);
  if (!dict) throw python_error();
  return dict;
}

}  // namespace

PyObject* node_register_hook(Node& node, PyObject* hook) {
  for (const auto& existing : node.post_hooks()) {
    if (auto* python = dynamic_cast<PyFunctionPostHook*>(existing.get())) {
      return enter_hook(python->dict, hook);
    }
  }
  THPObjectPtr dict(new_hook_dict());
  node.add_post_hook(std::make_unique<PyFunctionPostHook>(dict));
  return enter_hook(dict, hook);
}

PyObject* node_register_prehook(Node& node, PyObject* hook) {
  for (const auto& existing : node.pre_hooks()) {
    if (auto* python = dynamic_cast<PyFunctionPreHook*>(existing.get())) {
      return enter_hook(python->dict, hook);
    }
  }
  THPObjectPtr dict(new_hook_dict());
  node.add_pre_hook(std::make_unique<PyFunctionPreHook>(dict));
  return enter_hook(dict, hook);
}

}  // namespace torch::autograd
