#include <torch/csrc/autograd/python_hook.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/tensor_new.h>

namespace torch::autograd {

namespace {

PyObject* hold(PyObject* dict) {
  Py_INCREF(dict);
  return dict;
}

void drop(PyObject* dict) {
  if (!Py_IsInitialized()) return;
  const GilAcquire gil;
  Py_DECREF(dict);
}

// The callables at this moment: a hook may remove itself while it runs.
THPObjectPtr hooks_of(PyObject* dict) {
  THPObjectPtr values(PyMapping_Values(dict));
  if (!values) throw python_error();
  THPObjectPtr list(PySequence_Fast(values, "hooks must be a dict"));
  if (!list) throw python_error();
  return list;
}

THPObjectPtr to_tuple(const variable_list& tensors) {
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < tensors.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), THPVariable_Wrap(tensors[i]));
  }
  return tuple;
}

variable_list from_tuple(PyObject* tuple) {
  variable_list tensors;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject* item = PyTuple_GET_ITEM(tuple, i);
    tensors.push_back(item == Py_None ? Variable() : THPVariable_Unpack(item));
  }
  return tensors;
}

std::string hook_name(PyObject* hook) {
  THPObjectPtr name(PyObject_GetAttrString(hook, "__name__"));
  PyErr_Clear();
  const char* text = name && PyUnicode_Check(name.get()) ? PyUnicode_AsUTF8(name) : nullptr;
  return text ? text : "<unknown>";
}

// `value` is what the hook returned in place of `original`.
void check_tensor(PyObject* original, PyObject* value, PyObject* hook) {
  if (value == Py_None) return;
  if (!THPVariable_Check(value)) {
    throw torch::TypeError("hook '%s' has changed the type of value (was torch.Tensor got '%s')",
                           hook_name(hook).c_str(), Py_TYPE(value)->tp_name);
  }
  if (original == Py_None) return;
  const Variable& before = THPVariable_Unpack(original);
  const Variable& after = THPVariable_Unpack(value);
  if (!before.defined() || !after.defined()) return;
  const auto type_of = [](const Variable& tensor) {
    return utils::options_to_string(tensor.scalar_type(), tensor.device());
  };
  TORCH_CHECK(after.scalar_type() == before.scalar_type() && after.device() == before.device(),
              "hook '", hook_name(hook), "' has changed the type of value (was ", type_of(before),
              " got ", type_of(after), ")");
  TORCH_CHECK(after.sizes() == before.sizes(), "hook '", hook_name(hook),
              "' has changed the size of value: it was ", before.sizes(), ", now ", after.sizes());
}

// What a hook on several gradients returned, in place of `tuple` unless it was None.
void replace_tuple(THPObjectPtr& tuple, THPObjectPtr result, PyObject* hook) {
  if (result.get() == Py_None) return;
  if (!PyTuple_Check(result.get())) {
    THPObjectPtr single(PyTuple_Pack(1, result.get()));
    result = std::move(single);
  }
  if (PyTuple_GET_SIZE(result.get()) != PyTuple_GET_SIZE(tuple.get())) {
    throw torch::RuntimeError(
        "hook '%s' has returned an incorrect number of values (got %zd, but expected %zd)",
        hook_name(hook).c_str(), PyTuple_GET_SIZE(result.get()), PyTuple_GET_SIZE(tuple.get()));
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(result.get()); ++i) {
    check_tensor(PyTuple_GET_ITEM(tuple.get(), i), PyTuple_GET_ITEM(result.get(), i), hook);
  }
  tuple = std::move(result);
}

}  // namespace

PyFunctionTensorPreHook::PyFunctionTensorPreHook(PyObject* dict, size_t value_idx)
    : dict(hold(dict)), value_idx(value_idx) {}
PyFunctionTensorPreHook::~PyFunctionTensorPreHook() { drop(dict); }

variable_list PyFunctionTensorPreHook::operator()(const variable_list& values) {
  const GilAcquire gil;
  THPObjectPtr value(THPVariable_Wrap(values.at(value_idx)));
  THPObjectPtr hooks = hooks_of(dict);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(hooks.get()); ++i) {
    PyObject* hook = PySequence_Fast_GET_ITEM(hooks.get(), i);
    THPObjectPtr result(PyObject_CallOneArg(hook, value));
    if (!result) throw python_error();
    if (result.get() == Py_None) continue;
    check_tensor(value, result, hook);
    value = std::move(result);
  }
  variable_list results(values);
  if (value.get() != Py_None) results[value_idx] = THPVariable_Unpack(value);
  return results;
}

PyFunctionPreHook::PyFunctionPreHook(PyObject* dict) : dict(hold(dict)) {}
PyFunctionPreHook::~PyFunctionPreHook() { drop(dict); }

variable_list PyFunctionPreHook::operator()(const variable_list& values) {
  const GilAcquire gil;
  THPObjectPtr tuple = to_tuple(values);
  THPObjectPtr hooks = hooks_of(dict);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(hooks.get()); ++i) {
    PyObject* hook = PySequence_Fast_GET_ITEM(hooks.get(), i);
    THPObjectPtr result(PyObject_CallOneArg(hook, tuple));
    if (!result) throw python_error();
    replace_tuple(tuple, std::move(result), hook);
  }
  return from_tuple(tuple);
}

PyFunctionPostHook::PyFunctionPostHook(PyObject* dict) : dict(hold(dict)) {}
PyFunctionPostHook::~PyFunctionPostHook() { drop(dict); }

variable_list PyFunctionPostHook::operator()(const variable_list& outputs,
                                             const variable_list& inputs) {
  const GilAcquire gil;
  THPObjectPtr grad_inputs = to_tuple(outputs);
  THPObjectPtr grad_outputs = to_tuple(inputs);
  THPObjectPtr hooks = hooks_of(dict);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(hooks.get()); ++i) {
    PyObject* hook = PySequence_Fast_GET_ITEM(hooks.get(), i);
    THPObjectPtr result(
        PyObject_CallFunctionObjArgs(hook, grad_inputs.get(), grad_outputs.get(), nullptr));
    if (!result) throw python_error();
    replace_tuple(grad_inputs, std::move(result), hook);
  }
  return from_tuple(grad_inputs);
}

PyFunctionPostAccGradHook::PyFunctionPostAccGradHook(PyObject* dict) : dict(hold(dict)) {}
PyFunctionPostAccGradHook::~PyFunctionPostAccGradHook() { drop(dict); }

void PyFunctionPostAccGradHook::operator()(const Variable& tensor) {
  const GilAcquire gil;
  THPObjectPtr param(THPVariable_Wrap(tensor));
  THPObjectPtr hooks = hooks_of(dict);
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(hooks.get()); ++i) {
    PyObject* hook = PySequence_Fast_GET_ITEM(hooks.get(), i);
    THPObjectPtr result(PyObject_CallOneArg(hook, param));
    if (!result) throw python_error();
    if (result.get() == Py_None) continue;
    if (!THPVariable_Check(result)) {
      throw torch::TypeError("expected Variable, but hook returned '%s'",
                             Py_TYPE(result.get())->tp_name);
    }
    TORCH_CHECK(result.get() == param.get(),
                "Tensor post accumulate grad hooks should return None.");
  }
}

}  // namespace torch::autograd
