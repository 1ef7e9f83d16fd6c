#include <torch/csrc/autograd/python_saved_variable_hooks.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_strings.h>

#include <memory>
#include <string>

namespace torch::autograd {

PySavedVariableHooks::PySavedVariableHooks(PyObject* pack_hook, PyObject* unpack_hook)
    : pack_hook_(Py_NewRef(pack_hook)), unpack_hook_(Py_NewRef(unpack_hook)) {}

PySavedVariableHooks::~PySavedVariableHooks() {
  // When Python has ended, its objects are gone.
  if (!Py_IsInitialized()) return;
  const GilAcquire gil;
  Py_CLEAR(pack_hook_);
  Py_CLEAR(unpack_hook_);
  Py_CLEAR(data_);
}

void PySavedVariableHooks::call_pack_hook(const at::Tensor& tensor) {
  const GilAcquire gil;
  THPObjectPtr argument(THPVariable_Wrap(tensor));
  data_ = PyObject_CallOneArg(pack_hook_, argument);
  if (!data_) throw python_error();
}

at::Tensor PySavedVariableHooks::call_unpack_hook() {
  const GilAcquire gil;
  THPObjectPtr result(PyObject_CallOneArg(unpack_hook_, data_));
  if (!result) throw python_error();
  if (!THPVariable_Check(result)) {
    throw torch::TypeError(
        "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %s",
        Py_TYPE(result.get())->tp_name);
  }
  return THPVariable_Unpack(result);
}

namespace {

// Two callables that hooks of every tensor share.
struct Pair {
  Pair(PyObject* pack, PyObject* unpack) : pack(Py_NewRef(pack)), unpack(Py_NewRef(unpack)) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() {
    if (!Py_IsInitialized()) return;
    const GilAcquire gil;
    Py_DECREF(pack);
    Py_DECREF(unpack);
  }
  PyObject* pack;
  PyObject* unpack;
};

PyObject* push_hooks(PyObject* /*module*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* pack = nullptr;
  PyObject* unpack = nullptr;
  if (!PyArg_ParseTuple(args, "OO", &pack, &unpack)) return nullptr;
  SavedTensorDefaultHooks::push_hooks([pair = std::make_shared<Pair>(pack, unpack)] {
    const GilAcquire gil;
    return std::make_unique<PySavedVariableHooks>(pair->pack, pair->unpack);
  });
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* pop_hooks(PyObject* /*module*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  SavedTensorDefaultHooks::pop_hooks();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* disable(PyObject* /*module*/, PyObject* message) {
  HANDLE_TH_ERRORS
  const char* text = PyUnicode_AsUTF8(message);
  if (!text) throw python_error();
  SavedTensorDefaultHooks::disable(text);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* enable(PyObject* /*module*/, PyObject* /*unused*/) {
  SavedTensorDefaultHooks::enable();
  Py_RETURN_NONE;
}

PyObject* is_enabled(PyObject* /*module*/, PyObject* /*unused*/) {
  return PyBool_FromLong(SavedTensorDefaultHooks::is_enabled());
}

PyObject* disabled_error_message(PyObject* /*module*/, PyObject* /*unused*/) {
  const auto& message = SavedTensorDefaultHooks::get_disabled_error_message();
  if (!message.has_value()) Py_RETURN_NONE;
  return THPUtils_packString(*message);
}

PyMethodDef kFunctions[] = {
    {"_push_saved_tensors_default_hooks", push_hooks, METH_VARARGS, nullptr},
    {"_pop_saved_tensors_default_hooks", pop_hooks, METH_NOARGS, nullptr},
    {"_saved_tensors_hooks_disable", disable, METH_O, nullptr},
    {"_saved_tensors_hooks_enable", enable, METH_NOARGS, nullptr},
    {"_saved_tensors_hooks_is_enabled", is_enabled, METH_NOARGS, nullptr},
    {"_saved_tensors_hooks_get_disabled_error_message", disabled_error_message, METH_NOARGS,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef kModule = {PyModuleDef_HEAD_INIT,
                       "torch._C._autograd",
                       nullptr,
                       -1,
                       kFunctions,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr};

}  // namespace

void THPSavedVariableHooks_initModule(PyObject* module) {
  THPObjectPtr autograd(PyModule_Create(&kModule));
  if (!autograd || PyModule_AddObjectRef(module, "_autograd", autograd) < 0) throw python_error();
}

}  // namespace torch::autograd
