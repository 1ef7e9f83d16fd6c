#include <torch/csrc/Module.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/LapackOpenblas.h>
#include <ATen/native/OneDnn.h>
#include <ATen/native/TensorFactories.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/Size.h>
#include <torch/csrc/Storage.h>
#include <torch/csrc/autograd/python_bindings.h>
#include <torch/csrc/autograd/python_engine.h>
#include <torch/csrc/autograd/python_function.h>
#include <torch/csrc/autograd/python_modes.h>
#include <torch/csrc/autograd/python_saved_variable_hooks.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/docstrings.h>
#include <torch/csrc/utils/python_custom_class.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_operators.h>
#include <torch/csrc/utils/python_profiler.h>
#include <torch/csrc/utils/tensor_dlpack.h>
#include <torch/csrc/utils/torch_function.h>
#include <torch/csrc/utils/unpack_dtype.h>

#ifdef USE_CUDA
#include <torch/csrc/cuda/Module.h>
#endif

namespace {

bool unpack_bool(PyObject* arg, const char* function) {
  if (PyBool_Check(arg)) return arg == Py_True;
  throw torch::TypeError("%s(): argument 'enabled' (position 1) must be bool, not %s", function,
                         Py_TYPE(arg)->tp_name);
}

PyObject* set_grad_enabled(PyObject* /*self*/, PyObject* enabled) {
  HANDLE_TH_ERRORS
  c10::GradMode::set_enabled(unpack_bool(enabled, "set_grad_enabled"));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* is_grad_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(c10::GradMode::is_enabled());
}
PyObject* is_inference_mode_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(c10::InferenceMode::is_enabled());
}

PyObject* set_default_dtype(PyObject* /*self*/, PyObject* dtype) {
  HANDLE_TH_ERRORS
  if (!THPDtype_Check(dtype)) {
    throw torch::TypeError("invalid dtype object: got %s", Py_TYPE(dtype)->tp_name);
  }
  const c10::ScalarType type = torch::unpack_dtype(dtype);
  if (!c10::isFloatingType(type)) {
    throw torch::TypeError("only floating-point types are supported as the default type");
  }
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(type));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* get_default_dtype(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPDtype(c10::get_default_dtype_as_scalartype()));
  END_HANDLE_TH_ERRORS
}

PyObject* look_for_libraries_in(PyObject* /*self*/, PyObject* folder) {
  HANDLE_TH_ERRORS
  const char* text = PyUnicode_AsUTF8(folder);
  if (!text) throw python_error();
  at::native::lapack::look_in(text);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* set_num_threads(PyObject* /*self*/, PyObject* arg) {
  HANDLE_TH_ERRORS
  if (!THPUtils_checkLong(arg)) {
    throw torch::TypeError("set_num_threads expects an int, but got %s", Py_TYPE(arg)->tp_name);
  }
  const int64_t count = THPUtils_unpackLong(arg);
  TORCH_CHECK(count > 0, "set_num_threads expects a positive integer");
  at::set_num_threads(static_cast<int>(count));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* get_num_threads(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyLong_FromLong(at::get_num_threads());
}

PyObject* get_cpu_capability(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyUnicode_FromString(at::native::toString(at::native::get_cpu_capability()));
  END_HANDLE_TH_ERRORS
}

// How many devices of a type there are; None where no library of that type is loaded.
PyObject* device_count(PyObject* /*self*/, PyObject* type) {
  HANDLE_TH_ERRORS
  const char* name = PyUnicode_AsUTF8(type);
  if (name == nullptr) throw python_error();
  const c10::DeviceType device_type = c10::Device(name).type();
  if (!c10::impl::hasDeviceGuardImpl(device_type)) Py_RETURN_NONE;
  return PyLong_FromLong(c10::impl::getDeviceGuardImpl(device_type)->deviceCount());
  END_HANDLE_TH_ERRORS
}

PyObject* set_deterministic_algorithms(PyObject* /*self*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  const char* names[] = {"mode", "warn_only", nullptr};
  int mode = 0;
  int warn_only = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "p|$p:_set_deterministic_algorithms",
                                   const_cast<char**>(names), &mode, &warn_only)) {
    return nullptr;
  }
  at::globalContext().setDeterministicAlgorithms(mode != 0, warn_only != 0);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* deterministic_algorithms(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(at::globalContext().deterministicAlgorithms());
}
PyObject* deterministic_algorithms_warn_only(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(at::globalContext().deterministicAlgorithmsWarnOnly());
}
PyObject* set_flush_denormal(PyObject* /*self*/, PyObject* mode) {
  HANDLE_TH_ERRORS
  TORCH_CHECK(PyBool_Check(mode), "flush_denormal expects a bool, but got ",
              Py_TYPE(mode)->tp_name);
  return PyBool_FromLong(at::Context::setFlushDenormal(mode == Py_True));
  END_HANDLE_TH_ERRORS
}
PyObject* set_deterministic_fill(PyObject* /*self*/, PyObject* mode) {
  HANDLE_TH_ERRORS
  if (!PyBool_Check(mode)) {
    throw torch::TypeError("expected a bool, but got %s", Py_TYPE(mode)->tp_name);
  }
  at::native::set_deterministic_fill_uninitialized_memory(mode == Py_True);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* deterministic_fill(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(at::native::deterministic_fill_uninitialized_memory());
}

PyObject* set_warn_always(PyObject* /*self*/, PyObject* always) {
  HANDLE_TH_ERRORS
  if (!PyBool_Check(always)) {
    throw torch::TypeError("set_warn_always expects a bool, but got %s", Py_TYPE(always)->tp_name);
  }
  c10::WarningUtils::set_warnAlways(always == Py_True);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* warn_always(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(c10::WarningUtils::get_warnAlways());
}

PyMethodDef kFunctions[] = {
    {"_set_warnAlways", set_warn_always, METH_O, nullptr},
    {"_get_warnAlways", warn_always, METH_NOARGS, nullptr},
    {"_set_deterministic_algorithms",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(set_deterministic_algorithms)),
     METH_VARARGS | METH_KEYWORDS, nullptr},
    {"_get_deterministic_algorithms", deterministic_algorithms, METH_NOARGS, nullptr},
    {"_get_deterministic_algorithms_warn_only", deterministic_algorithms_warn_only, METH_NOARGS,
     nullptr},
    {"_set_flush_denormal", set_flush_denormal, METH_O, nullptr},
    {"_set_deterministic_fill_uninitialized_memory", set_deterministic_fill, METH_O, nullptr},
    {"_get_deterministic_fill_uninitialized_memory", deterministic_fill, METH_NOARGS, nullptr},
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS, nullptr},
    {"is_inference_mode_enabled", is_inference_mode_enabled, METH_NOARGS, nullptr},
    {"_set_default_dtype", set_default_dtype, METH_O, nullptr},
    {"get_default_dtype", get_default_dtype, METH_NOARGS, nullptr},
    {"_look_for_libraries_in", look_for_libraries_in, METH_O, nullptr},
    {"set_num_threads", set_num_threads, METH_O, nullptr},
    {"get_num_threads", get_num_threads, METH_NOARGS, nullptr},
    {"_get_cpu_capability", get_cpu_capability, METH_NOARGS, nullptr},
    {"_device_count", device_count, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyModuleDef kModule = {
    PyModuleDef_HEAD_INIT, "torch._C", nullptr, -1, kFunctions, nullptr, nullptr, nullptr, nullptr};

// c10's warnings as Python's.
struct PythonWarningHandler final : public c10::WarningHandler {
  void process(const c10::Warning& warning) override {
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyObject* category = warning.kind() == c10::Warning::Kind::Deprecation
                             ? PyExc_DeprecationWarning
                             : PyExc_UserWarning;
    const int status = PyErr_WarnEx(category, warning.msg().c_str(), 1);
    // Warnings turned into errors cannot be thrown from here; print them rather than lose them.
    if (status < 0) PyErr_WriteUnraisable(nullptr);
    PyGILState_Release(gil);
  }
};

void add_all(PyObject* module) {
  // PyTorch keeps these in `torch` itself; the package re-exports what it finds here.
  torch::THPException_init(module);
  THPDtype_init(module);
  THPLayout_init(module);
  THPMemoryFormat_init(module);
  THPDevice_init(module);
  THPSize_init(module);
  torch::init_torch_function(module);
  THPVariable_initModule(module);
  THPGenerator_init(module);
  THPScriptObject_init(module);
  THPStorage_init(module);
  torch::utils::init_dlpack(module);
  torch::autograd::THPFunction_initModule(module);
  torch::autograd::THPEngine_initModule(module);
  torch::autograd::init_modes(module);
  torch::autograd::THPSavedVariableHooks_initModule(module);
  torch::autograd::init_function_modules(module);
  PyModule_AddObjectRef(module, "_GLIBCXX_USE_CXX11_ABI",
                        _GLIBCXX_USE_CXX11_ABI ? Py_True : Py_False);
  PyModule_AddObjectRef(module, "has_openmp",
                        at::internal::parallel_backend_is_openmp() ? Py_True : Py_False);
  PyModule_AddObjectRef(module, "_has_mkldnn",
                        at::native::onednn::is_available() ? Py_True : Py_False);
  PyModule_AddFunctions(module, torch::operator_functions());
  PyModule_AddFunctions(module, torch::profiler::python_functions());
#ifdef USE_CUDA
  PyModule_AddFunctions(module, torch::cuda::python_functions());
  PyModule_AddFunctions(module, torch::cuda::stream_functions());
  PyModule_AddFunctions(module, torch::cuda::graph_functions());
  PyModule_AddFunctions(module, torch::cuda::cudnn_functions());
  PyModule_AddFunctions(module, torch::cuda::nvtx_functions());
  PyModule_AddFunctions(module, torch::cuda::nccl_functions());
  PyModule_AddFunctions(module, torch::cuda::profiler_functions());
#endif
  torch::utils::add_docstrings(module);
  // For those who compile extensions: they want a compiler of the same ABI.
  PyModule_AddIntConstant(module, "_GXX_ABI_VERSION", __GXX_ABI_VERSION);
#ifdef __clang__
  PyModule_AddStringConstant(module, "_COMPILER", "Clang " __clang_version__);
#else
  PyModule_AddStringConstant(module, "_COMPILER", "GCC " __VERSION__);
#endif
  static PythonWarningHandler handler;
  c10::WarningUtils::set_warning_handler(&handler);
}

}  // namespace

extern "C" PyObject* initModule() {
  THPObjectPtr module(PyModule_Create(&kModule));
  if (!module) return nullptr;
  HANDLE_TH_ERRORS
  add_all(module);
  return module.release();
  END_HANDLE_TH_ERRORS
}
