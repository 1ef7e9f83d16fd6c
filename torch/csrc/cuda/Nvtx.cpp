// Ranges and marks for NVIDIA's profilers, in builds with --nvtx. The headers look for a profiler
// at the first call; without one a call costs a few nanoseconds.

#include <torch/csrc/cuda/Module.h>

#include <torch/csrc/Exceptions.h>

#include <cstdint>

#ifdef USE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

namespace torch::cuda {
namespace {

#ifdef USE_NVTX

const char* text(PyObject* message) {
  if (PyUnicode_Check(message) == 0) {
    PyErr_Format(PyExc_TypeError, "the name of a range must be a str, not %s",
                 Py_TYPE(message)->tp_name);
    throw python_error();
  }
  const char* result = PyUnicode_AsUTF8(message);
  if (result == nullptr) throw python_error();
  return result;
}

PyObject* py_range_push(PyObject*, PyObject* message) {
  HANDLE_TH_ERRORS
  return PyLong_FromLong(nvtxRangePushA(text(message)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_range_pop(PyObject*, PyObject*) { return PyLong_FromLong(nvtxRangePop()); }

PyObject* py_range_start(PyObject*, PyObject* message) {
  HANDLE_TH_ERRORS
  return PyLong_FromUnsignedLongLong(nvtxRangeStartA(text(message)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_range_end(PyObject*, PyObject* id) {
  HANDLE_TH_ERRORS
  const uint64_t range = PyLong_AsUnsignedLongLong(id);
  if (PyErr_Occurred() != nullptr) throw python_error();
  nvtxRangeEnd(range);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_mark(PyObject*, PyObject* message) {
  HANDLE_TH_ERRORS
  nvtxMarkA(text(message));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

#endif

PyMethodDef kFunctions[] = {
#ifdef USE_NVTX
    {"_cuda_nvtxRangePush", py_range_push, METH_O, nullptr},
    {"_cuda_nvtxRangePop", py_range_pop, METH_NOARGS, nullptr},
    {"_cuda_nvtxRangeStart", py_range_start, METH_O, nullptr},
    {"_cuda_nvtxRangeEnd", py_range_end, METH_O, nullptr},
    {"_cuda_nvtxMark", py_mark, METH_O, nullptr},
#endif
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* nvtx_functions() { return kFunctions; }

}  // namespace torch::cuda
