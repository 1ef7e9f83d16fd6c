// What torch.cuda.nccl calls; it has checked the arguments.

#include <torch/csrc/cuda/Module.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/Collectives.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torch::cuda {
namespace {

// (collective, inputs, outputs, reduction, root); an output is None where there is none.
PyObject* py_collective(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  int what = 0;
  PyObject* inputs = nullptr;
  PyObject* outputs = nullptr;
  int reduction = 0;
  Py_ssize_t root = 0;
  if (!PyArg_ParseTuple(args, "iO!O!in:_cuda_nccl", &what, &PyList_Type, &inputs, &PyList_Type,
                        &outputs, &reduction, &root)) {
    throw python_error();
  }
  std::vector<at::native::CollectivePart> parts;
  c10::ScalarType dtype = c10::ScalarType::Undefined;
  int64_t count = 0;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(inputs); ++i) {
    const at::Tensor& input = THPVariable_Unpack(PyList_GET_ITEM(inputs, i));
    PyObject* item = PyList_GET_ITEM(outputs, i);
    const at::Tensor output = item == Py_None ? at::Tensor() : THPVariable_Unpack(item);
    dtype = input.scalar_type();
    const auto kind = static_cast<at::native::Collective>(what);
    count = kind == at::native::Collective::REDUCE_SCATTER ? output.numel() : input.numel();
    parts.push_back({input.device().index(), input.const_data_ptr(),
                     output.defined() ? output.mutable_data_ptr() : nullptr});
  }
  {
    // The first call makes communicators, which takes seconds and waits for every GPU.
    const torch::GilRelease no_gil;
    at::native::collective(static_cast<at::native::Collective>(what), dtype, count, parts,
                           static_cast<at::native::Reduction>(reduction), root);
  }
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_version(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  return PyLong_FromLongLong(at::native::collective_library_version());
  END_HANDLE_TH_ERRORS
}

PyObject* py_unique_id(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  const std::string id = at::native::collective_unique_id();
  return PyBytes_FromStringAndSize(id.data(), static_cast<Py_ssize_t>(id.size()));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_cuda_nccl", py_collective, METH_VARARGS, nullptr},
    {"_cuda_ncclVersion", py_version, METH_NOARGS, nullptr},
    {"_cuda_ncclUniqueId", py_unique_id, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* nccl_functions() { return kFunctions; }

}  // namespace torch::cuda
