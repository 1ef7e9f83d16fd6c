// What torch.profiler calls.

#include <torch/csrc/cuda/Module.h>

#include <ATen/native/cuda/ActivityTrace.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/object_ptr.h>

#include <cstddef>
#include <vector>

namespace torch::cuda {
namespace {

PyObject* py_has_trace(PyObject*, PyObject*) {
  return PyBool_FromLong(at::native::has_activity_trace());
}

PyObject* py_start_trace(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  at::native::start_activity_trace();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// A list of (work, name, start, end, device, stream, grid, block, shared memory, bytes).
PyObject* py_stop_trace(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  const std::vector<at::native::GpuActivity> all = at::native::stop_activity_trace();
  THPObjectPtr list(PyList_New(static_cast<Py_ssize_t>(all.size())));
  if (!list) throw python_error();
  for (size_t i = 0; i < all.size(); ++i) {
    const at::native::GpuActivity& a = all[i];
    PyObject* item = Py_BuildValue(
        "isKKII(iii)(iii)LK", static_cast<int>(a.work), a.name.c_str(),
        static_cast<unsigned long long>(a.start), static_cast<unsigned long long>(a.end), a.device,
        a.stream, a.grid[0], a.grid[1], a.grid[2], a.block[0], a.block[1], a.block[2],
        static_cast<long long>(a.shared_memory), static_cast<unsigned long long>(a.bytes));
    if (item == nullptr) throw python_error();
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), item);
  }
  return list.release();
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_cuda_hasTrace", py_has_trace, METH_NOARGS, nullptr},
    {"_cuda_startTrace", py_start_trace, METH_NOARGS, nullptr},
    {"_cuda_stopTrace", py_stop_trace, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* profiler_functions() { return kFunctions; }

}  // namespace torch::cuda
