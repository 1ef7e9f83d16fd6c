// Functions of torch that no schema describes, and the modules that hold all functions.

#include <torch/csrc/autograd/python_bindings.h>

#include <ATen/ops/nonzero_numpy_ops.h>
#include <ATen/ops/nonzero_ops.h>
#include <ATen/ops/to_ops.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/tensor_numpy.h>

#include <c10/util/Exception.h>

#include <map>
#include <string>
#include <vector>

namespace torch::autograd {

namespace {

void set_requires_grad(at::Tensor& tensor, bool requires_grad) {
  if (!requires_grad) return;
  if (!isDifferentiableType(tensor.scalar_type())) {
    throw torch::RuntimeError(
        "Only Tensors of floating point and complex dtype can require gradients");
  }
  tensor.set_requires_grad(true);
}

PyObject* THPVariable_tensor(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs,
                             PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"tensor(PyObject* data, *, ScalarType dtype=None, Device device=None, bool "
       "pin_memory=False, "
       "bool requires_grad=False)"});
  ParsedArgs<5> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  if (THPVariable_Check(r.pyobject(0)) &&
      PyErr_WarnEx(
          PyExc_UserWarning,
          "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
          1) < 0) {
    throw python_error();
  }
  at::Tensor tensor =
      utils::tensor_from_data(r.pyobject(0), r.scalartypeOptional(1), r.deviceOptional(2));
  set_requires_grad(tensor, r.toBool(4));
  return wrap(std::move(tensor));
  END_HANDLE_TH_ERRORS
}

PyObject* function_as_tensor(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs,
                             PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"as_tensor(PyObject* data, *, ScalarType dtype=None, Device device=None)"});
  ParsedArgs<3> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  PyObject* data = r.pyobject(0);
  at::Tensor tensor;
  if (THPVariable_Check(data)) {
    tensor = THPVariable_Unpack(data);
  } else if (utils::is_numpy_array(data)) {
    tensor = utils::tensor_from_numpy(data);
  } else {
    return wrap(utils::tensor_from_data(data, r.scalartypeOptional(1), r.deviceOptional(2)));
  }
  return wrap(at::_ops::to_dtype_layout::call(tensor, r.scalartypeOptional(1), std::nullopt,
                                              r.deviceOptional(2), std::nullopt, false, false,
                                              std::nullopt));
  END_HANDLE_TH_ERRORS
}

PyObject* function_from_numpy(PyObject* /*self*/, PyObject* array) {
  HANDLE_TH_ERRORS
  return wrap(utils::tensor_from_numpy(array));
  END_HANDLE_TH_ERRORS
}

PyObject* function_numel(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs,
                         PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"numel(Tensor input)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  return wrap(r.tensor(0).numel());
  END_HANDLE_TH_ERRORS
}

PyObject* function_nonzero(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs,
                           PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"nonzero(Tensor input, *, bool as_tuple=False, Tensor out=None)"});
  ParsedArgs<3> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor tensor = r.tensor(0);
  if (r.toBool(1)) {
    if (!r.isNone(2)) {
      throw torch::RuntimeError("nonzero does not support the out kwarg when as_tuple is True");
    }
    return wrap(at::_ops::nonzero_numpy::call(tensor));
  }
  if (!r.isNone(2)) {
    at::Tensor& out = r.mutableTensor(2);
    return wrap(at::_ops::nonzero_out::call(tensor, out));
  }
  return wrap(at::_ops::nonzero::call(tensor));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"tensor", as_method(overridable_by_modes<"tensor", THPVariable_tensor>),
     METH_FASTCALL | METH_KEYWORDS | METH_STATIC, nullptr},
    {"as_tensor", as_method(overridable_by_modes<"as_tensor", function_as_tensor>),
     METH_FASTCALL | METH_KEYWORDS | METH_STATIC, nullptr},
    {"from_numpy", function_from_numpy, METH_O | METH_STATIC, nullptr},
    TORCH_FUNCTION(numel, function_numel),
    TORCH_FUNCTION(nonzero, function_nonzero),
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_functions_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._VariableFunctionsClass";
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  return type;
}

PyTypeObject VariableFunctionsType = make_functions_type();

void append(std::vector<PyMethodDef>& all, PyMethodDef* table) {
  for (; table->ml_name; ++table) all.push_back(*table);
}

// A submodule of torch._C with the functions of a table. The entries are static methods; a module
// takes plain functions, so the flag goes.
void add_function_module(PyObject* module, const char* full_name, const char* name,
                         PyMethodDef* table) {
  auto* methods = new std::vector<PyMethodDef>();  // as immortal as the module
  append(*methods, table);
  for (PyMethodDef& method : *methods) method.ml_flags &= ~METH_STATIC;
  methods->push_back({nullptr, nullptr, 0, nullptr});
  auto* definition = new PyModuleDef{PyModuleDef_HEAD_INIT,
                                     full_name,
                                     nullptr,
                                     -1,
                                     methods->data(),
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     nullptr};
  PyObject* submodule = PyModule_Create(definition);
  if (!submodule) throw python_error();
  if (PyModule_AddObject(module, name, submodule) < 0) throw python_error();
}

}  // namespace

PyMethodDef* python_torch_functions_manual() { return kFunctions; }

namespace {

PyTypeObject* make_return_type(const std::string& name, const std::vector<std::string>& fields) {
  static std::map<std::string, PyTypeObject*> types;
  std::string key = name;
  for (const std::string& field : fields) key += "," + field;
  PyTypeObject*& type = types[key];
  if (type) return type;
  // All of this lives as long as the type, which is for ever.
  auto* full_name = new std::string("torch.return_types." + name);
  auto* field_names = new std::vector<std::string>(fields);
  auto* entries = new std::vector<PyStructSequence_Field>();
  for (const std::string& field : *field_names) entries->push_back({field.c_str(), ""});
  entries->push_back({nullptr, nullptr});
  PyStructSequence_Desc description{full_name->c_str(), nullptr, entries->data(),
                                    static_cast<int>(fields.size())};
  type = PyStructSequence_NewType(&description);
  if (!type) throw python_error();
  // CPython prints namedtuples on one line; tensors read better one a line.
  type->tp_repr = [](PyObject* self) -> PyObject* {
    HANDLE_TH_ERRORS
    PyTypeObject* cls = Py_TYPE(self);
    std::string text = std::string(cls->tp_name) + "(\n";
    const Py_ssize_t size = PyTuple_GET_SIZE(self);
    for (Py_ssize_t i = 0; i < size; ++i) {
      THPObjectPtr repr(PyObject_Repr(PyTuple_GET_ITEM(self, i)));
      if (!repr) throw python_error();
      text += std::string(cls->tp_members[i].name) + "=" + PyUnicode_AsUTF8(repr);
      text += i + 1 < size ? ",\n" : ")";
    }
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    END_HANDLE_TH_ERRORS
  };
  return type;
}

// torch._C._return_type(name, fields)
PyObject* return_type_of_names(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  const char* name = nullptr;
  PyObject* fields = nullptr;
  if (!PyArg_ParseTuple(args, "sO!", &name, &PyTuple_Type, &fields)) return nullptr;
  std::vector<std::string> names;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields); ++i) {
    const char* field = PyUnicode_AsUTF8(PyTuple_GET_ITEM(fields, i));
    if (!field) return nullptr;
    names.emplace_back(field);
  }
  return Py_NewRef(reinterpret_cast<PyObject*>(make_return_type(name, names)));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kReturnTypes[] = {{"_return_type", return_type_of_names, METH_VARARGS, nullptr},
                              {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject* return_type(const char* name, std::initializer_list<const char*> fields) {
  return make_return_type(name, std::vector<std::string>(fields.begin(), fields.end()));
}

void check_out_options(const PythonArgs& r, int out, int dtype, int layout, int device) {
  const at::Tensor result = r.tensor(out);
  if (!r.isNone(dtype) && r.scalartype(dtype) != result.scalar_type()) {
    throw torch::RuntimeError("dtype %s does not match dtype of out parameter (%s)",
                              c10::toString(r.scalartype(dtype)),
                              c10::toString(result.scalar_type()));
  }
  if (!r.isNone(layout) && r.layout(layout) != result.layout()) {
    throw torch::RuntimeError("layout %s does not match layout of out parameter (%s)",
                              c10::str(r.layout(layout)).c_str(),
                              c10::str(result.layout()).c_str());
  }
  if (!r.isNone(device) && r.device(device).type() != result.device().type()) {
    throw torch::RuntimeError("device type %s does not match device type of out parameter (%s)",
                              c10::DeviceTypeName(r.device(device).type(), true).c_str(),
                              c10::DeviceTypeName(result.device().type(), true).c_str());
  }
}

void init_function_modules(PyObject* module) {
  if (PyModule_AddFunctions(module, kReturnTypes) < 0) throw python_error();
  static std::vector<PyMethodDef> all = [] {
    std::vector<PyMethodDef> functions;
    append(functions, kFunctions);
#define TORCH_APPEND_TABLE(NAME) append(functions, NAME());
    TORCH_FOR_EACH_FUNCTION_TABLE(TORCH_APPEND_TABLE)
#undef TORCH_APPEND_TABLE
    functions.push_back({nullptr, nullptr, 0, nullptr});
    return functions;
  }();
  VariableFunctionsType.tp_methods = all.data();
  VariableFunctionsType.tp_new = PyType_GenericNew;
  if (PyType_Ready(&VariableFunctionsType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "_VariableFunctionsClass",
                        reinterpret_cast<PyObject*>(&VariableFunctionsType));
  PyObject* instance = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&VariableFunctionsType));
  if (!instance) throw python_error();
  PyModule_AddObject(module, "_VariableFunctions", instance);
  add_function_module(module, "torch._C._nn", "_nn", python_nn_functions());
  add_function_module(module, "torch._C._linalg", "_linalg", python_linalg_functions());
  add_function_module(module, "torch._C._special", "_special", python_special_functions());
  add_function_module(module, "torch._C._fft", "_fft", python_fft_functions());
}

}  // namespace torch::autograd
