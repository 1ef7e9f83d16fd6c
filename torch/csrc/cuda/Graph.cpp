// Graphs, which Python holds in capsules, and pinned memory.

#include <ATen/cuda/CUDAGraph.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/cuda/Module.h>

namespace torch::cuda {
namespace {

using at::cuda::CUDAGraph;

constexpr const char* kGraphName = "torch.cuda.graph";

CUDAGraph& graph_of(PyObject* capsule) {
  auto* graph = static_cast<CUDAGraph*>(PyCapsule_GetPointer(capsule, kGraphName));
  if (graph == nullptr) throw python_error();
  return *graph;
}

PyObject* py_graph_create(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  return PyCapsule_New(new CUDAGraph, kGraphName, [](PyObject* capsule) {
    delete static_cast<CUDAGraph*>(PyCapsule_GetPointer(capsule, kGraphName));
  });
  END_HANDLE_TH_ERRORS
}

PyObject* py_graph_capture_begin(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* capsule = nullptr;
  int mode = 0;
  if (!PyArg_ParseTuple(args, "Oi", &capsule, &mode)) throw python_error();
  graph_of(capsule).capture_begin(static_cast<cudaStreamCaptureMode>(mode));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_graph_capture_end(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  graph_of(capsule).capture_end();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_graph_replay(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  graph_of(capsule).replay();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_graph_reset(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  graph_of(capsule).reset();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_is_capturing(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(at::cuda::isCurrentStreamCapturing());
  END_HANDLE_TH_ERRORS
}

PyObject* py_is_pinned(PyObject*, PyObject* tensor) {
  HANDLE_TH_ERRORS
  if (!THPVariable_Check(tensor)) {
    throw torch::TypeError("is_pinned expects a tensor, but got %s", Py_TYPE(tensor)->tp_name);
  }
  return PyBool_FromLong(at::cuda::isPinnedPtr(THPVariable_Unpack(tensor).storage().data()));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_cuda_graphCreate", py_graph_create, METH_NOARGS, nullptr},
    {"_cuda_graphCaptureBegin", py_graph_capture_begin, METH_VARARGS, nullptr},
    {"_cuda_graphCaptureEnd", py_graph_capture_end, METH_O, nullptr},
    {"_cuda_graphReplay", py_graph_replay, METH_O, nullptr},
    {"_cuda_graphReset", py_graph_reset, METH_O, nullptr},
    {"_cuda_isCurrentStreamCapturing", py_is_capturing, METH_NOARGS, nullptr},
    {"_cuda_isPinned", py_is_pinned, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* graph_functions() { return kFunctions; }

}  // namespace torch::cuda
