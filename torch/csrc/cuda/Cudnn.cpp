// torch.backends.cudnn's switches, and the version of the library.

#include <torch/csrc/cuda/Module.h>

#include <ATen/native/ConvLibrary.h>
#include <ATen/native/cuda/ConvLibrary.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/python_strings.h>

#include <atomic>
#include <string>
#include <string_view>

namespace torch::cuda {
namespace {

std::atomic<bool>& option(PyObject* name) {
  at::native::ConvLibraryOptions& options = at::native::conv_library_options();
  const std::string_view wanted = THPUtils_unpackStringView(name);
  if (wanted == "enabled") return options.enabled;
  if (wanted == "benchmark") return options.benchmark;
  if (wanted == "deterministic") return options.deterministic;
  if (wanted == "allow_tf32") return options.allow_tf32;
  throw torch::TypeError("cuDNN has no option '%s'", std::string(wanted).c_str());
}

PyObject* py_get_option(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  if (!PyArg_ParseTuple(args, "U:_cuda_getCudnnOption", &name)) throw python_error();
  return PyBool_FromLong(option(name));
  END_HANDLE_TH_ERRORS
}

PyObject* py_set_option(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* value = nullptr;
  if (!PyArg_ParseTuple(args, "UO!:_cuda_setCudnnOption", &name, &PyBool_Type, &value)) {
    throw python_error();
  }
  option(name) = value == Py_True;
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_version(PyObject*, PyObject*) {
  return PyLong_FromLongLong(at::native::conv_library_version());
}

PyMethodDef kFunctions[] = {
    {"_cuda_getCudnnOption", py_get_option, METH_VARARGS, nullptr},
    {"_cuda_setCudnnOption", py_set_option, METH_VARARGS, nullptr},
    {"_cuda_getCudnnVersion", py_version, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* cudnn_functions() { return kFunctions; }

}  // namespace torch::cuda
