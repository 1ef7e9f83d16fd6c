#include <torch/csrc/autograd/python_modes.h>

#include <ATen/OutsideWrites.h>
#include <ATen/autocast_mode.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace torch::autograd {

namespace {

// Where the calling thread is in the Python program; empty in threads that Python never saw.
std::string python_stack() {
  if (!Py_IsInitialized()) return {};
  const GilAcquire gil;
  const THPObjectPtr module(PyImport_ImportModule("traceback"));
  const THPObjectPtr lines(module ? PyObject_CallMethod(module, "format_stack", nullptr) : nullptr);
  const THPObjectPtr empty(PyUnicode_FromString(""));
  const THPObjectPtr text(lines && empty ? PyUnicode_Join(empty, lines) : nullptr);
  if (!text) throw python_error();
  return THPUtils_unpackString(text);
}

// set_anomaly_enabled(mode, check_nan=True).
PyObject* set_anomaly_enabled(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  const char* keywords[] = {"mode", "check_nan", nullptr};
  PyObject* mode = nullptr;
  PyObject* check_nan = Py_True;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|O!:set_anomaly_enabled",
                                   const_cast<char**>(keywords), &PyBool_Type, &mode, &PyBool_Type,
                                   &check_nan)) {
    throw python_error();
  }
  AnomalyMode::set_enabled(mode == Py_True, check_nan == Py_True);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* is_anomaly_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(AnomalyMode::is_enabled());
}
PyObject* is_anomaly_check_nan_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(AnomalyMode::should_check_nan());
}

PyMethodDef kFunctions[] = {
    {"set_anomaly_enabled",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_anomaly_enabled)),
     METH_VARARGS | METH_KEYWORDS, nullptr},
    {"is_anomaly_enabled", is_anomaly_enabled, METH_NOARGS, nullptr},
    {"is_anomaly_check_nan_enabled", is_anomaly_check_nan_enabled, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

// _InferenceMode(enabled): a context manager for one block.
struct InferenceModeObject {
  PyObject_HEAD std::unique_ptr<c10::InferenceMode> guard;
  bool enabled;
};

InferenceModeObject* as_mode(PyObject* self) {
  return reinterpret_cast<InferenceModeObject*>(self);
}

PyObject* mode_new(PyTypeObject* type, PyObject* args, PyObject* /*kwargs*/) {
  int enabled = 1;
  if (!PyArg_ParseTuple(args, "|p:_InferenceMode", &enabled)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  new (&as_mode(self)->guard) std::unique_ptr<c10::InferenceMode>();
  as_mode(self)->enabled = enabled != 0;
  return self;
}

void mode_dealloc(PyObject* self) {
  as_mode(self)->guard.~unique_ptr();
  Py_TYPE(self)->tp_free(self);
}

PyObject* mode_enter(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  TORCH_CHECK(!as_mode(self)->guard, "inference mode was entered twice by one object");
  as_mode(self)->guard = std::make_unique<c10::InferenceMode>(as_mode(self)->enabled);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* mode_exit(PyObject* self, PyObject* /*args*/) {
  as_mode(self)->guard.reset();
  Py_RETURN_NONE;
}

PyMethodDef kModeMethods[] = {
    {"__enter__", mode_enter, METH_NOARGS, nullptr},
    {"__exit__", mode_exit, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._InferenceMode";
  type.tp_basicsize = sizeof(InferenceModeObject);
  type.tp_dealloc = mode_dealloc;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_methods = kModeMethods;
  type.tp_new = mode_new;
  return type;
}

PyTypeObject InferenceModeType = make_type();

// _OutsideWrites(size): a context manager for the calls of a function for each entry of a batch.
struct OutsideWritesObject {
  PyObject_HEAD std::unique_ptr<at::OutsideWrites> calls;
  int64_t size;
};

OutsideWritesObject* as_writes(PyObject* self) {
  return reinterpret_cast<OutsideWritesObject*>(self);
}

PyObject* writes_new(PyTypeObject* type, PyObject* args, PyObject* /*kwargs*/) {
  long long size = 0;
  if (!PyArg_ParseTuple(args, "L:_OutsideWrites", &size)) return nullptr;
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) return nullptr;
  new (&as_writes(self)->calls) std::unique_ptr<at::OutsideWrites>();
  as_writes(self)->size = size;
  return self;
}

void writes_dealloc(PyObject* self) {
  as_writes(self)->calls.~unique_ptr();
  Py_TYPE(self)->tp_free(self);
}

PyObject* writes_enter(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  TORCH_CHECK(!as_writes(self)->calls, "_OutsideWrites was entered twice");
  as_writes(self)->calls = std::make_unique<at::OutsideWrites>(as_writes(self)->size);
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* writes_exit(PyObject* self, PyObject* /*args*/) {
  as_writes(self)->calls.reset();
  Py_RETURN_NONE;
}

// begin(tensors): `tensors` are the entry's.
PyObject* writes_begin(PyObject* self, PyObject* list) {
  HANDLE_TH_ERRORS
  TORCH_CHECK(as_writes(self)->calls, "_OutsideWrites was not entered");
  const THPObjectPtr items(PySequence_Fast(list, "begin takes a list of tensors"));
  if (!items) throw python_error();
  std::vector<at::Tensor> tensors;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
    tensors.push_back(THPVariable_Unpack(PySequence_Fast_GET_ITEM(items.get(), i)));
  }
  as_writes(self)->calls->begin(tensors);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* writes_end(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  TORCH_CHECK(as_writes(self)->calls, "_OutsideWrites was not entered");
  as_writes(self)->calls->end();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kWritesMethods[] = {
    {"__enter__", writes_enter, METH_NOARGS, nullptr},
    {"__exit__", writes_exit, METH_VARARGS, nullptr},
    {"begin", writes_begin, METH_O, nullptr},
    {"end", writes_end, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_writes_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._OutsideWrites";
  type.tp_basicsize = sizeof(OutsideWritesObject);
  type.tp_dealloc = writes_dealloc;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_methods = kWritesMethods;
  type.tp_new = writes_new;
  return type;
}

PyTypeObject OutsideWritesType = make_writes_type();

// Mixed precision, of each type of device; torch.amp has the blocks.
c10::DeviceType device_type(PyObject* name) {
  return c10::Device(THPUtils_unpackString(name)).type();
}

PyObject* is_autocast_available(PyObject* /*self*/, PyObject* name) {
  HANDLE_TH_ERRORS
  if (!THPUtils_checkString(name)) {
    throw torch::TypeError(
        "_is_autocast_available(): argument 'device_type' (position 1) must be str, not %s",
        Py_TYPE(name)->tp_name);
  }
  return PyBool_FromLong(at::autocast::is_autocast_available(device_type(name)));
  END_HANDLE_TH_ERRORS
}

PyCFunction with_keywords(PyCFunctionWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// PyArg_ParseTupleAndKeywords, whose list of names is not const before Python 3.13.
template <size_t N, typename... Places>
bool parse(PyObject* args, PyObject* kwargs, const char* format, const char* const (&names)[N],
           Places... places) {
  std::array<char*, N + 1> list{};
  for (size_t i = 0; i < N; ++i) list[i] = const_cast<char*>(names[i]);
  return PyArg_ParseTupleAndKeywords(args, kwargs, format, list.data(), places...) != 0;
}

// is_autocast_enabled(device_type="cuda")
PyObject* is_autocast_enabled(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  if (!parse(args, kwargs, "|U:is_autocast_enabled", {"device_type"}, &name)) throw python_error();
  const c10::DeviceType type = name == nullptr ? c10::DeviceType::CUDA : device_type(name);
  // Programs ask about every device that they know.
  return PyBool_FromLong(at::autocast::is_autocast_available(type) &&
                         at::autocast::is_autocast_enabled(type));
  END_HANDLE_TH_ERRORS
}

// set_autocast_enabled(enabled), of CUDA, and set_autocast_enabled(device_type, enabled)
PyObject* set_autocast_enabled(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* enabled = nullptr;
  const Py_ssize_t count = PyTuple_GET_SIZE(args) + (kwargs ? PyDict_GET_SIZE(kwargs) : 0);
  const bool parsed = count == 1 ? parse(args, kwargs, "O!:set_autocast_enabled", {"enabled"},
                                         &PyBool_Type, &enabled)
                                 : parse(args, kwargs, "UO!:set_autocast_enabled",
                                         {"device_type", "enabled"}, &name, &PyBool_Type, &enabled);
  if (!parsed) throw python_error();
  at::autocast::set_autocast_enabled(name == nullptr ? c10::DeviceType::CUDA : device_type(name),
                                     enabled == Py_True);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* get_autocast_dtype(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  if (!parse(args, kwargs, "U:get_autocast_dtype", {"device_type"}, &name)) throw python_error();
  return Py_NewRef(getTHPDtype(at::autocast::get_autocast_dtype(device_type(name))));
  END_HANDLE_TH_ERRORS
}

PyObject* set_autocast_dtype(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* dtype = nullptr;
  if (!parse(args, kwargs, "UO!:set_autocast_dtype", {"device_type", "dtype"}, &name, &THPDtypeType,
             &dtype)) {
    throw python_error();
  }
  at::autocast::set_autocast_dtype(device_type(name), unpack_dtype(dtype));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* increment_nesting(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyLong_FromLong(at::autocast::increment_nesting());
}

PyObject* decrement_nesting(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyLong_FromLong(at::autocast::decrement_nesting());
}

PyObject* clear_cache(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  at::autocast::clear_cache();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* is_cache_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(at::autocast::is_autocast_cache_enabled());
}

PyObject* set_cache_enabled(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* enabled = nullptr;
  if (!PyArg_ParseTuple(args, "O!:set_autocast_cache_enabled", &PyBool_Type, &enabled)) {
    throw python_error();
  }
  at::autocast::set_autocast_cache_enabled(enabled == Py_True);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kAutocastFunctions[] = {
    {"_is_autocast_available", is_autocast_available, METH_O, nullptr},
    {"is_autocast_enabled", with_keywords(is_autocast_enabled), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"set_autocast_enabled", with_keywords(set_autocast_enabled), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"get_autocast_dtype", with_keywords(get_autocast_dtype), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"set_autocast_dtype", with_keywords(set_autocast_dtype), METH_VARARGS | METH_KEYWORDS,
     nullptr},
    {"autocast_increment_nesting", increment_nesting, METH_NOARGS, nullptr},
    {"autocast_decrement_nesting", decrement_nesting, METH_NOARGS, nullptr},
    {"clear_autocast_cache", clear_cache, METH_NOARGS, nullptr},
    {"is_autocast_cache_enabled", is_cache_enabled, METH_NOARGS, nullptr},
    {"set_autocast_cache_enabled", set_cache_enabled, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void init_modes(PyObject* module) {
  AnomalyMode::set_stack_function(python_stack);
  if (PyModule_AddFunctions(module, kFunctions) < 0 ||
      PyModule_AddFunctions(module, kAutocastFunctions) < 0) {
    throw python_error();
  }
  if (PyType_Ready(&InferenceModeType) < 0 || PyType_Ready(&OutsideWritesType) < 0) {
    throw python_error();
  }
  PyModule_AddObjectRef(module, "_InferenceMode", reinterpret_cast<PyObject*>(&InferenceModeType));
  PyModule_AddObjectRef(module, "_OutsideWrites", reinterpret_cast<PyObject*>(&OutsideWritesType));
}

}  // namespace torch::autograd
